//! The objects of the light-client protocol (`altair/light-client/sync-protocol.md`, and its successors to Gloas's).
//!
//! Whatever fork they come from, they are held in one shape, upgraded as `electra/light-client/fork.md` says: fields that
//! came later are zero, and shorter branches, up to Gloas's lengths, have zero chunks before them. So there is one protocol
//! above, and what an object may hold is decided by its slots. One thing is not upgraded: execution headers are kept whole,
//! where `gloas/light-client/fork.md` would keep only the block hash, since a store need not forget what it knows. The proof
//! is no weaker; the tests hold the two against each other.

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
    current_sync_committee_gindex_at_slot, execution_block_hash_gindex_at_slot,
    finalized_root_gindex_at_slot, next_sync_committee_gindex_at_slot, CommitteeBranch, ExecutionBranch,
    FinalityBranch, EXECUTION_PAYLOAD_GINDEX,
};
pub use header::{Execution, LightClientHeader};
pub use sync_aggregate::SyncAggregate;
pub use sync_committee::SyncCommittee;
pub use update::LightClientUpdate;
