//! What operations on G1 cost, in multiplications of the base field: for choosing between two ways to one result.

use crate::bucket::MIN_PAIRS;
use crate::features::SIMD;
use crate::pippenger::{windows_folded, windows_together};
use crate::row_sums::{additions, width};
use crate::trits::{JOINED, ROWS};

/// A full addition of points in Jacobian coordinates.
const FULL: f32 = 16.0;
/// A doubling.
const DOUBLE: f32 = 7.0;
/// The addition of a point in affine coordinates.
const MIXED: f32 = 11.0;
/// An addition in affine coordinates, with what it takes to sort and move the points.
const AFFINE: f32 = 7.0;
/// An inversion.
const INVERSION: f32 = 70.0;

/// The cubic residue of the test for order 3, as measured: some hundred steps of Euclid's, of which none is a multiplication.
const RESIDUE: f32 = if SIMD { 105.0 } else { 65.0 };

/// An exact subgroup test: 126 doublings, 10 additions, and the comparison.
const ONE: f32 = (126.0 * DOUBLE + 10.0 * FULL + 6.0) * if SIMD { 0.58 } else { 1.0 };

/// Widths that are tried for odd multiples, and for buckets.
const STRAUS_WIDTHS: core::ops::RangeInclusive<u32> = 2..=5;
pub(crate) const BUCKET_WIDTHS: core::ops::RangeInclusive<u32> = 3..=14;

/// A method for a sum, with its width of digits.
#[derive(Clone, Copy)]
pub(crate) enum MsmMethod {
    /// Odd multiples of each point ([`crate::straus`]).
    Straus { width: u32 },
    /// Buckets of windows ([`crate::pippenger`]).
    Pippenger { width: u32 },
}

/// The cheapest method for `count` points with scalars of up to 128 bits, the last `images` of them images of the first.
pub(crate) fn cheapest_msm(count: usize, images: usize, bits: u32) -> MsmMethod {
    let ((straus_width, straus), (width, pippenger)) = msm_methods(count, images, bits);
    if straus <= pippenger {
        return MsmMethod::Straus { width: straus_width };
    }
    MsmMethod::Pippenger { width }
}

/// The best width of each method, and its cost.
#[inline(never)]
fn msm_methods(count: usize, images: usize, bits: u32) -> ((u32, f32), (u32, f32)) {
    (
        best(STRAUS_WIDTHS, |width| straus(count, images, bits, width)),
        best(BUCKET_WIDTHS, |width| pippenger(count, bits, width)),
    )
}

/// What [`crate::msm()`] of `count` points with scalars of `bits` bits costs, in multiplications of the base field.
pub fn msm(count: usize, bits: u32) -> f32 {
    let (images, bits) = if bits > 128 { (count, 128) } else { (0, bits) };
    let ((_, straus), (_, pippenger)) = msm_methods(count + images, images, bits);
    straus.min(pippenger)
}

/// The cheapest of `widths`, and its cost.
fn best(widths: impl Iterator<Item = u32>, cost: impl Fn(u32) -> f32) -> (u32, f32) {
    widths.map(|width| (width, cost(width))).fold((2, f32::INFINITY), |a, b| if b.1 < a.1 { b } else { a })
}

/// What the sum by buckets costs.
fn pippenger(count: usize, bits: u32, width: u32) -> f32 {
    let windows = bits / width + 1;
    // A round has one inversion, of all that is summed together, and halves the terms of a bucket. In integers: a logarithm of
    // floating-point numbers is a function of its own in a module.
    let rounds = (1 + (count >> (width - 1))).ilog2() + 1;
    let sums = (windows.div_ceil(windows_together(count, width)) * rounds) as f32;
    let (count, buckets) = (count as f32, (1u32 << (width - 1)) as f32);
    let folds = windows.div_ceil(windows_folded(width)) as f32 * 2.0 * width as f32;
    windows as f32 * (count + buckets) * AFFINE + (sums + folds) * INVERSION + bits as f32 * (DOUBLE + MIXED)
}

/// What the table of odd multiples and the sum cost for `count` points, `images` of them being images of the others.
fn straus(count: usize, images: usize, bits: u32, width: u32) -> f32 {
    let own = (count - images.min(count)) as f32;
    // 2P and the odd multiples, an inversion each.
    let steps = if width == 2 { 0.0 } else { (1u32 << (width - 2)) as f32 };
    let terms = count as f32 * (bits + 1) as f32 / (width + 1) as f32;
    steps * (reduction(2.0 * own, own).max(INVERSION) + images as f32)
        + reduction(terms, (bits + 1) as f32)
        + bits as f32 * DOUBLE
}

/// What [`crate::point_table::PointTable::reduce`] and the mixed additions after it cost for `terms` terms spread over `sums` sums.
fn reduction(mut terms: f32, sums: f32) -> f32 {
    let mut cost = 0.0;
    loop {
        // In a sum of n terms, n odd half of the time, are (n − 1/2)/2 pairs.
        let pairs = (terms - sums / 2.0) / 2.0;
        // Were it no number, no comparison would end the loop.
        if pairs.is_nan() || pairs < MIN_PAIRS as f32 {
            return cost + terms * MIXED;
        }
        cost += pairs * AFFINE + INVERSION;
        terms -= pairs;
    }
}

/// What the rows of a family of `count` points cost, in multiplications of the base field.
fn row_sums(count: usize) -> f32 {
    additions(count, width(count)) * AFFINE
}

/// What testing `count` points of the curve one by one costs, in multiplications of the base field.
pub fn cost_of_each(count: usize) -> f32 {
    count as f32 * ONE
}

/// What testing the rows of a batch costs, in multiplications of the base field: a residue for each of the 81 rows, and an
/// exact test for each four of them.
pub fn cost_of_rows() -> f32 {
    cost_of_each(JOINED) + ROWS as f32 * RESIDUE
}

/// What forming the rows of families of these numbers of points costs, in multiplications of the base field. The test of the rows
/// ([`cost_of_rows`]) comes on top.
pub fn cost_of_forming(sizes: &[usize]) -> f32 {
    let occupied = sizes.iter().filter(|size| **size > 0);
    occupied.map(|size| row_sums(*size) + ROWS as f32 * AFFINE).sum()
}

/// What forming the rows of families of these numbers of points costs together with the families' totals
/// ([`crate::subgroup::totals`]), in multiplications of the base field.
pub fn cost_of_totals(sizes: &[usize]) -> f32 {
    let occupied = sizes.iter().filter(|size| **size > 0).count();
    cost_of_forming(sizes) + (occupied * ROWS) as f32 * (DOUBLE + FULL + MIXED)
}
