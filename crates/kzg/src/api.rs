//! The specification's functions (EIP-4844, EIP-7594; names and argument order of c-kzg), over byte slices.
//!
//! Where the specification asserts, they return [`InputError`]; a false proof is `Ok(false)`. Checks run in
//! this order: the arrays' lengths, the elements' lengths, indices, encodings. `seed` is where the batch
//! coefficients come from ([`crate::randomness`]).

use crate::accumulator::Accumulator;
use crate::batch::{collect_units, Collected, Outcome};
use crate::challenge::{self, ChallengeCell};
use crate::claim::{sum, Claim};
use crate::constants::{Blob, Bytes48, Cell};
use crate::opening::Opening;
use crate::randomness::{FiatShamir, SeedSource};
use crate::reason::{InputError, Reason};
use crate::setup::Setup;
use crate::unit::{cell_index, Unit};
use crate::weighted_points::WeightedProof;
use crate::{cells as extension, recover};
use blobcheck_curve::scalar::{scalar_from_be, scalar_to_be, Scalar};
use blobcheck_curve::{g1_encoding, G1Affine, Signed};

/// `verify_kzg_proof`: the polynomial behind `commitment` takes the value `y` at `z`.
///
/// # Errors
/// Lengths; then z, y not below r; then points outside G1.
pub fn verify_kzg_proof(
    setup: &Setup,
    commitment: &[u8],
    z: &[u8],
    y: &[u8],
    proof: &[u8],
) -> Result<bool, InputError> {
    let commitment: &Bytes48 = sized(commitment, Reason::CommitmentLength, 0)?;
    let (z, y) = (sized(z, Reason::ScalarLength, 0)?, sized(y, Reason::ScalarLength, 1)?);
    let proof: &Bytes48 = sized(proof, Reason::ProofLength, 0)?;
    let (z, y) = (canonical(z, 0)?, canonical(y, 1)?);
    let [commitment, proof] = points(commitment, proof)?;
    // A claim that is closed by itself needs no random coefficient.
    let claim =
        Claim::Opening(Opening { commitment: 0, proof: WeightedProof { proof, weight: Signed::ONE }, z, y });
    Ok(sum(&[commitment], &[claim], None).holds(setup))
}

/// `verify_blob_kzg_proof`.
///
/// # Errors
/// Lengths, field elements not below r, points outside G1.
pub fn verify_blob_kzg_proof(
    setup: &Setup,
    blob: &[u8],
    commitment: &[u8],
    proof: &[u8],
) -> Result<bool, InputError> {
    verify_blob_kzg_proof_hashed(setup, blob, commitment, proof, None)
}

/// [`verify_blob_kzg_proof`] where the SHA-256 of what `compute_challenge` hashes may be known already, by code that may
/// be faster. Whoever gives it vouches for it ([`Unit::with_body_hash`]).
///
/// # Errors
/// Those of [`verify_blob_kzg_proof`].
pub fn verify_blob_kzg_proof_hashed(
    setup: &Setup,
    blob: &[u8],
    commitment: &[u8],
    proof: &[u8],
    hash: Option<[u8; 32]>,
) -> Result<bool, InputError> {
    // One claim: the seed is never asked for.
    closed(setup, vec![blob_unit(blob, commitment, proof, 0)?.with_body_hash(hash)], FiatShamir)
}

/// `verify_blob_kzg_proof_batch`. No blobs at all are valid.
///
/// # Errors
/// As [`verify_blob_kzg_proof`], with [`Reason::ArrayLengths`] first.
pub fn verify_blob_kzg_proof_batch(
    setup: &Setup,
    blobs: &[&[u8]],
    commitments: &[&[u8]],
    proofs: &[&[u8]],
    seed: impl SeedSource,
) -> Result<bool, InputError> {
    verify_blob_kzg_proof_batch_hashed(setup, blobs, commitments, proofs, &[], seed)
}

/// [`verify_blob_kzg_proof_batch`] with the hashes of [`verify_blob_kzg_proof_hashed`]: one for each blob, or none at all.
///
/// # Errors
/// Those of [`verify_blob_kzg_proof_batch`].
pub fn verify_blob_kzg_proof_batch_hashed(
    setup: &Setup,
    blobs: &[&[u8]],
    commitments: &[&[u8]],
    proofs: &[&[u8]],
    hashes: &[[u8; 32]],
    seed: impl SeedSource,
) -> Result<bool, InputError> {
    closed(setup, blob_units(blobs, commitments, proofs, hashes)?, seed)
}

