//! A store from a block that the user trusts.

use crate::{is_valid_light_client_header, LightClientStore, Reason};
use blobcheck_beacon::{
    light_client::{current_sync_committee_gindex_at_slot, LightClientBootstrap},
    merkle::is_valid_normalized_merkle_branch,
    Bytes32, ChainConfig,
};

/// `initialize_light_client_store(trusted_block_root, bootstrap)`.
///
/// # Errors
/// [`Reason::TrustedRootMismatch`], what [`is_valid_light_client_header`] finds,
/// [`Reason::CurrentCommitteeMismatch`]. The trusted root is compared first: everything else is said about a block that
/// nobody asked for.
pub fn initialize_light_client_store(
    chain: &ChainConfig,
    trusted_block_root: &Bytes32,
    bootstrap: LightClientBootstrap,
) -> Result<LightClientStore, Reason> {
    let LightClientBootstrap { header, current_sync_committee, current_sync_committee_branch } = bootstrap;
    if header.beacon.hash_tree_root() != *trusted_block_root {
        return Err(Reason::TrustedRootMismatch);
    }
    is_valid_light_client_header(chain, &header)?;
    // No state of a chain with light-client objects has a committee of zeros.
    let committee = current_sync_committee.ok_or(Reason::CurrentCommitteeMismatch)?;
    let proven = is_valid_normalized_merkle_branch(
        committee.hash_tree_root(),
        &current_sync_committee_branch,
        current_sync_committee_gindex_at_slot(chain, header.beacon.slot),
        &header.beacon.state_root,
    );
    if !proven {
        return Err(Reason::CurrentCommitteeMismatch);
    }
    Ok(LightClientStore {
        finalized_header: header.clone(),
        current_sync_committee: committee,
        next_sync_committee: None,
        best_valid_update: None,
        optimistic_header: header,
        previous_max_active_participants: 0,
        current_max_active_participants: 0,
    })
}
