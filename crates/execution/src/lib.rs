//! What the execution layer says about blob data: type-3 transactions in network form, short of KZG proofs.
//!
//! | module | what it holds |
//! |---|---|
//! | [`blob_transaction`] | the network form of EIP-4844 and EIP-7594, and its checks |
//! | [`body`] | the transaction itself: fourteen strictly typed fields |
//! | [`versioned_hash`] | `kzg_to_versioned_hash` and the comparison with it |
//! | [`rlp`] | a strict decoder that accepts canonical encodings only |
//! | [`reason`] | the closed set of refusals, with their codes |
//!
//! Data is borrowed, never copied. Signatures are not recovered, and balances, fees against a block and nonces
//! against an account are not looked at: they need a state.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod blob_transaction;
pub mod body;
pub mod reason;
pub mod rlp;
pub mod versioned_hash;

mod fields;

pub use blob_transaction::{BlobTransaction, Fork, WrapperVersion};
pub use body::TransactionBody;
pub use reason::Reason;
