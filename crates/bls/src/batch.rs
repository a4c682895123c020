//! Many signatures in one product of pairings.
//!
//! Claim i is Dᵢ = e(keyᵢ, Hᵢ)·e(g₁, σᵢ)⁻¹ = 1. With random weights wᵢ,
//!
//! > Π e(wᵢ·keyᵢ, Hᵢ) = e(g₁, Σ wᵢ·σᵢ)
//!
//! says that Π Dᵢ^wᵢ = 1, which is false with probability 1 − 2⁻¹²⁸ if any Dᵢ ≠ 1 (see [`weight`]): every key and every
//! signature is in its group of order r, and so is Dᵢ.

use crate::claim::{verify, Claim, DST};
use blobcheck_curve::weight::{self, Weight};
use blobcheck_curve::{
    g1, g2, g2_encoding, hash_to_g2, product_is_one, uncompressed, G1Affine, G2Affine, PreparedG2,
};
use blobcheck_seed::FreshSeed;
use blobcheck_sha256::{sha256, Sha256};

const DOMAIN: &[u8] = b"blobcheck/signatures/1";

/// Whether all claims are true; of none, they are. On `false` the caller asks [`verify`] for each.
///
/// `seed` is drawn after the claims are fixed. Where there is no CSPRNG (`None`), the weights are of the claims alone, which
/// bind all of them. A false claim passes with probability 2⁻¹²⁸.
pub fn verify_many(claims: &[Claim], seed: Option<FreshSeed>) -> bool {
    if let [claim] = claims {
        return verify(claim);
    }
    if claims.iter().any(|claim| claim.key.is_infinity()) {
        return false;
    }
    let signatures: Vec<[u8; 96]> = claims.iter().map(|claim| claim.signature).collect();
    let Ok(signatures) =
        g2_encoding::decompress(&signatures).into_iter().collect::<Result<Vec<G2Affine>, _>>()
    else {
        return false;
    };
    // Any bytes do where there is no seed.
    let weights = weights(claims, &seed.map_or([0; 32], FreshSeed::into_bytes));
    let keys: Vec<G1Affine> = claims.iter().map(|claim| *claim.key.point()).collect();
    let messages: Vec<&[u8]> = claims.iter().map(|claim| &claim.message[..]).collect();

    let mut left = weight::times_each(&keys, &weights);
    left.push(-g1::generator());
    let mut right = hash_to_g2(&messages, DST);
    right.extend(g2::normalize(&[weight::weighted_sum(&signatures, &weights)]));
    // A pair of each claim and one of the signatures: were one missing, its claim would not be asked about.
    let pairs = claims.len() + 1;
    if [left.len(), right.len(), weights.len() + 1, signatures.len() + 1] != [pairs; 4] {
        return false;
    }
    let prepared: Vec<PreparedG2> = right.into_iter().map(PreparedG2::new).collect();
    product_is_one(&left.into_iter().zip(&prepared).collect::<Vec<_>>())
}

/// The weights: the first halves of SHA-256(domain ‖ SHA-256(domain ‖ seed ‖ claims) ‖ i).
fn weights(claims: &[Claim], seed: &[u8; 32]) -> Vec<Weight> {
    let mut transcript = Sha256::new();
    transcript.update(DOMAIN);
    transcript.update(seed);
    for claim in claims {
        transcript.update(&uncompressed::to_uncompressed(claim.key.point()));
        transcript.update(&claim.message);
        transcript.update(&claim.signature);
    }
    let root = transcript.finish();
    (0..claims.len() as u64)
        .map(|i| {
            let digest = sha256(&[DOMAIN, &root, &i.to_le_bytes()]);
            let half: [u8; 16] = core::array::from_fn(|i| digest[i]);
            Weight::from(u128::from_le_bytes(half))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::AggregateKey;
    use std::collections::HashSet;

    /// Each part of each claim, their order and the seed change every weight.
    #[test]
    fn weights_are_of_everything() {
        let key = |point: G1Affine| AggregateKey::from_sum(point.into());
        let claim = Claim { key: key(g1::generator()), message: [1; 32], signature: [2; 96] };
        let claims = [claim, Claim { message: [3; 32], ..claim }];
        let with = |other| vec![other, claims[1]];
        let lists = [
            (claims.to_vec(), 0),
            (claims.to_vec(), 1),
            (vec![claims[1], claims[0]], 0),
            (vec![claims[0]], 0),
            (with(Claim { key: key(-g1::generator()), ..claim }), 0),
            (with(Claim { message: [4; 32], ..claim }), 0),
            (with(Claim { signature: [5; 96], ..claim }), 0),
        ];
        let all: Vec<Weight> =
            lists.iter().flat_map(|(claims, seed)| weights(claims, &[*seed; 32])).collect();
        assert_eq!(all.len(), 13);
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    }

    /// As documented, one hash after the other: 128 bits each, and no two of one place, of any number of claims.
    #[test]
    fn weights_are_halves_of_digests() {
        let key = AggregateKey::from_sum(g1::generator().into());
        let claim = |i: usize| Claim { key, message: [i as u8; 32], signature: [(i >> 8) as u8; 96] };
        let claims: Vec<Claim> = (0..300).map(claim).collect();
        let mut bytes = [&b"blobcheck/signatures/1"[..], &[7; 32]].concat();
        for claim in &claims {
            bytes.extend(uncompressed::to_uncompressed(claim.key.point()));
            bytes.extend(claim.message);
            bytes.extend(claim.signature);
        }
        let root = sha256(&[&bytes]);
        let found = weights(&claims, &[7; 32]);
        assert_eq!(found.len(), claims.len());
        for (i, weight) in (0_u64..).zip(found) {
            let digest = sha256(&[b"blobcheck/signatures/1", &root, &i.to_le_bytes()]);
            let half = u128::from_le_bytes(digest[..16].try_into().unwrap());
            assert_eq!(weight, Weight::from(half), "{i}");
        }
    }
}
