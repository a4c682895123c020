//! Units with their points decompressed and their coefficients drawn, ready to be summed.

use crate::accumulator::Accumulator;
use crate::blob::{self, Opening};
use crate::cell::{self, CellRow, ColumnClaim, ExtendedClaim};
use crate::challenge::{challenge_of, compute_challenges};
use crate::constants::Bytes48;
use crate::evaluate::evaluate;
use crate::reason::{InputError, Reason};
use crate::unit::Unit;
use blobcheck_curve::scalar::{Scalar, ZERO};
use blobcheck_curve::{g1, msm, G1Affine, PointError};
use core::ops::Range;
use std::collections::BTreeMap;

/// A unit whose points are in G1. What is left to ask is whether the proofs are true.
#[derive(Clone, Debug)]
pub(crate) enum Claim<'a> {
    Opening(Opening),
    Column(ColumnClaim<'a>),
    Extended(ExtendedClaim<'a>),
}

impl Claim<'_> {
    /// Number of proofs in the claim.
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::Opening(_) => 1,
            Self::Column(column) => column.rows.len(),
            Self::Extended(extended) => extended.proofs.len(),
        }
    }

    /// The claim of some of the rows, with the same coefficients. `range` lies within `0..rows()`.
    pub(crate) fn slice(&self, range: Range<usize>) -> Self {
        match self {
            Self::Opening(opening) => Self::Opening(opening.clone()),
            Self::Column(column) => Self::Column(column.slice(range)),
            Self::Extended(extended) => Self::Extended(extended.slice(range)),
        }
    }
}

/// Claims, with the table of their distinct commitments (claims name them by position).
#[derive(Clone, Debug, Default)]
pub(crate) struct Claims<'a> {
    pub(crate) commitments: Vec<G1Affine>,
    pub(crate) claims: Vec<Claim<'a>>,
}

/// The terms of `rest` in the batch equation.
#[derive(Default)]
pub(crate) struct RestTerms {
    /// Commitments by position in the table; equal positions are added up before the points are touched.
    pub(crate) commitments: Vec<(usize, Scalar)>,
    pub(crate) points: Vec<G1Affine>,
    pub(crate) scalars: Vec<Scalar>,
}

/// Σ over claims, as one accumulator.
pub(crate) fn sum<'c, 'a: 'c>(table: &[G1Affine], claims: &'c [Claim<'a>]) -> Accumulator {
    let mut rest = RestTerms::default();
    let mut interpolation = [ZERO; 64];
    let tau = blob::sum(claims, &mut rest, &mut interpolation);
    let tau64 = cell::sum(claims, &mut rest, &mut interpolation);

    // As long as the table, even for a sum of few claims: 32 bytes a commitment are nothing beside a pairing.
    let mut weights = vec![ZERO; table.len()];
    for (position, term) in rest.commitments {
        if let Some(weight) = weights.get_mut(position) {
            *weight += term;
        }
    }
    rest.points.extend_from_slice(table);
    rest.scalars.extend(weights);
    Accumulator { tau, tau64, rest: msm(&rest.points, &rest.scalars), interpolation }
}

/// What [`prepare`] made of a batch.
pub(crate) struct Prepared<'a> {
    pub(crate) claims: Claims<'a>,
    /// For each unit: the position of its claim, or why it has none.
    pub(crate) outcomes: Vec<Result<usize, InputError>>,
}

/// Decompresses all points (each distinct commitment once), derives the challenges of all blobs, and attaches
/// coefficients, one for each row.
///
/// Units have passed [`crate::check::check`]. A unit with a bad point gets its error and no claim, so that it
/// cannot spoil the sums of its neighbours.
pub(crate) fn prepare<'a>(
    units: Vec<Result<Unit<'a>, InputError>>,
    draw: impl FnOnce(&[Unit<'a>], usize) -> Vec<u128>,
) -> Prepared<'a> {
    let points = Points::of(&units);
    let mut proofs = points.proofs.iter();
    let mut sound = Vec::new();
    let mut located = Vec::new();
    let mut outcomes = Vec::with_capacity(units.len());
    for unit in units {
        outcomes.push(unit.and_then(|unit| {
            // The proofs are taken first: the iterator must pass them even where a commitment is bad.
            let own: Vec<_> = proofs.by_ref().take(unit.rows()).collect();
            let positions = points.positions(&unit)?;
            let own = own
                .into_iter()
                .enumerate()
                .map(|(i, proof)| proof.map_err(|e| InputError::at(Reason::of_proof(e), i)))
                .collect::<Result<Vec<_>, _>>()?;
            sound.push(unit);
            located.push((positions, own));
            Ok(sound.len() - 1)
        }));
    }

    let rows = sound.iter().map(Unit::rows).sum();
    let mut weights = draw(&sound, rows).into_iter();
    let mut challenges = blob_challenges(&sound).into_iter();
    let claims = sound.iter().zip(located).map(|(unit, (positions, proofs))| {
        let weights = weights.by_ref().take(unit.rows()).collect();
        claim(unit, positions, proofs, weights, &mut challenges)
    });
    let claims = claims.collect();
    // A table entry that is not a point is named by no claim.
    let commitments = points.commitments.iter().map(|point| point.unwrap_or(g1::generator())).collect();
    Prepared { claims: Claims { commitments, claims }, outcomes }
}

