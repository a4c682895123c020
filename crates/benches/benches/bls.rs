//! The stages of a sync committee's signature, each alone: `cargo bench -p blobcheck-benches --bench bls`.
#![allow(missing_docs)] // criterion's macros
#![allow(clippy::expect_used)]

use blobcheck_bls::claim::DST;
use blobcheck_bls::{
    decompress_keys, verify, verify_many, AggregateKey, Claim, PublicKey, SyncCommitteeKeys,
};
use blobcheck_curve::{g2_encoding, hash_to_g2};
use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion, Throughput};
use std::hint::black_box;

#[path = "../../bls/tests/bls/support/mod.rs"]
mod support;
use support::{bits, claim, committee, secret, Rng};

/// `SYNC_COMMITTEE_SIZE`; all of it, what Sepolia was seen with, and little more than two thirds.
const SIZE: usize = 512;
const PARTICIPANTS: [usize; 3] = [512, 459, 350];

fn keys(c: &mut Criterion) {
    let mut rng = Rng(1);
    let secrets: Vec<_> = (0..SIZE).map(|_| secret(&mut rng)).collect();
    let (pubkeys, aggregate) = committee(&secrets);
    let mut group = c.benchmark_group("committee");
    group.sample_size(20);
    group.throughput(Throughput::Elements(SIZE as u64));
    group.bench_function("decompress and check", |b| b.iter(|| decompress_keys(black_box(&pubkeys))));
    group.bench_function("and sum", |b| b.iter(|| SyncCommitteeKeys::new(black_box(&pubkeys), &aggregate)));
    group.finish();

    let keys: Vec<PublicKey> = decompress_keys(&pubkeys).into_iter().flatten().collect();
    let committee = SyncCommitteeKeys::new(&pubkeys, &aggregate).expect("a committee");
    let mut group = c.benchmark_group("participants");
    for count in PARTICIPANTS {
        let bits = bits(&mut rng, SIZE, count);
        let collect =
            || keys.iter().zip(&bits).filter(|(_, bit)| **bit).map(|(key, _)| *key).collect::<Vec<_>>();
        group.bench_function(BenchmarkId::new("collect", count), |b| b.iter(collect));
        let some = collect();
        group.bench_function(BenchmarkId::new("aggregate", count), |b| {
            b.iter(|| AggregateKey::of(black_box(&some)));
        });
        group.bench_function(BenchmarkId::new("by the fewer", count), |b| {
            b.iter(|| committee.participants(black_box(&bits)));
        });
    }
    group.finish();
}

fn signatures(c: &mut Criterion) {
    let mut rng = Rng(2);
    let claims: Vec<Claim> = (0..46).map(|_| claim(&mut rng)).collect();
    let mut group = c.benchmark_group("signature");
    let signatures: Vec<[u8; 96]> = claims.iter().map(|claim| claim.signature).collect();
    let messages: Vec<&[u8]> = claims.iter().map(|claim| &claim.message[..]).collect();
    for count in [1, 46] {
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::new("hash_to_G2", count), |b| {
            b.iter(|| hash_to_g2(black_box(&messages[..count]), DST));
        });
    }
    group.throughput(Throughput::Elements(1));
    group.bench_function("decompress and check", |b| {
        b.iter(|| g2_encoding::decompress(black_box(&signatures[..1])))
    });
    group.bench_function("verify", |b| b.iter(|| verify(black_box(&claims[0]))));
    for count in [1, 4, 16, 46] {
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::new("verify_many", count), |b| {
            b.iter(|| verify_many(black_box(&claims[..count]), None));
        });
    }
    group.finish();
}

criterion_group!(stages, keys, signatures);
criterion_main!(stages);
