//! wasm-bindgen shells over blobcheck's crates. No logic: bytes in, codes and bytes out.
//!
//! | module | what it exports |
//! |---|---|
//! | [`codes`] | what the numbers mean that everything else reports |
//! | [`checks`] | the cheap checks of each kind of delivery, and the unit that KZG is to verify |
//! | [`units`] | digests, partial sums, closing, verdicts: the steps of the pipeline |
//! | [`commitments`] | blobs without proofs: their setup, and what closes their batches |
//! | [`spec`], [`parts`] | the specification's functions, for `blobcheck/kzg`, and their batches in parts |
//! | [`probe`] | whether this module computes rightly here |
//!
//! Lists cross as one byte string with the elements' lengths (`lists`). Failures are the crates' `Reason` codes; the
//! functions of [`spec`], which have no verdict to put them in, throw the number code + 256 · index.
#![deny(missing_docs)]

/// Whether the engine of this module, beyond fused instructions, computes rightly: for the probe.
#[cfg(all(target_arch = "wasm32", feature = "relaxed-simd"))]
use blobcheck_curve::simd::passes_self_test;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: blobcheck_allocator::Allocator = blobcheck_allocator::Allocator::new();

pub mod checks;
pub mod codes;
pub mod commitments;
mod lists;
pub mod parts;
pub mod probe;
mod setup;
pub mod spec;
pub mod units;
