//! What the crates' tests share. A dependency of tests alone; failures panic.
//!
//! | module | what it holds |
//! |---|---|
//! | [`cases`] | the official vectors of KZG, as values |
//! | [`rng`] | a reproducible generator |
//! | [`torsion`] | points outside G1 and G2, of each order that there is |
//! | [`vectors`] | third-party vectors, read from the form that they are committed in |
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![allow(clippy::expect_used, clippy::missing_panics_doc)] // tests

pub mod cases;
pub mod rng;
pub mod torsion;
pub mod vectors;

pub use rng::Rng;
