//! What the tests share: the setup, the official vectors, and obvious twins.
#![allow(dead_code, unused_imports, clippy::expect_used, clippy::unwrap_used)] // each test file uses a part

use blobcheck_kzg::{FreshSeed, Setup, ETHEREUM};
pub use blobcheck_testing::cases::{cases, Case, Value};
pub use blobcheck_testing::Rng;
use std::sync::OnceLock;

pub mod known_tau;
pub mod naive;
pub mod torsion;

/// A seed of known bytes, so that cases can be run again.
pub fn fresh(bytes: [u8; 32]) -> FreshSeed {
    FreshSeed::from_csprng(bytes)
}

/// The setup, read once.
pub fn setup() -> &'static Setup {
    static SETUP: OnceLock<Setup> = OnceLock::new();
    SETUP.get_or_init(|| Setup::from_bytes(ETHEREUM).expect("the pinned setup"))
}
