//! The one place that calls SHA-256 (`hash` in the specs' `beacon-chain.md`).

use crate::Bytes32;
use blobcheck_sha256::sha256;

/// `hash(left ++ right)`: the parent of two nodes of a Merkle tree.
pub(crate) fn hash_pair(left: &Bytes32, right: &Bytes32) -> Bytes32 {
    sha256(&[left, right])
}
