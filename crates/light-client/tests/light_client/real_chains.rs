//! Real objects of mainnet and Sepolia, Capella to Fulu.

use crate::support::{chains, json, stream};
use blobcheck_beacon::light_client::{
    finalized_root_gindex_at_slot, LightClientBootstrap, LightClientUpdate,
};
use blobcheck_beacon::merkle::is_valid_normalized_merkle_branch;
use blobcheck_beacon::{BeaconBlockHeader, ChainConfig, LightClientFork, SignedBeaconBlockHeader};
use blobcheck_bls::FreshSeed;
use blobcheck_light_client::signature::verify_proposer_signature;
use blobcheck_light_client::validate::validate_unsigned;
use blobcheck_light_client::{
    encoding, initialize_light_client_store, process_light_client_update, process_updates,
    validate_light_client_update, Committees, LightClientStore, Reason,
};
use blobcheck_testing::vectors;
use std::path::Path;

/// A store from a bootstrap whose own block is the trusted one.
fn begin(chain: &ChainConfig, fork: LightClientFork, ssz: &[u8]) -> LightClientStore {
    let bootstrap = LightClientBootstrap::from_ssz(chain, fork, ssz).unwrap();
    let trusted = bootstrap.header.beacon.hash_tree_root();
    let mut other = trusted;
    other[31] ^= 1;
    let mistaken = initialize_light_client_store(chain, &other, bootstrap.clone());
    assert_eq!(mistaken, Err(Reason::TrustedRootMismatch));
    initialize_light_client_store(chain, &trusted, bootstrap).unwrap()
}

/// A store whose finalized header is this update's attested one, and which knows the committee after it. The committee of
/// the update's own period was not recorded; nothing signed by it is asked for here.
fn after(update: &LightClientUpdate) -> LightClientStore {
    let next = update.next_sync_committee.clone().unwrap();
    LightClientStore {
        finalized_header: update.attested_header.clone(),
        current_sync_committee: next.clone(),
        next_sync_committee: Some(next),
        best_valid_update: None,
        optimistic_header: update.attested_header.clone(),
        previous_max_active_participants: 0,
        current_max_active_participants: 0,
    }
}

#[test]
fn mainnet_capella() {
    let folder = Path::new("lightclient/mainnet-capella");
    let chain = chains::mainnet();
    let answer = vectors::json(folder.join("bootstrap.json"));
    let mut store = begin(&chain, json::fork(&answer), &json::bootstrap_ssz(&answer));
    let mut committees = Committees::new();
    let updates: Vec<_> = vectors::json(folder.join("updates.json"))
        .as_array()
        .unwrap()
        .iter()
        .map(|answer| {
            LightClientUpdate::from_ssz(&chain, json::fork(answer), &json::update_ssz(answer)).unwrap()
        })
        .collect();
    let processed = process_updates(
        &chain,
        &store,
        &updates,
        u64::MAX,
        &mut committees,
        Some(FreshSeed::from_csprng([1; 32])),
    );
    assert_eq!((processed.count, processed.refusal), (updates.len(), None));
    store = processed.store;
    let answer = vectors::json(folder.join("finality.json"));
    let finality = LightClientUpdate::from_finality_ssz(
        &chain,
        json::fork(&answer),
        &json::finality_update_ssz(&answer),
    )
    .unwrap();
    process_light_client_update(&chain, &mut store, &finality, u64::MAX, &mut committees).unwrap();
    assert_eq!(store.finalized_header, finality.finalized_header);
    let answer = vectors::json(folder.join("optimistic.json"));
    let optimistic = LightClientUpdate::from_optimistic_ssz(
        &chain,
        json::fork(&answer),
        &json::optimistic_update_ssz(&answer),
    )
    .unwrap();
    process_light_client_update(&chain, &mut store, &optimistic, u64::MAX, &mut committees).unwrap();
    assert_eq!(store.optimistic_header, optimistic.attested_header);
}

