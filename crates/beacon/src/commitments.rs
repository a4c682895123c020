//! Roots of KZG commitments, one or a block's list of them.

use crate::gindex::MAX_BLOB_COMMITMENTS_PER_BLOCK;
use crate::hash::hash_pair;
use crate::merkle::{merkleize, mix_in_length};
use crate::Bytes32;

/// Size of a compressed G1 point: `KZGCommitment` and `KZGProof` (`BYTES_PER_COMMITMENT`, `BYTES_PER_PROOF`).
pub const BYTES_PER_COMMITMENT: usize = 48;

/// Depth of the contents of `List[KZGCommitment, 4096]`.
const LIST_DEPTH: usize = MAX_BLOB_COMMITMENTS_PER_BLOCK.ilog2() as usize;

/// `hash_tree_root(commitment)`: two chunks, the second zero-padded from 16 bytes.
pub fn commitment_root(commitment: &[u8; BYTES_PER_COMMITMENT]) -> Bytes32 {
    let mut chunks = [[0; 32]; 2];
    chunks.as_flattened_mut()[..BYTES_PER_COMMITMENT].copy_from_slice(commitment);
    hash_pair(&chunks[0], &chunks[1])
}

/// `hash_tree_root` of the `List[KZGCommitment, 4096]` whose elements `commitments` are.
///
/// `None` for more elements than the list's type allows.
pub fn commitments_root(commitments: &[[u8; BYTES_PER_COMMITMENT]]) -> Option<Bytes32> {
    let contents = merkleize(commitments.iter().map(commitment_root).collect(), LIST_DEPTH)?;
    Some(mix_in_length(&contents, u64::try_from(commitments.len()).ok()?))
}
