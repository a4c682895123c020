//! All points of a batch, decompressed together, and what is wrong with them.

use crate::constants::Bytes48;
use crate::reason::{InputError, Reason};
use crate::unit::Unit;
use blobcheck_curve::{g1, subgroup, G1Affine, PointError};
use std::collections::BTreeMap;

/// A decompressed point, or why there is none.
pub(crate) type Point = Result<G1Affine, PointError>;

/// A unit with its proofs, and the positions of its commitments in the table.
pub(crate) struct Candidate<'a> {
    pub(crate) unit: Unit<'a>,
    pub(crate) positions: Vec<usize>,
    pub(crate) proofs: Vec<Point>,
}

/// Decompresses all points **on the curve**: the table of distinct commitments, and each well-formed unit with its
/// proofs.
pub(crate) fn decompress<'a>(
    units: Vec<Result<Unit<'a>, InputError>>,
) -> (Vec<Point>, Vec<Result<Candidate<'a>, InputError>>) {
    // Ordered, not hashed: no choice of commitments makes it quadratic.
    let mut positions: BTreeMap<&'a Bytes48, usize> = BTreeMap::new();
    let mut encodings: Vec<Bytes48> = Vec::new();
    let mut candidates: Vec<_> = units
        .into_iter()
        .map(|unit| {
            let unit = unit?;
            let mut position = |commitment| {
                *positions.entry(commitment).or_insert_with(|| {
                    encodings.push(*commitment);
                    encodings.len() - 1
                })
            };
            let positions = unit.commitments().iter().map(&mut position).collect();
            Ok(Candidate { unit, positions, proofs: Vec::new() })
        })
        .collect();
    for candidate in candidates.iter().flatten() {
        encodings.extend(candidate.unit.proofs());
    }
    let mut table = g1::decompress_on_curve(&encodings);
    let mut proofs = table.split_off(positions.len()).into_iter();
    for candidate in candidates.iter_mut().flatten() {
        candidate.proofs = proofs.by_ref().take(candidate.unit.rows()).collect();
    }
    (table, candidates)
}

impl Candidate<'_> {
    /// The first point that is none: commitments come before proofs.
    pub(crate) fn error(&self, table: &[Point]) -> Option<InputError> {
        let commitments =
            self.positions.iter().enumerate().find_map(|(i, position)| match table.get(*position) {
                Some(Ok(_)) => None,
                Some(Err(error)) => Some(InputError::at(Reason::of_commitment(*error), i)),
                // Every commitment is in the table; were one missing, it would be refused here.
                None => Some(InputError::at(Reason::CommitmentIndex, i)),
            });
        let mut proofs = self.proofs.iter().enumerate();
        commitments
            .or_else(|| proofs.find_map(|(i, proof)| Some(InputError::at(Reason::of_proof(proof.err()?), i))))
    }
}

/// For each unit whether something is wrong with it that is known by now.
pub(crate) fn refused(table: &[Point], units: &[Result<Candidate<'_>, InputError>]) -> Vec<bool> {
    units.iter().map(|unit| unit.as_ref().map_or(true, |unit| unit.error(table).is_some())).collect()
}

/// Tests the points of the chosen units one by one, and refuses those outside G1.
pub(crate) fn test_units<'p>(
    table: &'p mut [Point],
    units: &'p mut [Result<Candidate<'_>, InputError>],
    chosen: &[bool],
) {
    let mut named = vec![false; table.len()];
    let (mut known, mut points) = (Vec::new(), Vec::new());
    let mut add = |point: &'p mut Point| {
        if let Ok(of_curve) = point {
            known.push(*of_curve);
            points.push(point);
        }
    };
    for (unit, chosen) in units.iter_mut().zip(chosen) {
        if let (Ok(unit), true) = (unit, chosen) {
            mark(&mut named, &unit.positions);
            unit.proofs.iter_mut().for_each(&mut add);
        }
    }
    for (point, named) in table.iter_mut().zip(named) {
        if named {
            add(point);
        }
    }
    for (point, inside) in points.into_iter().zip(subgroup::contains(&known)) {
        if !inside {
            *point = Err(PointError::NotInSubgroup);
        }
    }
}

/// Marks the entries of the table at `positions`.
pub(crate) fn mark(named: &mut [bool], positions: &[usize]) {
    for position in positions {
        if let Some(named) = named.get_mut(*position) {
            *named = true;
        }
    }
}
