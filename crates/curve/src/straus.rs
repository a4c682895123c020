//! Sums of few points (Straus): signed digits of each point, summed for each bit of the scalars.
//!
//! What takes long before the digits can be summed is a table of odd multiples. A point's image under the
//! endomorphism has the images of the point's multiples, for one multiplication each in place of an addition; and
//! the table of points that do not change is made once.

use crate::bucket::{self, add_each};
use crate::endomorphism;
use crate::g1::{add_affine, double, identity, G1Affine, G1};
use crate::msm::{bits_at, DOUBLE};
use crate::point_table::{PointTable, SignedIndex};
use crate::scalar::Scalar;
use ark_ff::PrimeField;

/// Width of a fixed table.
const FIXED_WIDTH: u32 = 8;

/// The [`odd_multiples`] of some points.
pub(crate) struct Multiples {
    /// By factor, then point.
    table: PointTable,
    /// Points.
    count: usize,
    width: u32,
}

impl Multiples {
    /// Those of `points`, and of the products of the first `images` of them, which are **of G1**, with x².
    pub(crate) fn of(points: &[G1Affine], images: usize, width: u32) -> Self {
        let mut by_factor = odd_multiples(points, width);
        by_factor.iter_mut().for_each(|points| endomorphism::extend(points, images));
        Self {
            table: PointTable::of(by_factor.concat()),
            count: points.len() + images.min(points.len()),
            width,
        }
    }

    /// Σ sᵢ·Pᵢ.
    pub(crate) fn sum(&self, scalars: &[u128]) -> G1 {
        let bits = 128 - scalars.iter().fold(0, |all, scalar| all | scalar).leading_zeros();
        let digits = (bits + 1).div_ceil(self.width + 1) as usize + 2;
        let mut indices = Vec::with_capacity(scalars.len() * digits);
        for (i, scalar) in scalars.iter().enumerate().take(self.count) {
            non_adjacent(*scalar, bits, self.width, |at, digit| {
                let factor = digit.unsigned_abs() as usize / 2;
                // From the top bit down.
                let (sum, point) = (bits - at, (factor * self.count + i) as u32);
                indices.push(SignedIndex { sum, point, negative: digit < 0 });
            });
        }
        let terms = self.table.reduce(&indices, bits as usize + 1);
        let mut terms = terms.iter().peekable();
        let mut total = identity();
        for at in 0..=bits {
            double(&mut total);
            while let Some((_, point)) = terms.next_if(|(term, _)| *term == at) {
                add_affine(&mut total, point);
            }
        }
        total
    }
}

/// Points **of G1** that are summed again and again.
pub struct FixedBase(Multiples);

impl FixedBase {
    /// Makes the table: 128 points for each, half of them by an addition.
    pub fn new(points: &[G1Affine]) -> Self {
        Self(Multiples::of(points, points.len(), FIXED_WIDTH))
    }

    /// Σ sᵢ·Pᵢ; scalars that are missing are zero.
    pub fn msm(&self, scalars: &[Scalar]) -> G1 {
        let count = self.0.count / 2;
        let mut halves = vec![0; 2 * count];
        let (low, high) = halves.split_at_mut(count);
        for ((low, high), scalar) in low.iter_mut().zip(high).zip(scalars) {
            (*low, *high) = endomorphism::split(&scalar.into_bigint().0);
        }
        self.0.sum(&halves)
    }
}

/// What the table and the sum cost for `count` points, `images` of them being images of the others.
pub(crate) fn cost(count: usize, images: usize, bits: u32, width: u32) -> f32 {
    let own = (count - images.min(count)) as f32;
    // 2P and the odd multiples, an inversion each.
    let steps = if width == 2 { 0.0 } else { (1u32 << (width - 2)) as f32 };
    let terms = count as f32 * (bits + 1) as f32 / (width + 1) as f32;
    steps * (bucket::cost(2.0 * own, own).max(bucket::INVERSION) + images as f32)
        + bucket::cost(terms, (bits + 1) as f32)
        + bits as f32 * DOUBLE
}

/// P, 3P, 5P … (2^(width−1) − 1)·P for each point P: a list by factor, each by point.
pub(crate) fn odd_multiples(points: &[G1Affine], width: u32) -> Vec<Vec<G1Affine>> {
    let mut by_factor = vec![points.to_vec()];
    if width > 2 {
        let twice = add_each(points, points);
        let mut last = points.to_vec();
        for _ in 1..1 << (width - 2) {
            last = add_each(&last, &twice);
            by_factor.push(last.clone());
        }
    }
    by_factor
}

/// The non-adjacent form: digits at places up to `bits`, odd and below 2^(width−1) in size, given to `each` from
/// the lowest up; one place in width + 1 has one.
pub(crate) fn non_adjacent(scalar: u128, bits: u32, width: u32, mut each: impl FnMut(u32, i64)) {
    let (mut at, mut carry) = (0, 0u64);
    while at <= bits {
        if bits_at(scalar, at, 1) == carry {
            at += 1; // bit + carry is even: 0 + 0, or 1 + 1 which carries on
            continue;
        }
        let value = bits_at(scalar, at, width) + carry;
        carry = value >> (width - 1) & 1;
        each(at, value as i64 - ((carry as i64) << width));
        at += width;
    }
}
