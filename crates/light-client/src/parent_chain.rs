//! From a trusted header back to older ones.

use crate::Reason;
use blobcheck_beacon::{BeaconBlockHeader, Bytes32};

/// Most headers that one call takes: a day and more of full slots.
pub const PARENT_CHAIN_LIMIT: usize = 8192;

/// Verifies that each header is the parent of the one before it, beginning with the parent of `trusted`, and answers with
/// their roots. Whoever trusts `trusted` may trust them all.
///
/// # Errors
/// The position of the first header that is not the parent, with [`Reason::ParentMismatch`]; [`Reason::TooMany`] at
/// [`PARENT_CHAIN_LIMIT`].
pub fn verify_parent_chain(
    trusted: &BeaconBlockHeader,
    headers: &[BeaconBlockHeader],
) -> Result<Vec<Bytes32>, (usize, Reason)> {
    if headers.len() > PARENT_CHAIN_LIMIT {
        return Err((PARENT_CHAIN_LIMIT, Reason::TooMany));
    }
    let children = core::iter::once(trusted).chain(headers);
    let links = children.zip(headers).enumerate().map(|(position, (child, parent))| {
        let root = parent.hash_tree_root();
        if root == child.parent_root {
            Ok(root)
        } else {
            Err((position, Reason::ParentMismatch))
        }
    });
    links.collect()
}