/// 46 consecutive periods, each update signed by the committee that the one before it brought.
#[test]
fn mainnet_deneb() {
    let chain = chains::mainnet();
    let named = |part: &str| {
        let mut entries = vectors::entries("lightclient/mainnet-deneb").into_iter();
        vectors::bytes(entries.find(|path| path.to_string_lossy().contains(part)).unwrap())
    };
    let start = begin(&chain, LightClientFork::Deneb, &named("bootstrap"));
    let updates = stream::read(&chain, &named("updates"));
    assert_eq!(updates.len(), 46);

    // One after the other …
    let mut single = start.clone();
    let mut committees = Committees::new();
    for (number, update) in updates.iter().enumerate() {
        let before = encoding::encode(&chain, &single);
        assert_eq!(encoding::decode(&chain, &before).as_ref(), Ok(&single));
        process_light_client_update(&chain, &mut single, update, update.signature_slot, &mut committees)
            .unwrap_or_else(|reason| panic!("update {number}: {reason}"));
        // The first one's finalized header is older than the bootstrap's.
        let latest = if number == 0 { &start.finalized_header } else { &update.finalized_header };
        assert_eq!(&single.finalized_header, latest);
    }
    // … and all at once.
    let many = process_updates(
        &chain,
        &start,
        &updates,
        u64::MAX,
        &mut committees,
        Some(FreshSeed::from_csprng([5; 32])),
    );
    assert_eq!((many.count, many.refusal), (46, None));
    assert_eq!(many.store, single);
    assert_eq!(single.finalized_header.beacon.slot / 8192, 1392);

    // With one signature of another update in the middle, what came before is kept.
    let mut forged = updates.clone();
    forged[20].sync_aggregate.signature = updates[21].sync_aggregate.signature;
    let many = process_updates(
        &chain,
        &start,
        &forged,
        u64::MAX,
        &mut committees,
        Some(FreshSeed::from_csprng([5; 32])),
    );
    assert_eq!((many.count, many.refusal), (20, Some(Reason::SignatureMismatch)));
    assert_eq!(many.store.finalized_header, updates[19].finalized_header);

    // Sepolia's rules sign under another domain.
    let mut other = chains::sepolia();
    other.genesis_validators_root = chain.genesis_validators_root;
    let many = process_updates(
        &other,
        &start,
        &updates[..1],
        u64::MAX,
        &mut committees,
        Some(FreshSeed::from_csprng([5; 32])),
    );
    assert_eq!(many.count, 0);
}

#[test]
fn mainnet_electra() {
    let folder = Path::new("lightclient/mainnet-electra");
    let chain = chains::mainnet();
    let only = |name: &str| {
        let [update] = &stream::read(&chain, &vectors::bytes(folder.join(name)))[..] else {
            panic!("{name}")
        };
        update.clone()
    };
    let mut committees = Committees::new();

    let mut store =
        begin(&chain, LightClientFork::Electra, &vectors::bytes(folder.join("bootstrap_period_1600.ssz")));
    let update = only("update_period_1600.ssz");
    let early = update.signature_slot - 1;
    let outcome = validate_light_client_update(&chain, &store, &update, early, &mut committees);
    assert_eq!(outcome, Err(Reason::SignatureInFuture));
    process_light_client_update(&chain, &mut store, &update, update.signature_slot, &mut committees).unwrap();
    assert!(store.is_next_sync_committee_known());

    let periods = [1572, 1573, 1574].map(|period| only(&format!("update_period_{period}.ssz")));
    for pair in periods.windows(2) {
        let store = after(&pair[0]);
        validate_light_client_update(&chain, &store, &pair[1], u64::MAX, &mut committees).unwrap();
        let outcome = validate_light_client_update(&chain, &store, &periods[0], u64::MAX, &mut committees);
        assert!(outcome.is_err());
    }
    // Its own committee was not recorded: everything else about it holds.
    let alone = only("eth_v1_beacon_light_client_updates_start_period_1422_count_1.ssz");
    let mut store = after(&alone);
    store.finalized_header = alone.finalized_header.clone();
    assert_eq!(validate_unsigned(&chain, &store, &alone, u64::MAX), Ok(&store.current_sync_committee));
    let outcome = validate_light_client_update(&chain, &store, &alone, u64::MAX, &mut committees);
    assert_eq!(outcome, Err(Reason::SignatureMismatch));
}

