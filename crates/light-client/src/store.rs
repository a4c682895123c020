//! `LightClientStore`.

use blobcheck_beacon::light_client::{LightClientHeader, LightClientUpdate, SyncCommittee};

/// What a light client knows. Its fields are plain: whoever sets them answers for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LightClientStore {
    /// The latest header that is finalized.
    pub finalized_header: LightClientHeader,
    /// The committee of the finalized header's period.
    pub current_sync_committee: SyncCommittee,
    /// The committee of the period after that, where it is known.
    pub next_sync_committee: Option<SyncCommittee>,
    /// The best update so far that finalized nothing: what the store is forced to when nothing better comes.
    pub best_valid_update: Option<LightClientUpdate>,
    /// The latest header that enough of a committee signed.
    pub optimistic_header: LightClientHeader,
    /// Most participants seen in the period before.
    pub previous_max_active_participants: u64,
    /// Most participants seen in this period.
    pub current_max_active_participants: u64,
}

impl LightClientStore {
    /// `is_next_sync_committee_known(store)`.
    pub fn is_next_sync_committee_known(&self) -> bool {
        self.next_sync_committee.is_some()
    }

    /// `get_safety_threshold(store)`: more participants than these make a header optimistic.
    pub fn safety_threshold(&self) -> u64 {
        self.previous_max_active_participants.max(self.current_max_active_participants) / 2
    }
}
