//! The objects of the light-client protocol (`altair/light-client/sync-protocol.md`, and its successors to Electra's).
//!
//! Whatever fork they come from, they are held in the shape of Electra, upgraded as `electra/light-client/fork.md` says:
//! fields that came later are zero, and shorter branches have zero chunks before them. So there is one protocol above, and
//! what an object may hold is decided by its slots.

mod bootstrap;
mod error;
mod execution;
mod gindex;
mod header;
mod reader;
mod sync_aggregate;
mod sync_committee;
mod update;

pub use bootstrap::LightClientBootstrap;
pub use error::ObjectError;
pub use execution::ExecutionPayloadHeader;
pub use gindex::{
    current_sync_committee_gindex_at_slot, finalized_root_gindex_at_slot, next_sync_committee_gindex_at_slot,
    CommitteeBranch, FinalityBranch, EXECUTION_PAYLOAD_GINDEX,
};
pub use header::{ExecutionBranch, LightClientHeader};
pub use sync_aggregate::SyncAggregate;
pub use sync_committee::SyncCommittee;
pub use update::LightClientUpdate;
