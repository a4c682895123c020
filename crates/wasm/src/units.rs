//! The steps of the pipeline, over units.

use crate::{
    lists::{self, fresh_seed, misuse, split},
    setup::setup,
};
use blobcheck_kzg::{
    batch::Outcome,
    shared::{self, close_part, GroupSums},
    Reason, Verdict,
};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// SHA-256 of the units' bodies, 32 bytes each, for who has no faster hash.
#[wasm_bindgen(js_name = bodyHashes)]
pub fn body_hashes(units: &[u8], lengths: &[u32]) -> Result<Vec<u8>, JsValue> {
    Ok(blobcheck_kzg::body_hashes(&split(units, lengths)?).into_flattened())
}

/// Bytes of a unit before its body, which is the rest.
#[wasm_bindgen(js_name = headLength)]
pub fn head_length(kind: u8) -> u32 {
    blobcheck_kzg::unit::head_length(kind) as u32
}

/// The digest of a unit, from its head and the hash of its body: the key of dedup and cache. A hash of another length than
/// 32 bytes throws.
#[wasm_bindgen]
pub fn digest(head: &[u8], body_hash: &[u8]) -> Result<Vec<u8>, JsValue> {
    let hash = body_hash.try_into().map_err(|_| misuse("a hash has 32 bytes"))?;
    Ok(blobcheck_kzg::digest(setup(), head, hash).to_vec())
}

/// Units, handed over one by one: what lies in JavaScript's memory is copied once, and not put together first. Behind each
/// of them is the hash of its body.
#[wasm_bindgen]
pub struct Units {
    units: Vec<Vec<u8>>,
    trusts: bool,
}

#[wasm_bindgen]
impl Units {
    /// None yet, and room for `count`. `trusts`: whether their hashes are to be believed, or computed again.
    #[wasm_bindgen(constructor)]
    pub fn new(count: u32, trusts: bool) -> Self {
        Self { units: Vec::with_capacity(count as usize), trusts }
    }

    /// Adds a unit, with the hash of its body behind it.
    pub fn push(&mut self, hashed: Vec<u8>) {
        self.units.push(hashed);
    }

    /// As one of so many groups of a batch: a code for each unit (0: in the sums), then the group's sums. `seed`: 32
    /// bytes of a CSPRNG. A blob without a proof is malformed here: see [`crate::commitments::collect_bare`].
    pub fn collect(&self, seed: &[u8], groups: u32) -> Result<Vec<u8>, JsValue> {
        let (outcomes, sums) =
            blobcheck_kzg::collect_group(&self.hashed(), fresh_seed(seed)?, groups as usize);
        let codes = outcomes.iter().map(|outcome| match outcome {
            Outcome::Pending => 0,
            Outcome::Malformed(error) => error.reason.code(),
        });
        let mut answer: Vec<u8> = codes.collect();
        answer.extend_from_slice(&sums.to_bytes());
        Ok(answer)
    }

    /// A code for each unit: 0 valid, `proof-mismatch`, or why it is malformed. `seed`: 32 bytes of a CSPRNG, or none where there is no
    /// CSPRNG; another length throws. A blob without a proof is malformed here: see [`crate::commitments::verify_bare`].
    pub fn verify(&self, seed: &[u8]) -> Result<Vec<u8>, JsValue> {
        let verdicts = blobcheck_kzg::collect_hashed(&self.hashed(), lists::seed(seed)?).settle(setup());
        Ok(codes(&verdicts, Reason::ProofMismatch))
    }

    fn hashed(&self) -> Vec<(&[u8], Option<[u8; 32]>)> {
        let hashed = self.units.iter().map(|unit| match unit.split_last_chunk() {
            Some((unit, hash)) => (unit, self.trusts.then_some(*hash)),
            None => (&unit[..], None),
        });
        hashed.collect()
    }
}

impl Units {
    /// The units without the hashes behind them.
    pub(crate) fn without_hashes(&self) -> Vec<&[u8]> {
        self.units
            .iter()
            .map(|unit| unit.split_last_chunk::<32>().map_or(&unit[..], |(unit, _)| unit))
            .collect()
    }
}

/// A code for each verdict: 0 valid, `invalid`, or why it is malformed.
pub(crate) fn codes(verdicts: &[Verdict], invalid: Reason) -> Vec<u8> {
    let code = |verdict: &Verdict| match verdict {
        Verdict::Valid => 0,
        Verdict::Invalid => invalid.code(),
        Verdict::Malformed(error) => error.reason.code(),
    };
    verdicts.iter().map(code).collect()
}

/// Whether all units behind the sums of these groups are valid, as far as this part tells (of `parts`, from 0): see
/// [`close_part`]. False for bytes that are no sums, for a part that there is not, and for no groups at all: where nothing was
/// summed, nothing is shown. Lengths that do not add up to the sums throw.
#[wasm_bindgen]
pub fn close(sums: &[u8], lengths: &[u32], part: u32, parts: u32) -> Result<bool, JsValue> {
    let mut groups = Vec::new();
    for bytes in split(sums, lengths)? {
        let Some(group) = GroupSums::from_bytes(bytes) else { return Ok(false) };
        groups.push(group);
    }
    Ok(close_part(setup(), &groups, part as usize, parts as usize))
}

/// Whether a group's sums leave nothing to be tested but the pairings: see [`shared::is_tested`].
#[wasm_bindgen(js_name = isTested)]
pub fn is_tested(sums: &[u8]) -> bool {
    shared::is_tested(sums)
}

/// Verifies known claims, so that the engine compiles what is hot and the tables are made.
#[wasm_bindgen]
pub fn warm() -> bool {
    blobcheck_kzg::warm(setup())
}
