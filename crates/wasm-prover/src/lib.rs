//! wasm-bindgen shell over the prover. No logic: bytes in, codes and bytes out.
//!
//! | module | what it exports |
//! |---|---|
//! | [`setup`] | reading the two halves of the setup, and tables |
//! | [`spec`] | the specification's functions, for `blobcheck/prover` |
//! | [`parts`] | the work of `computeCellsAndKzgProofs` in parts, for many workers |
//! | [`codes`] | what the numbers mean that the functions throw |
//! | [`probe`] | whether this module computes rightly here |
//!
//! Functions throw the number code + 256 · index of the crates' `Reason`, and 0 where a half of the setup that they need has
//! not been read.
#![deny(missing_docs)]

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: blobcheck_allocator::Allocator = blobcheck_allocator::Allocator::new();

pub mod codes;
pub mod parts;
pub mod setup;
pub mod spec;

#[allow(dead_code)] // seeds are the verifier's
#[path = "../../wasm/src/lists.rs"]
mod lists;
#[path = "../../wasm/src/probe.rs"]
pub mod probe;

/// Whether the engine of this module, beyond fused instructions, computes rightly: for the probe.
#[cfg(all(target_arch = "wasm32", feature = "relaxed-simd"))]
use blobcheck_curve::simd::passes_self_test;
