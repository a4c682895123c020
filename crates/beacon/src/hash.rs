//! The parents of Merkle nodes: `hash` of the specs' `beacon-chain.md`, over two of them.

use crate::Bytes32;
use blobcheck_sha256::{sha256, sha256_each};

/// `hash(left ++ right)`: the parent of two nodes of a Merkle tree.
pub(crate) fn hash_pair(left: &Bytes32, right: &Bytes32) -> Bytes32 {
    sha256(&[left, right])
}

/// The parents of a layer of an even number of nodes, four at a time where that pays; a last node alone has none.
pub(crate) fn hash_pairs(layer: &[Bytes32]) -> Vec<Bytes32> {
    sha256_each(layer.as_chunks::<2>().0)
}
