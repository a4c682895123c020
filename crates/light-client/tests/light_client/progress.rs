//! What updates change, and when.

use crate::support::synthetic::*;
use blobcheck_beacon::light_client::LightClientUpdate;
use blobcheck_light_client::{
    apply_light_client_update, process_light_client_store_force_update, process_light_client_update,
    Committees, LightClientStore, Reason,
};

/// The least supermajority of 32: 3 · 22 ≥ 2 · 32.
const SUPERMAJORITY: usize = 22;

fn process(store: &mut LightClientStore, update: &LightClientUpdate) {
    process_light_client_update(&chain(), store, update, u64::MAX, &mut Committees::new()).unwrap();
}

fn slots(store: &LightClientStore) -> (u64, u64) {
    (store.finalized_header.beacon.slot, store.optimistic_header.beacon.slot)
}

#[test]
fn two_thirds_finalize_and_fewer_do_not() {
    for (participants, finalized) in [(1, 136), (SUPERMAJORITY - 1, 136), (SUPERMAJORITY, 144), (SIZE, 144)] {
        let mut store = store(136);
        let update = update(156, Some(144), participants);
        process(&mut store, &update);
        assert_eq!(slots(&store), (finalized, 156));
        assert_eq!(store.current_max_active_participants, participants as u64);
        let is_best = (finalized == 136).then_some(update);
        assert_eq!(store.best_valid_update, is_best);
        // The committee is kept with the finality that it came with.
        assert_eq!(store.is_next_sync_committee_known(), finalized == 144);
    }
}

#[test]
fn the_optimistic_header_needs_more_than_half_of_the_most_that_signed() {
    let mut store = store(136);
    process(&mut store, &update(150, None, 20));
    process(&mut store, &update(151, None, 10));
    assert_eq!(slots(&store), (136, 150));
    process(&mut store, &update(151, None, 11));
    assert_eq!(slots(&store), (136, 151));
    // What is older changes nothing, however many signed it.
    process(&mut store, &update(149, None, SIZE));
    assert_eq!(slots(&store), (136, 151));
    assert_eq!(store.safety_threshold(), 16);
    store.previous_max_active_participants = 64;
    process(&mut store, &update(152, None, SIZE));
    assert_eq!(slots(&store), (136, 151));
}

#[test]
fn a_finalized_header_that_is_newer_is_optimistic_too() {
    let mut store = store_with_next(136);
    store.previous_max_active_participants = 64;
    process(&mut store, &update(170, Some(160), SIZE));
    assert_eq!(slots(&store), (160, 160));
}

#[test]
fn committees_follow_the_finalized_header() {
    let mut store = store(136);
    process(&mut store, &update(156, Some(144), SIZE));
    assert_eq!(store.current_sync_committee, committee(2));
    assert_eq!(store.next_sync_committee, Some(committee(3)));

    // Signed in the next period, finalized in this one: the committees stay.
    process(&mut store, &update(ELECTRA + 3, Some(180), 30));
    assert_eq!(slots(&store), (180, ELECTRA + 3));
    assert_eq!(store.current_sync_committee, committee(2));
    assert_eq!(store.next_sync_committee, Some(committee(3)));

    // Finalized in the next period: they move up, and the participants with them.
    process(&mut store, &update(ELECTRA + 20, Some(ELECTRA + 8), 25));
    assert_eq!(store.current_sync_committee, committee(3));
    assert_eq!(store.next_sync_committee, Some(committee(4)));
    assert_eq!((store.previous_max_active_participants, store.current_max_active_participants), (32, 0));

    // Without a committee, the period after that is not known, and its signatures cannot be judged.
    let mut short = store_with_next(136);
    process(&mut short, &without_committee(update(ELECTRA + 20, Some(ELECTRA + 8), SIZE)));
    assert_eq!(short.current_sync_committee, committee(3));
    assert_eq!(short.next_sync_committee, None);
    // Older finality brings it later.
    process(&mut short, &update(ELECTRA + 30, Some(ELECTRA + 4), SIZE));
    assert_eq!(short.next_sync_committee, Some(committee(4)));
    assert_eq!(slots(&short).0, ELECTRA + 8);
}

#[test]
fn a_committee_whose_finality_is_of_another_period_is_not_kept() {
    // Finality of the genesis slot, in period 0, for an attested header of period 0: kept.
    let mut first = store(8);
    process(&mut first, &update(20, Some(0), SIZE));
    assert_eq!(first.next_sync_committee, Some(committee(1)));
    assert_eq!(first.finalized_header.beacon.slot, 8);
    // Finality of the period before: not kept.
    let mut second = store(CAPELLA + 4);
    process(&mut second, &update(CAPELLA + 20, Some(CAPELLA - 8), SIZE));
    assert_eq!(second.next_sync_committee, None);
    assert!(second.best_valid_update.is_some());
}

