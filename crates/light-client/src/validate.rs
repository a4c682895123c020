//! Whether an update may be believed, short of its signature.

use crate::{is_valid_light_client_header, LightClientStore, Reason};
use blobcheck_beacon::{
    light_client::{
        finalized_root_gindex_at_slot, next_sync_committee_gindex_at_slot, LightClientUpdate, SyncCommittee,
    },
    merkle::is_valid_normalized_merkle_branch,
    ChainConfig,
};

/// `MIN_SYNC_COMMITTEE_PARTICIPANTS`.
const MIN_SYNC_COMMITTEE_PARTICIPANTS: u64 = 1;

/// All of `validate_light_client_update` but the signature, cheapest first. Answers with the committee whose signature
/// the update must carry.
///
/// # Errors
/// In the order of the specification: [`Reason::NoParticipants`], what [`is_valid_light_client_header`] finds in the
/// attested header, [`Reason::SignatureInFuture`], [`Reason::SlotOrder`], [`Reason::UnsupportedFork`] where it was signed
/// under a fork that is not known, [`Reason::PeriodUnknown`], [`Reason::NotRelevant`]; then those of finality, those of the
/// next committee.
pub fn validate_unsigned<'a>(
    chain: &ChainConfig,
    store: &'a LightClientStore,
    update: &LightClientUpdate,
    current_slot: u64,
) -> Result<&'a SyncCommittee, Reason> {
    if update.sync_aggregate.participants() < MIN_SYNC_COMMITTEE_PARTICIPANTS {
        return Err(Reason::NoParticipants);
    }
    is_valid_light_client_header(chain, &update.attested_header)?;
    check_slots(update, current_slot)?;
    // The version under which it was signed is that of the slot before.
    if !chain.network.is_supported(update.signature_slot.max(1) - 1) {
        return Err(Reason::UnsupportedFork);
    }
    let committee = signing_committee(chain, store, update)?;
    check_relevance(chain, store, update)?;
    check_finality(chain, update)?;
    check_next_sync_committee(chain, store, update)?;
    Ok(committee)
}

fn check_slots(update: &LightClientUpdate, current_slot: u64) -> Result<(), Reason> {
    let attested_slot = update.attested_header.beacon.slot;
    if current_slot < update.signature_slot {
        Err(Reason::SignatureInFuture)
    } else if update.signature_slot <= attested_slot || attested_slot < update.finalized_header.beacon.slot {
        Err(Reason::SlotOrder)
    } else {
        Ok(())
    }
}

/// The committee of the signature's period, which must be the store's or the one after it.
fn signing_committee<'a>(
    chain: &ChainConfig,
    store: &'a LightClientStore,
    update: &LightClientUpdate,
) -> Result<&'a SyncCommittee, Reason> {
    let store_period = chain.sync_committee_period_at_slot(store.finalized_header.beacon.slot);
    let signature_period = chain.sync_committee_period_at_slot(update.signature_slot);
    match signature_period.checked_sub(store_period) {
        Some(0) => Ok(&store.current_sync_committee),
        Some(1) => store.next_sync_committee.as_ref().ok_or(Reason::PeriodUnknown),
        _ => Err(Reason::PeriodUnknown),
    }
}

/// It must be newer than what is finalized, or bring the next committee that the store lacks.
fn check_relevance(
    chain: &ChainConfig,
    store: &LightClientStore,
    update: &LightClientUpdate,
) -> Result<(), Reason> {
    let finalized_slot = store.finalized_header.beacon.slot;
    let attested_slot = update.attested_header.beacon.slot;
    let brings_next_sync_committee = !store.is_next_sync_committee_known()
        && update.is_sync_committee_update()
        && same_period(chain, attested_slot, finalized_slot);
    if attested_slot > finalized_slot || brings_next_sync_committee {
        Ok(())
    } else {
        Err(Reason::NotRelevant)
    }
}

/// The finalized header is the checkpoint in the attested header's state; at genesis, the checkpoint's root is zero.
fn check_finality(chain: &ChainConfig, update: &LightClientUpdate) -> Result<(), Reason> {
    let finalized = &update.finalized_header;
    let is_empty = || finalized.is_default();
    if !update.is_finality_update() {
        return if is_empty() { Ok(()) } else { Err(Reason::FinalityUnproven) };
    }
    let finalized_root = if finalized.beacon.slot != 0 {
        is_valid_light_client_header(chain, finalized)?;
        finalized.beacon.hash_tree_root()
    } else if is_empty() {
        [0; 32]
    } else {
        return Err(Reason::FinalityUnproven);
    };
    let proven = is_valid_normalized_merkle_branch(
        &finalized_root,
        &update.finality_branch,
        finalized_root_gindex_at_slot(chain, update.attested_header.beacon.slot),
        &update.attested_header.beacon.state_root,
    );
    if proven {
        Ok(())
    } else {
        Err(Reason::FinalityMismatch)
    }
}

/// The next committee is the one in the attested header's state, and the one that the store knows, if it does.
fn check_next_sync_committee(
    chain: &ChainConfig,
    store: &LightClientStore,
    update: &LightClientUpdate,
) -> Result<(), Reason> {
    let next = update.next_sync_committee.as_ref();
    if !update.is_sync_committee_update() {
        return if next.is_none() { Ok(()) } else { Err(Reason::NextCommitteeUnproven) };
    }
    // As with bootstraps, no state has a committee of zeros.
    let next = next.ok_or(Reason::NextCommitteeMismatch)?;
    let attested = &update.attested_header.beacon;
    if same_period(chain, attested.slot, store.finalized_header.beacon.slot)
        && store.next_sync_committee.as_ref().is_some_and(|known| known != next)
    {
        return Err(Reason::NextCommitteeConflict);
    }
    let proven = is_valid_normalized_merkle_branch(
        next.hash_tree_root(),
        &update.next_sync_committee_branch,
        next_sync_committee_gindex_at_slot(chain, attested.slot),
        &attested.state_root,
    );
    if proven {
        Ok(())
    } else {
        Err(Reason::NextCommitteeMismatch)
    }
}

fn same_period(chain: &ChainConfig, a: u64, b: u64) -> bool {
    chain.sync_committee_period_at_slot(a) == chain.sync_committee_period_at_slot(b)
}
