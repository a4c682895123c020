//! The prover's setup for a τ that is known, straight from the definition of its points; and Ethereum's.
#![allow(dead_code)] // the benches use a part

use crate::support::known_tau::KnownTau;
use crate::support::naive::root;
use ark_bls12_381::{Fq, Fr, G1Affine, G1Projective};
use ark_ec::scalar_mul::ScalarMul;
use ark_ec::{AffineRepr, PrimeGroup};
use ark_ff::{AdditiveGroup, BigInteger, Field, PrimeField};
use blobcheck_prover::{derive, ExtendedSetup, Setup};
use std::sync::OnceLock;

/// A setup of known τ, and the prover’s points for it; made once.
pub fn setup() -> &'static (KnownTau, ExtendedSetup) {
    static SETUP: OnceLock<(KnownTau, ExtendedSetup)> = OnceLock::new();
    SETUP.get_or_init(|| {
        let known_tau = KnownTau::new(1);
        let [blob, extension] = bytes(&known_tau);
        let blob = Setup::from_bytes(&blob).expect("points");
        let extended = ExtendedSetup::from_bytes(blob, &extension).expect("points");
        (known_tau, extended)
    })
}

/// The bytes of both halves: τⁱ·(τ⁴⁰⁹⁶ ∓ 1)/(τ⁶⁴ − D[k]) times the generator.
pub fn bytes(known_tau: &KnownTau) -> [Vec<u8>; 2] {
    [(0, Fr::ONE), (64, -Fr::ONE)].map(|(first, one)| {
        let numerator = known_tau.tau.pow([4096]) - one;
        let scalars: Vec<Fr> = (first..first + 64)
            .flat_map(|k| {
                let start = numerator / (known_tau.tau.pow([64]) - root(k));
                (0..64).scan(start, |scalar, _| {
                    let this = *scalar;
                    *scalar *= known_tau.tau;
                    Some(this)
                })
            })
            .collect();
        G1Projective::generator().batch_mul(&scalars).iter().flat_map(uncompressed).collect()
    })
}

/// x ‖ y, big-endian; zeros for the identity.
pub fn uncompressed(point: &G1Affine) -> Vec<u8> {
    let (x, y) = point.xy().unwrap_or((Fq::ZERO, Fq::ZERO));
    [x, y].iter().flat_map(|value| value.into_bigint().to_bytes_be()).collect()
}

/// The bytes of both halves of Ethereum's setup, derived once.
pub fn ethereum_bytes() -> &'static [Vec<u8>; 2] {
    static BYTES: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    BYTES.get_or_init(|| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/monomials.bin");
        let monomials = std::fs::read(path).expect("monomials.bin: run `cargo xtask data`");
        derive::setup_bytes(monomials.as_chunks().0).expect("points of the curve")
    })
}

/// Ethereum's setup.
pub fn ethereum() -> &'static ExtendedSetup {
    static SETUP: OnceLock<ExtendedSetup> = OnceLock::new();
    SETUP.get_or_init(|| {
        let [blob, extension] = ethereum_bytes();
        ExtendedSetup::ethereum(Setup::ethereum(blob).expect("pinned"), extension).expect("pinned")
    })
}
