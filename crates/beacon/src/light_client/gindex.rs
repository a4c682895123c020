//! Where the protocol's proofs lead, by the slot of the state (`electra/light-client/sync-protocol.md`).

use crate::chain::ChainConfig;
use crate::gindex::depth;
use crate::Bytes32;

/// `EXECUTION_PAYLOAD_GINDEX`, in the block body: Capella to Fulu.
pub const EXECUTION_PAYLOAD_GINDEX: u64 = 25;

const FINALIZED_ROOT_GINDEX: u64 = 105;
const CURRENT_SYNC_COMMITTEE_GINDEX: u64 = 54;
const NEXT_SYNC_COMMITTEE_GINDEX: u64 = 55;
const FINALIZED_ROOT_GINDEX_ELECTRA: u64 = 169;
const CURRENT_SYNC_COMMITTEE_GINDEX_ELECTRA: u64 = 86;
const NEXT_SYNC_COMMITTEE_GINDEX_ELECTRA: u64 = 87;

/// `FinalityBranch` of Electra: 7 siblings, the first of them zero in older states.
pub type FinalityBranch = [Bytes32; depth(FINALIZED_ROOT_GINDEX_ELECTRA)];

/// `CurrentSyncCommitteeBranch` and `NextSyncCommitteeBranch` of Electra: 6 siblings, likewise.
pub type CommitteeBranch = [Bytes32; depth(NEXT_SYNC_COMMITTEE_GINDEX_ELECTRA)];

/// Length of a finality branch in containers before Electra.
pub(super) const OLD_FINALITY_DEPTH: usize = depth(FINALIZED_ROOT_GINDEX);

/// Length of a committee branch in containers before Electra.
pub(super) const OLD_COMMITTEE_DEPTH: usize = depth(NEXT_SYNC_COMMITTEE_GINDEX);

/// `finalized_root_gindex_at_slot(slot)`, up to Fulu.
pub fn finalized_root_gindex_at_slot(chain: &ChainConfig, slot: u64) -> u64 {
    if chain.is_electra(slot) {
        FINALIZED_ROOT_GINDEX_ELECTRA
    } else {
        FINALIZED_ROOT_GINDEX
    }
}

/// `current_sync_committee_gindex_at_slot(slot)`, up to Fulu.
pub fn current_sync_committee_gindex_at_slot(chain: &ChainConfig, slot: u64) -> u64 {
    if chain.is_electra(slot) {
        CURRENT_SYNC_COMMITTEE_GINDEX_ELECTRA
    } else {
        CURRENT_SYNC_COMMITTEE_GINDEX
    }
}

/// `next_sync_committee_gindex_at_slot(slot)`, up to Fulu.
pub fn next_sync_committee_gindex_at_slot(chain: &ChainConfig, slot: u64) -> u64 {
    if chain.is_electra(slot) {
        NEXT_SYNC_COMMITTEE_GINDEX_ELECTRA
    } else {
        NEXT_SYNC_COMMITTEE_GINDEX
    }
}
