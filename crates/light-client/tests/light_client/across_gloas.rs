//! Over the fork from Fulu to Gloas: objects in both forms, one store.

use crate::support::cases::*;
use crate::support::{ssz, synthetic::*, upgrade};
use blobcheck_beacon::light_client::{Execution, LightClientHeader, LightClientUpdate};
use blobcheck_beacon::{ChainConfig, LightClientFork};
use blobcheck_light_client::view::{self, HEADER_VIEW_BYTES};
use blobcheck_light_client::{
    encoding, initialize_light_client_store, is_valid_light_client_header,
    process_light_client_store_force_update, process_light_client_update, Committees, LightClientStore,
    Reason,
};

fn process(store: &mut LightClientStore, update: &LightClientUpdate) {
    let outcome =
        process_light_client_update(&chain(), store, update, update.signature_slot, &mut Committees::new());
    assert_eq!(outcome, Ok(()));
}

fn slots(store: &LightClientStore) -> (u64, u64) {
    (store.finalized_header.beacon.slot, store.optimistic_header.beacon.slot)
}

/// A store of Fulu goes over the fork with updates as nodes send them, whether it was kept in between or not, and comes to
/// the same as one that was upgraded before the fork.
#[test]
fn a_store_goes_on_over_the_fork() {
    let chain = chain();
    let (mut store, mut upgraded) = (store(FULU + 8), upgrade::store(&chain, &store(FULU + 8)));
    let steps = [
        (update(FULU + 50, Some(FULU + 40), MOST), (FULU + 40, FULU + 50)),
        // The first of Gloas: what is final is of before the fork, and the container is Gloas's.
        (update(GLOAS + 2, Some(FULU + 56), MOST), (FULU + 56, GLOAS + 2)),
        (without_committee(update(GLOAS + 9, Some(FULU + 56), MOST)), (FULU + 56, GLOAS + 9)),
        (update(GLOAS + 20, Some(GLOAS + 8), MOST), (GLOAS + 8, GLOAS + 20)),
        (update(GLOAS + 30, Some(GLOAS + 16), MOST), (GLOAS + 16, GLOAS + 30)),
    ];
    for (update, expected) in steps {
        process(&mut store, &update);
        process(&mut upgraded, &upgrade::update(&chain, &update));
        assert_eq!(slots(&store), expected);
        assert_eq!(upgrade::store(&chain, &store), upgraded);
        store = encoding::decode(&chain, &encoding::encode(&chain, &store)).unwrap();
    }
    assert!(store.finalized_header.has_gloas_form() && store.is_next_sync_committee_known());
}

/// What was signed in the last slot of Fulu is signed under Fulu's version, although it is read from a block of Gloas.
#[test]
fn the_version_is_that_of_the_slot_before() {
    let last = update(GLOAS - 1, None, MOST);
    assert_eq!(last.signature_slot, GLOAS);
    let late = changed(update(GLOAS - 1, None, MOST), |update| update.signature_slot = GLOAS + 1);
    let swapped = tampered(late.clone(), |update| update.sync_aggregate = last.sync_aggregate.clone());
    judge_all(&[
        case("in the first slot", store_with_next(FULU + 8), last, Ok(())),
        case("in the second slot", store_with_next(FULU + 8), late, Ok(())),
        case("under the other version", store_with_next(FULU + 8), swapped, Err(Reason::SignatureMismatch)),
    ]);
}

/// An older header in Gloas's form: the same proof, by way of the hash alone. Before Capella there is none.
#[test]
fn older_headers_in_the_form_of_gloas() {
    let chain = chain();
    for slot in [20, CAPELLA + 20, DENEB + 20, ELECTRA + 20, FULU + 20] {
        let header = block(slot, None).header;
        let honest = upgrade::header(&chain, &header);
        assert_eq!(is_valid_light_client_header(&chain, &honest), Ok(()));
        assert_eq!(honest.execution_root(&chain), header.execution_root(&chain), "{slot}");
        let expected = if slot < CAPELLA { Reason::ExecutionUnexpected } else { Reason::ExecutionMismatch };
        let refused = |header| assert_eq!(is_valid_light_client_header(&chain, &header), Err(expected));
        let mut wrong = honest.clone();
        spoil(&mut wrong);
        refused(wrong);
        for height in 0..11 {
            let mut wrong = honest.clone();
            wrong.execution_branch[height][5] ^= 1;
            refused(wrong);
        }
    }
    // At genesis an execution header is empty, and so is its hash.
    let mut genesis_chain = chain.clone();
    genesis_chain.forks.iter_mut().take(4).for_each(|fork| fork.epoch = 0);
    let empty = LightClientHeader::empty(LightClientFork::Gloas);
    let root = LightClientHeader::default().execution_root(&genesis_chain);
    assert_ne!(root, Some([0; 32]));
    assert_eq!(empty.execution_root(&genesis_chain), root);
}

