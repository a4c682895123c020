//! The checked-in kernels are what the generator writes.
//!
//! After a change of the generator: `BLESS=1 cargo test -p blobcheck-curve --test curve kernels::generated`.

use blobcheck_kernels::{PackedKernels, SimdKernels};

use ark_ff::MontConfig;
use std::path::Path;

fn check(file: &str, generated: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, generated).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap();
    assert!(found == generated, "{file} is not what the generator writes: bless it");
}

#[test]
fn moduli() {
    assert_eq!(blobcheck_kernels::P, ark_bls12_381::FqConfig::MODULUS.0);
    assert_eq!(blobcheck_kernels::R, ark_bls12_381::FrConfig::MODULUS.0);
}

#[test]
fn fq() {
    check("baseline/fq_kernels.rs", &blobcheck_kernels::fq());
}

#[test]
fn fr() {
    check("baseline/fr_kernels.rs", &blobcheck_kernels::fr());
}

#[test]
fn simd_fp() {
    check("simd/fp_kernels.rs", &SimdKernels::fp().source());
}

#[test]
fn simd_fr() {
    check("simd/fr_kernels.rs", &SimdKernels::fr().source());
}

#[test]
fn packed_fp() {
    check("packed/fp_kernels.rs", &PackedKernels::fp().source());
}
