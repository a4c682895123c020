//! A store as bytes, in a form of our own.
//!
//! ```text
//!   0   4  "LCS", and the version of this form, 1
//!   4  32  genesis_validators_root of the store's network
//!  36   8  previous_max_active_participants, little-endian as all numbers here
//!  44   8  current_max_active_participants
//!  52   1  1 where the next committee is known, plus 2 where there is a best update, plus 4 where the finalized header is in
//!          Gloas's container, plus 8 where the optimistic one is, plus 16 where the best update is
//!  53   4  length of the finalized header
//!  57   4  length of the optimistic header
//!  61      the current committee, the next one where it is known, both headers, the best update to the end: all in SSZ, and
//!          in Electra's containers but for what is in Gloas's
//! ```
//!
//! A store from before Gloas has the same bytes as in versions that did not know Gloas, so that a store that was kept stays readable, and goes on
//! across the fork. Each store has exactly one encoding, and bytes that are none are refused. What the bytes say is not verified: they are as
//! trustworthy as the place that they were kept in.

use crate::{LightClientStore, Reason};
use blobcheck_beacon::{
    light_client::{LightClientHeader, LightClientUpdate, SyncCommittee},
    ChainConfig, LightClientFork,
};

const MAGIC: [u8; 4] = *b"LCS\x01";
const NEXT_IS_KNOWN: u8 = 1;
const HAS_BEST_UPDATE: u8 = 2;
const FINALIZED_IS_GLOAS: u8 = 4;
const OPTIMISTIC_IS_GLOAS: u8 = 8;
const BEST_IS_GLOAS: u8 = 16;

/// The bytes of a store.
pub fn encode(chain: &ChainConfig, store: &LightClientStore) -> Vec<u8> {
    let (mut finalized, mut optimistic) = (Vec::new(), Vec::new());
    store.finalized_header.write_ssz(&mut finalized);
    store.optimistic_header.write_ssz(&mut optimistic);
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&chain.genesis_validators_root);
    out.extend_from_slice(&store.previous_max_active_participants.to_le_bytes());
    out.extend_from_slice(&store.current_max_active_participants.to_le_bytes());
    let next = if store.next_sync_committee.is_some() { NEXT_IS_KNOWN } else { 0 };
    let best = if store.best_valid_update.is_some() { HAS_BEST_UPDATE } else { 0 };
    let gloas = |is: bool, flag: u8| if is { flag } else { 0 };
    let best_is_gloas =
        store.best_valid_update.as_ref().is_some_and(|update| update.attested_header.has_gloas_form());
    out.push(
        next | best
            | gloas(store.finalized_header.has_gloas_form(), FINALIZED_IS_GLOAS)
            | gloas(store.optimistic_header.has_gloas_form(), OPTIMISTIC_IS_GLOAS)
            | gloas(best_is_gloas, BEST_IS_GLOAS),
    );
    // A header has fewer than a thousand bytes.
    out.extend_from_slice(&(finalized.len() as u32).to_le_bytes());
    out.extend_from_slice(&(optimistic.len() as u32).to_le_bytes());
    store.current_sync_committee.write_ssz(&mut out);
    if let Some(committee) = &store.next_sync_committee {
        committee.write_ssz(&mut out);
    }
    out.extend(finalized);
    out.extend(optimistic);
    if let Some(update) = &store.best_valid_update {
        out.extend(update.to_ssz(chain.sync_committee_size));
    }
    out
}

/// The store of these bytes.
///
/// # Errors
/// [`Reason::StoreEncoding`]; [`Reason::StoreNetwork`], where they are another network's.
pub fn decode(chain: &ChainConfig, bytes: &[u8]) -> Result<LightClientStore, Reason> {
    let mut parts = Parts(bytes);
    if parts.array()? != MAGIC {
        return Err(Reason::StoreEncoding);
    }
    if parts.array()? != chain.genesis_validators_root {
        return Err(Reason::StoreNetwork);
    }
    let previous_max_active_participants = u64::from_le_bytes(parts.array()?);
    let current_max_active_participants = u64::from_le_bytes(parts.array()?);
    // Their half is the safety threshold: by a larger number no header would be optimistic for a period or two.
    if previous_max_active_participants.max(current_max_active_participants)
        > chain.sync_committee_size as u64
    {
        return Err(Reason::StoreEncoding);
    }
    let [flags] = parts.array()?;
    let fork = |flag| if flags & flag == 0 { LightClientFork::Electra } else { LightClientFork::Gloas };
    let known = NEXT_IS_KNOWN | HAS_BEST_UPDATE | FINALIZED_IS_GLOAS | OPTIMISTIC_IS_GLOAS | BEST_IS_GLOAS;
    if flags & !known != 0 || flags & (HAS_BEST_UPDATE | BEST_IS_GLOAS) == BEST_IS_GLOAS {
        return Err(Reason::StoreEncoding);
    }
    let finalized_bytes = parts.length()?;
    let optimistic_bytes = parts.length()?;
    let current_sync_committee = parts.committee(chain)?;
    let next_sync_committee = if flags & NEXT_IS_KNOWN == 0 { None } else { Some(parts.committee(chain)?) };
    let finalized_header = parts.header(finalized_bytes, fork(FINALIZED_IS_GLOAS))?;
    let optimistic_header = parts.header(optimistic_bytes, fork(OPTIMISTIC_IS_GLOAS))?;
    let rest = parts.0;
    let best_valid_update = if flags & HAS_BEST_UPDATE != 0 {
        let update = LightClientUpdate::from_ssz(chain, fork(BEST_IS_GLOAS), rest);
        Some(update.map_err(|_| Reason::StoreEncoding)?)
    } else if rest.is_empty() {
        None
    } else {
        return Err(Reason::StoreEncoding);
    };
    Ok(LightClientStore {
        finalized_header,
        current_sync_committee,
        next_sync_committee,
        best_valid_update,
        optimistic_header,
        previous_max_active_participants,
        current_max_active_participants,
    })
}

/// What is left of the bytes.
struct Parts<'a>(&'a [u8]);

impl<'a> Parts<'a> {
    fn slice(&mut self, length: usize) -> Result<&'a [u8], Reason> {
        let (head, tail) = self.0.split_at_checked(length).ok_or(Reason::StoreEncoding)?;
        self.0 = tail;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Reason> {
        self.slice(N)?.try_into().map_err(|_| Reason::StoreEncoding)
    }

    fn length(&mut self) -> Result<usize, Reason> {
        usize::try_from(u32::from_le_bytes(self.array()?)).map_err(|_| Reason::StoreEncoding)
    }

    /// A committee, of which no store has one that is all zero.
    fn committee(&mut self, chain: &ChainConfig) -> Result<SyncCommittee, Reason> {
        let bytes = self.slice(SyncCommittee::ssz_bytes(chain.sync_committee_size))?;
        if bytes.iter().all(|byte| *byte == 0) {
            return Err(Reason::StoreEncoding);
        }
        SyncCommittee::from_ssz(bytes).ok_or(Reason::StoreEncoding)
    }

    fn header(&mut self, length: usize, fork: LightClientFork) -> Result<LightClientHeader, Reason> {
        LightClientHeader::from_ssz(self.slice(length)?, fork).map_err(|_| Reason::StoreEncoding)
    }
}
