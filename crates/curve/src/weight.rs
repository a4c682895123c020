//! Random weights of 128 bits, of a kind that costs half the doublings.
//!
//! A weight is w = a + b·x² with a and b below 2⁶⁴. As 2⁶⁴ ≤ x² and 2⁶⁴·x² + x² < r, the 2¹²⁸ pairs are so many
//! different scalars. x²·P comes for next to nothing: −φ(P) in G1, ψ²(P) in G2.
//!
//! *Soundness.* Let Dᵢ be elements of a group of prime order r, not all zero, and wᵢ independent and uniform over a set of
//! 2¹²⁸ scalars. For any choice of the others at most one wⱼ, with Dⱼ ≠ 0, makes Σ wᵢDᵢ zero, so that the probability
//! is at most 2⁻¹²⁸. All points must be known to lie in their groups of order r.

use crate::digits::digits_below_8;
use crate::endomorphism;
use crate::g1::{self, G1Affine};
use crate::g2::{self, G2Affine, G2};
use crate::msm::msm_u128;
use crate::psi::{double, psi_squared};

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
///
/// By signed digits that are odd and below 8, for one bit in five (wNAF): the doublings are shared by all points, and the
/// multiples up to 7P by both halves of a weight.
pub fn weighted_sum(points: &[G2Affine], weights: &[Weight]) -> G2 {
    let terms: Vec<WnafTerm> = points
        .iter()
        .zip(weights)
        .zip(odd_multiples(points).as_chunks::<ODD>().0)
        .flat_map(|((_, weight), multiples)| {
            let images = multiples.map(|point| psi_squared(&point));
            [
                WnafTerm { digits: digits_below_8(weight.a), multiples: *multiples },
                WnafTerm { digits: digits_below_8(weight.b), multiples: images },
            ]
        })
        .collect();
    let mut sum = g2::identity();
    for bit in (0..=64).rev() {
        double(&mut sum);
        for term in &terms {
            let digit = term.digits[bit];
            let multiple = &term.multiples[usize::from(digit.unsigned_abs() / 2)];
            match digit {
                1.. => sum += multiple,
                0 => {}
                _ => sum -= multiple,
            }
        }
    }
    sum
}

/// P, 3P, 5P, 7P.
const ODD: usize = 4;

struct WnafTerm {
    digits: [i8; 65],
    multiples: [G2Affine; ODD],
}

/// The odd multiples of each point, one after the other, with one inversion for all.
fn odd_multiples(points: &[G2Affine]) -> Vec<G2Affine> {
    let mut multiples = Vec::with_capacity(ODD * points.len());
    for point in points {
        let mut multiple = G2::from(*point);
        let mut twice = multiple;
        double(&mut twice);
        multiples.push(multiple);
        for _ in 1..ODD {
            multiple += twice;
            multiples.push(multiple);
        }
    }
    g2::normalize(&multiples)
}
