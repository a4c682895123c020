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
//! | [`randomness`] | seeds, and the coefficients that come of them |
//! | `prepare` | from units to claims, in five steps |
//! | `decompression`, `subgroups` | of these steps the two about points |
//! | `weighted_points`, `opening`, `cell`, `cell_sums` | what a claim of each scheme adds to the sums |
//! | `claim` | claims, ready to be summed |
//! | `equation`, [`accumulator`] | the one equation that a batch comes down to, and where its coefficients came from |
//! | [`batch`], `bisect` | many units to one verdict each |
//! | [`shared`] | a batch that several workers collected, decided by all of them |
//! | [`cells`], [`recover`] | `compute_cells`, recovery of cells |
//! | [`commitment_setup`], [`commit`] | the 4,096 points of commitments, and a commitment |
//! | [`bare_blob`], [`bare_batch`] | blobs without proofs, held against their commitments: many to one multiplication of points |
//! | [`api`], [`parts`] | the specification's functions, and their batches in parts |
//! | [`mod@warm`] | a true batch, for engines that compile hot code better |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod accumulator;
pub mod api;
pub mod bare_batch;
pub mod bare_blob;
pub mod batch;
mod bisect;
mod cell;
mod cell_sums;
pub mod cells;
pub mod challenge;
pub mod check;
mod claim;
pub mod commit;
pub mod commitment_setup;
pub mod constants;
mod decompression;
mod equation;
pub mod evaluate;
pub mod fft;
mod opening;
pub mod parts;
mod prepare;
pub mod randomness;
pub mod reason;
pub mod recover;
pub mod roots;
pub mod setup;
pub mod shared;
mod subgroups;
pub mod unit;
pub mod warm;
mod weighted_points;

pub use accumulator::Accumulator;
pub use bare_blob::BareBlob;
pub use batch::{collect, collect_group, collect_hashed, verify, Collected, Outcome, Verdict};
pub use commitment_setup::CommitmentSetup;
pub use randomness::FreshSeed;
pub use reason::{InputError, Reason};
pub use setup::{Setup, ETHEREUM};
pub use unit::{body_hashes, digest, Unit};
pub use warm::warm;
