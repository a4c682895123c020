//! Multi-scalar multiplication: Σ sᵢ·Pᵢ.
//!
//! Two methods, chosen by a count of multiplications: signed digits of each point, summed for each bit of the
//! scalars (Straus), or signed windows summed for each digit (Pippenger). Both come down to many sums of points,
//! which `bucket` forms, and to the group's complete additions, so that repeated points, P = −Q
//! and the identity, which whoever wrote the proofs may choose, need no care. Running time depends on the scalars,
//! which are public.

use crate::bucket::{self, BucketEntry, MAX_ENTRIES};
use crate::endomorphism;
use crate::g1::{add_affine, double, identity, G1Affine, G1};
use crate::limbs;
use crate::point_table::{PointTable, SignedIndex};
use crate::scalar::{Scalar, MODULUS};
use crate::signed::Signed;
use crate::straus::{self, Multiples};
use ark_ec::AffineRepr;
use ark_ff::PrimeField;

/// What a full addition and a doubling cost, in multiplications.
pub(crate) const FULL: f32 = 16.0;
pub(crate) const DOUBLE: f32 = 7.0;

/// Buckets that are kept before they are folded, unless one window has more: some 2 MB with what folding them takes.
const BUCKETS: u32 = 4096;

/// Widths that are tried for [`Multiples`] and [`buckets`].
const STRAUS_WIDTHS: core::ops::RangeInclusive<u32> = 2..=5;
const BUCKET_WIDTHS: core::ops::RangeInclusive<u32> = 3..=14;

/// Σ sᵢ·Pᵢ for points **of G1**. Where the lists differ in length, what is beyond the shorter one is ignored.
pub fn msm(points: &[G1Affine], scalars: &[Scalar]) -> G1 {
    let (mut long, mut short) = (PointsAndScalars::default(), PointsAndScalars::default());
    let mut high = Vec::new();
    for (point, scalar) in points.iter().zip(scalars) {
        let scalar = scalar.into_bigint().0;
        // s·P = (r − s)·(−P) in G1: coefficients of batches are short, but for their sign.
        if let Some(scalar) = short_of(&scalar) {
            short.push(*point, scalar);
        } else if let Some(opposite) = short_of(&limbs::minus(&MODULUS, &scalar)) {
            short.push(-*point, opposite);
        } else if !point.is_zero() {
            let (low, above) = endomorphism::split(&scalar);
            long.points.push(*point);
            long.scalars.push(low);
            high.push(above);
        }
    }
    // Points with an image, the others, the images.
    let images = high.len();
    long.points.extend(short.points);
    long.scalars.extend(short.scalars);
    long.scalars.extend(high);
    sum(long, images)
}

/// A number below 2¹²⁸.
fn short_of(scalar: &[u64; 4]) -> Option<u128> {
    match scalar {
        [low, high, 0, 0] => Some(u128::from(*high) << 64 | u128::from(*low)),
        _ => None,
    }
}

/// Σ sᵢ·Pᵢ for any points of the curve: it is the points that are negated.
pub fn msm_signed(points: &[G1Affine], scalars: &[Signed]) -> G1 {
    let mut terms = PointsAndScalars::default();
    for (point, scalar) in points.iter().zip(scalars) {
        terms.push(if scalar.negative { -*point } else { *point }, scalar.magnitude);
    }
    sum(terms, 0)
}

/// Σ sᵢ·Pᵢ for plain integers, and for any points of the curve.
pub fn msm_u128(points: &[G1Affine], scalars: &[u128]) -> G1 {
    let mut terms = PointsAndScalars::default();
    for (point, scalar) in points.iter().zip(scalars) {
        terms.push(*point, *scalar);
    }
    sum(terms, 0)
}

/// Points with their scalars.
#[derive(Default)]
struct PointsAndScalars {
    points: Vec<G1Affine>,
    scalars: Vec<u128>,
}

