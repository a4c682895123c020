//! What the consensus layer says about blob data, short of the KZG proofs themselves.
//!
//! A sidecar travels with the header of its block and a Merkle branch from that header's `body_root` down to
//! the KZG commitments. This crate reads sidecars out of hostile bytes and decides everything that needs no
//! curve arithmetic: shape, fork, indices, the branch, and whether the header is the one that the caller trusts.
//!
//! | module | what it holds |
//! |---|---|
//! | [`blob_sidecar`] | the Deneb `BlobSidecar`: a view over its SSZ bytes, and its checks |
//! | [`data_column_sidecar`] | the Fulu `DataColumnSidecar`: likewise |
//! | [`gloas_data_column_sidecar`] | the Gloas `DataColumnSidecar`, which brings no commitments |
//! | [`header`] | `BeaconBlockHeader`, signed and bare, and its root |
//! | [`commitments`] | roots of a commitment and of a block's list of commitments |
//! | [`gindex`] | generalized indices, and the places in the block body that proofs lead to |
//! | [`merkle`] | `is_valid_merkle_branch`, merkleization, zero hashes |
//! | [`chain`] | what a light client must know of a network: versions of forks, genesis, sizes |
//! | [`domain`] | domains, signing roots, fork digests |
//! | [`custody`] | which columns a node keeps |
//! | [`light_client`] | the objects of the light-client protocol: SSZ and roots |
//! | [`network`] | fork epochs and the blob schedule of a network |
//! | [`reason`] | the closed set of refusals, with their codes |
//!
//! Data is borrowed, never copied; nothing here allocates in proportion to more than the bytes it was given.
//!
//! What a `check` with no anchor proves is only that a sidecar agrees with its own header. Whether that header
//! is the chain's is the caller's question: pass the trusted block root as the anchor.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod blob_sidecar;
pub mod chain;
pub mod commitments;
pub mod custody;
pub mod data_column_sidecar;
pub mod domain;
pub mod gindex;
pub mod gloas_data_column_sidecar;
pub mod header;
pub mod light_client;
pub mod merkle;
pub mod network;
pub mod reason;

mod bytes;
mod hash;

pub use blob_sidecar::BlobSidecar;
pub use chain::{ChainConfig, LightClientFork};
pub use data_column_sidecar::DataColumnSidecar;
pub use gloas_data_column_sidecar::{ColumnAnchor, GloasDataColumnSidecar};
pub use header::{BeaconBlockHeader, SignedBeaconBlockHeader};
pub use network::{BlobParameters, Fork, NetworkConfig};
pub use reason::Reason;

/// A 32-byte SSZ chunk, root or hash (`Bytes32` and `Root` in the specs).
pub type Bytes32 = [u8; 32];
