//! From units to claims: Validation → Decompression → Subgroups → Challenges → Claims.
//!
//! What a step finds out of a unit's row, it writes into the row. A unit with a fault gets its error and no claim, so that it
//! cannot spoil the sums of its neighbours; and so does one whose row lacks a position, a point, a coefficient or a challenge
//! at the end, which no input brings about.

use crate::cell::{CellRow, ColumnClaim, ExtendedClaim};
use crate::cell_sums::ProofSums;
use crate::challenge::{challenge_of, compute_challenges};
use crate::check::check;
use crate::claim::{Claim, Claims};
use crate::decompression::{decompress, Batch, Candidate};
use crate::evaluate::evaluate;
use crate::opening::Opening;
use crate::reason::{InputError, Reason};
use crate::subgroups::{test_subgroups, DrawSeed, Test, Tested};
use crate::unit::{cell_index, Unit};
use crate::weighted_points::WeightedProof;
use blobcheck_curve::subgroup::Rows;
use blobcheck_curve::PointError;

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

/// Makes a claim of each unit that has no fault.
pub(crate) fn prepare<'a>(
    units: Vec<Result<Unit<'a>, InputError>>,
    seed: DrawSeed<'_, 'a>,
    test: Test,
) -> Prepared<'a> {
    let mut batch = decompress(validate(units));
    let Tested { sums, untested } = test_subgroups(&mut batch, seed, test);
    derive_challenges(&mut batch);
    let (claims, errors) = make_claims(batch);
    Prepared { claims, errors, sums, untested }
}

/// The cheap checks of each unit.
fn validate<'a>(units: Vec<Result<Unit<'a>, InputError>>) -> Vec<Result<Unit<'a>, InputError>> {
    units.into_iter().map(|unit| unit.and_then(|unit| check(&unit).map(|()| unit))).collect()
}

/// The challenge of each blob; those whose hash is not known are hashed four at a time.
fn derive_challenges(batch: &mut Batch<'_>) {
    let mut unhashed = Vec::new();
    for candidate in batch.sound_mut() {
        if let Unit::Blob { commitment, blob, hash, .. } = candidate.unit {
            match hash {
                Some(hash) => candidate.challenge = Some(challenge_of(&hash)),
                None => unhashed.push(((blob, commitment), &mut candidate.challenge)),
            }
        }
    }
    let messages: Vec<_> = unhashed.iter().map(|(message, _)| *message).collect();
    for ((_, challenge), computed) in unhashed.into_iter().zip(compute_challenges(&messages)) {
        *challenge = Some(computed);
    }
}

/// The claims of the units without a fault, and the faults of the others.
fn make_claims(batch: Batch<'_>) -> (Claims<'_>, Vec<Option<InputError>>) {
    let Batch { commitments, units } = batch;
    let mut table = Claims { commitments: Vec::with_capacity(commitments.len()), claims: Vec::new() };
    let mut positions = Vec::with_capacity(commitments.len());
    for commitment in &commitments {
        positions.push(commitment.in_subgroup().map(|point| {
            table.commitments.push(point);
            table.commitments.len() - 1
        }));
    }
    let mut errors = Vec::with_capacity(units.len());
    for unit in units {
        let claim = unit.and_then(|candidate| match candidate.error(&commitments) {
            Some(error) => Err(error),
            None => claim(candidate, &positions),
        });
        errors.push(claim.map(|claim| table.claims.push(claim)).err());
    }
    (table, errors)
}

/// A row that has all that a claim needs.
struct ClaimRow {
    commitment: usize,
    proof: WeightedProof,
}

/// The claim of a unit. `positions`: for each commitment of the batch its place in the claims' table.
fn claim<'a>(
    candidate: Candidate<'a>,
    positions: &[Result<usize, PointError>],
) -> Result<Claim<'a>, InputError> {
    const MISSING: InputError = InputError { reason: Reason::ArrayLengths, index: 0 };
    let mut rows = Vec::with_capacity(candidate.rows.len());
    for (i, row) in candidate.rows.iter().enumerate() {
        let at = |reason| InputError::at(reason, i);
        let position = positions.get(row.commitment).ok_or(at(Reason::CommitmentIndex))?;
        let commitment = position.map_err(|error| at(Reason::of_commitment(error)))?;
        let proof = row.proof.in_subgroup().map_err(|error| at(Reason::of_proof(error)))?;
        let weight = row.weight.ok_or(at(Reason::ArrayLengths))?;
        rows.push(ClaimRow { commitment, proof: WeightedProof { proof, weight } });
    }
    match (candidate.unit, &rows[..]) {
        (Unit::Blob { blob, .. }, [row]) => {
            let z = candidate.challenge.ok_or(MISSING)?;
            let y = evaluate(blob, z);
            Ok(Claim::Opening(Opening { commitment: row.commitment, proof: row.proof, z, y }))
        }
        (Unit::Column { index, cells, .. }, rows) if rows.len() == cells.len() => {
            let index = usize::from(cell_index(u64::from(index), 0)?);
            let row = |(row, cell): (&ClaimRow, &'a _)| CellRow {
                commitment: row.commitment,
                proof: row.proof,
                cell,
            };
            Ok(Claim::Column(ColumnClaim { index, rows: rows.iter().zip(cells).map(row).collect() }))
        }
        (Unit::ExtendedBlob { blob, .. }, [first, ..]) => {
            let proofs: Vec<WeightedProof> = rows.iter().map(|row| row.proof).collect();
            let proofs = proofs.try_into().map_err(|_| MISSING)?;
            Ok(Claim::Extended(ExtendedClaim { commitment: first.commitment, proofs, blob }))
        }
        _ => Err(MISSING),
    }
}