impl PointsAndScalars {
    /// Terms that vanish are common (interpolation of blob batches) and cost nothing once they are left out.
    fn push(&mut self, point: G1Affine, scalar: u128) {
        if !point.is_zero() && scalar != 0 {
            self.points.push(point);
            self.scalars.push(scalar);
        }
    }
}

/// Σ sᵢ·Pᵢ, the points being followed by the products of the first `images` of them with x².
fn sum(terms: PointsAndScalars, images: usize) -> G1 {
    let PointsAndScalars { mut points, scalars } = terms;
    let bits = 128 - scalars.iter().fold(0, |all, scalar| all | scalar).leading_zeros();
    if bits <= 1 {
        // All scalars are one, and none was split.
        let mut total = identity();
        points.iter().for_each(|point| add_affine(&mut total, point));
        return total;
    }
    let count = scalars.len();
    let (straus_width, straus) = best(STRAUS_WIDTHS, |width| straus::cost(count, images, bits, width));
    let (bucket_width, bucket) = best(BUCKET_WIDTHS, |width| bucket_cost(count, bits, width));
    if straus <= bucket {
        return Multiples::of(&points, images, straus_width).sum(&scalars);
    }
    endomorphism::extend(&mut points, images);
    buckets(points, &scalars, bits, bucket_width)
}

/// What `msm` of `count` points with scalars of `bits` bits costs, in multiplications: for choosing between two
/// ways to the same sum.
pub fn cost(count: usize, bits: u32) -> f32 {
    let (images, bits) = if bits > 128 { (count, 128) } else { (0, bits) };
    let count = count + images;
    let (_, straus) = best(STRAUS_WIDTHS, |width| straus::cost(count, images, bits, width));
    let (_, buckets) = best(BUCKET_WIDTHS, |width| bucket_cost(count, bits, width));
    straus.min(buckets)
}

fn best(widths: impl Iterator<Item = u32>, cost: impl Fn(u32) -> f32) -> (u32, f32) {
    widths.map(|width| (width, cost(width))).fold((2, f32::INFINITY), |a, b| if b.1 < a.1 { b } else { a })
}

fn bucket_cost(count: usize, bits: u32, width: u32) -> f32 {
    let windows = bits / width + 1;
    let (count, buckets) = (count as f32, (1u32 << (width - 1)) as f32);
    // A round has one inversion, of all that is summed together.
    let sums =
        windows.div_ceil(windows_together(count as usize, width)) as f32 * (1.0 + count / buckets).log2();
    let folds = windows.div_ceil(windows_folded(width)) as f32 * 2.0 * width as f32;
    windows as f32 * (count + buckets) * bucket::AFFINE
        + (sums + folds) * bucket::INVERSION
        + bits as f32 * (DOUBLE + bucket::MIXED)
}

/// Windows whose terms are summed together.
fn windows_together(count: usize, width: u32) -> u32 {
    (MAX_ENTRIES / count.max(1 << (width - 1)).max(1)).clamp(1, 128) as u32
}

/// Windows whose buckets are folded together.
fn windows_folded(width: u32) -> u32 {
    (BUCKETS >> (width - 1)).clamp(1, 128)
}

/// `width` bits of `scalar` from bit `at` on, zeros beyond the top. `width` ≤ 14.
pub(crate) fn bits_at(scalar: u128, at: u32, width: u32) -> u64 {
    scalar.checked_shr(at).unwrap_or(0) as u64 & ((1 << width) - 1)
}

/// The signed digit at `at`: the bits of the window, plus the bit below it, less 2^width where the window's
/// top bit is set. Σ digit·2^at = scalar, since what a window takes away its neighbour above adds: no carry
/// to pass on, and each window can be done by itself.
fn digit(scalar: u128, at: u32, width: u32) -> i64 {
    let below = if at == 0 { 0 } else { bits_at(scalar, at - 1, 1) };
    let value = bits_at(scalar, at, width);
    let top = value >> (width - 1) & 1;
    value as i64 + below as i64 - ((top as i64) << width)
}

