//! Merkle proofs by generalized index (`ssz/merkle-proofs.md`), without an object around them.
//!
//! `leaf` and `root` have 32 bytes; `branch` has the siblings from the leaf upwards, 32 bytes each. Bytes of another length
//! prove nothing, and neither does a proof about node 0, which is none.

use blobcheck_beacon::{gindex, merkle, Bytes32};
use wasm_bindgen::prelude::wasm_bindgen;

/// `is_valid_merkle_branch`, with depth and index taken from `gindex`: whether the branch leads from the leaf at that node
/// to the root. It has to be as long as the node is deep.
#[wasm_bindgen(js_name = isValidMerkleBranch)]
pub fn is_valid_merkle_branch(leaf: &[u8], branch: &[u8], gindex: u64, root: &[u8]) -> bool {
    read(leaf, branch, gindex, root).is_some_and(|(leaf, branch, root)| {
        let (depth, index) = (gindex::depth(gindex), gindex::subtree_index(gindex));
        merkle::is_valid_merkle_branch(leaf, branch, depth, index, root)
    })
}

/// `is_valid_normalized_merkle_branch`: likewise, where the branch may begin with zero chunks that it has too many.
#[wasm_bindgen(js_name = isValidNormalizedMerkleBranch)]
pub fn is_valid_normalized_merkle_branch(leaf: &[u8], branch: &[u8], gindex: u64, root: &[u8]) -> bool {
    read(leaf, branch, gindex, root).is_some_and(|(leaf, branch, root)| {
        merkle::is_valid_normalized_merkle_branch(leaf, branch, gindex, root)
    })
}

type Proof<'a> = (&'a Bytes32, &'a [Bytes32], &'a Bytes32);

fn read<'a>(leaf: &'a [u8], branch: &'a [u8], gindex: u64, root: &'a [u8]) -> Option<Proof<'a>> {
    let (siblings, []) = branch.as_chunks() else { return None };
    (gindex != 0).then_some((leaf.try_into().ok()?, siblings, root.try_into().ok()?))
}
