//! `LightClientUpdate`, and the two shorter containers that are updates with parts missing.

use super::error::ObjectError;
use super::gindex::{CommitteeBranch, FinalityBranch, COMMITTEE_DEPTHS, FINALITY_DEPTHS};
use super::header::LightClientHeader;
use super::reader::Reader;
use super::sync_aggregate::SyncAggregate;
use super::sync_committee::SyncCommittee;
use crate::chain::{ChainConfig, LightClientFork};

/// What a committee signed, with what follows from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LightClientUpdate {
    /// The header that was signed.
    pub attested_header: LightClientHeader,
    /// The committee of the period after the attested header's; `None` for `SyncCommittee()`, all zero.
    pub next_sync_committee: Option<SyncCommittee>,
    /// The proof that it is in the attested header's state; zero where there is no committee.
    pub next_sync_committee_branch: CommitteeBranch,
    /// The header that the attested one's state has finalized; empty where it is left out. It has the form of the attested
    /// one: a container of Gloas has an older header in Gloas's form.
    pub finalized_header: LightClientHeader,
    /// The proof that it has; zero where it is left out.
    pub finality_branch: FinalityBranch,
    /// Who signed, and the signature.
    pub sync_aggregate: SyncAggregate,
    /// The slot of the block that holds the signature: untrusted, but it decides whose signature is expected.
    pub signature_slot: u64,
}

/// What a container has besides a signed header.
struct Parts {
    committee: bool,
    finality: bool,
}

impl LightClientUpdate {
    /// Reads the SSZ encoding of a fork's `LightClientUpdate`, strictly. That of an earlier fork is
    /// brought into the one form of this module, as `upgrade_lc_update_to_*` of the specification does.
    ///
    /// # Errors
    /// [`ObjectError`].
    pub fn from_ssz(chain: &ChainConfig, fork: LightClientFork, bytes: &[u8]) -> Result<Self, ObjectError> {
        Self::read(chain, fork, bytes, Parts { committee: true, finality: true })
    }

    /// Reads a `LightClientFinalityUpdate`: the update without a committee, as `process_light_client_finality_update`
    /// makes it.
    ///
    /// # Errors
    /// [`ObjectError`].
    pub fn from_finality_ssz(
        chain: &ChainConfig,
        fork: LightClientFork,
        bytes: &[u8],
    ) -> Result<Self, ObjectError> {
        Self::read(chain, fork, bytes, Parts { committee: false, finality: true })
    }

    /// Reads a `LightClientOptimisticUpdate`: the update with neither committee nor finality, as
    /// `process_light_client_optimistic_update` makes it.
    ///
    /// # Errors
    /// [`ObjectError`].
    pub fn from_optimistic_ssz(
        chain: &ChainConfig,
        fork: LightClientFork,
        bytes: &[u8],
    ) -> Result<Self, ObjectError> {
        Self::read(chain, fork, bytes, Parts { committee: false, finality: false })
    }

    /// The parts that a container has stand in the update's order; those that it lacks are empty.
    fn read(
        chain: &ChainConfig,
        fork: LightClientFork,
        bytes: &[u8],
        parts: Parts,
    ) -> Result<Self, ObjectError> {
        let mut reader = Reader::new(bytes, fork, chain.sync_committee_size);
        reader.header()?;
        let (next_sync_committee, next_sync_committee_branch) = match parts.committee {
            true => (reader.committee()?, reader.branch(COMMITTEE_DEPTHS)?),
            false => Default::default(),
        };
        let finality_branch = match parts.finality {
            true => {
                reader.header()?;
                reader.branch(FINALITY_DEPTHS)?
            }
            false => Default::default(),
        };
        let sync_aggregate = reader.aggregate()?;
        let signature_slot = reader.number()?;
        let [attested_header, finalized_header] = match parts.finality {
            true => reader.headers()?,
            false => reader.headers().map(|[attested]| [attested, LightClientHeader::empty(fork)])?,
        };
        Ok(Self {
            attested_header,
            next_sync_committee,
            next_sync_committee_branch,
            finalized_header,
            finality_branch,
            sync_aggregate,
            signature_slot,
        })
    }

    /// The SSZ encoding of Electra's container, or of Gloas's where its headers have that form, for a committee of `size`
    /// keys.
    pub fn to_ssz(&self, size: usize) -> Vec<u8> {
        let (mut attested, mut finalized) = (Vec::new(), Vec::new());
        self.attested_header.write_ssz(&mut attested);
        self.finalized_header.write_ssz(&mut finalized);
        let [_, electra, gloas] = COMMITTEE_DEPTHS;
        let [_, electra_finality, gloas_finality] = FINALITY_DEPTHS;
        let is_gloas = self.attested_header.has_gloas_form();
        let (depth, finality_depth) =
            if is_gloas { (gloas, gloas_finality) } else { (electra, electra_finality) };
        let committee_branch = &self.next_sync_committee_branch[gloas - depth..];
        let finality_branch = &self.finality_branch[gloas_finality - finality_depth..];
        let fixed = 4
            + SyncCommittee::ssz_bytes(size)
            + committee_branch.as_flattened().len()
            + 4
            + finality_branch.as_flattened().len()
            + SyncAggregate::ssz_bytes(size)
            + 8;
        let mut out = Vec::with_capacity(fixed + attested.len() + finalized.len());
        // Gloas's headers are in their places; older ones stand behind all else, with an offset in their place.
        let header = |out: &mut Vec<u8>, header: &[u8], offset: usize| match is_gloas {
            true => out.extend_from_slice(header),
            false => out.extend_from_slice(&(offset as u32).to_le_bytes()),
        };
        header(&mut out, &attested, fixed);
        match &self.next_sync_committee {
            Some(committee) => committee.write_ssz(&mut out),
            None => out.resize(out.len() + SyncCommittee::ssz_bytes(size), 0),
        }
        out.extend_from_slice(committee_branch.as_flattened());
        header(&mut out, &finalized, fixed + attested.len());
        out.extend_from_slice(finality_branch.as_flattened());
        self.sync_aggregate.write_ssz(&mut out);
        out.extend_from_slice(&self.signature_slot.to_le_bytes());
        if !is_gloas {
            out.extend(attested);
            out.extend(finalized);
        }
        out
    }

    /// `is_sync_committee_update(update)`: whether it brings a next sync committee.
    pub fn is_sync_committee_update(&self) -> bool {
        self.next_sync_committee_branch != CommitteeBranch::default()
    }

    /// `is_finality_update(update)`: whether it brings a finalized header.
    pub fn is_finality_update(&self) -> bool {
        self.finality_branch != FinalityBranch::default()
    }
}
