//! KZG verification of EIP-4844 blobs and EIP-7594 cells, in batches that end in one pairing product.
//!
//! Data passes through the modules from the top of the table to the bottom.
//!
//! | module | what it holds |
//! |---|---|
//! | [`constants`] | sizes and domain separators |
//! | [`reason`] | why an input is refused |
//! | [`setup`] | the 64 + 2 points of the trusted setup that verification needs |
//! | [`mod@unit`] | what is deduplicated, cached, batched and verified: one canonical byte string |
//! | [`check`] | the cheap checks: canonical scalars, point encodings, indices |
//! | [`roots`], [`fft`] | the evaluation domain and its transforms |
//! | [`challenge`] | `compute_challenge` and the cell batch's challenge |
//! | [`evaluate`] | p(z) from a blob |
//! | [`randomness`] | batch coefficients |
//! | [`points`], [`membership`] | a batch's points, and whether they lie in G1 |
//! | [`claim`] | units with their points and coefficients, ready to be summed |
//! | [`blob`], [`cell`], [`cell_sums`] | what a claim of each scheme adds to the sums |
//! | [`accumulator`] | the one equation that a batch comes down to |
//! | [`batch`], [`bisect`] | many units to one verdict each |
//! | [`shared`] | a batch that several workers collected, decided by all of them |
//! | [`cells`], [`recover`] | `compute_cells`, recovery of cells |
//! | [`api`], [`parts`] | the specification's functions, and their batches in parts |
//! | [`mod@warm`] | a true batch, for engines that compile hot code better |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod accumulator;
pub mod api;
pub mod batch;
pub mod bisect;
pub mod blob;
pub mod cell;
pub mod cell_sums;
pub mod cells;
pub mod challenge;
pub mod check;
pub mod claim;
pub mod constants;
pub mod evaluate;
pub mod fft;
pub mod membership;
pub mod parts;
pub mod points;
pub mod randomness;
pub mod reason;
pub mod recover;
pub mod roots;
pub mod setup;
pub mod shared;
pub mod unit;
pub mod warm;

pub use accumulator::Accumulator;
pub use batch::{collect, collect_group, collect_hashed, verify, Collected, Outcome, Verdict};
pub use reason::{InputError, Reason};
pub use setup::{Setup, ETHEREUM};
pub use unit::{body_hashes, digest, Unit};
pub use warm::warm;
