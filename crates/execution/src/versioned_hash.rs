//! Versioned hashes: how the execution layer names a commitment (EIP-4844).

use crate::reason::Reason;
use blobcheck_sha256::sha256;

/// `VERSIONED_HASH_VERSION_KZG`: the first byte of a versioned hash.
pub const VERSIONED_HASH_VERSION_KZG: u8 = 0x01;

/// `kzg_to_versioned_hash(commitment)`: the version, then `sha256(commitment)` without its first byte.
pub fn kzg_to_versioned_hash(commitment: &[u8; 48]) -> [u8; 32] {
    let mut versioned_hash = sha256(&[commitment]);
    versioned_hash[0] = VERSIONED_HASH_VERSION_KZG;
    versioned_hash
}

/// Whether `versioned_hash` names `commitment`.
///
/// # Errors
/// [`Reason::VersionedHashVersion`] for a version other than KZG's, [`Reason::VersionedHashMismatch`] for
/// another commitment's hash.
pub fn check_versioned_hash(versioned_hash: &[u8; 32], commitment: &[u8; 48]) -> Result<(), Reason> {
    check_version(versioned_hash)?;
    if kzg_to_versioned_hash(commitment) == *versioned_hash {
        Ok(())
    } else {
        Err(Reason::VersionedHashMismatch)
    }
}

/// Whether `versioned_hash` is of the version that stands for KZG commitments.
pub(crate) fn check_version(versioned_hash: &[u8; 32]) -> Result<(), Reason> {
    if versioned_hash[0] == VERSIONED_HASH_VERSION_KZG {
        Ok(())
    } else {
        Err(Reason::VersionedHashVersion)
    }
}
