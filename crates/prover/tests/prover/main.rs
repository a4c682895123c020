//! The prover against the official vectors, against the definitions, and against the verifier.
#![allow(clippy::expect_used, clippy::unwrap_used)] // tests

mod known_tau_setup;
#[path = "../../../kzg/tests/kzg/support/mod.rs"]
mod support;

mod derivation;
mod errors;
mod point_fft;
mod proofs;
mod tables;
mod vectors;
