//! Random values, and slow twins.
#![allow(dead_code)] // each test file uses a part

use ark_ff::AdditiveGroup;
use blobcheck_curve::scalar::{scalar_reduce_be, MODULUS};
use blobcheck_curve::{g1, g1_encoding, BatchPoint, G1Affine, Scalar, Trits, G1};
use blobcheck_testing::torsion;
pub use blobcheck_testing::Rng;

/// p, big-endian.
pub const P: [u8; 48] = [
    0x1a, 0x01, 0x11, 0xea, 0x39, 0x7f, 0xe6, 0x9a, 0x4b, 0x1b, 0xa7, 0xb6, 0x43, 0x4b, 0xac, 0xd7, 0x64,
    0x77, 0x4b, 0x84, 0xf3, 0x85, 0x12, 0xbf, 0x67, 0x30, 0xd2, 0xa0, 0xf6, 0xb0, 0xf6, 0x24, 0x1e, 0xab,
    0xff, 0xfe, 0xb1, 0x53, 0xff, 0xff, 0xb9, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xaa, 0xab,
];

/// What [`Rng`] draws of this crate's.
pub trait Draw {
    /// A scalar.
    fn scalar(&mut self) -> Scalar;
    /// A point of G1.
    fn point(&mut self) -> G1Affine;
    /// Coefficients in balanced ternary.
    fn trits(&mut self, count: usize) -> Vec<Trits>;
}

impl Draw for Rng {
    fn scalar(&mut self) -> Scalar {
        scalar_reduce_be(&self.bytes())
    }

    fn point(&mut self) -> G1Affine {
        let point = times(&G1::from(g1::generator()), &[self.next()]);
        g1::normalize(&[point])[0]
    }

    fn trits(&mut self, count: usize) -> Vec<Trits> {
        (0..count).map(|_| Trits::from_bytes(&self.bytes())).collect()
    }
}

/// r as bytes.
pub fn r_be() -> [u8; 32] {
    let mut out = [0; 32];
    out.rchunks_exact_mut(8)
        .zip(MODULUS)
        .for_each(|(chunk, limb)| chunk.copy_from_slice(&limb.to_be_bytes()));
    out
}

/// n·P by doubling and adding, n little-endian. Right for every point of the curve, in G1 or not.
pub fn times(point: &G1, n: &[u64]) -> G1 {
    multiple(point, n)
}

/// The same for either curve.
pub fn multiple<G: AdditiveGroup>(point: &G, n: &[u64]) -> G {
    let mut sum = G::ZERO;
    for limb in n.iter().rev() {
        for bit in (0..64).rev() {
            sum = sum + sum;
            if limb >> bit & 1 == 1 {
                sum += *point;
            }
        }
    }
    sum
}

/// Points of the curve outside G1, found by trying x = 1, 2, …
pub fn outside_g1(count: usize) -> Vec<(G1Affine, [u8; 48])> {
    let mut found = Vec::new();
    for x in 1u64.. {
        let mut bytes = [0; 48];
        bytes[40..].copy_from_slice(&x.to_be_bytes());
        bytes[0] |= 0x80;
        if let Ok(point) = g1_encoding::decompress_on_curve(&[bytes])[0] {
            // Tests may hand to sums what they know to be outside.
            let point = point.assume_in_subgroup();
            if !g1::is_identity(&times(&point.into(), &MODULUS)) {
                found.push((point, bytes));
            }
        }
        if found.len() == count {
            break;
        }
    }
    found
}

/// A point of this order, one of [`PRIMES`].
pub fn torsion(prime: u64) -> G1Affine {
    on_curve(torsion::of_order(prime))
}

/// The primes of |x − 1|; the cofactor is h = (x − 1)²/3.
pub const PRIMES: [u64; 5] = [3, 11, 10_177, 859_267, 52_437_899];

/// All points of [`torsion::of_g1`].
pub fn all_torsion() -> Vec<G1Affine> {
    torsion::of_g1().into_iter().map(|found| on_curve(found.point)).collect()
}

fn on_curve(point: [u8; 48]) -> G1Affine {
    // Tests may hand to sums what they know to be outside.
    g1_encoding::decompress_on_curve(&[point])[0].expect("a point").assume_in_subgroup()
}

/// Points, each with its coefficient.
pub fn batch(points: &[G1Affine], trits: &[Trits]) -> Vec<BatchPoint> {
    assert_eq!(points.len(), trits.len());
    let member = |(point, coefficient): (&G1Affine, &Trits)| BatchPoint {
        point: (*point).into(),
        coefficient: *coefficient,
    };
    points.iter().zip(trits).map(member).collect()
}

/// The digits of a coefficient in balanced ternary, by division.
pub fn digits(trits: &Trits) -> [i8; 81] {
    let value = trits.value();
    let mut rest = value.magnitude;
    let sign = if value.negative { -1 } else { 1 };
    let digits = core::array::from_fn(|_| {
        let digit = [0, 1, -1][(rest % 3) as usize];
        rest = rest / 3 + u128::from(digit < 0);
        digit * sign
    });
    assert_eq!(rest, 0, "81 digits");
    digits
}
