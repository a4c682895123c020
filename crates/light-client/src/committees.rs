//! Sync committees as points, each decompressed once.

use crate::Reason;
use blobcheck_beacon::{light_client::SyncCommittee, Bytes32};
use blobcheck_bls::SyncCommitteeKeys;

/// How many committees are kept: a store's two, the one that comes next, and one to spare.
const LIMIT: usize = 4;

/// The committees that were used last, by their roots. Decompression is most of the work of an update, and a period's
/// committee signs for a day.
///
/// Only committees whose keys are all in the group, and add up to their aggregate, are kept: what is in here can be used
/// without a further look.
#[derive(Debug, Default)]
pub struct Committees {
    /// The latest last.
    kept: Vec<(Bytes32, SyncCommitteeKeys)>,
}

impl Committees {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The committee's keys, from memory or decompressed and checked.
    ///
    /// # Errors
    /// [`Reason::CommitteeKeys`].
    pub fn keys(&mut self, committee: &SyncCommittee) -> Result<&SyncCommitteeKeys, Reason> {
        let root = committee.hash_tree_root();
        let found = match self.kept.iter().position(|(kept, _)| kept == root) {
            Some(position) => self.kept.remove(position),
            None => {
                let keys = SyncCommitteeKeys::new(committee.pubkeys(), committee.aggregate_pubkey())
                    .map_err(|_| Reason::CommitteeKeys)?;
                if self.kept.len() >= LIMIT {
                    self.kept.remove(0);
                }
                (*root, keys)
            }
        };
        self.kept.push(found);
        // It was pushed just now.
        self.kept.last().map(|(_, keys)| keys).ok_or(Reason::CommitteeKeys)
    }
}