fn buckets(points: Vec<G1Affine>, scalars: &[u128], bits: u32, width: u32) -> G1 {
    let buckets = 1u32 << (width - 1);
    // The last window reaches past bit `bits`, which is zero, so that its top bit is zero and nothing is left
    // over.
    let windows: Vec<u32> = (0..=bits / width).collect();
    let table = PointTable::of(points);
    let mut sums = Vec::with_capacity(windows.len() * width as usize);
    for folded in windows.chunks(windows_folded(width) as usize) {
        let (mut terms, mut first) = (Vec::new(), 0);
        for together in folded.chunks(windows_together(scalars.len(), width) as usize) {
            let mut indices = Vec::with_capacity(together.len() * scalars.len());
            for window in together {
                for (point, scalar) in (0..).zip(scalars) {
                    // −2^(width−1) ≤ digit ≤ 2^(width−1)
                    let digit = digit(*scalar, window * width, width);
                    if digit != 0 {
                        let sum = first + digit.unsigned_abs() as u32 - 1;
                        indices.push(SignedIndex { sum, point, negative: digit < 0 });
                    }
                }
                first += buckets;
            }
            terms.extend(table.reduce(&indices, first as usize));
        }
        sums.extend(fold(bucket::sum_each(&terms, first as usize), folded.len() as u32, width));
    }
    let mut total = identity();
    for sum in sums.iter().rev() {
        double(&mut total);
        add_affine(&mut total, sum);
    }
    total
}

/// Σ d·B_d of each window as `width` sums Oⱼ, one for each bit of d: Σ d·B_d = Σ 2ʲ·Oⱼ.
///
/// With d = 2e + b, Σ d·B_d = Σ B_d over the odd d, and 2·Σ e·(B_2e + B_2e+1): two affine additions for each bucket in all, in
/// place of the two of sums of sums, which cannot share an inversion.
fn fold(mut buckets: Vec<G1Affine>, windows: u32, width: u32) -> Vec<G1Affine> {
    let mut odd: Vec<BucketEntry> = Vec::with_capacity(buckets.len());
    for bit in 0..width {
        // Digits from 1 to a power of two, in each window.
        let largest = 1u32 << (width - 1 - bit);
        let half = largest / 2;
        let mut pairs: Vec<BucketEntry> = Vec::with_capacity(buckets.len());
        for (at, point) in (0..).zip(&buckets) {
            let (window, digit) = (at / largest, at % largest + 1);
            if digit % 2 == 1 {
                odd.push((window * width + bit, *point));
            }
            if digit > 1 {
                pairs.push((window * half + digit / 2 - 1, *point));
            }
        }
        buckets = bucket::sum_each(&pairs, (windows * half) as usize);
    }
    bucket::sum_each(&odd, (windows * width) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::g1::{generator, normalize};

    /// Every width against doubling and adding, where points repeat, are each other's opposites, or the identity: the wide
    /// ones fold their windows a few at a time.
    #[test]
    fn buckets_of_every_width() {
        let mut multiples = vec![G1::from(generator())];
        for at in 0..3 {
            multiples.push(multiples[at] + multiples[at] + generator());
        }
        let some = normalize(&multiples);
        let points: Vec<G1Affine> = (0..10)
            .map(|at| match at {
                7 => G1Affine::identity(),
                odd if odd % 2 == 1 => -some[at % 4],
                _ => some[at % 3],
            })
            .collect();
        let mut state = 1u128;
        for bits in [2, 64, 127, 128] {
            let scalars: Vec<u128> = (0..points.len())
                .map(|at| {
                    state = state.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(11);
                    let all = u128::MAX >> (128 - bits);
                    [all, 1, all / 2 + 1, state & all][at % 4]
                })
                .collect();
            let mut expected = identity();
            for bit in (0..bits).rev() {
                double(&mut expected);
                for (point, scalar) in points.iter().zip(&scalars) {
                    if scalar >> bit & 1 == 1 {
                        add_affine(&mut expected, point);
                    }
                }
            }
            for width in BUCKET_WIDTHS {
                assert_eq!(buckets(points.clone(), &scalars, bits, width), expected, "{bits} {width}");
            }
        }
    }
}