/// `verify_cell_kzg_proof_batch`, one entry of each list a cell. No cells at all are valid.
///
/// # Errors
/// [`Reason::ArrayLengths`], elements' lengths, indices, then encodings.
pub fn verify_cell_kzg_proof_batch(
    setup: &Setup,
    commitments: &[&[u8]],
    cell_indices: &[u64],
    cells: &[&[u8]],
    proofs: &[&[u8]],
    seed: impl SeedSource,
) -> Result<bool, InputError> {
    closed(setup, cell_units(commitments, cell_indices, cells, proofs)?, seed)
}

/// `compute_challenge(blob, commitment)`: 32 big-endian bytes.
///
/// # Errors
/// Lengths. (The specification takes parsed arguments; canonical form is not asked here.)
pub fn compute_challenge(blob: &[u8], commitment: &[u8]) -> Result<[u8; 32], InputError> {
    let blob: &Blob = sized(blob, Reason::BlobLength, 0)?;
    let commitment: &Bytes48 = sized(commitment, Reason::CommitmentLength, 0)?;
    let challenges = challenge::compute_challenges(&[(blob, commitment)]);
    challenges.first().map(scalar_to_be).ok_or(InputError::at(Reason::BlobLength, 0))
}

/// `compute_verify_cell_kzg_proof_batch_challenge`: 32 big-endian bytes. `commitments` are distinct; the
/// other lists have one entry a cell.
///
/// # Errors
/// [`Reason::ArrayLengths`], elements' lengths, [`Reason::CommitmentIndex`], [`Reason::CellIndex`].
pub fn compute_verify_cell_kzg_proof_batch_challenge(
    commitments: &[&[u8]],
    commitment_indices: &[u64],
    cell_indices: &[u64],
    cells: &[&[u8]],
    proofs: &[&[u8]],
) -> Result<[u8; 32], InputError> {
    let count = cells.len();
    if commitment_indices.len() != count || cell_indices.len() != count || proofs.len() != count {
        return Err(InputError::at(Reason::ArrayLengths, 0));
    }
    let commitments: Vec<&Bytes48> = all_sized(commitments, Reason::CommitmentLength)?;
    let cells: Vec<&Cell> = all_sized(cells, Reason::CellLength)?;
    let proofs: Vec<&Bytes48> = all_sized(proofs, Reason::ProofLength)?;
    let mut rows = Vec::with_capacity(count);
    for (i, (((commitment_index, index), cell), proof)) in
        commitment_indices.iter().zip(cell_indices).zip(cells).zip(proofs).enumerate()
    {
        if *commitment_index >= commitments.len() as u64 {
            return Err(InputError::at(Reason::CommitmentIndex, i));
        }
        let cell_index = u64::from(cell_index(*index, i)?);
        rows.push(ChallengeCell { commitment_index: *commitment_index, cell_index, cell, proof });
    }
    Ok(scalar_to_be(&challenge::compute_cell_batch_challenge(&commitments, &rows)))
}

/// `compute_cells(blob)`: 128 cells of 2,048 bytes, one after the other.
///
/// # Errors
/// [`Reason::BlobLength`], [`Reason::ScalarNotCanonical`].
pub fn compute_cells(blob: &[u8]) -> Result<Vec<u8>, InputError> {
    extension::compute_cells(sized(blob, Reason::BlobLength, 0)?)
}

/// `recover_cells(cell_indices, cells)`: all 128 cells from 64 or more.
///
/// # Errors
/// [`Reason::ArrayLengths`], [`Reason::CellLength`], and those of [`recover::recover_cells`].
pub fn recover_cells(cell_indices: &[u64], cells: &[&[u8]]) -> Result<Vec<u8>, InputError> {
    if cell_indices.len() != cells.len() {
        return Err(InputError::at(Reason::ArrayLengths, 0));
    }
    recover::recover_cells(cell_indices, &all_sized(cells, Reason::CellLength)?)
}

/// The blob that 64 or more cells are of, whose bytes are one after the other: half of what [`recover_cells`] gives.
///
/// # Errors
/// [`Reason::CellLength`], and those of [`recover::recover_cells`].
pub fn rebuild_blob(cell_indices: &[u64], cells: &[u8]) -> Result<Vec<u8>, InputError> {
    let (cells, rest) = cells.as_chunks();
    if !rest.is_empty() {
        return Err(InputError::at(Reason::CellLength, cells.len()));
    }
    recover::rebuild_blob(cell_indices, &cells.iter().collect::<Vec<_>>())
}

