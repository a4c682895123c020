//! Multi-scalar multiplication: Σ sᵢ·Pᵢ.
//!
//! Two methods, chosen by a count of operations: interleaved signed windows (Straus) for few points, signed
//! buckets (Pippenger) for many. Both use the group's complete addition, so that repeated points, P = −Q and
//! the identity, which whoever wrote the proofs may choose, need no care. Running time depends on the
//! scalars, which are public.

use crate::g1::{double, identity, is_identity, normalize, G1Affine, G1};
use crate::Scalar;
use ark_ec::AffineRepr;
use ark_ff::{AdditiveGroup, PrimeField};

/// Cost of a full addition and of a doubling, in units of a mixed addition (11, 16 and 7 multiplications).
const FULL: f32 = 16.0 / 11.0;
const DOUBLE: f32 = 7.0 / 11.0;

/// Width of the windows of [`straus`].
const STRAUS_WINDOW: u32 = 5;

/// Σ sᵢ·Pᵢ. Where the lists differ in length, what is beyond the shorter one is ignored.
pub fn msm(points: &[G1Affine], scalars: &[Scalar]) -> G1 {
    let scalars: Vec<[u64; 4]> = scalars.iter().map(|scalar| scalar.into_bigint().0).collect();
    sum(points, &scalars)
}

/// Σ sᵢ·Pᵢ for 128-bit scalars.
pub fn msm_u128(points: &[G1Affine], scalars: &[u128]) -> G1 {
    let scalars: Vec<[u64; 4]> = scalars.iter().map(|s| [*s as u64, (*s >> 64) as u64, 0, 0]).collect();
    sum(points, &scalars)
}

/// What `msm` of `count` points with scalars of `bits` bits costs, in mixed additions: for choosing between
/// two ways to the same sum.
pub fn cost(count: usize, bits: u32) -> f32 {
    bucket_cost(count, bits, best_window(count, bits)).min(straus_cost(count, bits))
}

fn sum(points: &[G1Affine], scalars: &[[u64; 4]]) -> G1 {
    // Terms that vanish are common (interpolation of blob batches) and cost nothing once they are left out.
    let (points, scalars): (Vec<G1Affine>, Vec<[u64; 4]>) = points
        .iter()
        .zip(scalars)
        .filter(|(point, scalar)| !point.is_zero() && **scalar != [0; 4])
        .map(|(point, scalar)| (*point, *scalar))
        .unzip();
    let bits = scalars.iter().map(bit_length).max().unwrap_or(0);
    if bits <= 1 {
        return points.iter().fold(identity(), |total, point| total + point);
    }
    let window = best_window(points.len(), bits);
    if straus_cost(points.len(), bits) <= bucket_cost(points.len(), bits, window) {
        straus(&points, &scalars, bits)
    } else {
        buckets(&points, &scalars, bits, window)
    }
}

fn bit_length(scalar: &[u64; 4]) -> u32 {
    (0..4).rev().find(|i| scalar[*i] != 0).map_or(0, |i| 64 * (i as u32 + 1) - scalar[i].leading_zeros())
}

fn bucket_cost(count: usize, bits: u32, window: u32) -> f32 {
    let buckets = (1u32 << (window - 1)) as f32;
    let rounds = (bits / window + 1) as f32;
    rounds * (count as f32 + 2.0 * buckets * FULL) + bits as f32 * DOUBLE
}

fn straus_cost(count: usize, bits: u32) -> f32 {
    // A table of eight odd multiples for each point, made affine together; then one addition in six bits.
    let table = 8.0 * FULL + 4.0;
    count as f32 * (table + bits as f32 / (STRAUS_WINDOW + 1) as f32) + bits as f32 * DOUBLE
}

fn best_window(count: usize, bits: u32) -> u32 {
    let mut best = 2;
    for window in 3..=14 {
        if bucket_cost(count, bits, window) < bucket_cost(count, bits, best) {
            best = window;
        }
    }
    best
}

