//! Binary SHA-256 Merkle trees, as in `ssz/simple-serialize.md` and `ssz/merkle-proofs.md`.

use crate::gindex;
use crate::hash::hash_pair;
use crate::Bytes32;
use blobcheck_sha256::zero_roots;
use std::sync::LazyLock;

/// Greatest depth that [`ZERO_HASHES`], and so [`merkleize`], reaches: the tree of a `List[KZGCommitment, 4096]`.
pub const MAX_DEPTH: usize = 12;

/// `ZERO_HASHES[d]` is the root of a tree of depth `d` whose leaves are all zero chunks.
///
/// Worked out once, since every sidecar needs them. Written out they are 0.4 kB of a module, which nothing compresses.
pub static ZERO_HASHES: LazyLock<[Bytes32; MAX_DEPTH + 1]> = LazyLock::new(zero_roots);

/// Whether `branch` leads from `leaf`, at position `index` of the layer `branch.len()` below, up to `root`.
///
/// `branch` lists siblings from the leaf upwards. Bit `i` of `index` says on which side of the parent at height
/// `i + 1` the path runs; bits beyond the branch are not looked at, so a caller must bound `index` itself where
/// it comes from outside. A branch whose length is not `depth` proves nothing and is refused.
///
/// Spec: `is_valid_merkle_branch`, `phase0/beacon-chain.md`.
pub fn is_valid_merkle_branch(
    leaf: &Bytes32,
    branch: &[Bytes32],
    depth: usize,
    index: u64,
    root: &Bytes32,
) -> bool {
    branch.len() == depth && merkle_branch_root(leaf, branch, index) == *root
}

/// Whether `branch` leads from `leaf` at node `gindex` up to `root`, where the branch may be longer than the node is deep:
/// what it has too much stands first, and must be zero chunks.
///
/// Spec: `is_valid_normalized_merkle_branch`, `electra/light-client/sync-protocol.md`.
pub fn is_valid_normalized_merkle_branch(
    leaf: &Bytes32,
    branch: &[Bytes32],
    gindex: u64,
    root: &Bytes32,
) -> bool {
    let depth = gindex::depth(gindex);
    let Some((extra, branch)) = branch.len().checked_sub(depth).map(|extra| branch.split_at(extra)) else {
        return false;
    };
    extra.iter().all(|chunk| *chunk == [0; 32])
        && is_valid_merkle_branch(leaf, branch, depth, gindex::subtree_index(gindex), root)
}

/// The root that `branch` gives to `leaf` at position `index`; see [`is_valid_merkle_branch`].
pub fn merkle_branch_root(leaf: &Bytes32, branch: &[Bytes32], index: u64) -> Bytes32 {
    let mut value = *leaf;
    let mut position = index;
    for sibling in branch {
        value = if position & 1 == 1 { hash_pair(sibling, &value) } else { hash_pair(&value, sibling) };
        position >>= 1;
    }
    value
}

/// Root of the tree of depth `depth` whose first leaves are `chunks` and whose others are zero.
///
/// `None` when `chunks` are more than `2^depth`, or `depth` exceeds [`MAX_DEPTH`]. Costs about one hash for
/// each chunk and one for each layer: the zero part of the tree is never walked.
///
/// Spec: `merkleize(chunks, limit = 2^depth)`, `ssz/simple-serialize.md`.
pub fn merkleize(mut chunks: Vec<Bytes32>, depth: usize) -> Option<Bytes32> {
    let zeros = ZERO_HASHES.get(..=depth)?;
    if chunks.len() > 1 << depth {
        return None;
    }
    for zero in &zeros[..depth] {
        // An empty layer stays empty, and its root is read off the table below.
        chunks = chunks.chunks(2).map(|pair| hash_pair(&pair[0], pair.get(1).unwrap_or(zero))).collect();
    }
    chunks.first().or(zeros.last()).copied()
}

/// Mixes the length of a list into the root of its contents.
///
/// Spec: `mix_in_length`, `ssz/simple-serialize.md`: `hash(root ++ length as uint256, little-endian)`.
pub fn mix_in_length(root: &Bytes32, length: u64) -> Bytes32 {
    hash_pair(root, &chunk_from_u64(length))
}

/// The chunk of a basic `uint64`: little-endian, zero-padded on the right.
pub fn chunk_from_u64(value: u64) -> Bytes32 {
    let mut chunk = [0; 32];
    chunk[..8].copy_from_slice(&value.to_le_bytes());
    chunk
}
