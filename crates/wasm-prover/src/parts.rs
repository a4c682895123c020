//! The work of `computeCellsAndKzgProofs` in parts: 16 parts of the sums, which need the blob alone, then two halves of the
//! proofs, which need all sums; and the commitment, if it is wanted, for nearly nothing. Recovery with proofs is `recoverCells`, then these for its first 64 cells.

use crate::codes::thrown;
use crate::setup::{extended, tables};
use blobcheck_prover::api;
use blobcheck_prover::cell_proofs::Half;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// See [`api::compute_cell_sums`]: 96 bytes for each of the eight cells of each part from `first` to before `end`.
#[wasm_bindgen(js_name = computeCellSums)]
pub fn compute_cell_sums(blob: &[u8], first: usize, end: usize) -> Result<Vec<u8>, JsValue> {
    api::compute_cell_sums(extended()?, tables(), blob, first..end).map_err(thrown)
}

/// See [`api::finish_cell_proofs`]: 64 proofs of 48 bytes, of the first half of the cells or of the second.
#[wasm_bindgen(js_name = finishCellProofs)]
pub fn finish_cell_proofs(sums: &[u8], second_half: bool) -> Result<Vec<u8>, JsValue> {
    let half = if second_half { Half::Extension } else { Half::Blob };
    api::finish_cell_proofs(sums, half).map(|proofs| proofs.concat()).map_err(thrown)
}

/// See [`api::finish_commitment`].
#[wasm_bindgen(js_name = finishCommitment)]
pub fn finish_commitment(sums: &[u8]) -> Result<Vec<u8>, JsValue> {
    api::finish_commitment(sums).map(Vec::from).map_err(thrown)
}
