//! Versioned hashes (EIP-4844).

use crate::constants::Bytes48;
use blobcheck_sha256::sha256;

/// `kzg_commitment_to_versioned_hash`: SHA-256 of the commitment, its first byte replaced by
/// VERSIONED_HASH_VERSION_KZG = 1.
pub fn versioned_hash(commitment: &Bytes48) -> [u8; 32] {
    let mut hash = sha256(&[commitment]);
    hash[0] = 1;
    hash
}
