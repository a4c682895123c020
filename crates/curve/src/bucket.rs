//! Many sums of points at once: terms with points of their own, sorted, for the engine's [`sums`](crate::engine).

use crate::bucket_entry::{BucketEntry, SignedIndex};
use crate::engine::{affine, point_of, reduce_signed, Multiplying};
use crate::g1::G1Affine;
use ark_ec::AffineRepr;

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
    let (mut points, mut indices) = (Vec::with_capacity(order.len()), Vec::with_capacity(order.len()));
    for (number, point) in order.iter().filter_map(|at| terms.get(*at as usize)) {
        if !point.is_zero() {
            indices.push(SignedIndex::of(*number, points.len() as u32));
            points.push(point_of::<Multiplying>(point));
        }
    }
    let (indices, points) = reduce_signed::<Multiplying>(&points, &indices, least);
    indices.iter().map(|index| index.sum).zip(points.iter().map(affine::<Multiplying>)).collect()
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
