//! BLS signatures of the consensus specifications: keys in G1, signatures in G2, proofs of possession elsewhere
//! (draft-irtf-cfrg-bls-signature, ciphersuite `BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_`).
//!
//! A sync committee's signature passes through the modules from the top of the table to the bottom.
//!
//! | module | what it holds |
//! |---|---|
//! | [`key`] | public keys: decompression, `KeyValidate`, aggregates |
//! | `subgroup` | whether keys lie in G1, one by one or in bulk |
//! | [`committee`] | a sync committee's keys, checked once, and its participants' aggregate |
//! | [`claim`] | one signature of one message by an aggregate, and its verification |
//! | [`batch`] | many claims in one product of pairings |
//! | [`api`] | the specifications' functions |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod api;
pub mod batch;
pub mod claim;
pub mod committee;
pub mod key;

mod subgroup;

pub use batch::verify_many;
pub use blobcheck_seed::FreshSeed;
pub use claim::{verify, Claim};
pub use committee::{CommitteeError, SyncCommitteeKeys};
pub use key::{decompress_keys, AggregateKey, KeyError, PublicKey};
