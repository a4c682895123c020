//! What a light client does, end to end, over 46 recorded periods of mainnet: `cargo bench -p blobcheck-benches --bench light-client`.
#![allow(missing_docs)] // criterion's macros
#![allow(clippy::unwrap_used, clippy::expect_used)] // a bench that cannot read its input measures nothing

use blobcheck_beacon::light_client::{LightClientBootstrap, LightClientUpdate};
use blobcheck_beacon::{ChainConfig, LightClientFork};
use blobcheck_light_client::{
    encoding, initialize_light_client_store, process_light_client_update, process_updates, Committees,
    LightClientStore,
};
use criterion::{criterion_group, criterion_main, BatchSize, BenchmarkId, Criterion, Throughput};
use std::hint::black_box;

#[path = "../../light-client/tests/light_client/support/mod.rs"]
#[allow(dead_code)]
mod support;
use blobcheck_testing::vectors;
use support::{chains, stream};

/// The bootstrap and the stream, as they were recorded.
fn recorded() -> (Vec<u8>, Vec<u8>) {
    let file = |part: &str| {
        let mut entries = vectors::entries("lightclient/mainnet-deneb").into_iter();
        vectors::bytes(entries.find(|path| path.to_string_lossy().contains(part)).unwrap())
    };
    (file("bootstrap"), file("updates"))
}

fn begin(chain: &ChainConfig, ssz: &[u8]) -> LightClientStore {
    let bootstrap = LightClientBootstrap::from_ssz(chain, LightClientFork::Deneb, ssz).unwrap();
    let trusted = bootstrap.header.beacon.hash_tree_root();
    initialize_light_client_store(chain, &trusted, bootstrap).unwrap()
}

fn benches(c: &mut Criterion) {
    let (bootstrap, updates) = recorded();
    let chain = chains::mainnet();
    let store = begin(&chain, &bootstrap);
    let stored = encoding::encode(&chain, &store);
    let (fork, ssz) = stream::split(&chain, &updates)[0];
    let updates = stream::read(&chain, &updates);

    let mut group = c.benchmark_group("light client");
    group.sample_size(20);
    group.bench_function("bootstrap", |b| b.iter(|| begin(&chain, black_box(&bootstrap))));
    group.bench_function("read an update", |b| {
        b.iter(|| LightClientUpdate::from_ssz(&chain, fork, black_box(ssz)))
    });
    group.bench_function("read a store", |b| b.iter(|| encoding::decode(&chain, black_box(&stored))));

    let slot = updates[0].signature_slot;
    let process = |mut store, committees: &mut Committees| {
        process_light_client_update(&chain, &mut store, &updates[0], slot, committees).unwrap();
    };
    let mut known = Committees::new();
    let store_each = || store.clone();
    group.bench_function("an update, its committee known", |b| {
        b.iter_batched(store_each, |store| process(store, &mut known), BatchSize::LargeInput)
    });
    group.bench_function("an update, its committee new", |b| {
        b.iter_batched(store_each, |store| process(store, &mut Committees::new()), BatchSize::LargeInput)
    });
    for count in [4, 16, 46] {
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::new("periods at once", count), |b| {
            b.iter(|| {
                process_updates(&chain, &store, &updates[..count], u64::MAX, &mut Committees::new(), None)
            })
        });
    }
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
