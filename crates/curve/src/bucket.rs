//! Many sums of points at once, in affine coordinates.
//!
//! An affine addition costs 6 multiplications beside an inversion; n inversions cost one and 3n multiplications
//! (Montgomery's trick, counted in the 6). A mixed addition costs 11. So points are added in pairs within their
//! sum, in rounds that halve them, with one inversion a round for all sums together.
//!
//! The chord's formula does not hold for every pair, and whoever wrote the proofs may choose the exceptions: P + P
//! takes the tangent, P − P and the identity are written down. No pair ever puts a zero among the inverted.

use crate::backend::Fq;
use crate::bucket_entry::{BucketEntry, SignedIndex};
use crate::features::SIMD;
use crate::g1::G1Affine;
use crate::simd;
use ark_ec::AffineRepr;
use ark_ff::{AdditiveGroup, Field};

/// Terms that are formed before they are summed: some 2 MB with what summing them takes.
pub(crate) const MAX_ENTRIES: usize = 8192;

/// Fewer pairs than these do not pay for an inversion.
pub(crate) const MIN_PAIRS: usize = 20;

/// Sorts the terms by their sums, and adds up what can be added cheaply. What is left, sorted, has the same sums.
///
/// `sums` is above every number. Takes time and memory by the number of terms and sums, whatever the points are.
pub(crate) fn reduce(terms: &[BucketEntry], sums: usize) -> Vec<BucketEntry> {
    in_rounds(terms, &sort(terms, sums), MIN_PAIRS)
}

/// left\[i\] + right\[i\] for each i, with one inversion for all.
pub(crate) fn add_each(left: &[G1Affine], right: &[G1Affine]) -> Vec<G1Affine> {
    let terms: Vec<BucketEntry> =
        left.iter().zip(right).zip(0..).flat_map(|((left, right), i)| [(i, *left), (i, *right)]).collect();
    let order: Vec<u32> = (0..).zip(&terms).map(|(at, _)| at).collect();
    place(in_rounds(&terms, &order, 1), left.len().min(right.len()))
}

/// One term, or none, for each sum.
fn place(terms: Vec<BucketEntry>, sums: usize) -> Vec<G1Affine> {
    let mut out = vec![G1Affine::identity(); sums];
    for (number, point) in terms {
        if let Some(slot) = out.get_mut(number as usize) {
            *slot = point;
        }
    }
    out
}

/// Rounds over terms in an order that sorts them, until one would have fewer than `least` additions.
fn in_rounds(terms: &[BucketEntry], order: &[u32], least: usize) -> Vec<BucketEntry> {
    let sorted = order.iter().filter_map(|at| terms.get(*at as usize));
    if SIMD {
        let (mut points, mut indices) = (Vec::with_capacity(order.len()), Vec::with_capacity(order.len()));
        for (number, point) in sorted.filter(|(_, point)| !point.is_zero()) {
            indices.push(SignedIndex::of(*number, points.len() as u32));
            points.push(simd::point_of(point));
        }
        let (indices, points) = simd::reduce_signed(&points, &indices, least);
        return indices.iter().map(|index| index.sum).zip(points.iter().map(simd::affine)).collect();
    }
    rounds(sorted.copied().collect(), least)
}

/// Rounds over sorted terms, until one would have fewer than `least` additions.
pub(crate) fn rounds(mut terms: Vec<BucketEntry>, least: usize) -> Vec<BucketEntry> {
    let mut pairs = Pairs::default();
    while pairs.halve(&mut terms, least) {}
    terms
}

fn sort(terms: &[BucketEntry], sums: usize) -> Vec<u32> {
    order(&terms.iter().map(|(number, _)| *number).collect::<Vec<_>>(), sums)
}

/// The places of `numbers`, which are below `sums`, in ascending order: by counting.
#[inline(never)]
pub(crate) fn order(numbers: &[u32], sums: usize) -> Vec<u32> {
    let mut order = vec![0; numbers.len()];
    let mut starts = vec![0usize; sums + 1];
    for number in numbers {
        if let Some(count) = starts.get_mut(*number as usize + 1) {
            *count += 1;
        }
    }
    let mut total = 0;
    for start in &mut starts {
        total += *start;
        *start = total;
    }
    for (at, number) in (0..).zip(numbers) {
        let Some(place) = starts.get_mut(*number as usize) else { continue };
        if let Some(slot) = order.get_mut(*place) {
            *slot = at;
            *place += 1;
        }
    }
    order
}

