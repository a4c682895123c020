//! `LightClientBootstrap`.

use super::error::ObjectError;
use super::gindex::{CommitteeBranch, COMMITTEE_DEPTHS};
use super::header::LightClientHeader;
use super::reader::Reader;
use super::sync_committee::SyncCommittee;
use crate::chain::{ChainConfig, LightClientFork};

/// What a light client begins with: a header and the committee of its period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LightClientBootstrap {
    /// The header of the block that is to be trusted.
    pub header: LightClientHeader,
    /// The committee of its period; `None` for `SyncCommittee()`, all zero.
    pub current_sync_committee: Option<SyncCommittee>,
    /// The proof that the committee is in the header's state.
    pub current_sync_committee_branch: CommitteeBranch,
}

impl LightClientBootstrap {
    /// Reads the SSZ encoding of a fork's container, strictly. That of an earlier fork is brought into the one form of this
    /// module, as `upgrade_lc_*` of the specification does.
    ///
    /// # Errors
    /// [`ObjectError`].
    pub fn from_ssz(chain: &ChainConfig, fork: LightClientFork, bytes: &[u8]) -> Result<Self, ObjectError> {
        let mut reader = Reader::new(bytes, fork, chain.sync_committee_size);
        reader.header()?;
        let current_sync_committee = reader.committee()?;
        let current_sync_committee_branch = reader.branch(COMMITTEE_DEPTHS)?;
        let [header] = reader.headers()?;
        Ok(Self { header, current_sync_committee, current_sync_committee_branch })
    }
}
