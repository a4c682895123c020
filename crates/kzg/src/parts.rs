//! The batches of [`crate::api`] in parts, for inputs that are larger than the memory that they should take.
//!
//! 1. The shape of the whole batch is checked, from lengths and indices alone.
//! 2. Each part is collected into an accumulator, with coefficients of a random seed of its own.
//! 3. The sum of the accumulators is closed ([`Accumulator::close`]).
//!
//! Answers are those of the batch in one piece; a fault found in step 2 is at its index within the part. Seeds
//! are fresh: one that is derived from a part does not bind the others ([`Accumulator`]).

use crate::accumulator::Accumulator;
use crate::api::{blob_units, cell_units, well_formed};
use crate::batch::collect_units;
use crate::constants::{BYTES_PER_BLOB, BYTES_PER_CELL, BYTES_PER_POINT};
use crate::randomness::FreshSeed;
use crate::reason::{InputError, Reason};
use crate::unit::{cell_index, Unit};

/// Step 1 of `verify_blob_kzg_proof_batch`; the numbers are the elements' lengths in bytes.
///
/// # Errors
/// [`Reason::ArrayLengths`], then the first element of a wrong length.
pub fn check_blob_batch(blobs: &[u32], commitments: &[u32], proofs: &[u32]) -> Result<(), InputError> {
    if commitments.len() != blobs.len() || proofs.len() != blobs.len() {
        return Err(InputError::at(Reason::ArrayLengths, 0));
    }
    for (i, ((blob, commitment), proof)) in blobs.iter().zip(commitments).zip(proofs).enumerate() {
        length(*blob, BYTES_PER_BLOB, Reason::BlobLength, i)?;
        length(*commitment, BYTES_PER_POINT, Reason::CommitmentLength, i)?;
        length(*proof, BYTES_PER_POINT, Reason::ProofLength, i)?;
    }
    Ok(())
}

/// Step 1 of `verify_cell_kzg_proof_batch`, likewise.
///
/// # Errors
/// [`Reason::ArrayLengths`], elements' lengths, then indices.
pub fn check_cell_batch(
    commitments: &[u32],
    cell_indices: &[u64],
    cells: &[u32],
    proofs: &[u32],
) -> Result<(), InputError> {
    let count = cells.len();
    if commitments.len() != count || cell_indices.len() != count || proofs.len() != count {
        return Err(InputError::at(Reason::ArrayLengths, 0));
    }
    for (lengths, expected, reason) in [
        (commitments, BYTES_PER_POINT, Reason::CommitmentLength),
        (cells, BYTES_PER_CELL, Reason::CellLength),
        (proofs, BYTES_PER_POINT, Reason::ProofLength),
    ] {
        for (i, actual) in lengths.iter().enumerate() {
            length(*actual, expected, reason, i)?;
        }
    }
    cell_indices.iter().enumerate().try_for_each(|(i, index)| cell_index(*index, i).map(drop))
}

/// Step 2 of `verify_blob_kzg_proof_batch`, for some of the blobs; hashes as in
/// [`crate::api::verify_blob_kzg_proof_batch_hashed`].
///
/// # Errors
/// As [`crate::api::verify_blob_kzg_proof_batch`].
pub fn collect_blobs(
    blobs: &[&[u8]],
    commitments: &[&[u8]],
    proofs: &[&[u8]],
    hashes: &[[u8; 32]],
    seed: FreshSeed,
) -> Result<Accumulator<FreshSeed>, InputError> {
    collected(blob_units(blobs, commitments, proofs, hashes)?, seed)
}

/// Step 2 of `verify_cell_kzg_proof_batch`, for some of the cells.
///
/// # Errors
/// As [`crate::api::verify_cell_kzg_proof_batch`].
pub fn collect_cells(
    commitments: &[&[u8]],
    cell_indices: &[u64],
    cells: &[&[u8]],
    proofs: &[&[u8]],
    seed: FreshSeed,
) -> Result<Accumulator<FreshSeed>, InputError> {
    collected(cell_units(commitments, cell_indices, cells, proofs)?, seed)
}

/// Unlike a batch that is closed by itself, a part needs a random coefficient also where it has one claim only.
fn collected(units: Vec<Unit<'_>>, seed: FreshSeed) -> Result<Accumulator<FreshSeed>, InputError> {
    let units = units.into_iter().map(Ok).collect();
    well_formed(collect_units(units, seed, |_| true))
}

fn length(actual: u32, expected: usize, reason: Reason, index: usize) -> Result<(), InputError> {
    (actual as usize == expected).then_some(()).ok_or(InputError::at(reason, index))
}
