//! The specification's functions. Where they have two results, these come one after the other.

use crate::codes::thrown;
use crate::lists::{split, widen};
use crate::setup::{blob as blob_setup, extended, tables};
use blobcheck_kzg::api as verifier;
use blobcheck_prover::api;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// See [`api::blob_to_kzg_commitment`].
#[wasm_bindgen(js_name = blobToKzgCommitment)]
pub fn blob_to_kzg_commitment(blob: &[u8]) -> Result<Vec<u8>, JsValue> {
    api::blob_to_kzg_commitment(blob_setup()?, tables(), blob).map(Vec::from).map_err(thrown)
}

/// See [`api::compute_kzg_proof`]: proof ‖ y, 48 and 32 bytes.
#[wasm_bindgen(js_name = computeKzgProof)]
pub fn compute_kzg_proof(blob: &[u8], z: &[u8]) -> Result<Vec<u8>, JsValue> {
    let (proof, y) = api::compute_kzg_proof(blob_setup()?, tables(), blob, z).map_err(thrown)?;
    Ok([&proof[..], &y].concat())
}

/// See [`api::compute_blob_kzg_proof`].
#[wasm_bindgen(js_name = computeBlobKzgProof)]
pub fn compute_blob_kzg_proof(blob: &[u8], commitment: &[u8]) -> Result<Vec<u8>, JsValue> {
    api::compute_blob_kzg_proof(blob_setup()?, tables(), blob, commitment).map(Vec::from).map_err(thrown)
}

/// See [`verifier::compute_cells`]: 128 cells. Needs no setup.
#[wasm_bindgen(js_name = computeCells)]
pub fn compute_cells(blob: &[u8]) -> Result<Vec<u8>, JsValue> {
    verifier::compute_cells(blob).map_err(thrown)
}

/// See [`verifier::recover_cells`]: 128 cells. Needs no setup.
#[wasm_bindgen(js_name = recoverCells)]
pub fn recover_cells(cell_indices: &[u32], cells: &[u8], cell_lengths: &[u32]) -> Result<Vec<u8>, JsValue> {
    verifier::recover_cells(&widen(cell_indices), &split(cells, cell_lengths)?).map_err(thrown)
}

/// See [`api::compute_cells_and_kzg_proofs`]: 128 cells of 2,048 bytes ‖ 128 proofs of 48.
#[wasm_bindgen(js_name = computeCellsAndKzgProofs)]
pub fn compute_cells_and_kzg_proofs(blob: &[u8]) -> Result<Vec<u8>, JsValue> {
    api::compute_cells_and_kzg_proofs(extended()?, tables(), blob).map(joined).map_err(thrown)
}

/// See [`api::recover_cells_and_kzg_proofs`]: 128 cells of 2,048 bytes ‖ 128 proofs of 48.
#[wasm_bindgen(js_name = recoverCellsAndKzgProofs)]
pub fn recover_cells_and_kzg_proofs(
    cell_indices: &[u32],
    cells: &[u8],
    cell_lengths: &[u32],
) -> Result<Vec<u8>, JsValue> {
    let (indices, cells) = (widen(cell_indices), split(cells, cell_lengths)?);
    api::recover_cells_and_kzg_proofs(extended()?, tables(), &indices, &cells).map(joined).map_err(thrown)
}

fn joined((mut cells, proofs): (Vec<u8>, Vec<[u8; 48]>)) -> Vec<u8> {
    cells.extend(proofs.as_flattened());
    cells
}
