//! Points that are terms of many sums, of windows or rows.
//!
//! What sums are formed in, limbs in lanes or words, a point becomes once; and terms name it by its place and sign, so that
//! they are cheap to make and to sort.

use crate::bucket::{order, rounds, MIN_PAIRS};
use crate::bucket_entry::BucketEntry;
use crate::features::SIMD;
use crate::g1::G1Affine;
use crate::simd;

/// Points, in the form that sums are formed in.
pub(crate) struct PointTable {
    integers: Vec<G1Affine>,
    simd: Vec<simd::Point>,
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
        if SIMD {
            return Self { integers: Vec::new(), simd: points.iter().map(simd::point_of).collect() };
        }
        Self { integers: points, simd: Vec::new() }
    }

    /// Sorts the indices by their sums, and adds up what can be added cheaply ([`crate::bucket::reduce`]). Indices of points that
    /// the table does not have stand for nothing. `sums` is above every number of a sum.
    pub(crate) fn reduce(&self, indices: &[SignedIndex], sums: usize) -> Vec<BucketEntry> {
        let order = order(&indices.iter().map(|index| index.sum).collect::<Vec<_>>(), sums);
        let sorted = order.iter().filter_map(|at| indices.get(*at as usize));
        if SIMD {
            let mut all = simd::BucketEntries::with_capacity(indices.len());
            for index in sorted {
                if let Some(point) = self.simd.get(index.point as usize) {
                    all.push_signed(index.sum, point, index.negative);
                }
            }
            return all.reduce(MIN_PAIRS);
        }
        let term = |index: &SignedIndex| {
            let point = *self.integers.get(index.point as usize)?;
            Some((index.sum, if index.negative { -point } else { point }))
        };
        rounds(sorted.filter_map(term).collect(), MIN_PAIRS)
    }
}
