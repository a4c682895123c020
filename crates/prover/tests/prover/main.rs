//! The prover against the official vectors, against the definitions, and against the verifier.
#![allow(clippy::expect_used, clippy::unwrap_used)] // tests

#[path = "../../../kzg/tests/support/mod.rs"]
mod support;
mod world;

mod derivation;
mod errors;
mod points;
mod proofs;
mod tables;
mod vectors;
