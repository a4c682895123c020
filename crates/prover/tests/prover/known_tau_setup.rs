//! The prover's setup for a τ that is known, straight from the definition of its points; and Ethereum's.
#![allow(dead_code)] // the benches use a part

use crate::support::known_tau::KnownTau;
use blobcheck_kzg::commitment_setup::{write_points, CommitmentSetup};
use blobcheck_prover::{derive, ExtendedSetup};
use std::sync::OnceLock;

/// A setup of known τ, and the prover’s points for it; made once.
pub fn setup() -> &'static (KnownTau, ExtendedSetup) {
    static SETUP: OnceLock<(KnownTau, ExtendedSetup)> = OnceLock::new();
    SETUP.get_or_init(|| {
        let known_tau = KnownTau::new(1);
        let [blob, extension] = bytes(&known_tau);
        let blob = CommitmentSetup::from_bytes(&blob).expect("points");
        let extended = ExtendedSetup::from_bytes(blob, &extension).expect("points");
        (known_tau, extended)
    })
}

/// The bytes of both halves.
pub fn bytes(known_tau: &KnownTau) -> [Vec<u8>; 2] {
    [0, 64].map(|first| known_tau.points_of_cells(first))
}

/// The bytes of both halves of Ethereum's setup, derived once.
pub fn ethereum_bytes() -> &'static [Vec<u8>; 2] {
    static BYTES: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    BYTES.get_or_init(|| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/monomials.bin");
        let monomials = std::fs::read(path).expect("monomials.bin: run `cargo xtask data`");
        let halves = derive::setup_points(monomials.as_chunks().0).expect("points of the curve");
        halves.map(|points| write_points(&points).expect("ordinary points"))
    })
}

/// Ethereum's setup.
pub fn ethereum() -> &'static ExtendedSetup {
    static SETUP: OnceLock<ExtendedSetup> = OnceLock::new();
    SETUP.get_or_init(|| {
        let [blob, extension] = ethereum_bytes();
        ExtendedSetup::ethereum(CommitmentSetup::ethereum(blob).expect("pinned"), extension).expect("pinned")
    })
}