/// The units of a blob batch. Hashes that are not one for each blob are none.
pub(crate) fn blob_units<'a>(
    blobs: &[&'a [u8]],
    commitments: &[&'a [u8]],
    proofs: &[&'a [u8]],
    hashes: &[[u8; 32]],
) -> Result<Vec<Unit<'a>>, InputError> {
    if commitments.len() != blobs.len() || proofs.len() != blobs.len() {
        return Err(InputError::at(Reason::ArrayLengths, 0));
    }
    let hash = |i| (hashes.len() == blobs.len()).then(|| hashes.get(i).copied()).flatten();
    let items = blobs.iter().zip(commitments).zip(proofs).enumerate();
    items
        .map(|(i, ((blob, commitment), proof))| {
            Ok(blob_unit(blob, commitment, proof, i)?.with_body_hash(hash(i)))
        })
        .collect()
}

/// The units of a cell batch, of one row each.
pub(crate) fn cell_units<'a>(
    commitments: &[&'a [u8]],
    cell_indices: &[u64],
    cells: &[&'a [u8]],
    proofs: &[&'a [u8]],
) -> Result<Vec<Unit<'a>>, InputError> {
    let count = cells.len();
    if commitments.len() != count || cell_indices.len() != count || proofs.len() != count {
        return Err(InputError::at(Reason::ArrayLengths, 0));
    }
    let commitments: Vec<&Bytes48> = all_sized(commitments, Reason::CommitmentLength)?;
    let cells: Vec<&Cell> = all_sized(cells, Reason::CellLength)?;
    let proofs: Vec<&Bytes48> = all_sized(proofs, Reason::ProofLength)?;
    let rows = commitments.into_iter().zip(cell_indices).zip(cells).zip(proofs).enumerate();
    let unit = |(i, (((commitment, index), cell), proof)): (usize, (((_, &u64), _), _))| {
        Ok(Unit::Column {
            index: cell_index(*index, i)?,
            commitments: core::slice::from_ref(commitment),
            proofs: core::slice::from_ref(proof),
            cells: core::slice::from_ref(cell),
        })
    };
    rows.map(unit).collect()
}

/// One blob of a batch.
fn blob_unit<'a>(
    blob: &'a [u8],
    commitment: &'a [u8],
    proof: &'a [u8],
    index: usize,
) -> Result<Unit<'a>, InputError> {
    Ok(Unit::Blob {
        blob: sized(blob, Reason::BlobLength, index)?,
        commitment: sized(commitment, Reason::CommitmentLength, index)?,
        proof: sized(proof, Reason::ProofLength, index)?,
        hash: None,
    })
}

/// Whether all of `units`, of one row each, are true; an error where one cannot be judged.
fn closed(setup: &Setup, units: Vec<Unit<'_>>, seed: impl SeedSource) -> Result<bool, InputError> {
    let units = units.into_iter().map(Ok).collect();
    // A claim that is closed by itself needs no random coefficient.
    let collected = collect_units(units, seed, |units| units.iter().map(Unit::rows).sum::<usize>() != 1);
    Ok(well_formed(collected)?.close(setup))
}

/// The sum of a batch in which everything is well-formed, or the first fault.
pub(crate) fn well_formed<S>(collected: Collected<'_, S>) -> Result<Accumulator<S>, InputError> {
    for (i, outcome) in collected.outcomes.iter().enumerate() {
        if let Outcome::Malformed(error) = outcome {
            return Err(InputError::at(error.reason, i));
        }
    }
    Ok(collected.accumulator)
}

fn sized<const N: usize>(bytes: &[u8], reason: Reason, index: usize) -> Result<&[u8; N], InputError> {
    bytes.try_into().map_err(|_| InputError::at(reason, index))
}

fn all_sized<'a, const N: usize>(list: &[&'a [u8]], reason: Reason) -> Result<Vec<&'a [u8; N]>, InputError> {
    list.iter().enumerate().map(|(i, bytes)| sized(bytes, reason, i)).collect()
}

fn canonical(bytes: &[u8; 32], index: usize) -> Result<Scalar, InputError> {
    scalar_from_be(bytes).ok_or(InputError::at(Reason::ScalarNotCanonical, index))
}

/// A commitment and a proof, decompressed together.
fn points(commitment: &Bytes48, proof: &Bytes48) -> Result<[G1Affine; 2], InputError> {
    let [commitment, proof] = g1_encoding::decompress(&[*commitment, *proof])[..] else {
        return Err(InputError::at(Reason::ArrayLengths, 0));
    };
    Ok([
        commitment.map_err(|error| InputError::at(Reason::of_commitment(error), 0))?,
        proof.map_err(|error| InputError::at(Reason::of_proof(error), 0))?,
    ])
}
