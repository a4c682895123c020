//! The stages that batches are made of, each alone: `cargo bench -p blobcheck-benches --bench curve`.
#![allow(missing_docs, clippy::expect_used)] // criterion’s macros; points that are written down are points

use blobcheck_curve::scalar::scalar_reduce_be;
use blobcheck_curve::{
    g1_encoding, g2, msm, msm_signed, msm_u128, product_is_one, subgroup, BatchPoint, CurvePoint, FixedBase,
    G1Affine, PreparedG2, Scalar, Signed, Trits,
};
use criterion::{criterion_group, criterion_main, BatchSize, BenchmarkId, Criterion, Throughput};
use std::hint::black_box;

#[path = "../../curve/tests/curve/support/mod.rs"]
mod support;
use support::{Draw, Rng};

/// One point, a batch of six blobs (a commitment and a proof each), a blob's cells.
const SIZES: [usize; 3] = [1, 12, 128];

fn points(count: usize) -> Vec<G1Affine> {
    let mut rng = Rng(1);
    (0..count).map(|_| rng.point()).collect()
}

fn scalars(count: usize) -> Vec<Scalar> {
    let mut rng = Rng(2);
    (0..count).map(|_| rng.scalar()).collect()
}

fn decompress(c: &mut Criterion) {
    let mut group = c.benchmark_group("decompress");
    for count in SIZES {
        let bytes: Vec<[u8; 48]> = points(count).iter().map(g1_encoding::compress).collect();
        group.throughput(Throughput::Elements(count as u64));
        group.bench_with_input(BenchmarkId::new("on the curve", count), &bytes, |b, bytes| {
            b.iter(|| g1_encoding::decompress_on_curve(black_box(bytes)));
        });
        group.bench_with_input(BenchmarkId::new("and in G1", count), &bytes, |b, bytes| {
            b.iter(|| g1_encoding::decompress(black_box(bytes)));
        });
    }
    group.finish();
}

fn subgroup_test(c: &mut Criterion) {
    let mut group = c.benchmark_group("subgroup test");
    for count in SIZES.into_iter().chain([64, 1024, 8192]) {
        let (points, mut rng) = (points(count), Rng(5));
        let on_curve: Vec<CurvePoint> = points.iter().copied().map(CurvePoint::from).collect();
        let trits: Vec<Trits> = (0..count).map(|_| Trits::from_bytes(&rng.bytes::<32>())).collect();
        let coefficients: Vec<Signed> = trits.iter().map(Trits::value).collect();
        group.throughput(Throughput::Elements(count as u64)).sample_size(if count > 128 { 10 } else { 50 });
        group.bench_function(BenchmarkId::new("one by one", count), |b| {
            b.iter(|| subgroup::are_in_subgroup(black_box(&on_curve)));
        });
        group.bench_function(BenchmarkId::new("one by one, and their sum", count), |b| {
            let points = black_box(&points);
            b.iter(|| (subgroup::are_in_subgroup(&on_curve), msm_signed(points, &coefficients)));
        });
        group.bench_function(BenchmarkId::new("of the batch, with its sum", count), |b| {
            let member = |(point, coefficient): (&CurvePoint, &Trits)| BatchPoint {
                point: *point,
                coefficient: *coefficient,
            };
            let family: Vec<BatchPoint> = on_curve.iter().zip(&trits).map(member).collect();
            b.iter(|| subgroup::tested(black_box(&[&family])).map(|rows| subgroup::totals(&[&rows[0]])));
        });
    }
    group.finish();
}

fn sums(c: &mut Criterion) {
    let mut group = c.benchmark_group("msm");
    for count in [6, 64, 128, 1024] {
        let (points, scalars, mut rng) = (points(count), scalars(count), Rng(3));
        let short: Vec<u128> = (0..count).map(|_| rng.u128()).collect();
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::new("128 bits", count), |b| {
            b.iter(|| msm_u128(black_box(&points), black_box(&short)));
        });
        group.bench_function(BenchmarkId::new("255 bits", count), |b| {
            b.iter(|| msm(black_box(&points), black_box(&scalars)));
        });
    }
    group.finish();
}

/// The interpolation's commitment: with the table that a setup keeps, and without.
fn commitment(c: &mut Criterion) {
    let mut group = c.benchmark_group("commitment");
    let (points, scalars) = (points(64), scalars(64));
    group.bench_function("make the table", |b| b.iter(|| FixedBase::new(black_box(&points))));
    let table = FixedBase::new(&points);
    group.bench_function("with it", |b| b.iter(|| table.msm(black_box(&scalars))));
    group.bench_function("without", |b| b.iter(|| msm(black_box(&points), black_box(&scalars))));
    group.finish();
}

fn pairing(c: &mut Criterion) {
    let mut group = c.benchmark_group("pairing");
    let lines = PreparedG2::new(g2::generator());
    for count in [1, 2, 3] {
        let points = points(count);
        let pairs: Vec<(G1Affine, &PreparedG2)> = points.iter().map(|point| (*point, &lines)).collect();
        group.bench_function(BenchmarkId::new("product", count), |b| {
            b.iter(|| product_is_one(black_box(&pairs)))
        });
    }
    group.bench_function("prepare lines", |b| b.iter(|| PreparedG2::new(black_box(g2::generator()))));
    group.finish();
}

fn scalar_field(c: &mut Criterion) {
    let mut group = c.benchmark_group("scalars");
    let mut rng = Rng(4);
    let bytes: Vec<[u8; 32]> = (0..4096).map(|_| rng.bytes::<32>()).collect();
    group.bench_function("4,096 from bytes", |b| {
        b.iter(|| bytes.iter().map(scalar_reduce_be).collect::<Vec<_>>());
    });
    group.bench_function("invert 4,096", |b| {
        b.iter_batched_ref(
            || scalars(4096),
            |values| blobcheck_curve::scalar::invert_all(values),
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

criterion_group!(stages, decompress, subgroup_test, sums, commitment, pairing, scalar_field);
criterion_main!(stages);
