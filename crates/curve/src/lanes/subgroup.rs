//! The subgroup test of [`crate::subgroup`], φ(S) = −x²S, two points at a time.
//!
//! *Exact without branches.* The sums that the additions of `g1` get wrong are nS + S for nS = S and for nS = 0, n > 1
//! being a prefix of |x|, and the same for S' = |x|·S ≠ 0. Then n − 1 or n, or |x| times it, which is neither zero nor
//! a multiple of r since it is below 2¹²⁸ < r and r is prime, kills S. So S is not in G1. And what comes out has Z = 0,
//! and keeps it: "no" is the answer, as it should be. Points of order 3 and 11 do meet this.

use super::fp::FpPair;
use super::g1::{Addend, Coordinate, Jacobian};
use crate::endomorphism::{BETA, X};
use crate::g1::G1Affine;
use ark_ec::AffineRepr;
use ark_ff::Field;

/// As [`crate::subgroup::contains`].
pub(crate) fn contains(points: &[G1Affine]) -> Vec<bool> {
    let mut answers = vec![true; points.len()];
    // The identity is in G1, and has no coordinates.
    let places: Vec<usize> =
        (0..points.len()).filter(|i| points.get(*i).is_some_and(|p| !p.is_zero())).collect();
    for pair in places.chunks(2) {
        let ([first, ..], [.., last]) = (pair, pair) else { continue };
        let found = contain(&points[*first], &points[*last]);
        answers[*last] = found[1];
        answers[*first] = found[0];
    }
    answers
}

/// The same twice for a pair of equals. Neither is the identity.
fn contain(a: &G1Affine, b: &G1Affine) -> [bool; 2] {
    let (x, y) = (FpPair::of(&a.x, &b.x), FpPair::of(&a.y, &b.y));
    let one = FpPair::of(&crate::backend::Fq::ONE, &crate::backend::Fq::ONE);
    let once = times_x(&Jacobian { x, y, z: one }, &Addend::affine(x, y));
    let Jacobian { x: x2, y: y2, z } = times_x(&once, &Addend::jacobian(&once));
    // x²S = (βX, −Y), with X = x₂/z² and Y = y₂/z³.
    let beta = FpPair::of(&BETA, &BETA);
    let square: Coordinate = z.square();
    let same_x = (x2 - beta.mul(&x).mul(&square)).reduce().is_zero();
    let same_y = (y2 + y.mul(&square.mul(&z))).reduce().is_zero();
    let infinite = z.is_zero();
    [0, 1].map(|lane| !infinite[lane] && same_x[lane] && same_y[lane])
}

/// |x|·P: 63 doublings and 5 additions. `point` twice, in the forms that these want.
fn times_x(point: &Jacobian, addend: &Addend) -> Jacobian {
    let mut sum = *point;
    for bit in (0..63).rev() {
        sum = sum.double();
        if X >> bit & 1 == 1 {
            sum = sum.add(addend);
        }
    }
    sum
}
