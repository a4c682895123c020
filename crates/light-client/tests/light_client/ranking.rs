//! The order of updates against the specification's comparisons, line by line.

use crate::support::synthetic::*;
use blobcheck_beacon::light_client::LightClientUpdate;
use blobcheck_light_client::is_better_update;
use blobcheck_testing::Rng;

/// `is_better_update`, `altair/light-client/sync-protocol.md`.
fn twin(new: &LightClientUpdate, old: &LightClientUpdate) -> bool {
    let period = |slot: u64| slot / PERIOD;
    let sum = |update: &LightClientUpdate| {
        update.sync_aggregate.sync_committee_bits().into_iter().filter(|bit| *bit).count()
    };
    let (new_sum, old_sum) = (sum(new), sum(old));
    let (new_supermajority, old_supermajority) = (new_sum * 3 >= SIZE * 2, old_sum * 3 >= SIZE * 2);
    if new_supermajority != old_supermajority {
        return new_supermajority;
    }
    if !new_supermajority && new_sum != old_sum {
        return new_sum > old_sum;
    }
    let relevant = |update: &LightClientUpdate| {
        update.is_sync_committee_update()
            && period(update.attested_header.beacon.slot) == period(update.signature_slot)
    };
    if relevant(new) != relevant(old) {
        return relevant(new);
    }
    if new.is_finality_update() != old.is_finality_update() {
        return new.is_finality_update();
    }
    if new.is_finality_update() {
        let finality = |update: &LightClientUpdate| {
            period(update.finalized_header.beacon.slot) == period(update.attested_header.beacon.slot)
        };
        if finality(new) != finality(old) {
            return finality(new);
        }
    }
    if new_sum != old_sum {
        return new_sum > old_sum;
    }
    if new.attested_header.beacon.slot != old.attested_header.beacon.slot {
        return new.attested_header.beacon.slot < old.attested_header.beacon.slot;
    }
    new.signature_slot < old.signature_slot
}

#[test]
fn updates_rank_as_the_specification_compares_them() {
    let mut random = Rng(21);
    let base = update(CAPELLA + 10, Some(CAPELLA + 2), 1);
    let updates: Vec<LightClientUpdate> = (0..160)
        .map(|_| {
            let mut update = base.clone();
            let participants = [1, 2, 21, 22, 31][random.below(5) as usize];
            update.sync_aggregate = aggregate(participants, [0; 96]);
            update.attested_header.beacon.slot = CAPELLA + 62 + random.below(2);
            update.signature_slot = CAPELLA + 63 + random.below(3);
            update.finalized_header.beacon.slot = CAPELLA - 1 + random.below(2);
            if random.below(2) == 0 {
                update.finality_branch = Default::default();
            }
            if random.below(2) == 0 {
                update = without_committee(update);
            }
            update
        })
        .collect();
    for new in &updates {
        for old in &updates {
            assert_eq!(is_better_update(&chain(), new, old), twin(new, old));
        }
    }
}
