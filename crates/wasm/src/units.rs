//! The stations of the pipeline, over units.

use crate::{
    lists::{split, Seed},
    setup::setup,
};
use blobcheck_kzg::{batch::Outcome, Accumulator, Reason, Verdict};
use wasm_bindgen::prelude::wasm_bindgen;

/// The digests of units, 32 bytes each: the keys of dedup and cache.
#[wasm_bindgen]
pub fn digests(units: &[u8], lengths: &[u32]) -> Vec<u8> {
    blobcheck_kzg::digests(setup(), &split(units, lengths)).into_flattened()
}

/// A code for each unit (0: in the sums), then the accumulator. `seed`: 32 bytes of a CSPRNG, or none.
#[wasm_bindgen]
pub fn collect(units: &[u8], lengths: &[u32], seed: &[u8]) -> Vec<u8> {
    let collected = blobcheck_kzg::collect(&split(units, lengths), Seed::read(seed));
    let codes = collected.outcomes.iter().map(|outcome| match outcome {
        Outcome::Pending => 0,
        Outcome::Malformed(error) => error.reason.code(),
    });
    let mut answer: Vec<u8> = codes.collect();
    answer.extend_from_slice(&collected.accumulator.to_bytes());
    answer
}

/// Whether all units behind these accumulators are valid: one pairing product. False for bytes that are no accumulators.
#[wasm_bindgen]
pub fn close(accumulators: &[u8]) -> bool {
    let chunks = accumulators.chunks(blobcheck_kzg::accumulator::ACCUMULATOR_BYTES);
    let sum = chunks
        .map(Accumulator::from_bytes)
        .try_fold(Accumulator::empty(), |sum, part| Some(sum.merge(&part?)));
    sum.is_some_and(|sum| sum.close(setup()))
}

/// A code for each unit: 0 valid, `proof-mismatch`, or why it is malformed.
#[wasm_bindgen(js_name = verifyUnits)]
pub fn verify_units(units: &[u8], lengths: &[u32], seed: &[u8]) -> Vec<u8> {
    let verdicts = blobcheck_kzg::verify(setup(), &split(units, lengths), Seed::read(seed));
    let codes = verdicts.iter().map(|verdict| match verdict {
        Verdict::Valid => 0,
        Verdict::Invalid { .. } => Reason::ProofMismatch.code(),
        Verdict::Malformed(error) => error.reason.code(),
    });
    codes.collect()
}

/// Verifies known claims, so that the engine compiles what is hot and the tables are made.
#[wasm_bindgen]
pub fn warm() -> bool {
    blobcheck_kzg::warm(setup())
}
