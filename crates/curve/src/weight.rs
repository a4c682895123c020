//! Random weights of 128 bits, of a kind that costs half the doublings.
//!
//! A weight is w = a + b·x² with a and b below 2⁶⁴. As 2⁶⁴ ≤ x² and 2⁶⁴·x² + x² < r, the 2¹²⁸ pairs are so many
//! different scalars. x²·P comes for next to nothing: −φ(P) in G1, ψ²(P) in G2.
//!
//! *Soundness.* Let Dᵢ be elements of a group of prime order r, not all zero, and wᵢ independent and uniform over a set of
//! 2¹²⁸ scalars. For any choice of the others at most one wⱼ, with Dⱼ ≠ 0, makes Σ wᵢDᵢ zero, so that the probability
//! is at most 2⁻¹²⁸. All points must be known to lie in their groups of order r.

use crate::endomorphism;
use crate::g1::{self, G1Affine};
use crate::g2::{self, G2Affine, G2};
use crate::msm::msm_u128;
use crate::psi::{double, psi};

/// A weight a + b·x².
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Weight {
    a: u64,
    b: u64,
}

impl From<u128> for Weight {
    /// A uniform number gives a uniform weight.
    fn from(random: u128) -> Self {
        Self { a: random as u64, b: (random >> 64) as u64 }
    }
}

/// wᵢ·Pᵢ for each point **of G1**.
pub fn times_each(points: &[G1Affine], weights: &[Weight]) -> Vec<G1Affine> {
    let multiples: Vec<_> = points
        .iter()
        .zip(weights)
        .map(|(point, weight)| {
            let image = endomorphism::times_x_squared(point);
            msm_u128(&[*point, image], &[weight.a.into(), weight.b.into()])
        })
        .collect();
    g1::normalize(&multiples)
}

/// Σ wᵢ·Pᵢ for points **of G2**.
pub fn weighted_sum(points: &[G2Affine], weights: &[Weight]) -> G2 {
    let images: Vec<G2> = points.iter().map(|point| psi(&psi(&(*point).into()))).collect();
    let images = g2::normalize(&images);
    let mut sum = g2::identity();
    for bit in (0..64).rev() {
        double(&mut sum);
        for ((point, image), weight) in points.iter().zip(&images).zip(weights) {
            if weight.a >> bit & 1 == 1 {
                sum += point;
            }
            if weight.b >> bit & 1 == 1 {
                sum += image;
            }
        }
    }
    sum
}
