//! Whether keys lie in G1: one by one or, where that is less work, in bulk (`docs/subgroup.md`).
//!
//! A committee of 512 takes half of the time, and its decompression is most of what a period costs a light client.

use blobcheck_curve::subgroup::{self, Family};
use blobcheck_curve::{G1Affine, Trits};
use blobcheck_sha256::{sha256_each, Sha256};

const DOMAIN: &[u8] = b"blobcheck/keys/1";

/// For each point of the curve, whether it lies in G1. `keys` are the encodings of all of them, and perhaps of others.
///
/// In bulk a point outside is overlooked with probability below 2⁻¹²⁸: the trits are of the hash of all keys, so that
/// whoever looks for keys that pass must hash as many committees.
pub(crate) fn are_in_subgroup(points: &[G1Affine], keys: &[[u8; 48]]) -> Vec<bool> {
    let bulk = subgroup::cost_of_rows() + subgroup::cost_of_forming(&[points.len()]);
    if bulk < subgroup::cost_of_each(points.len()) {
        let family = Family { points, trits: &trits(points.len(), keys) };
        if subgroup::tested(&[family]).is_some() {
            return vec![true; points.len()];
        }
    }
    subgroup::are_in_subgroup(points)
}

/// Trits i from SHA-256(root ‖ i), root = SHA-256(domain ‖ keys).
fn trits(count: usize, keys: &[[u8; 48]]) -> Vec<Trits> {
    let mut transcript = Sha256::new();
    transcript.update(DOMAIN);
    transcript.update(keys.as_flattened());
    let root = transcript.finish();
    let counters: Vec<[u8; 8]> = (0..count as u64).map(u64::to_le_bytes).collect();
    let messages: Vec<[&[u8]; 2]> = counters.iter().map(|counter| [&root[..], &counter[..]]).collect();
    sha256_each(&messages).iter().map(Trits::from_bytes).collect()
}
