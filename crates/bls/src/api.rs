//! The specifications' functions, on bytes: `bls.Verify` and its kin of consensus-specs `specs/phase0/beacon-chain.md`
//! ("BLS signatures"), and `specs/altair/bls.md`. What is malformed is not valid: they answer `false`.

use crate::claim::core_verify;
use crate::key::{decompress_keys, AggregateKey, PublicKey};

/// What an empty set of signers signs with: infinity, compressed.
pub const G2_POINT_AT_INFINITY: [u8; 96] = {
    let mut bytes = [0; 96];
    bytes[0] = 0xc0;
    bytes
};

/// `Verify(PK, message, signature)`.
pub fn verify(pubkey: &[u8; 48], message: &[u8], signature: &[u8; 96]) -> bool {
    fast_aggregate_verify(&[*pubkey], message, signature)
}

/// `FastAggregateVerify(PKs, message, signature)`: one message, signed by all keys. `false` for no keys, and where a key
/// or the sum of the keys is infinity.
pub fn fast_aggregate_verify(pubkeys: &[[u8; 48]], message: &[u8], signature: &[u8; 96]) -> bool {
    let keys: Result<Vec<PublicKey>, _> = decompress_keys(pubkeys).into_iter().collect();
    // No keys sum to infinity, which signs nothing.
    keys.is_ok_and(|keys| core_verify(&AggregateKey::of(&keys), message, signature))
}

/// `eth_fast_aggregate_verify(pubkeys, message, signature)`: as above, but that no keys sign with infinity. Blocks are
/// checked by this one; light clients refuse updates without participants before.
pub fn eth_fast_aggregate_verify(pubkeys: &[[u8; 48]], message: &[u8], signature: &[u8; 96]) -> bool {
    (pubkeys.is_empty() && *signature == G2_POINT_AT_INFINITY)
        || fast_aggregate_verify(pubkeys, message, signature)
}
