//! Whether keys lie in G1: one by one or, where that is less work, in bulk (`docs/subgroup.md`).
//!
//! A committee of 512 takes half of the time, and its decompression is most of what a period costs a light client.

use blobcheck_curve::{subgroup, BatchPoint, CurvePoint, G1Affine, Trits};
use blobcheck_sha256::{sha256_each, Sha256};

const DOMAIN: &[u8] = b"blobcheck/keys/1";

/// Each point as a point of G1, `None` for one outside. `keys` are the encodings of all of them, and perhaps of others.
///
/// In bulk a point outside is overlooked with probability below 2⁻¹²⁸: the trits come from the hash of all keys, so that
/// finding keys that pass takes about 2¹²⁸ committees to hash.
pub(crate) fn tested_each(points: &[CurvePoint], keys: &[[u8; 48]]) -> Vec<Option<G1Affine>> {
    let bulk = subgroup::cost_of_rows() + subgroup::cost_of_forming(&[points.len()]);
    if bulk < subgroup::cost_of_each(points.len()) {
        let batch = batch(points, keys);
        if subgroup::tested(&[&batch]).is_some() {
            return batch.iter().map(|member| Some(member.point.assume_in_subgroup())).collect();
        }
    }
    subgroup::tested_each(points)
}

/// The points with their trits: trits i from SHA-256(root ‖ i), root = SHA-256(domain ‖ keys).
fn batch(points: &[CurvePoint], keys: &[[u8; 48]]) -> Vec<BatchPoint> {
    let mut transcript = Sha256::new();
    transcript.update(DOMAIN);
    transcript.update(keys.as_flattened());
    let root = transcript.finish();
    let counters: Vec<[u8; 8]> = (0..points.len() as u64).map(u64::to_le_bytes).collect();
    let messages: Vec<[&[u8]; 2]> = counters.iter().map(|counter| [&root[..], &counter[..]]).collect();
    let trits = sha256_each(&messages).into_iter().map(|digest| Trits::from_bytes(&digest));
    points.iter().zip(trits).map(|(point, coefficient)| BatchPoint { point: *point, coefficient }).collect()
}
