//! Many updates at once against the same ones by one.

use crate::support::synthetic::*;
use blobcheck_beacon::light_client::LightClientUpdate;
use blobcheck_bls::FreshSeed;
use blobcheck_light_client::catch_up::MAX_UPDATES;
use blobcheck_light_client::{
    process_light_client_update, process_updates, Committees, LightClientStore, Processed, Reason,
};

/// A period for each, as `light_client/updates` serves them: over all forks.
fn periods() -> Vec<LightClientUpdate> {
    (0..5).map(|period| update(period * PERIOD + 30, Some(period * PERIOD + 18), 28)).collect()
}

/// The obvious twin.
fn one_by_one(
    store: &LightClientStore,
    updates: &[LightClientUpdate],
) -> (LightClientStore, usize, Option<Reason>) {
    let mut store = store.clone();
    let mut committees = Committees::new();
    for (count, update) in updates.iter().enumerate() {
        if let Err(reason) =
            process_light_client_update(&chain(), &mut store, update, u64::MAX, &mut committees)
        {
            return (store, count, Some(reason));
        }
    }
    (store, updates.len(), None)
}

fn together(
    store: &LightClientStore,
    updates: &[LightClientUpdate],
) -> (LightClientStore, usize, Option<Reason>) {
    let Processed { store, count, refusal } = process_updates(
        &chain(),
        store,
        updates,
        u64::MAX,
        &mut Committees::new(),
        Some(FreshSeed::from_csprng([3; 32])),
    );
    (store, count, refusal)
}

#[test]
fn all_periods_in_one_product() {
    let (store, updates) = (store(4), periods());
    let (after, count, refusal) = together(&store, &updates);
    assert_eq!((count, refusal), (5, None));
    assert_eq!(after.finalized_header.beacon.slot, 4 * PERIOD + 18);
    assert_eq!(after.current_sync_committee, committee(4));
    assert_eq!(one_by_one(&store, &updates), (after, count, refusal));
    assert_eq!(together(&store, &[]), (store, 0, None));
}

#[test]
fn what_came_before_the_first_refused_one_is_kept() {
    let store = store(4);
    type Change = fn(&mut LightClientUpdate);
    let changes: [(Change, Reason); 4] = [
        (|update| update.sync_aggregate.signature[40] ^= 1, Reason::SignatureMismatch),
        (
            |update| update.sync_aggregate = aggregate(27, update.sync_aggregate.signature),
            Reason::SignatureMismatch,
        ),
        (|update| update.finality_branch[6][0] ^= 1, Reason::FinalityMismatch),
        (|update| update.signature_slot = update.attested_header.beacon.slot, Reason::SlotOrder),
    ];
    for position in 0..5 {
        for (change, reason) in changes {
            let mut updates = periods();
            change(&mut updates[position]);
            let found = together(&store, &updates);
            assert_eq!((found.1, found.2), (position, Some(reason)));
            assert_eq!(found, one_by_one(&store, &updates));
        }
    }
}

/// A false signature, and behind it something that is refused without a look at signatures: the first is named.
#[test]
fn the_first_of_several_is_named() {
    let mut updates = periods();
    updates[1].sync_aggregate.signature = updates[0].sync_aggregate.signature;
    updates[3].next_sync_committee_branch[5][0] ^= 1;
    assert_eq!(together(&store(4), &updates), one_by_one(&store(4), &updates));
    assert_eq!(together(&store(4), &updates).1, 1);
}

/// Two false signatures whose errors would cancel if the claims were simply multiplied, or if both places had the same weight: of one
/// committee's signers, each has the other's.
#[test]
fn errors_that_cancel_are_found() {
    let mut honest = periods();
    honest.truncate(1);
    honest.extend((40..43).map(|slot| without_committee(update(slot, None, 28))));
    assert_eq!(together(&store(4), &honest).1, 4);
    for other in 0..honest.len() {
        for one in 0..other {
            let mut updates = honest.clone();
            updates[one].sync_aggregate.signature = honest[other].sync_aggregate.signature;
            updates[other].sync_aggregate.signature = honest[one].sync_aggregate.signature;
            let found = together(&store(4), &updates);
            assert_eq!((found.1, found.2), (one, Some(Reason::SignatureMismatch)), "{one} and {other}");
        }
    }
}

/// Whoever serves a chain of his own has it refused at the first update that the true committee did not sign.
#[test]
fn a_forged_chain_is_refused_at_its_root() {
    let mut updates = periods();
    // Signed by a committee of the liar's, who brings himself in the first update.
    sign_as(&mut updates[0], &chain(), 77);
    let found = together(&store(4), &updates);
    assert_eq!((found.0, found.1, found.2), (store(4), 0, Some(Reason::SignatureMismatch)));
}

#[test]
fn too_many_updates_are_cut_off() {
    let updates: Vec<_> = (0..=MAX_UPDATES as u64)
        .map(|number| without_committee(update(20 + number % 8, None, 20 + number as usize % 12)))
        .collect();
    let found = together(&store(4), &updates);
    assert_eq!((found.1, found.2), (MAX_UPDATES, Some(Reason::TooMany)));
    let most = &updates[..MAX_UPDATES];
    assert_eq!(found.0, one_by_one(&store(4), most).0);
    assert_eq!(together(&store(4), most), (found.0, MAX_UPDATES, None));
}