#[test]
fn a_store_is_forced_after_the_timeout_and_not_before() {
    let chain = chain();
    let mut store = store(136);
    let weak = update(150, None, 5);
    process(&mut store, &weak);
    let better = update(151, None, 6);
    process(&mut store, &better);
    process(&mut store, &weak);
    assert_eq!(store.best_valid_update, Some(better));
    for current_slot in [0, 151, 136 + PERIOD] {
        let before = store.clone();
        assert_eq!(process_light_client_store_force_update(&chain, &mut store, current_slot), Ok(false));
        assert_eq!(store, before);
    }
    assert_eq!(process_light_client_store_force_update(&chain, &mut store, 137 + PERIOD), Ok(true));
    assert_eq!(slots(&store), (151, 151));
    assert_eq!(
        (store.best_valid_update.clone(), store.next_sync_committee.clone()),
        (None, Some(committee(3)))
    );
    // Without an update there is nothing to force.
    assert_eq!(process_light_client_store_force_update(&chain, &mut store, u64::MAX), Ok(false));
}

#[test]
fn a_store_is_forced_to_what_the_best_update_finalizes_where_that_is_newer() {
    let mut store = store(136);
    process(&mut store, &update(160, Some(150), 5));
    assert_eq!(process_light_client_store_force_update(&chain(), &mut store, u64::MAX), Ok(true));
    assert_eq!(slots(&store), (150, 160));
}

/// The specs compare slots with `>`: of two headers of one slot, the one that a store has stays.
#[test]
fn of_two_headers_of_a_slot_the_first_stays() {
    let chain = chain();
    let mut store = store_with_next(136);
    process(&mut store, &update(150, None, 20));
    // Its state finalizes something, so that it is another block.
    process(&mut store, &update(150, Some(128), 21));
    let first = block(150, None).header;
    assert_eq!(store.optimistic_header, first);

    let other = |finalized| {
        let mut update = update(170, Some(finalized), SIZE);
        update.finalized_header.beacon.proposer_index ^= 1;
        update
    };
    let before = store.clone();
    assert_eq!(apply_light_client_update(&chain, &mut store, &other(136)), Ok(()));
    assert_eq!(store, before);
    assert_eq!(apply_light_client_update(&chain, &mut store, &other(150)), Ok(()));
    assert_eq!(store.finalized_header, other(150).finalized_header);
    assert_eq!(store.optimistic_header, first);
}

/// Finality that is not newer moves a store only where the committee that it lacks comes with it. What does not move it is kept
/// for the timeout.
#[test]
fn finality_that_a_store_has_moves_nothing() {
    for (mut store, update) in [
        (store(136), without_committee(update(156, Some(136), SIZE))),
        (store_with_next(136), update(156, Some(136), SIZE)),
        (store_with_next(136), without_committee(update(156, Some(136), SIZE))),
    ] {
        let next = store.next_sync_committee.clone();
        process(&mut store, &update);
        assert_eq!(slots(&store), (136, 156));
        assert_eq!(store.next_sync_committee, next);
        assert_eq!(store.best_valid_update, Some(update));
    }
}

/// What validation rules out, `apply_light_client_update` asserts: from a store that knows no next committee there is no
/// way into another period.
#[test]
fn a_period_cannot_be_skipped() {
    let chain = chain();
    for finalized in [CAPELLA + 20, ELECTRA + 8] {
        let mut store = store(136);
        let before = store.clone();
        let skipping = update(finalized + 12, Some(finalized), SIZE);
        assert_eq!(apply_light_client_update(&chain, &mut store, &skipping), Err(Reason::PeriodSkipped));
        assert_eq!(store, before);
        store.best_valid_update = Some(skipping);
        if finalized > 136 {
            let before = store.clone();
            let forced = process_light_client_store_force_update(&chain, &mut store, u64::MAX);
            assert_eq!(forced, Err(Reason::PeriodSkipped));
            assert_eq!(store, before);
        }
    }
    // Two periods on from where the next one is known, the header moves and the committees stay behind, as specified.
    let mut store = store_with_next(136);
    assert_eq!(
        apply_light_client_update(&chain, &mut store, &update(FULU + 20, Some(FULU + 8), SIZE)),
        Ok(())
    );
    assert_eq!(store.current_sync_committee, committee(2));
}
