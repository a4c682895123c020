//! Σ Pᵢ: many points, one sum.

use crate::bucket;
use crate::bucket_entry::BucketEntry;
use crate::g1::{identity, G1Affine, G1};

/// The sum of points of the curve, repeated, opposite and infinite ones among them: affine additions, an inversion for
/// each round of halving, and mixed additions for the last few.
pub fn sum(points: &[G1Affine]) -> G1 {
    let terms: Vec<BucketEntry> = points.iter().map(|point| (0, *point)).collect();
    bucket::reduce(&terms, 1).iter().fold(identity(), |total, (_, point)| total + point)
}