/// A block of Gloas has no payload in its body, whatever a header in the older form says.
#[test]
fn a_header_of_gloas_in_an_older_form() {
    let chain = chain();
    let mut header = block(GLOAS + 4, None).header;
    let Execution::BlockHash(hash) = header.execution else { panic!("a hash") };
    header.execution = Execution::default();
    payload(&mut header).block_hash = hash;
    assert_eq!(is_valid_light_client_header(&chain, &header), Err(Reason::ExecutionMismatch));
    // Not even where there is an execution header's root at that place.
    let fulu = block(FULU + 4, None).header;
    header.execution = fulu.execution.clone();
    header.execution_branch = fulu.execution_branch;
    header.beacon.body_root = fulu.beacon.body_root;
    assert_eq!(is_valid_light_client_header(&chain, &header), Err(Reason::ExecutionMismatch));
}

/// The chain with Gloas at another epoch.
fn chain_with_gloas_at(epoch: u64) -> ChainConfig {
    let mut chain = chain();
    chain.forks[6].epoch = epoch;
    chain.network.gloas_fork_epoch = epoch;
    chain
}

/// Blocks of the other fork are refused before all else.
#[test]
fn blocks_of_the_other_fork() {
    for (chain, slot) in [(chain_with_gloas_at(48), GLOAS), (chain_with_gloas_at(32), FULU)] {
        let outcome = process_light_client_update(
            &chain,
            &mut store_with_next(slot + 8),
            &update(slot + 20, Some(slot + 8), MOST),
            u64::MAX,
            &mut Committees::new(),
        );
        assert_eq!(outcome, Err(Reason::ExecutionMismatch));
        let bootstrap = bootstrap(slot + 8);
        let root = bootstrap.header.beacon.hash_tree_root();
        let outcome = initialize_light_client_store(&chain, &root, bootstrap);
        assert_eq!(outcome, Err(Reason::ExecutionMismatch));
    }
}

/// States of Gloas have other places: what an older proof shows is not shown in them, nor the other way round. The bodies of these blocks are of
/// the fork that the chain has there, and the states alone of the other one.
#[test]
fn proofs_of_the_other_states() {
    for (chain, slot, other) in
        [(chain_with_gloas_at(48), GLOAS, FULU), (chain_with_gloas_at(32), FULU, GLOAS)]
    {
        let body = block(other + 4, None).header;
        let with_body = |header: &mut LightClientHeader| {
            header.execution = body.execution.clone();
            header.execution_branch = body.execution_branch;
            header.beacon.body_root = body.beacon.body_root;
            assert_eq!(is_valid_light_client_header(&chain, header), Ok(()));
        };
        // At genesis nothing is final, and that is what is proven.
        let mut finality = without_committee(update(slot + 20, Some(0), MOST));
        let mut next_committee = update(slot + 20, None, MOST);
        for (update, expected) in
            [(&mut finality, Reason::FinalityMismatch), (&mut next_committee, Reason::NextCommitteeMismatch)]
        {
            judge_all(&[case("its own fork", store(slot + 8), update.clone(), Ok(()))]);
            with_body(&mut update.attested_header);
            sign_as(update, &chain, slot / PERIOD);
            verify(&case("the other state", store(slot + 8), update.clone(), Err(expected)), &chain);
        }
        let mut bootstrap = bootstrap(slot + 8);
        with_body(&mut bootstrap.header);
        let root = bootstrap.header.beacon.hash_tree_root();
        let outcome = initialize_light_client_store(&chain, &root, bootstrap);
        assert_eq!(outcome, Err(Reason::CurrentCommitteeMismatch));
    }
}

