//! wasm-bindgen shell over the light client. No logic: bytes in, codes and bytes out.
//!
//! | module | what it exports |
//! |---|---|
//! | [`codes`] | what the numbers mean that everything else throws |
//! | [`protocol`] | the specification's functions over a store |
//! | [`view`] | what is in a store, an update, a header or a digest |
//! | [`bls`] | BLS signatures alone |
//! | [`merkle`], [`custody`] | Merkle proofs alone; which columns a node keeps |
//! | [`probe`] | whether this module computes rightly here |
//!
//! What all functions have in common:
//!
//! - `network` are the words of `ChainConfig::from_words`, made by `lightClientWords` in `ts/src/beacon/networks.ts`.
//! - `fork` says which containers the bytes are: 0 Altair and Bellatrix, 1 Capella, 2 Deneb, 3 Electra, 4 Fulu, 5 Gloas. It is the
//!   fork that a Beacon API answer names, in its header, its JSON or by a digest.
//! - Containers come as SSZ. A store is bytes, too, in a form of our own, bound to the network's genesis.
//! - Failures throw the number of a code ([`codes`]); nothing is changed by a call that throws.
#![deny(missing_docs)]

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: blobcheck_allocator::Allocator = blobcheck_allocator::Allocator::new();

pub mod bls;
pub mod codes;
pub mod custody;
mod inputs;
pub mod merkle;
pub mod protocol;
pub mod view;

#[path = "../../wasm/src/probe.rs"]
pub mod probe;

/// Whether the engine of this module, beyond fused instructions, computes rightly: for the probe.
#[cfg(all(target_arch = "wasm32", feature = "relaxed-simd"))]
use blobcheck_curve::simd::passes_self_test;
