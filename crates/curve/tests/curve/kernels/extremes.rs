//! What the tests of kernels in lanes have in common: numbers on the edges of their bounds, and what is expected of them.

use crate::support::Rng;
use ark_bls12_381::Fq;
use ark_ff::{BigInt, MontConfig};

/// So many rounds, or `BLOBCHECK_ROUNDS`.
pub fn rounds(usual: usize) -> usize {
    std::env::var("BLOBCHECK_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(usual)
}

/// x times y in Fp2.
pub fn product_fp2(x: [Fq; 2], y: [Fq; 2]) -> [Fq; 2] {
    [x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]]
}

/// Two numbers in arkworks' form, at the ends of the range and at the borders of limbs of `bits`, or random, as the round says.
pub fn extreme_forms(rng: &mut Rng, round: usize, bits: u32) -> [Fq; 2] {
    let p = ark_bls12_381::FqConfig::MODULUS.0;
    let border = 1 << (bits - 1);
    core::array::from_fn(|_| {
        let mut words: [u64; 6] = core::array::from_fn(|i| match round % 4 {
            0 => rng.next(),
            1 => [0, u64::MAX][rng.below(2)],
            2 => [0, 1, u64::MAX, 1 << 63, border - 1, border][rng.below(6)],
            _ => p[i],
        });
        match round % 4 {
            3 => words[0] -= 1 + rng.below(3) as u64,
            _ => words[5] %= p[5],
        }
        Fq::new_unchecked(BigInt(words))
    })
}

/// Limbs of which the largest of place i is `largest(i)`: all of them the largest, of one sign, of random signs, zeros among them,
/// powers of two below 2^`bits`, or random.
pub fn extreme_limbs<const LIMBS: usize>(
    rng: &mut Rng,
    largest: impl Fn(usize) -> f64,
    bits: usize,
) -> [[f64; 2]; LIMBS] {
    let shape = rng.below(6);
    core::array::from_fn(|i| {
        let largest = largest(i);
        core::array::from_fn(|_| {
            let sign = if rng.below(2) == 0 { -1.0 } else { 1.0 };
            match shape {
                0 => largest,
                1 => -largest,
                2 => sign * largest,
                3 => [0.0, 1.0, -1.0, largest, -largest, largest - 1.0][rng.below(6)],
                4 => sign * 2f64.powi(rng.below(bits) as i32).min(largest),
                _ => sign * (rng.next() % (largest as u64 + 1)) as f64,
            }
        })
    })
}
