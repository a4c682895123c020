//! Multi-scalar multiplication: Σ sᵢ·Pᵢ.
//!
//! Two methods, chosen by a count of multiplications: signed digits of each point, summed for each bit of the
//! scalars (Straus), or signed windows summed for each digit (Pippenger). Both come down to many sums of points,
//! which `bucket` forms, and to the group's complete additions, so that repeated points, P = −Q
//! and the identity, which whoever wrote the proofs may choose, need no care. Running time depends on the scalars,
//! which are public.

use crate::cost::{cheapest_msm, MsmMethod};
use crate::endomorphism;
use crate::g1::{add_affine, identity, G1Affine, G1};
use crate::limbs;
use crate::pippenger;
use crate::raw::Raw;
use crate::scalar::{Scalar, MODULUS};
use crate::signed::Signed;
use crate::straus::Multiples;
use ark_ec::AffineRepr;
use ark_ff::PrimeField;

pub use crate::cost::msm as cost;

/// Σ sᵢ·Pᵢ for points **of G1**. Where the lists differ in length, what is beyond the shorter one is ignored.
pub fn msm(points: &[G1Affine], scalars: &[Scalar]) -> G1 {
    of_integers(points, &scalars.iter().map(|scalar| scalar.into_bigint().0).collect::<Vec<_>>())
}

/// The same for scalars as plain integers, which they are wanted as: two multiplications less for each.
pub fn msm_raw(points: &[G1Affine], scalars: &[Raw]) -> G1 {
    of_integers(points, &scalars.iter().map(|scalar| *scalar.limbs()).collect::<Vec<_>>())
}

/// Σ sᵢ·Pᵢ for points of G1, and integers below r by their limbs.
fn of_integers(points: &[G1Affine], scalars: &[[u64; 4]]) -> G1 {
    let (mut long, mut short) = (PointsAndScalars::default(), PointsAndScalars::default());
    let mut high = Vec::new();
    for (point, scalar) in points.iter().zip(scalars) {
        // s·P = (r − s)·(−P) in G1: coefficients of batches are short, but for their sign.
        if let Some(scalar) = short_of(scalar) {
            short.push(*point, scalar);
        } else if let Some(opposite) = short_of(&limbs::minus(&MODULUS, scalar)) {
            short.push(-*point, opposite);
        } else if !point.is_zero() {
            let (low, above) = endomorphism::split(scalar);
            long.points.push(*point);
            long.scalars.push(low);
            high.push(above);
        }
    }
    // Points with an image, the others, the images.
    let images = high.len();
    long.points.extend(short.points);
    long.scalars.extend(short.scalars);
    long.scalars.extend(high);
    sum(long, images)
}

/// A number below 2¹²⁸.
fn short_of(scalar: &[u64; 4]) -> Option<u128> {
    match scalar {
        [low, high, 0, 0] => Some(u128::from(*high) << 64 | u128::from(*low)),
        _ => None,
    }
}

/// Σ sᵢ·Pᵢ for any points of the curve: it is the points that are negated.
pub fn msm_signed(points: &[G1Affine], scalars: &[Signed]) -> G1 {
    let mut terms = PointsAndScalars::default();
    for (point, scalar) in points.iter().zip(scalars) {
        terms.push(if scalar.negative { -*point } else { *point }, scalar.magnitude);
    }
    sum(terms, 0)
}

/// Σ sᵢ·Pᵢ for plain integers, and for any points of the curve.
pub fn msm_u128(points: &[G1Affine], scalars: &[u128]) -> G1 {
    let mut terms = PointsAndScalars::default();
    for (point, scalar) in points.iter().zip(scalars) {
        terms.push(*point, *scalar);
    }
    sum(terms, 0)
}

/// Points with their scalars.
#[derive(Default)]
struct PointsAndScalars {
    points: Vec<G1Affine>,
    scalars: Vec<u128>,
}

impl PointsAndScalars {
    /// Terms that vanish are common (interpolation of blob batches) and cost nothing once they are left out.
    fn push(&mut self, point: G1Affine, scalar: u128) {
        if !point.is_zero() && scalar != 0 {
            self.points.push(point);
            self.scalars.push(scalar);
        }
    }
}

/// Σ sᵢ·Pᵢ, the points being followed by the products of the first `images` of them with x².
fn sum(terms: PointsAndScalars, images: usize) -> G1 {
    let PointsAndScalars { mut points, scalars } = terms;
    let bits = 128 - scalars.iter().fold(0, |all, scalar| all | scalar).leading_zeros();
    if bits <= 1 {
        // All scalars are one, and none was split.
        let mut total = identity();
        points.iter().for_each(|point| add_affine(&mut total, point));
        return total;
    }
    match cheapest_msm(scalars.len(), images, bits) {
        MsmMethod::Straus { width } => Multiples::of(&points, images, width).sum(&scalars),
        MsmMethod::Pippenger { width } => {
            endomorphism::extend(&mut points, images);
            pippenger::sum(points, &scalars, bits, width)
        }
    }
}
