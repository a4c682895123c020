//! A verification's stages, and whole batches: `cargo bench -p blobcheck-benches --bench kzg`.
#![allow(missing_docs, clippy::expect_used)] // criterion's macros; inputs that are made here are true

use blobcheck_kzg::cells::compute_cells;
use blobcheck_kzg::challenge::compute_challenges;
use blobcheck_kzg::check::check;
use blobcheck_kzg::constants::{Blob, Bytes48};
use blobcheck_kzg::evaluate::evaluate;
use blobcheck_kzg::randomness::FiatShamir;
use blobcheck_kzg::{body_hashes, collect, verify, Unit};
use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion, Throughput};
use std::hint::black_box;

#[path = "../../kzg/tests/kzg/support/mod.rs"]
mod support;
use support::known_tau::{views, KnownTau, Polynomial};
use support::Rng;

fn polynomials(known_tau: &KnownTau, count: usize) -> Vec<Polynomial> {
    let mut rng = Rng(1);
    (0..count).map(|_| known_tau.polynomial(&mut rng, 4096)).collect()
}

fn one_blob(c: &mut Criterion) {
    let known_tau = KnownTau::new(1);
    let all = polynomials(&known_tau, 4);
    let p = &all[0];
    let unit = known_tau.blob_unit(p);
    let z = support::known_tau::random(&mut Rng(2));
    let mut group = c.benchmark_group("one blob");
    let parsed = Unit::parse(&unit).expect("a unit");
    group.bench_function("check", |b| b.iter(|| check(black_box(&parsed))));
    group.bench_function("evaluate", |b| b.iter(|| evaluate(black_box(p.blob()), black_box(z))));
    group.bench_function("compute cells", |b| b.iter(|| compute_cells(black_box(p.blob()))));
    group.finish();

    let mut group = c.benchmark_group("SHA-256");
    let messages: Vec<(&Blob, &Bytes48)> = all.iter().map(|p| (p.blob(), &p.commitment)).collect();
    for count in [1, 4] {
        group.throughput(Throughput::Bytes(131_152 * count as u64));
        group.bench_function(BenchmarkId::new("challenges", count), |b| {
            b.iter(|| compute_challenges(black_box(&messages[..count])));
        });
    }
    let units: Vec<Vec<u8>> = all.iter().map(|p| known_tau.blob_unit(p)).collect();
    group.bench_function(BenchmarkId::new("unit bodies", 4), |b| {
        b.iter(|| body_hashes(black_box(&views(&units))))
    });
    group.finish();
}

fn blob_batches(c: &mut Criterion) {
    let known_tau = KnownTau::new(1);
    let units: Vec<Vec<u8>> = polynomials(&known_tau, 64).iter().map(|p| known_tau.blob_unit(p)).collect();
    let mut group = c.benchmark_group("blobs");
    group.sample_size(20);
    for count in [1, 6, 64] {
        batch(&mut group, &known_tau, count, &units[..count]);
    }
    group.finish();
}

fn cell_batches(c: &mut Criterion) {
    let known_tau = KnownTau::new(1);
    let all = polynomials(&known_tau, 21);
    let all: Vec<&Polynomial> = all.iter().collect();
    let columns: Vec<Vec<u8>> = (0..8).map(|k| known_tau.column_unit(&all, 16 * k + 5)).collect();
    let one_blob: Vec<Vec<u8>> = (0..128).map(|k| known_tau.column_unit(&all[..1], k)).collect();
    let mut group = c.benchmark_group("cells");
    group.sample_size(20);
    batch(&mut group, &known_tau, 1, &one_blob[..1]);
    batch(&mut group, &known_tau, 128, &one_blob);
    batch(&mut group, &known_tau, 168, &columns);
    // 128 columns of 8 and of 64 blobs: the points are tested in bulk.
    group.sample_size(10);
    let more = polynomials(&known_tau, 64);
    let more: Vec<&Polynomial> = more.iter().collect();
    for blobs in [8, 64] {
        let columns: Vec<Vec<u8>> = (0..128).map(|k| known_tau.column_unit(&more[..blobs], k)).collect();
        batch(&mut group, &known_tau, 128 * blobs, &columns);
    }
    group.finish();
}

type Group<'a> = criterion::BenchmarkGroup<'a, criterion::measurement::WallTime>;

/// What a worker does (collect), what closes the batch, and both.
fn batch(group: &mut Group<'_>, known_tau: &KnownTau, size: usize, units: &[Vec<u8>]) {
    let units = views(units);
    group.bench_function(BenchmarkId::new("collect", size), |b| {
        b.iter(|| collect(black_box(&units), FiatShamir))
    });
    let accumulator = collect(&units, FiatShamir).accumulator;
    assert!(accumulator.close(&known_tau.setup), "true units");
    group.bench_function(BenchmarkId::new("close", size), |b| {
        b.iter(|| accumulator.close(black_box(&known_tau.setup)))
    });
    group.bench_function(BenchmarkId::new("verify", size), |b| {
        b.iter(|| verify(&known_tau.setup, black_box(&units), FiatShamir));
    });
}

criterion_group!(stages, one_blob, blob_batches, cell_batches);
criterion_main!(stages);
