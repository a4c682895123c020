//! What is signed, and under which fork: domains, signing roots and fork digests (`phase0/beacon-chain.md`).

use crate::chain::{ChainConfig, LightClientFork, Version};
use crate::hash::hash_pair;
use crate::network::BlobParameters;
use crate::Bytes32;
use blobcheck_sha256::sha256;

/// `DOMAIN_BEACON_PROPOSER`, of block headers.
pub const DOMAIN_BEACON_PROPOSER: [u8; 4] = [0, 0, 0, 0];

/// `DOMAIN_SYNC_COMMITTEE`, of what sync committees sign.
pub const DOMAIN_SYNC_COMMITTEE: [u8; 4] = [7, 0, 0, 0];

/// `compute_fork_data_root(version, genesis_validators_root)`.
pub fn compute_fork_data_root(version: Version, genesis_validators_root: &Bytes32) -> Bytes32 {
    let mut chunk = [0; 32];
    chunk[..4].copy_from_slice(&version);
    hash_pair(&chunk, genesis_validators_root)
}

/// `compute_domain(domain_type, fork_version, genesis_validators_root)`.
pub fn compute_domain(domain_type: [u8; 4], version: Version, genesis_validators_root: &Bytes32) -> Bytes32 {
    let mut domain = [0; 32];
    domain[..4].copy_from_slice(&domain_type);
    domain[4..].copy_from_slice(&compute_fork_data_root(version, genesis_validators_root)[..28]);
    domain
}

/// `compute_signing_root`, of an object given by its `hash_tree_root`.
pub fn compute_signing_root(object_root: &Bytes32, domain: &Bytes32) -> Bytes32 {
    hash_pair(object_root, domain)
}

/// The fork whose light-client objects a fork digest announces; `None` for a digest that is none of the chain's, of a fork that
/// is not scheduled, since nobody knows yet where its objects begin, or of one that has no objects known here.
///
/// From Fulu on each epoch of the blob schedule has a digest of its own, so that several name one fork. Gloas adds no
/// entry: its digests are those of its version under the masks that hold already.
///
/// Spec: `compute_fork_digest`, `phase0/beacon-chain.md` and `fulu/beacon-chain.md`.
pub fn light_client_fork_of_digest(chain: &ChainConfig, digest: [u8; 4]) -> Option<LightClientFork> {
    chain.digest_points().find_map(|(fork, point, masked)| {
        let root = compute_fork_data_root(point.version, &chain.genesis_validators_root);
        let base = [root[0], root[1], root[2], root[3]];
        let found = if masked {
            blob_parameters(chain).any(|parameters| masked_digest(base, parameters) == digest)
        } else {
            base == digest
        };
        found.then_some(fork)
    })
}

/// Everything that `get_blob_parameters` can answer from Fulu on: what Electra leaves, then the schedule. An entry that
/// began before Fulu, or that the fork does not live to see, gives a digest that no honest node sends; taking it costs nothing.
fn blob_parameters(chain: &ChainConfig) -> impl Iterator<Item = BlobParameters> + '_ {
    let network = &chain.network;
    let electra = BlobParameters {
        epoch: network.electra_fork_epoch,
        max_blobs_per_block: network.max_blobs_per_block_electra,
    };
    core::iter::once(electra).chain(network.blob_schedule.iter().copied())
}

fn masked_digest(base: [u8; 4], parameters: BlobParameters) -> [u8; 4] {
    let mask = sha256(&[&parameters.epoch.to_le_bytes(), &parameters.max_blobs_per_block.to_le_bytes()]);
    core::array::from_fn(|at| base[at] ^ mask[at])
}
