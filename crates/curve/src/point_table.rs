//! Points that are terms of many sums, of windows or rows.
//!
//! What sums are formed in, the kernel's form of a point, a point becomes once; and terms name it by its place and sign, so that
//! they are cheap to make and to sort.

use crate::backend::Fq;
use crate::bucket::{order, MIN_PAIRS};
use crate::bucket_entry::{BucketEntry, SignedIndex};
use crate::endomorphism::BETA;
use crate::engine::{affine, double_each, is_identity, point_of, reduce_signed, Multiplying, Point};
use crate::g1::G1Affine;
use ark_ec::AffineRepr;
use ark_ff::Field;

/// Points, in the form that sums are formed in.
#[derive(Clone, Default)]
pub(crate) struct PointTable {
    points: Vec<Point<Multiplying>>,
    has_identity: bool,
}

impl PointTable {
    /// The table of `points`, in their order.
    pub(crate) fn of(points: &[G1Affine]) -> Self {
        Self {
            points: points.iter().map(point_of::<Multiplying>).collect(),
            has_identity: points.iter().any(G1Affine::is_zero),
        }
    }

    /// The identity, so many times.
    pub(crate) fn identities(count: usize) -> Self {
        Self { points: vec![point_of::<Multiplying>(&G1Affine::identity()); count], has_identity: count > 0 }
    }

    /// Sorts the indices by their sums, and adds up what can be added cheaply. What is left, sorted, has the same sums. Indices of points
    /// that the table does not have stand for nothing. `sums` is above every number of a sum. Takes time and memory by the number of
    /// terms and sums, whatever the points are.
    pub(crate) fn reduce(&self, indices: &[SignedIndex], sums: usize) -> TermList {
        self.in_rounds(indices, sums, MIN_PAIRS)
    }

    /// The sums themselves, number by number; those without a term are the identity.
    pub(crate) fn sum_each(&self, indices: &[SignedIndex], sums: usize) -> Self {
        let TermList { indices, table } = self.in_rounds(indices, sums, 1);
        let mut out = Self::identities(sums);
        out.has_identity = indices.len() < sums;
        for index in indices {
            let (to, from) = (index.sum as usize, index.point as usize);
            if let (Some(to), Some(from)) = (out.points.get_mut(to), table.points.get(from)) {
                *to = *from;
            }
        }
        out
    }

    /// `count` sums, the i-th of the terms of sum i and of x² times those of sum `count` + i, for points of G1.
    pub(crate) fn sum_halves(&self, indices: &[SignedIndex], count: usize) -> Self {
        let mut low = self.sum_each(indices, 2 * count);
        let high = low.split_off(count);
        low.append(high.images(count, count));
        low.sum_each(&pairs(count), count)
    }

    /// The points that terms name, in their order, which the terms name from now on: where the table is larger than the caches near a core,
    /// copies wait for it together, and additions one by one.
    pub(crate) fn gather(&self, terms: &mut [SignedIndex]) -> Self {
        let mut near = Self::default();
        for term in terms {
            let place = near.len() as u32;
            near.push_from(self, term.point as usize);
            term.point = place;
        }
        near
    }

    /// Terms with points of their own, sorted, after as many rounds as have `least` additions.
    fn in_rounds(&self, indices: &[SignedIndex], sums: usize, least: usize) -> TermList {
        let numbers: Vec<u32> = indices.iter().map(|index| index.sum).collect();
        let order = order(&numbers, sums);
        let sorted = order.iter().filter_map(|at| indices.get(*at as usize));
        // Most tables of points that are given lack the identity, and to look for it is to read all points once more.
        let is_identity =
            |at| self.has_identity && self.points.get(at).is_some_and(is_identity::<Multiplying>);
        let is_term = |at| at < self.points.len() && !is_identity(at);
        let terms: Vec<SignedIndex> = sorted.filter(|index| is_term(index.point as usize)).copied().collect();
        let (indices, points) = reduce_signed::<Multiplying>(&self.points, &terms, least);
        TermList { indices, table: Self { points, has_identity: false } }
    }

    /// Twice each point.
    pub(crate) fn doubled(&self) -> Self {
        let is_term = |at: &usize| !self.has_identity || !is_identity::<Multiplying>(&self.points[*at]);
        let at: Vec<usize> = (0..self.points.len()).filter(is_term).collect();
        Self { points: double_each::<Multiplying>(&self.points, &at), has_identity: self.has_identity }
    }

    /// P, 3P, 5P … (2^(width−1) − 1)·P for each point P, for non-adjacent forms ([`crate::digits::non_adjacent`]): one factor after the
    /// other, each by point. `twice` has the points doubled.
    pub(crate) fn odd_multiples(self, twice: &Self, width: u32) -> Self {
        let count = self.len() as u32;
        let terms = |i| [SignedIndex::of(i, i), SignedIndex::of(i, count + i)];
        let terms: Vec<SignedIndex> = (0..count).flat_map(terms).collect();
        let (mut last, mut all) = (self.clone(), self);
        for _ in 1..1 << (width - 2) {
            last.append(twice.clone());
            last = last.sum_each(&terms, count as usize);
            all.append(last.clone());
        }
        all
    }

