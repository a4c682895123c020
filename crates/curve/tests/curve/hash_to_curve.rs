//! Hashing to G2 against arkworks' own, natively and over our fields.

use crate::support::Rng;
use ark_bls12_381::{g2::Config, G2Affine as ArkworksG2, G2Projective};
use ark_ec::hashing::{curve_maps::wb::WBMap, map_to_curve_hasher::MapToCurveBasedHasher, HashToCurve};
use ark_ec::AffineRepr;
use ark_ff::field_hashers::DefaultFieldHasher;
use ark_ff::{BigInteger, PrimeField};
use blobcheck_curve::{g2_encoding, g2_subgroup, hash_to_g2};
use sha2_of_arkworks::Sha256;

type Hasher = MapToCurveBasedHasher<G2Projective, DefaultFieldHasher<Sha256, 128>, WBMap<Config>>;

fn expected(message: &[u8], dst: &[u8]) -> [u8; 96] {
    let point: ArkworksG2 = Hasher::new(dst).expect("parameters").hash(message).expect("a point");
    let (x, y) = point.xy().expect("not the identity");
    let mut out = [0; 96];
    out[..48].copy_from_slice(&x.c1.into_bigint().to_bytes_be());
    out[48..].copy_from_slice(&x.c0.into_bigint().to_bytes_be());
    out[0] |= if y > -y { 0xa0 } else { 0x80 };
    out
}

#[test]
fn messages_of_every_length() {
    let mut rng = Rng(41);
    let usual: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";
    let dsts: [&[u8]; 5] = [usual, b"D", &[0x5a; 255], &[0x5a; 256], &[0x5a; 300]];
    for dst in dsts {
        let messages: Vec<Vec<u8>> =
            (0..20).map(|i| (0..i * i).map(|_| rng.next() as u8).collect()).collect();
        let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        let points = hash_to_g2(&slices, dst);
        assert_eq!(points.len(), messages.len());
        assert!(g2_subgroup::are_in_subgroup(&points).iter().all(|inside| *inside));
        for (message, point) in messages.iter().zip(&points) {
            assert_eq!(g2_encoding::compress(point), expected(message, dst));
        }
        assert_eq!(hash_to_g2(&slices[7..8], dst), points[7..8], "alone as in a batch");
    }
    assert!(hash_to_g2(&[], b"D").is_empty());
}
