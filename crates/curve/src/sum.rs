//! Σ Pᵢ: many points, one sum.

use crate::bucket_entry::SignedIndex;
use crate::g1::{identity, G1Affine, G1};
use crate::point_table::PointTable;

/// The sum of points of the curve, repeated, opposite and infinite ones among them: affine additions, an inversion for
/// each round of halving, and mixed additions for the last few.
pub fn sum(points: &[G1Affine]) -> G1 {
    let terms: Vec<SignedIndex> = (0..points.len() as u32).map(|at| SignedIndex::of(0, at)).collect();
    let rest = PointTable::of(points).reduce(&terms, 1).into_entries();
    rest.iter().fold(identity(), |total, (_, point)| total + point)
}
