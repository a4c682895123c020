//! How a store goes on through long times without finality.

use crate::{apply_light_client_update, LightClientStore, Reason};
use blobcheck_beacon::ChainConfig;

/// `process_light_client_store_force_update(store, current_slot)`: when nothing was finalized for `UPDATE_TIMEOUT` slots,
/// the best update that there was is taken for finalized. Answers whether it came to that.
///
/// # Errors
/// [`Reason::PeriodSkipped`]; the store is then as it was.
pub fn process_light_client_store_force_update(
    chain: &ChainConfig,
    store: &mut LightClientStore,
    current_slot: u64,
) -> Result<bool, Reason> {
    let finalized_slot = store.finalized_header.beacon.slot;
    // After the greatest slot there is none.
    if current_slot <= finalized_slot.saturating_add(chain.slots_per_period()) {
        return Ok(false);
    }
    let Some(best) = &store.best_valid_update else {
        return Ok(false);
    };
    let mut best = best.clone();
    if best.finalized_header.beacon.slot <= finalized_slot {
        best.finalized_header = best.attested_header.clone();
    }
    let mut next = store.clone();
    apply_light_client_update(chain, &mut next, &best)?;
    next.best_valid_update = None;
    *store = next;
    Ok(true)
}
