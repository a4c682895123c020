//! What the crates' tests share. A dependency of tests alone; failures panic.
//!
//! | module | what it holds |
//! |---|---|
//! | [`rng`] | a reproducible generator |
//! | [`vectors`] | third-party vectors, which the repository does not hold |
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![allow(clippy::expect_used, clippy::missing_panics_doc)] // tests

pub mod rng;
pub mod vectors;

pub use rng::Rng;
