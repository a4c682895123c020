//! Sync committees as points, each decompressed once.

use crate::Reason;
use blobcheck_beacon::light_client::SyncCommittee;
use blobcheck_bls::SyncCommitteeKeys;

/// How many committees are kept: a store's two, the one that comes next, and one to spare.
const LIMIT: usize = 4;

/// The committees that were used last. Decompression is most of the work of an update, and a period's
/// committee signs for a day.
///
/// Only committees whose keys are all in the group, and add up to their aggregate, are kept: what is in here can be used
/// without a further look.
#[derive(Debug, Default)]
pub struct Committees {
    /// The latest last.
    kept: Vec<(SyncCommittee, SyncCommitteeKeys)>,
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
        let found = match self.kept.iter().position(|(kept, _)| kept == committee) {
            Some(position) => self.kept.remove(position),
            None => {
                let keys = SyncCommitteeKeys::new(committee.pubkeys(), committee.aggregate_pubkey())
                    .map_err(|_| Reason::CommitteeKeys)?;
                if self.kept.len() >= LIMIT {
                    self.kept.remove(0);
                }
                (committee.clone(), keys)
            }
        };
        self.kept.push(found);
        // It was pushed just now.
        self.kept.last().map(|(_, keys)| keys).ok_or(Reason::CommitteeKeys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blobcheck_curve::weight::{times_each, Weight};
    use blobcheck_curve::{g1, g1_encoding};

    /// A committee of one key.
    fn committee(secret: u128) -> SyncCommittee {
        let key = g1_encoding::compress(&times_each(&[g1::generator()], &[Weight::from(secret)])[0]);
        SyncCommittee::new(vec![key], key).unwrap()
    }

    #[test]
    fn as_many_are_kept_as_are_used() {
        let mut committees = Committees::new();
        for secret in (1..20).chain([17, 1]) {
            let committee = committee(secret);
            let participants = |keys: &SyncCommitteeKeys| keys.participants(&[true]).unwrap().to_bytes();
            assert_eq!(participants(committees.keys(&committee).unwrap()), committee.pubkeys()[0]);
            assert!(committees.kept.len() <= LIMIT);
            assert_eq!(committees.kept.last().unwrap().0, committee);
        }
        // 17 was among the last ones and stood up; 16 had to go for 1.
        let kept: Vec<SyncCommittee> = committees.kept.iter().map(|(kept, _)| kept.clone()).collect();
        assert_eq!(kept, [18, 19, 17, 1].map(committee));
    }

    #[test]
    fn what_is_no_committee_is_not_kept() {
        let mut committees = Committees::new();
        let wrong_sum =
            SyncCommittee::new(vec![committee(3).pubkeys()[0]], committee(4).pubkeys()[0]).unwrap();
        assert_eq!(committees.keys(&wrong_sum).err(), Some(Reason::CommitteeKeys));
        assert!(committees.kept.is_empty());
    }
}
