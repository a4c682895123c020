//! Points of the curve outside G1, of small order.
#![allow(dead_code)]

use blobcheck_curve::scalar::MODULUS;
use blobcheck_curve::{g1, g1_encoding, G1};

/// The primes of |x − 1|; the cofactor is h = (x − 1)²/3.
const PRIMES: [u64; 5] = [3, 11, 10_177, 859_267, 52_437_899];

/// n·P by doubling and adding: right for every point of the curve.
fn times(point: G1, n: &[u64]) -> G1 {
    let mut sum = g1::identity();
    for bit in (0..64 * n.len()).rev() {
        sum = sum + sum;
        if n[bit / 64] >> (bit % 64) & 1 == 1 {
            sum += point;
        }
    }
    sum
}

/// A point of order `prime`.
pub fn torsion(prime: u64) -> G1 {
    let part = |x: u8| {
        let mut bytes = [0; 48];
        (bytes[0], bytes[47]) = (0x80, x);
        let point = g1_encoding::decompress_on_curve(&[bytes])[0].ok()?.assume_in_subgroup();
        let others = PRIMES.into_iter().filter(|other| *other != prime);
        let part = others.fold(times(point.into(), &MODULUS), |part, other| times(part, &[other * other]));
        (!g1::is_identity(&part)).then_some(part)
    };
    let point = (0..=255).find_map(part).expect("one of 256");
    assert!(g1::is_identity(&times(point, &[prime])));
    point
}

/// A compressed point with a defect added.
pub fn plus(bytes: &[u8; 48], defect: G1) -> [u8; 48] {
    let point = g1_encoding::decompress_on_curve(&[*bytes])[0].expect("a point");
    g1_encoding::compress(&g1::normalize(&[defect + point.assume_in_subgroup()])[0])
}
