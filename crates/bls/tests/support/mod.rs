//! The official vectors, a reproducible generator, and signers.
#![allow(dead_code, clippy::expect_used)] // each test file uses a part

use blobcheck_bls::{claim, decompress_keys, Claim};
use blobcheck_curve::scalar::{scalar_reduce_be, scalar_to_be};
use blobcheck_curve::{g1, g2, hash_to_g2, msm, Scalar, G2};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Name, `input` and `output` of each case in `bls/<function>`; none, loudly, where there are no vectors (a failure
/// under `CI=true`).
pub fn cases(function: &str) -> Vec<(String, Value, Value)> {
    let root = std::env::var_os("BLOBCHECK_VECTORS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors"), PathBuf::from);
    let folder = root.join("bls").join(function);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "no vectors in {}", folder.display());
        eprintln!("SKIPPED (no vectors): bls/{function}");
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    let read = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).expect("a file");
        let case: Value = serde_json::from_str(&text).expect("JSON");
        (file.display().to_string(), case["input"].clone(), case["output"].clone())
    };
    files.iter().map(read).collect()
}

/// Hex digits, with or without 0x.
pub fn bytes(value: &Value) -> Vec<u8> {
    let text = value.as_str().expect("a string");
    let digits = text.strip_prefix("0x").unwrap_or(text).as_bytes();
    let digit = |c: u8| (c as char).to_digit(16).expect("a hex digit") as u8;
    digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, c| byte << 4 | digit(*c))).collect()
}

/// splitmix64.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn bytes32(&mut self) -> [u8; 32] {
        let mut out = [0; 32];
        out.chunks_exact_mut(8).for_each(|chunk| chunk.copy_from_slice(&self.next().to_be_bytes()));
        out
    }

    pub fn secret(&mut self) -> Scalar {
        scalar_reduce_be(&self.bytes32())
    }
}

/// `SkToPk`.
pub fn public(secret: &Scalar) -> [u8; 48] {
    g1::compress(&msm(&[g1::generator()], &[*secret]).into())
}

/// `Sign`.
pub fn sign(secret: &Scalar, message: &[u8]) -> [u8; 96] {
    g2::compress(&times_g2(&hash_to_g2(&[message], claim::DST)[0].into(), &scalar_to_be(secret)).into())
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
    let (secret, message) = (rng.secret(), rng.bytes32());
    let key = decompress_keys(&[public(&secret)])[0].expect("a key").into();
    Claim { key, message, signature: sign(&secret, &message) }
}