/// The challenge of each blob among `units`; those whose hash is not known are hashed four at a time.
fn blob_challenges(units: &[Unit<'_>]) -> Vec<Scalar> {
    let unknown: Vec<_> = units
        .iter()
        .filter_map(|unit| match unit {
            Unit::Blob { commitment, blob, hash: None, .. } => Some((*blob, *commitment)),
            _ => None,
        })
        .collect();
    let mut computed = compute_challenges(&unknown).into_iter();
    let challenge = |unit: &Unit<'_>| match unit {
        Unit::Blob { hash, .. } => {
            hash.as_ref().map_or_else(|| computed.next(), |hash| Some(challenge_of(hash)))
        }
        _ => None,
    };
    units.iter().filter_map(challenge).collect()
}

fn claim<'a>(
    unit: &Unit<'a>,
    positions: Vec<usize>,
    proofs: Vec<G1Affine>,
    weights: Vec<u128>,
    challenges: &mut impl Iterator<Item = Scalar>,
) -> Claim<'a> {
    let position = |i: usize| positions.get(i).copied().unwrap_or(usize::MAX);
    match *unit {
        Unit::Blob { blob, .. } => {
            let z = challenges.next().unwrap_or(ZERO);
            Claim::Opening(Opening {
                commitment: position(0),
                proof: proofs.first().copied().unwrap_or(g1::generator()),
                z,
                y: evaluate(blob, z),
                weight: weights.first().copied().unwrap_or(1),
            })
        }
        Unit::Column { index, cells, .. } => {
            let rows = positions.into_iter().zip(proofs).zip(weights).zip(cells);
            let rows = rows
                .map(|(((commitment, proof), weight), cell)| CellRow { commitment, proof, weight, cell })
                .collect();
            Claim::Column(ColumnClaim { index: usize::from(index), rows })
        }
        Unit::ExtendedBlob { blob, .. } => {
            Claim::Extended(ExtendedClaim { commitment: position(0), proofs, weights, blob })
        }
    }
}

/// All points of a batch, decompressed together.
struct Points<'a> {
    /// The position of each distinct commitment in the table. Ordered, not hashed: no choice of commitments
    /// makes it quadratic.
    positions: BTreeMap<&'a Bytes48, usize>,
    commitments: Vec<Result<G1Affine, PointError>>,
    /// The proofs of the well-formed units, in order.
    proofs: Vec<Result<G1Affine, PointError>>,
}

impl<'a> Points<'a> {
    fn of(units: &[Result<Unit<'a>, InputError>]) -> Self {
        let mut positions = BTreeMap::new();
        let mut encodings: Vec<Bytes48> = Vec::new();
        for commitment in units.iter().flatten().flat_map(|unit| unit.commitments()) {
            positions.entry(commitment).or_insert_with(|| {
                encodings.push(*commitment);
                encodings.len() - 1
            });
        }
        encodings.extend(units.iter().flatten().flat_map(|unit| unit.proofs()));
        let mut commitments = g1::decompress(&encodings);
        let proofs = commitments.split_off(positions.len());
        Self { positions, commitments, proofs }
    }

    /// The positions of a unit's commitments in the table, or the first one's error.
    fn positions(&self, unit: &Unit<'a>) -> Result<Vec<usize>, InputError> {
        let found = unit.commitments().iter().enumerate().map(|(i, bytes)| {
            // Every commitment is in the table; were one missing, it would be refused here.
            let at = self.positions.get(bytes).copied().unwrap_or(usize::MAX);
            match self.commitments.get(at) {
                Some(Ok(_)) => Ok(at),
                Some(Err(e)) => Err(InputError::at(Reason::of_commitment(*e), i)),
                None => Err(InputError::at(Reason::CommitmentIndex, i)),
            }
        });
        found.collect()
    }
}
