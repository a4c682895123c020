//! The subgroup test of [`crate::subgroup`], φ(S) = −x²S, two points at a time.
//!
//! *Exact without branches.* The sums that the additions of `g1` get wrong are nS + S for nS = S and for nS = 0, n > 1
//! being a prefix of |x|, and the same for S' = |x|·S ≠ 0. Then n − 1 or n, or |x| times it, which is neither zero nor
//! a multiple of r since it is below 2¹²⁸ < r and r is prime, kills S. So S is not in G1. And what comes out has Z = 0,
//! and keeps it: "no" is the answer, as it should be. Points of order 3 and 11 do meet this.

use super::fp::FpPair;
use super::g1::{Addend, Coordinate, Jacobian};
use crate::curve_point::CurvePoint;
use crate::endomorphism::{BETA, X};
use crate::g1::G1Affine;
use ark_ec::AffineRepr;
use ark_ff::Field;

/// For each point of the curve, whether it lies in G1, two at a time.
pub(crate) fn are_in_subgroup(points: &[CurvePoint]) -> Vec<bool> {
    // The identity is in G1, and has no coordinates; for the others "no" stands until they are tested.
    let mut answers: Vec<bool> = points.iter().map(|point| point.affine().is_zero()).collect();
    let places: Vec<usize> = (0..points.len()).filter(|i| answers.get(*i) == Some(&false)).collect();
    for pair in places.chunks(2) {
        let ([first, ..], [.., last]) = (pair, pair) else { continue };
        let found = pair_is_in_subgroup(points[*first].affine(), points[*last].affine());
        answers[*last] = found[1];
        answers[*first] = found[0];
    }
    answers
}

/// Whether each of two points lies in G1. They may be equal; neither is the identity.
fn pair_is_in_subgroup(a: &G1Affine, b: &G1Affine) -> [bool; 2] {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::g1::{generator, identity, is_identity, normalize, times, G1};
    use crate::g1_encoding::decompress_on_curve;
    use crate::scalar::MODULUS;

    /// Every point beside every other, in either lane: of G1, of each prime order of the cofactor, among them 3 and 11
    /// which meet the additions' exceptions, and sums of both.
    #[test]
    fn beside_each_other() {
        let primes = [3u64, 11, 10_177, 859_267, 52_437_899];
        let mut points = vec![generator().into(), times(generator().into(), &[99]), identity()];
        let encodings: Vec<[u8; 48]> = (0..12)
            .map(|x| core::array::from_fn(|i| if i == 47 { x } else { 0x80 * u8::from(i == 0) }))
            .collect();
        let any: Vec<G1> = decompress_on_curve(&encodings)
            .into_iter()
            .flatten()
            .map(|point| G1::from(*point.affine()))
            .collect();
        for kept in primes {
            let part = |point: &G1| {
                let others = primes.iter().filter(|prime| **prime != kept);
                let part = others.fold(times(*point, &MODULUS), |part, prime| times(part, &[prime * prime]));
                let once = times(part, &[kept]);
                if is_identity(&once) {
                    part
                } else {
                    once
                }
            };
            let parts = any.iter().map(part).filter(|part| !is_identity(part));
            points.extend(parts.take(1).flat_map(|part| [part, -part, part + generator()]));
        }
        points.extend(any.into_iter().take(2));
        let expected: Vec<bool> = points.iter().map(|point| is_identity(&times(*point, &MODULUS))).collect();
        assert!(expected.iter().filter(|inside| !**inside).count() >= 15, "all primes are there");
        let affine: Vec<CurvePoint> = normalize(&points).into_iter().map(CurvePoint::from).collect();
        assert_eq!(are_in_subgroup(&affine), expected);
        for (i, first) in affine.iter().enumerate() {
            for (j, second) in affine.iter().enumerate() {
                assert_eq!(are_in_subgroup(&[*first, *second]), [expected[i], expected[j]], "{i} {j}");
            }
        }
    }
}
