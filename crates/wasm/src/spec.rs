//! The specification's functions. Malformed input throws the number code + 256 · index.

use crate::{
    lists::{self, split, widen},
    setup::setup,
};
use blobcheck_kzg::{api, InputError};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// See [`api::verify_kzg_proof`].
#[wasm_bindgen(js_name = verifyKzgProof)]
pub fn verify_kzg_proof(commitment: &[u8], z: &[u8], y: &[u8], proof: &[u8]) -> Result<bool, JsValue> {
    api::verify_kzg_proof(setup(), commitment, z, y, proof).map_err(thrown)
}

/// See [`api::verify_blob_kzg_proof_hashed`]. `hash`: 32 bytes, or none.
#[wasm_bindgen(js_name = verifyBlobKzgProof)]
pub fn verify_blob_kzg_proof(
    blob: &[u8],
    commitment: &[u8],
    proof: &[u8],
    hash: &[u8],
) -> Result<bool, JsValue> {
    let hash = hash.try_into().ok();
    api::verify_blob_kzg_proof_hashed(setup(), blob, commitment, proof, hash).map_err(thrown)
}

/// See [`api::verify_blob_kzg_proof_batch_hashed`]. `hashes`: 32 bytes for each blob, or none.
#[wasm_bindgen(js_name = verifyBlobKzgProofBatch)]
#[allow(clippy::too_many_arguments)] // lists take two each
pub fn verify_blob_kzg_proof_batch(
    blobs: &[u8],
    blob_lengths: &[u32],
    commitments: &[u8],
    commitment_lengths: &[u32],
    proofs: &[u8],
    proof_lengths: &[u32],
    hashes: &[u8],
    seed: &[u8],
) -> Result<bool, JsValue> {
    let blobs = split(blobs, blob_lengths)?;
    let commitments = split(commitments, commitment_lengths)?;
    let proofs = split(proofs, proof_lengths)?;
    let (hashes, seed) = (hashes.as_chunks().0, lists::seed(seed)?);
    api::verify_blob_kzg_proof_batch_hashed(setup(), &blobs, &commitments, &proofs, hashes, seed)
        .map_err(thrown)
}

/// See [`api::verify_cell_kzg_proof_batch`].
#[wasm_bindgen(js_name = verifyCellKzgProofBatch)]
#[allow(clippy::too_many_arguments)] // lists take two each
pub fn verify_cell_kzg_proof_batch(
    commitments: &[u8],
    commitment_lengths: &[u32],
    cell_indices: &[u32],
    cells: &[u8],
    cell_lengths: &[u32],
    proofs: &[u8],
    proof_lengths: &[u32],
    seed: &[u8],
) -> Result<bool, JsValue> {
    let commitments = split(commitments, commitment_lengths)?;
    let cells = split(cells, cell_lengths)?;
    let proofs = split(proofs, proof_lengths)?;
    let seed = lists::seed(seed)?;
    api::verify_cell_kzg_proof_batch(setup(), &commitments, &widen(cell_indices), &cells, &proofs, seed)
        .map_err(thrown)
}

/// See [`api::compute_challenge`].
#[wasm_bindgen(js_name = computeChallenge)]
pub fn compute_challenge(blob: &[u8], commitment: &[u8]) -> Result<Vec<u8>, JsValue> {
    api::compute_challenge(blob, commitment).map(Vec::from).map_err(thrown)
}

/// See [`api::compute_verify_cell_kzg_proof_batch_challenge`].
#[wasm_bindgen(js_name = computeVerifyCellKzgProofBatchChallenge)]
#[allow(clippy::too_many_arguments)] // lists take two each
pub fn compute_verify_cell_kzg_proof_batch_challenge(
    commitments: &[u8],
    commitment_lengths: &[u32],
    commitment_indices: &[u32],
    cell_indices: &[u32],
    cells: &[u8],
    cell_lengths: &[u32],
    proofs: &[u8],
    proof_lengths: &[u32],
) -> Result<Vec<u8>, JsValue> {
    api::compute_verify_cell_kzg_proof_batch_challenge(
        &split(commitments, commitment_lengths)?,
        &widen(commitment_indices),
        &widen(cell_indices),
        &split(cells, cell_lengths)?,
        &split(proofs, proof_lengths)?,
    )
    .map(Vec::from)
    .map_err(thrown)
}

/// See [`api::compute_cells`].
#[wasm_bindgen(js_name = computeCells)]
pub fn compute_cells(blob: &[u8]) -> Result<Vec<u8>, JsValue> {
    api::compute_cells(blob).map_err(thrown)
}

/// See [`api::recover_cells`].
#[wasm_bindgen(js_name = recoverCells)]
pub fn recover_cells(cell_indices: &[u32], cells: &[u8], cell_lengths: &[u32]) -> Result<Vec<u8>, JsValue> {
    api::recover_cells(&widen(cell_indices), &split(cells, cell_lengths)?).map_err(thrown)
}

/// See [`api::rebuild_blob`]: for the verifier, whose module goes without [`recover_cells`]. No bytes where there is an error.
#[wasm_bindgen(js_name = rebuildBlob)]
pub fn rebuild_blob(cell_indices: &[u32], cells: &[u8]) -> Vec<u8> {
    api::rebuild_blob(&widen(cell_indices), cells).unwrap_or_default()
}

pub(crate) fn thrown(error: InputError) -> JsValue {
    // Exact: an index is below 2³² on this target, and a double holds 53 bits.
    JsValue::from_f64(f64::from(error.reason.code()) + 256.0 * error.index as f64)
}
