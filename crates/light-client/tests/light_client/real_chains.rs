//! Real objects of mainnet and Sepolia, Capella to Fulu.

use crate::support::{chains, json, stream, vectors};
use blobcheck_beacon::light_client::{LightClientBootstrap, LightClientUpdate};
use blobcheck_beacon::{ChainConfig, LightClientFork};
use blobcheck_light_client::{
    encoding, initialize_light_client_store, process_light_client_update, process_updates,
    validate_light_client_update, Committees, LightClientStore, Reason,
};
use std::path::{Path, PathBuf};

fn folder(test: &str) -> Option<PathBuf> {
    Some(vectors::folder(test)?.join("lightclient"))
}

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

/// The store that an honest client has where the first of these updates begins: the update before it told the committee.
/// No bootstrap of this period was recorded, and the committee that the first update is signed by is that of the second
/// one's predecessor: so the store takes the first update's word for its finalized header and its next committee.
fn after(update: &LightClientUpdate) -> LightClientStore {
    LightClientStore {
        finalized_header: update.finalized_header.clone(),
        current_sync_committee: update.next_sync_committee.clone().unwrap(),
        next_sync_committee: update.next_sync_committee.clone(),
        best_valid_update: None,
        optimistic_header: update.finalized_header.clone(),
        previous_max_active_participants: 0,
        current_max_active_participants: 0,
    }
}

#[test]
fn mainnet_capella() {
    let Some(folder) = folder("mainnet_capella") else { return };
    let folder = folder.join("mainnet-capella");
    let chain = chains::mainnet();
    let answer = vectors::json(&folder.join("bootstrap.json"));
    let mut store = begin(&chain, json::fork(&answer), &json::bootstrap_ssz(&answer));
    let mut committees = Committees::new();
    let updates: Vec<_> = vectors::json(&folder.join("updates.json"))
        .as_array()
        .unwrap()
        .iter()
        .map(|answer| {
            LightClientUpdate::from_ssz(&chain, json::fork(answer), &json::update_ssz(answer)).unwrap()
        })
        .collect();
    eprintln!("{} updates", updates.len());
    for update in &updates {
        eprintln!(
            "{} {} {}",
            update.attested_header.beacon.slot, update.finalized_header.beacon.slot, update.signature_slot
        );
    }
    eprintln!("{}", store.finalized_header.beacon.slot);
    let processed = process_updates(&chain, &store, &updates, u64::MAX, &mut committees, &[1; 32]);
    assert_eq!((processed.count, processed.refusal), (updates.len(), None));
    store = processed.store;
    let answer = vectors::json(&folder.join("finality.json"));
    let finality = LightClientUpdate::from_finality_ssz(
        &chain,
        json::fork(&answer),
        &json::finality_update_ssz(&answer),
    )
    .unwrap();
    process_light_client_update(&chain, &mut store, &finality, u64::MAX, &mut committees).unwrap();
    assert_eq!(store.finalized_header, finality.finalized_header);
    let answer = vectors::json(&folder.join("optimistic.json"));
    let optimistic = LightClientUpdate::from_optimistic_ssz(
        &chain,
        json::fork(&answer),
        &json::optimistic_update_ssz(&answer),
    )
    .unwrap();
    process_light_client_update(&chain, &mut store, &optimistic, u64::MAX, &mut committees).unwrap();
    assert_eq!(store.optimistic_header, optimistic.attested_header);
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

#[test]
fn look() {
    let Some(folder) = folder("look") else { return };
    let chain = chains::mainnet();
    for path in ["mainnet-deneb/eth_v1_beacon_light_client_bootstrap_0x2e522016a5ac7d8d57d758b633a25491a43d12750db8f417fd6cf264b7ec5.ssz", "mainnet-electra/bootstrap_period_1600.ssz"] {
        let ssz = read(&folder.join(path));
        for fork in [LightClientFork::Deneb, LightClientFork::Electra] {
            if let Ok(b) = LightClientBootstrap::from_ssz(&chain, fork, &ssz) {
                eprintln!("{path} {fork:?} slot {} period {}", b.header.beacon.slot, b.header.beacon.slot / 8192);
            }
        }
    }
    for path in [
        "mainnet-deneb/eth_v1_beacon_light_client_updates_start_period_1347_count_46.ssz",
        "mainnet-electra/eth_v1_beacon_light_client_updates_start_period_1422_count_1.ssz",
        "mainnet-electra/update_period_1572.ssz",
        "mainnet-electra/update_period_1573.ssz",
        "mainnet-electra/update_period_1574.ssz",
        "mainnet-electra/update_period_1600.ssz",
    ] {
        let b = read(&folder.join(path));
        for u in stream::read(&chain, &b) {
            let p = |s: u64| s as f64 / 8192.0;
            eprintln!(
                "{path:.30} a {:.3} f {:.3} s {:.3} n {} fin {} sc {}",
                p(u.attested_header.beacon.slot),
                p(u.finalized_header.beacon.slot),
                p(u.signature_slot),
                u.sync_aggregate.participants(),
                u.is_finality_update(),
                u.is_sync_committee_update()
            );
        }
    }
    let _ = (encoding::encode, after, validate_light_client_update, chains::sepolia);
}
