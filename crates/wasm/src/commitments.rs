//! Blobs without proofs: the setup that their commitments are computed with, and the steps of their batches.

use crate::{
    lists::{self, fresh_seed, misuse, split},
    units::{codes, Units},
};
use blobcheck_kzg::{
    bare_batch::{self, BareSums, BARE_SUMS_BYTES},
    CommitmentSetup, Reason,
};
use std::sync::OnceLock;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

static SETUP: OnceLock<CommitmentSetup> = OnceLock::new();

/// Reads `prover-setup.bin`, if it has not been read before. Whether it is there now: false for any other bytes.
#[wasm_bindgen(js_name = readCommitmentSetup)]
pub fn read_commitment_setup(bytes: &[u8]) -> bool {
    SETUP.get().is_some()
        || CommitmentSetup::ethereum(bytes).is_ok_and(|setup| {
            SETUP.get_or_init(|| setup);
            true
        })
}

/// The setup. Throws where it was not read.
fn setup() -> Result<&'static CommitmentSetup, JsValue> {
    SETUP.get().ok_or_else(|| misuse("the setup of commitments was not given to this thread"))
}

/// As one of the groups of a batch: a code for each unit (0: in the sums), then the group's sums. `seed`: 32 bytes of a CSPRNG. The units
/// are blobs of commitments; any other is malformed.
#[wasm_bindgen(js_name = collectBare)]
pub fn collect_bare(units: &Units, seed: &[u8]) -> Result<Vec<u8>, JsValue> {
    let (errors, sums) = bare_batch::collect(&units.without_hashes(), fresh_seed(seed)?);
    let mut answer = Vec::with_capacity(errors.len() + BARE_SUMS_BYTES);
    for error in errors {
        answer.push(error.map_or(0, |error| error.reason.code()));
    }
    answer.extend_from_slice(&sums.to_bytes());
    Ok(answer)
}

/// A code for each unit: 0 valid, `commitment-mismatch`, or why it is malformed, as any unit is that is no blob without a proof. `seed`:
/// 32 bytes of a CSPRNG, or none where there is no CSPRNG. Throws for another length, and for a missing setup.
#[wasm_bindgen(js_name = verifyBare)]
pub fn verify_bare(units: &Units, seed: &[u8]) -> Result<Vec<u8>, JsValue> {
    let verdicts = bare_batch::verify(setup()?, &units.without_hashes(), lists::seed(seed)?);
    Ok(codes(&verdicts, Reason::CommitmentMismatch))
}

/// What a part (of `parts`, from 0) adds to the commitment of the sums of these groups: 96 bytes. Throws for bytes that are no sums, for a
/// part that there is not, and for a missing setup.
#[wasm_bindgen(js_name = commitPart)]
pub fn commit_part(sums: &[u8], lengths: &[u32], part: u32, parts: u32) -> Result<Vec<u8>, JsValue> {
    let groups = groups(sums, lengths)?.ok_or_else(|| misuse("these bytes are no sums"))?;
    bare_batch::commit_part(setup()?, &groups, part as usize, parts as usize)
        .map(Vec::from)
        .ok_or_else(|| misuse("there is no such part"))
}

/// Whether all units behind the sums of these groups are valid: `points` are the answers of all parts of [`commit_part`], 96 bytes each.
/// False for bytes that are no sums or points, and where there are none.
#[wasm_bindgen(js_name = closeBare)]
pub fn close_bare(sums: &[u8], lengths: &[u32], points: &[u8]) -> Result<bool, JsValue> {
    let (points, rest) = points.as_chunks();
    let groups = groups(sums, lengths)?;
    Ok(rest.is_empty() && groups.is_some_and(|groups| bare_batch::close(&groups, points)))
}

fn groups(sums: &[u8], lengths: &[u32]) -> Result<Option<Vec<BareSums>>, JsValue> {
    let mut groups = Vec::new();
    for bytes in split(sums, lengths)? {
        let Some(group) = BareSums::from_bytes(bytes) else { return Ok(None) };
        groups.push(group);
    }
    Ok(Some(groups))
}
