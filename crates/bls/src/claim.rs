//! One signature.

use crate::key::AggregateKey;
use blobcheck_curve::{g1, g2_encoding, hash_to_g2, product_is_one, PreparedG2};

/// The ciphersuite, which separates its hashes from those of others.
pub const DST: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";

/// That `signature` is one of `message` by all signers of `key`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The signers.
    pub key: AggregateKey,
    /// A signing root.
    pub message: [u8; 32],
    /// A point of G2, compressed.
    pub signature: [u8; 96],
}

/// Whether the claim is true: e(key, H(message)) = e(g₁, signature). False where the signature is not a point of G2 or
/// the key is infinity.
pub fn verify(claim: &Claim) -> bool {
    core_verify(&claim.key, &claim.message, &claim.signature)
}

/// `CoreVerify`, for messages of any length.
pub(crate) fn core_verify(key: &AggregateKey, message: &[u8], signature: &[u8; 96]) -> bool {
    if key.is_infinity() {
        return false;
    }
    let [Ok(signature)] = g2_encoding::decompress(&[*signature])[..] else { return false };
    let [hash] = hash_to_g2(&[message], DST)[..] else { return false };
    let prepared = [hash, signature].map(PreparedG2::new);
    product_is_one(&[(*key.point(), &prepared[0]), (-g1::generator(), &prepared[1])])
}
