//! The prover's stages, and its functions: `cargo bench -p blobcheck-benches --bench prover`.
#![allow(missing_docs, clippy::expect_used)] // criterion's macros; inputs that are made here are true

use blobcheck_curve::fixed_base_table::{FixedBaseTable, TableShape};
use blobcheck_kzg::commitment_setup::CommitmentSetup;
use blobcheck_prover::cell_proofs::{proofs, Half};
use blobcheck_prover::cell_sums::CellPolynomials;
use blobcheck_prover::{api, ExtendedSetup, Tables};
use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion};
use std::hint::black_box;

#[path = "../../prover/tests/prover/known_tau_setup.rs"]
mod known_tau_setup;
#[path = "../../kzg/tests/kzg/support/mod.rs"]
mod support;
use support::Rng;

/// Rows and widths, from no table to 50 MB.
const SHAPES: [(u32, u32); 6] = [(1, 4), (1, 5), (1, 6), (1, 7), (1, 8), (4, 6)];

fn blobs(c: &mut Criterion) {
    let (known_tau, extended) = known_tau_setup::setup();
    let blob = known_tau.polynomial(&mut Rng(1), 4096);
    let (blob, commitment) = (blob.blob(), blob.commitment);
    let mut group = c.benchmark_group("blob");
    group.sample_size(20);
    let bytes = known_tau_setup::bytes(known_tau);
    group.bench_function("read the setup", |b| b.iter(|| CommitmentSetup::from_bytes(black_box(&bytes[0]))));
    let setup = extended.blob();
    group.bench_function("commitment", |b| {
        b.iter(|| api::blob_to_kzg_commitment(setup, None, black_box(blob)))
    });
    group.bench_function("blob proof", |b| {
        b.iter(|| api::compute_blob_kzg_proof(setup, None, black_box(blob), &commitment))
    });
    group.finish();
}

fn cells(c: &mut Criterion) {
    let (known_tau, setup) = known_tau_setup::setup();
    let blob = known_tau.polynomial(&mut Rng(1), 4096);
    let blob = blob.blob();
    let mut group = c.benchmark_group("cells");
    group.sample_size(10);
    group.bench_function("polynomials", |b| b.iter(|| CellPolynomials::of(black_box(blob))));
    let polynomials = CellPolynomials::of(blob).expect("canonical");
    group.bench_function("one part of 16", |b| b.iter(|| polynomials.sums(setup, None, 5..6)));
    let sums = polynomials.sums(setup, None, 0..16);
    group.bench_function("half of the proofs", |b| b.iter(|| proofs(black_box(&sums), Half::Extension)));
    group.bench_function("cells and proofs, no table", |b| b.iter(|| run(setup, None, blob)));
    for (rows, width) in SHAPES {
        let shape = TableShape::new(rows, width).expect("a shape");
        let name = format!("{rows} rows, width {width}, {} MB", Tables::bytes(shape) / 1_000_000);
        let points = &setup.blob().points()[..512];
        group.bench_function(BenchmarkId::new("a part's table", &name), |b| {
            b.iter(|| FixedBaseTable::new(black_box(points), shape));
        });
        let tables = Tables::new(shape);
        group.bench_function(BenchmarkId::new("cells and proofs", &name), |b| {
            b.iter(|| run(setup, Some(&tables), blob))
        });
    }
    group.finish();
}

fn run(setup: &ExtendedSetup, tables: Option<&Tables>, blob: &[u8]) -> usize {
    let (cells, proofs) =
        api::compute_cells_and_kzg_proofs(setup, tables, black_box(blob)).expect("canonical");
    cells.len() + proofs.len()
}

criterion_group!(stages, blobs, cells);
criterion_main!(stages);
