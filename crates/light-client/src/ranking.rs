//! Which of two updates is better.

use blobcheck_beacon::{light_client::LightClientUpdate, ChainConfig};
use core::cmp::Reverse;

/// `is_better_update(new_update, old_update)`. Equal updates are not better than each other.
pub fn is_better_update(chain: &ChainConfig, new: &LightClientUpdate, old: &LightClientUpdate) -> bool {
    rank(chain, new) > rank(chain, old)
}

/// What the specification compares, in its order: the first difference decides.
///
/// Participation counts first only where there is no supermajority, and last only where there is one; the other time it
/// is 0 for both, or equal already. Finality within the period is compared only where both have finality: where neither
/// has, it is false for both.
fn rank(chain: &ChainConfig, update: &LightClientUpdate) -> impl Ord {
    let period = |slot| chain.sync_committee_period_at_slot(slot);
    let participants = update.sync_aggregate.participants();
    let supermajority = 3 * participants >= 2 * update.sync_aggregate.size();
    let attested_slot = update.attested_header.beacon.slot;
    let relevant_sync_committee =
        update.is_sync_committee_update() && period(attested_slot) == period(update.signature_slot);
    let finality = update.is_finality_update();
    let sync_committee_finality =
        finality && period(update.finalized_header.beacon.slot) == period(attested_slot);
    (
        supermajority,
        if supermajority { 0 } else { participants },
        relevant_sync_committee,
        finality,
        sync_committee_finality,
        participants,
        Reverse(attested_slot),
        Reverse(update.signature_slot),
    )
}
