//! The official vectors, and signers.
#![allow(dead_code, clippy::expect_used)] // each test file uses a part

use blobcheck_bls::{claim, decompress_keys, Claim};
use blobcheck_curve::scalar::{scalar_reduce_be, scalar_to_be};
use blobcheck_curve::{g1, g1_encoding, g2, g2_encoding, hash_to_g2, msm, Scalar, G2};
use blobcheck_testing::vectors;
pub use blobcheck_testing::Rng;
use serde_json::Value;
use std::path::PathBuf;

/// Name, `input` and `output` of each case in `bls/<function>`.
pub fn cases(function: &str) -> Vec<(String, Value, Value)> {
    let read = |file: &PathBuf| {
        let case = vectors::json(file);
        (file.display().to_string(), case["input"].clone(), case["output"].clone())
    };
    vectors::entries(format!("bls/{function}")).iter().map(read).collect()
}

/// Hex digits, with or without 0x.
pub fn bytes(value: &Value) -> Vec<u8> {
    vectors::unhex(value.as_str().expect("a string"))
}

/// A secret key.
pub fn secret(rng: &mut Rng) -> Scalar {
    scalar_reduce_be(&rng.bytes())
}

/// `SkToPk`.
pub fn public(secret: &Scalar) -> [u8; 48] {
    g1_encoding::compress(&msm(&[g1::generator()], &[*secret]).into())
}

/// `Sign`.
pub fn sign(secret: &Scalar, message: &[u8]) -> [u8; 96] {
    g2_encoding::compress(
        &times_g2(&hash_to_g2(&[message], claim::DST)[0].into(), &scalar_to_be(secret)).into(),
    )
}

/// n·P by doubling and adding, n big-endian.
pub fn times_g2(point: &G2, n: &[u8]) -> G2 {
    let mut sum = g2::identity();
    for byte in n {
        for bit in (0..8).rev() {
            sum = sum + sum;
            if byte >> bit & 1 == 1 {
                sum += *point;
            }
        }
    }
    sum
}

/// A committee of these secrets: its keys and their sum.
pub fn committee(secrets: &[Scalar]) -> (Vec<[u8; 48]>, [u8; 48]) {
    (secrets.iter().map(public).collect(), public(&secrets.iter().sum()))
}

/// The first `set` of `size` bits, shuffled.
pub fn bits(rng: &mut Rng, size: usize, set: usize) -> Vec<bool> {
    let mut bits: Vec<bool> = (0..size).map(|i| i < set).collect();
    (1..size).rev().for_each(|i| bits.swap(i, rng.below(i + 1)));
    bits
}

/// The sum of the secrets whose bits are set: what their aggregate signs with.
pub fn joint(secrets: &[Scalar], bits: &[bool]) -> Scalar {
    secrets.iter().zip(bits).filter(|(_, bit)| **bit).map(|(secret, _)| secret).sum()
}

/// A true claim of one signer.
pub fn claim(rng: &mut Rng) -> Claim {
    let (secret, message) = (secret(rng), rng.bytes());
    let key = decompress_keys(&[public(&secret)])[0].expect("a key").into();
    Claim { key, message, signature: sign(&secret, &message) }
}
