//! The one place that calls SHA-256 (`hash` in the specs' `beacon-chain.md`).

use crate::Bytes32;
use sha2::{Digest, Sha256};

/// `hash(left ++ right)`: the parent of two nodes of a Merkle tree.
pub(crate) fn hash_pair(left: &Bytes32, right: &Bytes32) -> Bytes32 {
    Sha256::new().chain_update(left).chain_update(right).finalize().into()
}