    /// The products with x² of the first `images` of each `count` points, which are of G1.
    pub(crate) fn images(&self, count: usize, images: usize) -> Self {
        let beta = Point::<Multiplying>::of(&BETA, &Fq::ONE);
        let chosen = self.points.iter().enumerate().filter(|(at, _)| at % count.max(1) < images);
        let points = chosen.map(|(_, point)| point.mul_each(&beta).second_negative_if(true)).collect();
        Self { points, has_identity: self.has_identity }
    }

    /// How many points there are.
    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    /// Puts the points of another table behind these.
    pub(crate) fn append(&mut self, other: Self) {
        self.points.extend(other.points);
        self.has_identity |= other.has_identity;
    }

    /// Puts a point behind these; its place.
    pub(crate) fn push(&mut self, point: &G1Affine) -> u32 {
        self.points.push(point_of::<Multiplying>(point));
        self.has_identity |= point.is_zero();
        self.points.len() as u32 - 1
    }

    /// Puts a point of another table behind these, if it is there.
    pub(crate) fn push_from(&mut self, other: &Self, at: usize) {
        self.points.extend(other.points.get(at));
        self.has_identity |= other.has_identity;
    }

    /// The points, in their order.
    pub(crate) fn into_points(self) -> Vec<G1Affine> {
        self.points.iter().map(affine::<Multiplying>).collect()
    }

    /// The points, so many in each list.
    pub(crate) fn into_lists(self, count: usize) -> Vec<Vec<Point<Multiplying>>> {
        self.points.chunks(count.max(1)).map(<[_]>::to_vec).collect()
    }

    /// Takes off the points from a place on.
    pub(crate) fn split_off(&mut self, at: usize) -> Self {
        let points = self.points.split_off(at.min(self.points.len()));
        Self { points, has_identity: self.has_identity }
    }
}

/// Terms that add the second half of a table's points to the first.
pub(crate) fn pairs(count: usize) -> Vec<SignedIndex> {
    let count = count as u32;
    (0..2 * count).map(|at| SignedIndex::of(at % count, at)).collect()
}

/// Terms, sorted by their sums, and the points that they name.
#[derive(Default)]
pub(crate) struct TermList {
    indices: Vec<SignedIndex>,
    table: PointTable,
}

impl TermList {
    /// Puts other terms behind these.
    pub(crate) fn append(&mut self, other: Self) {
        let before = self.table.len() as u32;
        self.indices
            .extend(other.indices.iter().map(|index| SignedIndex::of(index.sum, before + index.point)));
        self.table.append(other.table);
    }

    /// The sums of the terms, number by number, as [`PointTable::sum_each`].
    pub(crate) fn sum_each(&self, sums: usize) -> PointTable {
        self.table.sum_each(&self.indices, sums)
    }

    /// Each term with its point.
    pub(crate) fn into_entries(self) -> Vec<BucketEntry> {
        self.indices.iter().map(|index| index.sum).zip(self.table.into_points()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::g1::{generator, identity, normalize, G1};

    /// Against the group's own addition: few distinct points, so that terms repeat and cancel, with and without the identity among
    /// them, and in any order of the sums.
    #[test]
    fn sums_of_signed_points() {
        let mut state = 3u64;
        let mut random = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        let mut multiples = vec![G1::from(generator())];
        for at in 0..6 {
            multiples.push(multiples[at] + multiples[at] + generator());
        }
        multiples.extend([-multiples[2], -multiples[5]]);
        for has_identity in [false, true] {
            if has_identity {
                multiples.insert(4, identity());
            }
            let table = PointTable::of(&normalize(&multiples));
            for (count, sums) in [(0, 1), (1, 1), (39, 1), (41, 1), (1000, 1), (900, 300), (3000, 129)] {
                let mut indices: Vec<SignedIndex> = (0..count)
                    .map(|_| SignedIndex {
                        sum: random(sums) as u32,
                        point: random(multiples.len()) as u32,
                        negative: random(2) == 1,
                    })
                    .collect();
                let mut expected = vec![identity(); sums];
                for SignedIndex { sum, point, negative } in &indices {
                    let term = multiples[*point as usize];
                    expected[*sum as usize] += if *negative { -term } else { term };
                }
                // What the table does not have stands for nothing.
                indices.push(SignedIndex { sum: 0, point: multiples.len() as u32, negative: false });
                let reduced = table.reduce(&indices, sums).into_entries();
                assert!(reduced.is_sorted_by_key(|(sum, _)| *sum));
                assert!(reduced.len() <= sums + 2 * MIN_PAIRS);
                let mut found = vec![identity(); sums];
                reduced.iter().for_each(|(sum, point)| found[*sum as usize] += point);
                assert_eq!(found, expected);
                let each = table.sum_each(&indices, sums);
                assert_eq!(each.len(), sums);
                // What is formed is a table as well, with identities in it; and so is what is put together of tables.
                let again: Vec<SignedIndex> =
                    (0..sums as u32).map(|at| SignedIndex::of(at / 2, at)).collect();
                let halved: Vec<G1> = expected.chunks(2).map(|pair| pair.iter().sum()).collect();
                let points = |table: PointTable| -> Vec<G1> {
                    table.into_points().into_iter().map(G1::from).collect()
                };
                assert_eq!(points(each.sum_each(&again, sums.div_ceil(2))), halved);
                let mut both = PointTable::default();
                both.push_from(&each, sums - 1);
                both.push_from(&each, sums);
                both.append(each);
                assert_eq!(points(both), [&expected[sums - 1..], &expected].concat());
            }
        }
    }
}