/// `window` bits of `scalar` from bit `at` on, zeros beyond the top. `window` ≤ 14.
fn bits_at(scalar: &[u64; 4], at: u32, window: u32) -> u64 {
    let (limb, shift) = ((at / 64) as usize, at % 64);
    let low = scalar.get(limb).copied().unwrap_or(0) >> shift;
    let high = if shift == 0 { 0 } else { scalar.get(limb + 1).copied().unwrap_or(0) << (64 - shift) };
    (low | high) & ((1 << window) - 1)
}

/// The signed digit at `at`: the bits of the window, plus the bit below it, less 2^window where the window's
/// top bit is set. Σ digit·2^at = scalar, since what a window takes away its neighbour above adds: no carry
/// to pass on, and each window can be done by itself.
fn digit(scalar: &[u64; 4], at: u32, window: u32) -> i64 {
    let below = if at == 0 { 0 } else { bits_at(scalar, at - 1, 1) };
    let value = bits_at(scalar, at, window);
    let top = value >> (window - 1) & 1;
    value as i64 + below as i64 - ((top as i64) << window)
}

fn buckets(points: &[G1Affine], scalars: &[[u64; 4]], bits: u32, window: u32) -> G1 {
    let mut total = identity();
    let mut buckets = vec![identity(); 1 << (window - 1)];
    // The last window reaches past bit `bits`, which is zero, so that its top bit is zero and nothing is left
    // over.
    for round in (0..=bits / window).rev() {
        for _ in 0..window {
            double(&mut total);
        }
        buckets.fill(identity());
        for (point, scalar) in points.iter().zip(scalars) {
            // −2^(window−1) ≤ digit ≤ 2^(window−1)
            let digit = digit(scalar, round * window, window);
            let slot = digit.unsigned_abs() as usize;
            match digit {
                0 => {}
                1.. => buckets[slot - 1] += point,
                _ => buckets[slot - 1] -= point,
            }
        }
        total += weighted_sum(&buckets);
    }
    total
}

/// Σ (i+1)·Bᵢ by sums of sums from the top.
fn weighted_sum(buckets: &[G1]) -> G1 {
    let (mut running, mut total) = (identity(), identity());
    for bucket in buckets.iter().rev() {
        if !is_identity(bucket) {
            running += bucket;
        }
        total += running;
    }
    total
}

fn straus(points: &[G1Affine], scalars: &[[u64; 4]], bits: u32) -> G1 {
    const ODD: usize = 1 << (STRAUS_WINDOW - 2);
    let mut multiples = Vec::with_capacity(points.len() * ODD);
    for point in points {
        let mut multiple = G1::from(*point);
        let twice = multiple.double();
        for _ in 0..ODD {
            multiples.push(multiple);
            multiple += twice;
        }
    }
    let multiples = normalize(&multiples);
    let digits: Vec<Vec<i8>> = scalars.iter().map(|scalar| non_adjacent(scalar, bits)).collect();
    let mut total = identity();
    for at in (0..=bits as usize).rev() {
        double(&mut total);
        for (table, digits) in multiples.chunks_exact(ODD).zip(&digits) {
            let digit = digits[at];
            let multiple = &table[usize::from(digit.unsigned_abs()) / 2];
            match digit {
                0 => {}
                1.. => total += multiple,
                _ => total -= multiple,
            }
        }
    }
    total
}

/// The width-5 non-adjacent form: `bits` + 1 digits, zero or odd and below 16 in size, least significant
/// first.
fn non_adjacent(scalar: &[u64; 4], bits: u32) -> Vec<i8> {
    let mut digits = vec![0i8; bits as usize + 1];
    let (mut at, mut carry) = (0, 0u64);
    while at <= bits {
        if bits_at(scalar, at, 1) == carry {
            at += 1; // bit + carry is even: 0 + 0, or 1 + 1 which carries on
            continue;
        }
        let value = bits_at(scalar, at, STRAUS_WINDOW) + carry;
        carry = value >> (STRAUS_WINDOW - 1) & 1;
        digits[at as usize] = (value as i64 - ((carry as i64) << STRAUS_WINDOW)) as i8;
        at += STRAUS_WINDOW;
    }
    digits
}
