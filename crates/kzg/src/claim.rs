//! Units with their points decompressed and their coefficients drawn, ready to be summed.

use crate::accumulator::Accumulator;
use crate::blob::{self, Opening};
use crate::cell::{self, CellRow, ColumnClaim, ExtendedClaim};
use crate::challenge::{challenge_of, compute_challenges};
use crate::evaluate::evaluate;
use crate::membership::{in_bulk, Bulk, ProofSums, Test};
use crate::points::{decompress, refused, test_units, Candidate};
use crate::randomness::coefficients;
use crate::reason::InputError;
use crate::unit::Unit;
use blobcheck_curve::scalar::{Scalar, ZERO};
use blobcheck_curve::subgroup::Rows;
use blobcheck_curve::{g1, msm, CurvePoint, G1Affine, Signed};

/// A unit whose points are in G1, or will be found not to be ([`Prepared::untested`]). What is left to ask is whether the proofs are true.
#[derive(Clone, Debug)]
pub(crate) enum Claim<'a> {
    Opening(Opening),
    Column(ColumnClaim<'a>),
    Extended(ExtendedClaim<'a>),
}

/// Claims, with the table of their distinct commitments (claims name them by position).
#[derive(Clone, Debug, Default)]
pub(crate) struct Claims<'a> {
    pub(crate) commitments: Vec<G1Affine>,
    pub(crate) claims: Vec<Claim<'a>>,
}

/// The terms of `rest` in the batch equation.
#[derive(Default)]
pub(crate) struct WeightedPoints {
    /// Commitments by position in the table; equal positions are added up before the points are touched.
    pub(crate) commitments: Vec<(usize, Scalar)>,
    pub(crate) points: Vec<G1Affine>,
    pub(crate) scalars: Vec<Scalar>,
}

/// Σ over claims, as one accumulator. `known`: the sums of **these** claims' proofs, where they were formed before.
pub(crate) fn sum(table: &[G1Affine], claims: &[Claim<'_>], known: Option<&ProofSums>) -> Accumulator {
    let mut rest = WeightedPoints::default();
    let mut interpolation = [ZERO; 64];
    let tau = blob::sum(claims, known.map(|sums| sums.openings), &mut rest);
    let tau64 = cell::sum(claims, known.map(|sums| &sums.cells), &mut rest, &mut interpolation);

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
    /// For each unit `None`, or why it has no claim. Claims stand in the order of their units.
    pub(crate) errors: Vec<Option<InputError>>,
    /// The sums of the claims' proofs, where the subgroup test gave them.
    pub(crate) sums: Option<ProofSums>,
    /// Rows that are still to be tested; until then it is not known that the claims' points are in G1.
    pub(crate) untested: Option<Rows>,
}

/// Gives the seed of the coefficients once the points are known, if they are to be random. Boxed, so that the code
/// above it is compiled once.
pub(crate) type DrawSeed<'s, 'a> = Box<dyn FnOnce(&[Unit<'a>]) -> Option<[u8; 32]> + 's>;

/// Decompresses all points (each distinct commitment once), tests that they lie in G1, derives the challenges of all
/// blobs, and attaches coefficients, one for each row.
///
/// Units have passed [`crate::check::check`]. A unit with a bad point gets its error and no claim, so that it
/// cannot spoil the sums of its neighbours. `seed` is asked once, when the points are known; it gives none where the
/// one row there is will be closed by itself, which needs no random coefficient.
pub(crate) fn prepare<'a>(
    units: Vec<Result<Unit<'a>, InputError>>,
    seed: DrawSeed<'_, 'a>,
    test: Test,
) -> Prepared<'a> {
    let (mut table, mut candidates) = decompress(units);
    // Which of a refused unit's points is the first bad one, only the exact test can say.
    let first = refused(&table, &candidates);
    test_units(&mut table, &mut candidates, &first);
    // A bad commitment refuses all units that name it: then their points, too, are to be tested singly.
    let spread = refused(&table, &candidates) != first;
    let whole: Vec<_> = candidates.iter().flatten().filter(|unit| unit.error(&table).is_none()).collect();
    let seed = seed(&whole.iter().map(|candidate| candidate.unit).collect::<Vec<_>>());
    let bulk = seed.filter(|_| !spread).and_then(|seed| in_bulk(&table, &whole, &seed, test));
    if bulk.is_none() {
        let others: Vec<bool> = first.iter().map(|refused| !refused).collect();
        test_units(&mut table, &mut candidates, &others);
    }
    let errors: Vec<_> = candidates
        .iter()
        .map(|unit| unit.as_ref().map_or_else(|error| Some(*error), |unit| unit.error(&table)))
        .collect();
    let sound = candidates.into_iter().zip(&errors).filter(|(_, error)| error.is_none());
    let sound: Vec<Candidate<'a>> = sound.filter_map(|(unit, _)| unit.ok()).collect();

    let rows = sound.iter().map(|candidate| candidate.unit.rows()).sum();
    let (weights, sums, untested) = match (bulk, seed) {
        (Some(Bulk { weights, sums, untested }), _) => (weights, Some(sums), untested),
        (None, Some(seed)) => (coefficients(&seed, rows).into_iter().map(Signed::from).collect(), None, None),
        (None, None) => (vec![Signed::ONE; rows], None, None),
    };
    let mut weights = weights.into_iter();
    let mut challenges = blob_challenges(&sound).into_iter();
    let claims = sound.into_iter().map(|candidate| {
        let weights = weights.by_ref().take(candidate.unit.rows()).collect();
        claim(candidate, weights, &mut challenges)
    });
    let claims = claims.collect();
    // An entry that is not a point of G1 is named by no claim; the others were tested as the proofs were.
    let commitments =
        table.iter().map(|point| point.map_or(g1::generator(), CurvePoint::assume_in_subgroup)).collect();
    Prepared { claims: Claims { commitments, claims }, errors, sums, untested }
}

/// The challenge of each blob among `units`; those whose hash is not known are hashed four at a time.
fn blob_challenges(units: &[Candidate<'_>]) -> Vec<Scalar> {
    let unknown: Vec<_> = units
        .iter()
        .filter_map(|candidate| match candidate.unit {
            Unit::Blob { commitment, blob, hash: None, .. } => Some((blob, commitment)),
            _ => None,
        })
        .collect();
    let mut computed = compute_challenges(&unknown).into_iter();
    let challenge = |candidate: &Candidate<'_>| match &candidate.unit {
        Unit::Blob { hash, .. } => {
            hash.as_ref().map_or_else(|| computed.next(), |hash| Some(challenge_of(hash)))
        }
        _ => None,
    };
    units.iter().filter_map(challenge).collect()
}

fn claim<'a>(
    candidate: Candidate<'a>,
    weights: Vec<Signed>,
    challenges: &mut impl Iterator<Item = Scalar>,
) -> Claim<'a> {
    let Candidate { unit, positions, proofs } = candidate;
    // All of them were tested one by one, or are in the rows of the batch, without whose test nothing is concluded.
    let proofs: Vec<G1Affine> = proofs.into_iter().flatten().map(CurvePoint::assume_in_subgroup).collect();
    let position = |i: usize| positions.get(i).copied().unwrap_or(usize::MAX);
    match unit {
        Unit::Blob { blob, .. } => {
            let z = challenges.next().unwrap_or(ZERO);
            Claim::Opening(Opening {
                commitment: position(0),
                proof: proofs.first().copied().unwrap_or(g1::generator()),
                z,
                y: evaluate(blob, z),
                weight: weights.first().copied().unwrap_or(Signed::ONE),
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
