//! What a store may begin with.

use crate::support::synthetic::{self, *};
use blobcheck_beacon::light_client::LightClientBootstrap;
use blobcheck_light_client::{initialize_light_client_store, Reason};

fn begin(bootstrap: &LightClientBootstrap) -> Result<(), Reason> {
    let trusted = bootstrap.header.beacon.hash_tree_root();
    initialize_light_client_store(&chain(), &trusted, bootstrap.clone()).map(|_| ())
}

/// The outcome for the block of a slot, after a change, if its root is trusted even so.
fn changed(slot: u64, change: impl FnOnce(&mut LightClientBootstrap)) -> Result<(), Reason> {
    let mut bootstrap = synthetic::bootstrap(slot);
    change(&mut bootstrap);
    begin(&bootstrap)
}

#[test]
fn a_trusted_block_begins_a_store() {
    for slot in [8, BELLATRIX, CAPELLA, DENEB, ELECTRA, FULU, GLOAS - 1, GLOAS, UNSUPPORTED - 1] {
        let bootstrap = synthetic::bootstrap(slot);
        let trusted = bootstrap.header.beacon.hash_tree_root();
        let store = initialize_light_client_store(&chain(), &trusted, bootstrap.clone()).unwrap();
        assert_eq!(
            (&store.finalized_header, &store.optimistic_header),
            (&bootstrap.header, &bootstrap.header)
        );
        assert_eq!(Some(store.current_sync_committee), bootstrap.current_sync_committee);
        assert_eq!((store.next_sync_committee, store.best_valid_update), (None, None));
        assert_eq!((store.previous_max_active_participants, store.current_max_active_participants), (0, 0));
    }
}

#[test]
fn another_block_is_not_the_trusted_one() {
    let bootstrap = synthetic::bootstrap(DENEB);
    let other = block(DENEB + 1, None).header.beacon.hash_tree_root();
    for trusted in [other, [0; 32]] {
        let outcome = initialize_light_client_store(&chain(), &trusted, bootstrap.clone());
        assert_eq!(outcome, Err(Reason::TrustedRootMismatch));
    }
}

#[test]
fn what_the_block_does_not_hold_is_refused() {
    for slot in [8, CAPELLA, DENEB, ELECTRA, FULU, GLOAS] {
        let swapped =
            changed(slot, |bootstrap| bootstrap.current_sync_committee = Some(committee(slot / PERIOD + 1)));
        assert_eq!(swapped, Err(Reason::CurrentCommitteeMismatch));
        assert_eq!(
            changed(slot, |bootstrap| bootstrap.current_sync_committee = None),
            Err(Reason::CurrentCommitteeMismatch)
        );
        for height in 0..11 {
            let forged = changed(slot, |bootstrap| bootstrap.current_sync_committee_branch[height][7] ^= 1);
            assert_eq!(forged, Err(Reason::CurrentCommitteeMismatch));
        }
        // The next committee lies beside the current one.
        let next = changed(slot, |bootstrap| {
            let update = update(slot, None, 1);
            bootstrap.current_sync_committee = update.next_sync_committee;
            bootstrap.current_sync_committee_branch = update.next_sync_committee_branch;
        });
        assert_eq!(next, Err(Reason::CurrentCommitteeMismatch));
        let execution = changed(slot, |bootstrap| spoil(&mut bootstrap.header));
        let expected = if slot < CAPELLA { Reason::ExecutionUnexpected } else { Reason::ExecutionMismatch };
        assert_eq!(execution, Err(expected));
    }
    assert_eq!(changed(UNSUPPORTED, |_| {}), Err(Reason::UnsupportedFork));
}