/// A long time without finality, over the fork: the header that is taken for final has the update's form.
#[test]
fn a_forced_update_over_the_fork() {
    let chain = chain();
    let mut store = store_with_next(FULU + 8);
    process(&mut store, &update(GLOAS + 2, None, MOST));
    assert_eq!(slots(&store), (FULU + 8, GLOAS + 2));
    let bytes = encoding::encode(&chain, &store);
    assert_eq!(encoding::decode(&chain, &bytes).as_ref(), Ok(&store));
    let forced = process_light_client_store_force_update(&chain, &mut store, FULU + 8 + PERIOD + 1);
    assert_eq!((forced, slots(&store)), (Ok(true), (GLOAS + 2, GLOAS + 2)));
    assert_eq!(store.finalized_header, block(GLOAS + 2, None).header);
}

/// The bytes that a store of before Gloas had before Gloas was known here, laid out by hand.
#[test]
fn an_old_stored_state_is_read() {
    let chain = chain();
    let mut store = store_with_next(FULU + 8);
    process(&mut store, &update(FULU + 28, None, 9));
    let electra = LightClientFork::Electra;
    let header = |header| ssz::header(header, electra);
    let (finalized, optimistic) = (header(&store.finalized_header), header(&store.optimistic_header));
    let mut bytes =
        [&b"LCS\x01"[..], &chain.genesis_validators_root, &[0; 8], &9_u64.to_le_bytes(), &[3]].concat();
    bytes.extend((finalized.len() as u32).to_le_bytes());
    bytes.extend((optimistic.len() as u32).to_le_bytes());
    store.current_sync_committee.write_ssz(&mut bytes);
    store.next_sync_committee.as_ref().unwrap().write_ssz(&mut bytes);
    bytes.extend([finalized, optimistic].concat());
    bytes.extend(ssz::update(store.best_valid_update.as_ref().unwrap(), electra));
    assert_eq!(encoding::decode(&chain, &bytes).as_ref(), Ok(&store));
    assert_eq!(encoding::encode(&chain, &store), bytes);
    let mut read = encoding::decode(&chain, &bytes).unwrap();
    process(&mut read, &update(GLOAS + 2, Some(FULU + 56), MOST));
    assert_eq!(slots(&read), (FULU + 56, GLOAS + 2));
    // An update in Gloas's form is no part of a store without a best update.
    let mut wrong = encoding::encode(&chain, &store_with_next(FULU + 8));
    wrong[52] |= 16;
    assert_eq!(encoding::decode(&chain, &wrong), Err(Reason::StoreEncoding));
}

/// What a view says of the execution layer, and whose hash it is.
#[test]
fn views_name_whose_hash_it_is() {
    let chain = chain();
    let view = |header: &LightClientHeader| {
        let mut out = Vec::new();
        view::view_header(&chain, header, &mut out);
        assert_eq!(out.len(), HEADER_VIEW_BYTES);
        let number = |at: usize| u64::from_le_bytes(out[at..at + 8].try_into().unwrap());
        (out[176..208].to_vec(), [208, 216, 224, 232].map(number))
    };
    let none = view::NO_BLOB_GAS;
    assert_eq!(view(&block(20, None).header), (vec![0; 32], [0, 0, none, view::NO_EXECUTION]));
    for (slot, gas) in [(CAPELLA + 20, none), (FULU + 20, 1 << 17)] {
        let header = block(slot, None).header;
        let hash = header.execution.block_hash().to_vec();
        assert_eq!(view(&header), (hash.clone(), [slot, 12 * slot, gas, view::EXECUTION_HEADER]));
        let upgraded = upgrade::header(&chain, &header);
        assert_eq!(view(&upgraded), (hash, [0, 0, none, view::OWN_BLOCK_HASH]));
    }
    let header = block(GLOAS + 20, None).header;
    let hash = header.execution.block_hash().to_vec();
    assert_eq!(view(&header), (hash, [0, 0, none, view::PARENT_BLOCK_HASH]));
}
