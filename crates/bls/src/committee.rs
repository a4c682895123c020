//! A sync committee's keys: decompressed and checked once a period, then summed for each signature.

use crate::key::{decompress_keys, AggregateKey, KeyError};
use blobcheck_curve::{sum, G1Affine, G1};

/// Why keys are not a sync committee, or bits not its participants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitteeError {
    /// There are no keys.
    Empty,
    /// The key at `index` is not valid.
    Key {
        /// Its place in the committee.
        index: usize,
        /// What is wrong with it.
        error: KeyError,
    },
    /// The keys do not sum to `aggregate_pubkey`.
    Aggregate,
    /// There are not as many bits as keys.
    Bits,
    /// No bit is set.
    NoParticipants,
}

/// `SyncCommittee`: its keys, in order, and their sum. A validator may be in it more than once.
#[derive(Clone, Debug)]
pub struct SyncCommitteeKeys {
    keys: Vec<G1Affine>,
    aggregate: G1,
}

impl SyncCommitteeKeys {
    /// Checks `pubkeys`, in G1 and not infinity, and that they sum to `aggregate_pubkey`.
    ///
    /// # Errors
    /// [`CommitteeError::Empty`], [`CommitteeError::Key`] of the first bad key, [`CommitteeError::Aggregate`].
    pub fn new(pubkeys: &[[u8; 48]], aggregate_pubkey: &[u8; 48]) -> Result<Self, CommitteeError> {
        if pubkeys.is_empty() {
            return Err(CommitteeError::Empty);
        }
        let mut keys = Vec::with_capacity(pubkeys.len());
        for (index, key) in decompress_keys(pubkeys).into_iter().enumerate() {
            keys.push(*key.map_err(|error| CommitteeError::Key { index, error })?.point());
        }
        let aggregate = sum(&keys);
        // A point has one encoding.
        if AggregateKey::from_sum(aggregate).to_bytes() != *aggregate_pubkey {
            return Err(CommitteeError::Aggregate);
        }
        Ok(Self { keys, aggregate })
    }

    /// The sum of the keys whose bit in `sync_committee_bits` is set: of these, or of all less the absentees,
    /// whichever are fewer.
    ///
    /// # Errors
    /// [`CommitteeError::Bits`], [`CommitteeError::NoParticipants`].
    pub fn participants(&self, bits: &[bool]) -> Result<AggregateKey, CommitteeError> {
        if bits.len() != self.keys.len() {
            return Err(CommitteeError::Bits);
        }
        let count = bits.iter().filter(|bit| **bit).count();
        if count == 0 {
            return Err(CommitteeError::NoParticipants);
        }
        let present = count <= bits.len() / 2;
        let some: Vec<G1Affine> =
            self.keys.iter().zip(bits).filter(|(_, bit)| **bit == present).map(|(key, _)| *key).collect();
        let some = sum(&some);
        Ok(AggregateKey::from_sum(if present { some } else { self.aggregate - some }))
    }
}
