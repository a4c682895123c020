//! One sum over a few points that do not change, such as those of a trusted setup.

use crate::endomorphism;
use crate::g1::{G1Affine, G1};
use crate::scalar::Scalar;
use crate::straus::Multiples;
use ark_ff::PrimeField;

/// Width of a fixed table.
const FIXED_WIDTH: u32 = 8;

/// Points **of G1** that are summed again and again.
pub struct FixedBase(Multiples);

impl FixedBase {
    /// Makes the table: 128 points for each, half of them by an addition.
    pub fn new(points: &[G1Affine]) -> Self {
        Self(Multiples::of(points, points.len(), FIXED_WIDTH))
    }

    /// Σ sᵢ·Pᵢ; scalars that are missing are zero.
    pub fn msm(&self, scalars: &[Scalar]) -> G1 {
        let count = self.0.count() / 2;
        let mut halves = vec![0; 2 * count];
        let (low, high) = halves.split_at_mut(count);
        for ((low, high), scalar) in low.iter_mut().zip(high).zip(scalars) {
            (*low, *high) = endomorphism::split(&scalar.into_bigint().0);
        }
        self.0.sum(&halves)
    }
}