/// How two points are added.
enum Sum {
    /// Along a line of slope `numerator` over the denominator pushed with it.
    Line { numerator: Fq, left: G1Affine, right_x: Fq },
    /// Known without a line.
    Known(G1Affine),
}

/// A round's additions; kept for its memory.
#[derive(Default)]
struct Pairs {
    sums: Vec<(u32, Sum)>,
    denominators: Vec<Fq>,
}

impl Pairs {
    /// Adds neighbours of the same sum in pairs, unless there are fewer than `least`; whether it did. The terms
    /// stay sorted.
    #[inline(never)]
    fn halve(&mut self, terms: &mut Vec<BucketEntry>, least: usize) -> bool {
        self.sums.clear();
        self.denominators.clear();
        let mut rest = terms.as_slice();
        let mut added = 0;
        while let [(number, left), tail @ ..] = rest {
            rest = match tail {
                [(other, right), tail @ ..] if other == number => {
                    let sum = self.pair(left, right);
                    self.sums.push((*number, sum));
                    added += 1;
                    tail
                }
                _ => {
                    self.sums.push((*number, Sum::Known(*left)));
                    tail
                }
            };
        }
        if added < least.max(1) {
            return false;
        }
        ark_ff::batch_inversion(&mut self.denominators);
        let mut inverses = self.denominators.iter();
        terms.clear();
        terms.extend(self.sums.iter().map(|(number, sum)| (*number, finish(sum, &mut inverses))));
        true
    }

    /// Pushes a denominator, never zero, exactly where it returns a line.
    fn pair(&mut self, left: &G1Affine, right: &G1Affine) -> Sum {
        let (Some((x1, y1)), Some((x2, y2))) = (left.xy(), right.xy()) else {
            return Sum::Known(if left.is_zero() { *right } else { *left });
        };
        let (numerator, denominator) = if x1 != x2 {
            (y2 - y1, x2 - x1)
        } else if y1 == y2 && y1 != Fq::ZERO {
            let square = x1.square();
            (square.double() + square, y1.double())
        } else {
            // Points of the curve with one x have y and −y; y = 0 would be its own opposite.
            return Sum::Known(G1Affine::identity());
        };
        self.denominators.push(denominator);
        Sum::Line { numerator, left: *left, right_x: x2 }
    }
}

/// x = λ² − x₁ − x₂; y by the line through the points, turned over.
fn finish<'i>(sum: &Sum, inverses: &mut impl Iterator<Item = &'i Fq>) -> G1Affine {
    match sum {
        Sum::Known(point) => *point,
        Sum::Line { numerator, left, right_x } => {
            let slope = *numerator * inverses.next().unwrap_or(&Fq::ZERO);
            let x = slope.square() - left.x - right_x;
            G1Affine::new_unchecked(x, slope * (left.x - x) - left.y)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::g1::{generator, identity, G1};

    /// Against the group's own addition, where the terms are few distinct points, their opposites, and the identity.
    #[test]
    fn sums() {
        let mut state = 7u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let mut points = vec![G1Affine::identity()];
        let mut point = G1::from(generator());
        for _ in 0..6 {
            points.push(point.into());
            points.push((-point).into());
            point = point + point + generator();
        }
        for (count, sums) in [(0, 1), (1, 1), (2, 1), (1000, 1), (1000, 7), (700, 300), (3000, 129)] {
            let terms: Vec<BucketEntry> = (0..count)
                .map(|_| (random(sums as u64) as u32, points[random(points.len() as u64) as usize]))
                .collect();
            let mut expected = vec![identity(); sums];
            terms.iter().for_each(|(sum, point)| expected[*sum as usize] += point);
            let reduced = reduce(&terms, sums);
            assert!(reduced.is_sorted_by_key(|(sum, _)| *sum));
            assert!(reduced.len() <= sums + 2 * MIN_PAIRS);
            let mut found = vec![identity(); sums];
            reduced.iter().for_each(|(sum, point)| found[*sum as usize] += point);
            assert_eq!(found, expected);
        }
        for left in &points {
            let sums = add_each(&vec![*left; points.len()], &points);
            for (right, sum) in points.iter().zip(sums) {
                assert_eq!(G1::from(sum), G1::from(*left) + right);
            }
        }
    }
}
