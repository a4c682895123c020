//! Points that are terms of many sums, of windows or rows.
//!
//! What sums are formed in, limbs in lanes or words, a point becomes once; and terms name it by its place and sign, so that
//! they are cheap to make and to sort.

use crate::bucket::{order, rounds, MIN_PAIRS};
use crate::bucket_entry::BucketEntry;
use crate::features::SIMD;
use crate::g1::G1Affine;
use crate::simd;
use ark_ec::AffineRepr;

/// Points, in the form that sums are formed in.
pub(crate) struct PointTable {
    integers: Vec<G1Affine>,
    simd: Vec<simd::Point>,
    has_identity: bool,
}

/// A term by its point's place in a table.
#[derive(Clone, Copy)]
pub(crate) struct SignedIndex {
    pub(crate) sum: u32,
    pub(crate) point: u32,
    /// Whether the point's opposite is meant.
    pub(crate) negative: bool,
}

impl PointTable {
    /// The table of `points`, in their order.
    pub(crate) fn of(points: Vec<G1Affine>) -> Self {
        let has_identity = points.iter().any(G1Affine::is_zero);
        if SIMD {
            let simd = points.iter().map(simd::point_of).collect();
            return Self { integers: Vec::new(), simd, has_identity };
        }
        Self { integers: points, simd: Vec::new(), has_identity }
    }

    /// Sorts the indices by their sums, and adds up what can be added cheaply ([`crate::bucket::reduce`]). Indices of points that
    /// the table does not have stand for nothing. `sums` is above every number of a sum.
    pub(crate) fn reduce(&self, indices: &[SignedIndex], sums: usize) -> Vec<BucketEntry> {
        let order = order(indices.iter().map(|index| index.sum), sums);
        let sorted = order.iter().filter_map(|at| indices.get(*at as usize));
        if SIMD {
            let is_term = |index: &&SignedIndex| self.is_term(index.point as usize);
            let sorted: Vec<SignedIndex> = sorted.filter(is_term).copied().collect();
            return simd::reduce_signed(&self.simd, &sorted, MIN_PAIRS);
        }
        let term = |index: &SignedIndex| {
            let point = *self.integers.get(index.point as usize)?;
            Some((index.sum, if index.negative { -point } else { point }))
        };
        rounds(sorted.filter_map(term).collect(), MIN_PAIRS)
    }

    /// Whether the table has a point there that is not the identity. Most tables lack it, and to look for it is to read all points once
    /// more.
    fn is_term(&self, at: usize) -> bool {
        at < self.simd.len() && !(self.has_identity && self.simd.get(at).is_some_and(simd::is_identity))
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
            let table = PointTable::of(normalize(&multiples));
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
                let reduced = table.reduce(&indices, sums);
                assert!(reduced.is_sorted_by_key(|(sum, _)| *sum));
                assert!(reduced.len() <= sums + 2 * MIN_PAIRS);
                let mut found = vec![identity(); sums];
                reduced.iter().for_each(|(sum, point)| found[*sum as usize] += point);
                assert_eq!(found, expected);
            }
        }
    }
}
