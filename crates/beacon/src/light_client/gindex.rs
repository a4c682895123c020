//! Where the protocol's proofs lead, by the slot of the state or of the block (`gloas/light-client/sync-protocol.md`).

use crate::chain::ChainConfig;
use crate::gindex::depth;
use crate::Bytes32;

/// `EXECUTION_PAYLOAD_GINDEX`, in the block body: Capella to Fulu.
pub const EXECUTION_PAYLOAD_GINDEX: u64 = 25;

/// `EXECUTION_BLOCK_HASH_GINDEX`: `execution_payload.block_hash` in the body of Capella, whose payload has 15 fields.
const EXECUTION_BLOCK_HASH_GINDEX: u64 = 412;
/// `EXECUTION_BLOCK_HASH_GINDEX_DENEB`: the same field where the payload has 17, and one layer more.
const EXECUTION_BLOCK_HASH_GINDEX_DENEB: u64 = 812;
/// `EXECUTION_BLOCK_HASH_GINDEX_GLOAS`: `signed_execution_payload_bid.message.parent_block_hash` in the body of Gloas.
const EXECUTION_BLOCK_HASH_GINDEX_GLOAS: u64 = 2856;

const FINALIZED_ROOT_GINDEX: u64 = 105;
const CURRENT_SYNC_COMMITTEE_GINDEX: u64 = 54;
const NEXT_SYNC_COMMITTEE_GINDEX: u64 = 55;
const FINALIZED_ROOT_GINDEX_ELECTRA: u64 = 169;
const CURRENT_SYNC_COMMITTEE_GINDEX_ELECTRA: u64 = 86;
const NEXT_SYNC_COMMITTEE_GINDEX_ELECTRA: u64 = 87;
const FINALIZED_ROOT_GINDEX_GLOAS: u64 = 735;
const CURRENT_SYNC_COMMITTEE_GINDEX_GLOAS: u64 = 2945;
const NEXT_SYNC_COMMITTEE_GINDEX_GLOAS: u64 = 2946;

/// `ExecutionBranch` of Gloas: 11 siblings, the first of them zero in older blocks.
pub type ExecutionBranch = [Bytes32; depth(EXECUTION_BLOCK_HASH_GINDEX_GLOAS)];

/// `FinalityBranch` of Gloas: 9 siblings, the first of them zero in older states.
pub type FinalityBranch = [Bytes32; depth(FINALIZED_ROOT_GINDEX_GLOAS)];

/// `CurrentSyncCommitteeBranch` and `NextSyncCommitteeBranch` of Gloas: 11 siblings, likewise.
pub type CommitteeBranch = [Bytes32; depth(NEXT_SYNC_COMMITTEE_GINDEX_GLOAS)];

/// Length of an execution branch in containers before Gloas.
pub(super) const EXECUTION_PAYLOAD_DEPTH: usize = depth(EXECUTION_PAYLOAD_GINDEX);

/// Lengths of a finality branch in containers before Electra, of Electra and Fulu, and of Gloas.
pub(super) const FINALITY_DEPTHS: [usize; 3] =
    [depth(FINALIZED_ROOT_GINDEX), depth(FINALIZED_ROOT_GINDEX_ELECTRA), depth(FINALIZED_ROOT_GINDEX_GLOAS)];

/// Lengths of a committee branch, likewise.
pub(super) const COMMITTEE_DEPTHS: [usize; 3] = [
    depth(NEXT_SYNC_COMMITTEE_GINDEX),
    depth(NEXT_SYNC_COMMITTEE_GINDEX_ELECTRA),
    depth(NEXT_SYNC_COMMITTEE_GINDEX_GLOAS),
];

/// Where a header's `execution_block_hash` is in the body of a block of this slot; `None` before Capella.
///
/// Up to Fulu it is the hash of the block's own payload; from Gloas on that of the last full payload before the block.
pub fn execution_block_hash_gindex_at_slot(chain: &ChainConfig, slot: u64) -> Option<u64> {
    if chain.is_gloas(slot) {
        Some(EXECUTION_BLOCK_HASH_GINDEX_GLOAS)
    } else if chain.is_deneb(slot) {
        Some(EXECUTION_BLOCK_HASH_GINDEX_DENEB)
    } else if chain.is_capella(slot) {
        Some(EXECUTION_BLOCK_HASH_GINDEX)
    } else {
        None
    }
}

/// `finalized_root_gindex_at_slot(slot)`.
pub fn finalized_root_gindex_at_slot(chain: &ChainConfig, slot: u64) -> u64 {
    let all = [FINALIZED_ROOT_GINDEX, FINALIZED_ROOT_GINDEX_ELECTRA, FINALIZED_ROOT_GINDEX_GLOAS];
    all[state_shape(chain, slot)]
}

/// `current_sync_committee_gindex_at_slot(slot)`.
pub fn current_sync_committee_gindex_at_slot(chain: &ChainConfig, slot: u64) -> u64 {
    let all = [
        CURRENT_SYNC_COMMITTEE_GINDEX,
        CURRENT_SYNC_COMMITTEE_GINDEX_ELECTRA,
        CURRENT_SYNC_COMMITTEE_GINDEX_GLOAS,
    ];
    all[state_shape(chain, slot)]
}

/// `next_sync_committee_gindex_at_slot(slot)`.
pub fn next_sync_committee_gindex_at_slot(chain: &ChainConfig, slot: u64) -> u64 {
    let all =
        [NEXT_SYNC_COMMITTEE_GINDEX, NEXT_SYNC_COMMITTEE_GINDEX_ELECTRA, NEXT_SYNC_COMMITTEE_GINDEX_GLOAS];
    all[state_shape(chain, slot)]
}

/// The shape of a slot's state: 0 before Electra, 1 of Electra and Fulu, 2 of Gloas.
fn state_shape(chain: &ChainConfig, slot: u64) -> usize {
    usize::from(chain.is_electra(slot)) + usize::from(chain.is_gloas(slot))
}