#[test]
fn sepolia_fulu() {
    let folder = Path::new("lightclient/sepolia-fulu");
    let chain = chains::sepolia();
    let mut committees = Committees::new();
    let both = |name: &str, encode: fn(&serde_json::Value) -> Vec<u8>| {
        let ssz = vectors::bytes(folder.join(format!("{name}.ssz")));
        let answer = vectors::json(folder.join(format!("{name}.json")));
        assert_eq!(json::fork(&answer), LightClientFork::Fulu);
        assert_eq!(encode(&answer), ssz, "{name}");
        ssz
    };
    for slot in [9_552_074, 9_552_075] {
        let bootstrap = both(&format!("bootstrap_{slot}"), json::bootstrap_ssz);
        let store = begin(&chain, LightClientFork::Fulu, &bootstrap);
        assert_eq!(store.finalized_header.beacon.slot, slot);
        let ssz = both(&format!("optimistic_update_{slot}"), json::optimistic_update_ssz);
        let update = LightClientUpdate::from_optimistic_ssz(&chain, LightClientFork::Fulu, &ssz).unwrap();
        let mut processed = store.clone();
        // It attests to the bootstrap's own block, or to the one after: then there is something to tell.
        let outcome = process_light_client_update(&chain, &mut processed, &update, u64::MAX, &mut committees);
        assert_eq!(outcome, Err(Reason::NotRelevant));
        let older = LightClientStore {
            finalized_header: begin(
                &chain,
                LightClientFork::Fulu,
                &both("bootstrap_9552074", json::bootstrap_ssz),
            )
            .finalized_header,
            ..store
        };
        let mut processed = older;
        processed.finalized_header.beacon.slot -= 1;
        process_light_client_update(&chain, &mut processed, &update, u64::MAX, &mut committees).unwrap();
        assert_eq!(processed.optimistic_header.beacon.slot, slot);
    }
    let bootstrap = both("bootstrap_9552074", json::bootstrap_ssz);
    let mut store = begin(&chain, LightClientFork::Fulu, &bootstrap);
    let ssz = both("update_nonfinal_9552075", json::update_ssz);
    let update = LightClientUpdate::from_ssz(&chain, LightClientFork::Fulu, &ssz).unwrap();
    assert_eq!(update.sync_aggregate.participants(), 459);
    process_light_client_update(&chain, &mut store, &update, u64::MAX, &mut committees).unwrap();
    assert_eq!(store.optimistic_header.beacon.slot, 9_552_075);
    assert_eq!(store.best_valid_update.as_ref(), Some(&update));

    // The finalized checkpoint of that state, whose header was not recorded.
    let proof = vectors::json(folder.join("finality_proof_9552075.json"));
    let chunk =
        |value: &serde_json::Value| -> [u8; 32] { json::unhex(value.as_str().unwrap()).try_into().unwrap() };
    let branch: Vec<_> = proof["finality_branch"].as_array().unwrap().iter().map(chunk).collect();
    let root = chunk(&proof["finalized_checkpoint"]["root"]);
    let gindex = finalized_root_gindex_at_slot(&chain, 9_552_075);
    let state_root = &update.attested_header.beacon.state_root;
    assert_eq!(Some(gindex), proof["gindex"].as_u64());
    assert!(is_valid_normalized_merkle_branch(&root, &branch, gindex, state_root));
    assert!(!is_valid_normalized_merkle_branch(&root, &branch, gindex + 1, state_root));
}

/// Proposers of Fulu, over their headers.
#[test]
fn proposers_signatures() {
    let blocks = vectors::json("real/sepolia_fulu_headers_commitments_proofs.json");
    for block in vectors::items(&blocks) {
        let bytes = |value: &serde_json::Value| json::unhex(value.as_str().unwrap());
        let (message, signature) =
            (&block["signed_block_header"]["message"], &block["signed_block_header"]["signature"]);
        let number = |key: &str| message[key].as_str().unwrap().parse::<u64>().unwrap();
        let root = |key: &str| bytes(&message[key]).try_into().unwrap();
        let mut header = SignedBeaconBlockHeader {
            message: BeaconBlockHeader {
                slot: number("slot"),
                proposer_index: number("proposer_index"),
                parent_root: root("parent_root"),
                state_root: root("state_root"),
                body_root: root("body_root"),
            },
            signature: bytes(signature).try_into().unwrap(),
        };
        let pubkey = bytes(&block["proposer_pubkey"]).try_into().unwrap();
        assert!(verify_proposer_signature(&chains::sepolia(), &pubkey, &header));
        assert!(!verify_proposer_signature(&chains::mainnet(), &pubkey, &header));
        header.message.proposer_index ^= 1;
        assert!(!verify_proposer_signature(&chains::sepolia(), &pubkey, &header));
    }
}
