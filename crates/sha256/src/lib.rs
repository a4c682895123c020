//! SHA-256 (FIPS 180-4) over messages that lie in several pieces.
//!
//! Blobs, columns and Merkle nodes are hashed where they lie: a message is a list of parts, never a copy.
//!
//! | module | what it holds |
//! |---|---|
//! | [`single`] | one message at a time, on the `sha2` crate |
//! | [`blocks`] | the padded 64-byte blocks of a message in parts |
//! | [`u32x4`] | four 32-bit lanes: `v128` in WebAssembly, `[u32; 4]` elsewhere |
//! | [`four`] | the compression function on four messages at once |
//! | [`batch`] | many messages: four at a time where lengths agree and lanes pay |
//! | [`pairs`] | many nodes of Merkle trees |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod batch;
pub mod blocks;
pub mod four;
pub mod pairs;
pub mod single;
pub mod u32x4;

pub use batch::sha256_each;
pub use four::{sha256_four, sha256_four_pairs};
pub use pairs::{sha256_pairs, zero_roots};
pub use single::{sha256, Sha256};
