//! Batches in parts: the shape of the whole, then partial sums, which [`crate::units::close`] closes. Malformed input
//! throws the number code + 256 · index, the index being that within the part. Seeds are 32 random bytes.

use crate::{
    lists::{fresh_seed, split, widen},
    spec::thrown,
};
use blobcheck_kzg::{
    parts,
    shared::{GroupSums, Membership},
    Accumulator, FreshSeed, InputError,
};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// See [`parts::check_blob_batch`].
#[wasm_bindgen(js_name = checkBlobBatch)]
pub fn check_blob_batch(
    blob_lengths: &[u32],
    commitment_lengths: &[u32],
    proof_lengths: &[u32],
) -> Result<(), JsValue> {
    parts::check_blob_batch(blob_lengths, commitment_lengths, proof_lengths).map_err(thrown)
}

/// See [`parts::check_cell_batch`].
#[wasm_bindgen(js_name = checkCellBatch)]
pub fn check_cell_batch(
    commitment_lengths: &[u32],
    cell_indices: &[u32],
    cell_lengths: &[u32],
    proof_lengths: &[u32],
) -> Result<(), JsValue> {
    parts::check_cell_batch(commitment_lengths, &widen(cell_indices), cell_lengths, proof_lengths)
        .map_err(thrown)
}

/// See [`parts::collect_blobs`]; `hashes`: 32 bytes for each blob, or none. The sums of a tested group, as [`crate::units::close`] takes them.
#[wasm_bindgen(js_name = collectBlobs)]
#[allow(clippy::too_many_arguments)] // lists take two each
pub fn collect_blobs(
    blobs: &[u8],
    blob_lengths: &[u32],
    commitments: &[u8],
    commitment_lengths: &[u32],
    proofs: &[u8],
    proof_lengths: &[u32],
    hashes: &[u8],
    seed: &[u8],
) -> Result<Vec<u8>, JsValue> {
    let blobs = split(blobs, blob_lengths)?;
    let commitments = split(commitments, commitment_lengths)?;
    let proofs = split(proofs, proof_lengths)?;
    seeded(seed, |seed| parts::collect_blobs(&blobs, &commitments, &proofs, hashes.as_chunks().0, seed))
}

/// See [`parts::collect_cells`], likewise.
#[wasm_bindgen(js_name = collectCells)]
#[allow(clippy::too_many_arguments)] // lists take two each
pub fn collect_cells(
    commitments: &[u8],
    commitment_lengths: &[u32],
    cell_indices: &[u32],
    cells: &[u8],
    cell_lengths: &[u32],
    proofs: &[u8],
    proof_lengths: &[u32],
    seed: &[u8],
) -> Result<Vec<u8>, JsValue> {
    let commitments = split(commitments, commitment_lengths)?;
    let cells = split(cells, cell_lengths)?;
    let proofs = split(proofs, proof_lengths)?;
    seeded(seed, |seed| parts::collect_cells(&commitments, &widen(cell_indices), &cells, &proofs, seed))
}

/// Without a random seed nothing would be proven.
fn seeded(
    seed: &[u8],
    collect: impl FnOnce(FreshSeed) -> Result<Accumulator<FreshSeed>, InputError>,
) -> Result<Vec<u8>, JsValue> {
    let seed = fresh_seed(seed)?;
    let accumulator = collect(seed).map_err(thrown)?;
    Ok(GroupSums { accumulator, membership: Membership::Tested }.to_bytes())
}
