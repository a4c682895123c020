//! All points of a batch, decompressed together, and what is wrong with them.

use crate::constants::Bytes48;
use crate::reason::{InputError, Reason};
use crate::unit::Unit;
use blobcheck_curve::{g1_encoding, subgroup, CurvePoint, PointError};

/// A decompressed point, or why there is none.
pub(crate) type Point = Result<CurvePoint, PointError>;

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
    let mut candidates: Vec<_> = units
        .into_iter()
        .map(|unit| Ok(Candidate { unit: unit?, positions: Vec::new(), proofs: Vec::new() }))
        .collect();
    let named = candidates.iter().flatten().flat_map(|candidate| candidate.unit.commitments());
    let (mut encodings, positions) = distinct(&named.collect::<Vec<_>>());
    let distinct = encodings.len();
    let mut positions = positions.into_iter();
    for candidate in candidates.iter_mut().flatten() {
        candidate.positions = positions.by_ref().take(candidate.unit.commitments().len()).collect();
        encodings.extend(candidate.unit.proofs());
    }
    let mut table = g1_encoding::decompress_on_curve(&encodings);
    let mut proofs = table.split_off(distinct).into_iter();
    for candidate in candidates.iter_mut().flatten() {
        candidate.proofs = proofs.by_ref().take(candidate.unit.rows()).collect();
    }
    (table, candidates)
}

/// The distinct ones of `keys`, and where among them each key is.
///
/// By merging sorted runs: no choice of keys makes it quadratic, and maps and sorts of the standard library, for speed that
/// is nothing beside a decompression, are some kilobytes of the module.
fn distinct(keys: &[&Bytes48]) -> (Vec<Bytes48>, Vec<usize>) {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    let mut run = 1;
    while run < keys.len() {
        let mut merged = Vec::with_capacity(order.len());
        for pair in order.chunks(2 * run) {
            let (mut left, mut right) = pair.split_at(run.min(pair.len()));
            while let (Some((l, others_left)), Some((r, others_right))) =
                (left.split_first(), right.split_first())
            {
                if keys.get(*r) < keys.get(*l) {
                    merged.push(*r);
                    right = others_right;
                } else {
                    merged.push(*l);
                    left = others_left;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        order = merged;
        run *= 2;
    }
    let (mut found, mut positions) = (Vec::new(), vec![0; keys.len()]);
    for at in order {
        let Some(key) = keys.get(at) else { continue };
        if found.last() != Some(*key) {
            found.push(**key);
        }
        if let Some(position) = positions.get_mut(at) {
            *position = found.len() - 1;
        }
    }
    (found, positions)
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
    for (point, inside) in points.into_iter().zip(subgroup::are_in_subgroup(&known)) {
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

#[cfg(test)]
mod tests {
    use super::distinct;
    use crate::constants::Bytes48;
    use blobcheck_testing::Rng;
    use std::collections::BTreeSet;

    /// Against a set: many equal keys and few, keys in order and backwards, and every small number of them.
    #[test]
    fn distinct_keys() {
        let mut rng = Rng(48);
        for count in (0..40).chain([500, 1024, 1025]) {
            for kinds in [1, 2, 7, 1 << 40] {
                let mut keys: Vec<Bytes48> = (0..count)
                    .map(|_| {
                        let mut key = [7; 48];
                        key[40..].copy_from_slice(&rng.below::<u64>(kinds).to_be_bytes());
                        key
                    })
                    .collect();
                for order in 0..3 {
                    match order {
                        1 => keys.sort(),
                        2 => keys.reverse(),
                        _ => {}
                    }
                    let (found, positions) = distinct(&keys.iter().collect::<Vec<_>>());
                    assert_eq!(
                        found,
                        keys.iter().copied().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
                    );
                    assert_eq!(positions.iter().map(|at| found[*at]).collect::<Vec<_>>(), keys);
                }
            }
        }
    }
}
