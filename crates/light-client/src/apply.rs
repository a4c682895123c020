//! What a believed update changes.

use crate::{is_better_update, LightClientStore, Reason};
use blobcheck_beacon::{light_client::LightClientUpdate, ChainConfig};

/// `apply_light_client_update(store, update)`: the update's finalized header becomes the store's.
///
/// # Errors
/// [`Reason::PeriodSkipped`], where the store has no committee that reaches so far; it is then as it was.
pub fn apply_light_client_update(
    chain: &ChainConfig,
    store: &mut LightClientStore,
    update: &LightClientUpdate,
) -> Result<(), Reason> {
    let store_period = chain.sync_committee_period_at_slot(store.finalized_header.beacon.slot);
    let finalized = &update.finalized_header;
    let finalized_period = chain.sync_committee_period_at_slot(finalized.beacon.slot);
    match store.next_sync_committee.take() {
        None if finalized_period != store_period => return Err(Reason::PeriodSkipped),
        None => store.next_sync_committee = update.next_sync_committee.clone(),
        Some(next) if finalized_period.checked_sub(store_period) == Some(1) => {
            store.current_sync_committee = next;
            store.next_sync_committee = update.next_sync_committee.clone();
            store.previous_max_active_participants = store.current_max_active_participants;
            store.current_max_active_participants = 0;
        }
        known => store.next_sync_committee = known,
    }
    if finalized.beacon.slot > store.finalized_header.beacon.slot {
        store.finalized_header = finalized.clone();
        if finalized.beacon.slot > store.optimistic_header.beacon.slot {
            store.optimistic_header = finalized.clone();
        }
    }
    Ok(())
}

/// `process_light_client_update(store, update)` once the update has been validated.
///
/// # Errors
/// [`Reason::PeriodSkipped`], which no validated update comes to: what it finalizes is not before the store's period, and
/// not after its signature's. The store is then as it was.
pub(crate) fn accept(
    chain: &ChainConfig,
    store: &mut LightClientStore,
    update: &LightClientUpdate,
) -> Result<(), Reason> {
    let aggregate = &update.sync_aggregate;
    let participants = aggregate.participants();
    let mut next = store.clone();
    if next.best_valid_update.as_ref().is_none_or(|best| is_better_update(chain, update, best)) {
        next.best_valid_update = Some(update.clone());
    }
    next.current_max_active_participants = next.current_max_active_participants.max(participants);
    if participants > next.safety_threshold()
        && update.attested_header.beacon.slot > next.optimistic_header.beacon.slot
    {
        next.optimistic_header = update.attested_header.clone();
    }
    let finalizes = update.finalized_header.beacon.slot > next.finalized_header.beacon.slot
        || brings_finalized_next_sync_committee(chain, &next, update);
    if 3 * participants >= 2 * aggregate.size() && finalizes {
        apply_light_client_update(chain, &mut next, update)?;
        next.best_valid_update = None;
    }
    *store = next;
    Ok(())
}

/// Whether the update brings the next committee that the store lacks, with finality in the very same period.
fn brings_finalized_next_sync_committee(
    chain: &ChainConfig,
    store: &LightClientStore,
    update: &LightClientUpdate,
) -> bool {
    let period = |slot| chain.sync_committee_period_at_slot(slot);
    !store.is_next_sync_committee_known()
        && update.is_sync_committee_update()
        && update.is_finality_update()
        && period(update.finalized_header.beacon.slot) == period(update.attested_header.beacon.slot)
}
