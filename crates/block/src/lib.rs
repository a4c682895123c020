//! Beacon blocks, out of hostile bytes: is this SSZ, what is its root, and which blobs does it commit to?
//!
//! `blob_kzg_commitments` stand in the body of a block (Deneb to Fulu), or in the bid in that body (Gloas). Whoever trusts the root
//! of a block can have them without a Merkle branch: decode the block, hash it, and compare.
//!
//! | module | what it holds |
//! |---|---|
//! | [`schema`] | types of SSZ as constant data, progressive ones (EIP-7495, EIP-7916) included |
//! | [`containers`] | the containers of a block, for each fork and preset |
//! | [`parts`] | where the fields of a container and the elements of a list are |
//! | [`mod@validate`] | whether bytes are the encoding of a value, and where not |
//! | [`merkle`] | many Merkle trees at once, binary and progressive |
//! | [`roots`] | `hash_tree_root` of many values of one type |
//! | [`block`] | what a block says: slot, roots, commitments, bid |
//! | [`describe`] | a schema as JSON, for the one who makes SSZ of the Beacon API's JSON |
//! | [`error`] | what is malformed, and where |
//!
//! There is one interpreter, and a table of types for it. It recurses into the schema, which is constant, never into the input. It
//! works on many values of a type at once, so that even the long thin trees of transactions are hashed four nodes at a time.
//!
//! Memory is bounded by the bytes of a block ([`block::MAX_BLOCK_BYTES`]), of which there are some copies as chunks, and by how many values
//! it may have, of which each takes some two hundred bytes, however short it is. Of the blocks that were made to cost much, one of ten megabytes
//! (43,000 attestations) has the module grow by 38 MB, and one of 165 kB (32,768 transactions of one byte) by 6.4 MB.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod block;
pub mod containers;
pub mod describe;
pub mod error;
pub mod merkle;
pub mod parts;
pub mod roots;
pub mod schema;
pub mod validate;

pub use block::{read_block, Bid, Block};
pub use containers::{BlockFork, Preset};
pub use error::{Fault, SszError};
pub use roots::hash_tree_root;
pub use schema::{Field, Schema};
pub use validate::validate;

/// A 32-byte SSZ chunk, root or hash (`Bytes32` and `Root` in the specs).
pub type Bytes32 = [u8; 32];
