//! The subgroup test of [`crate::subgroup`], φ(S) = −x²S, as many points at a time as the kernel has lanes.
//!
//! *Exact without branches.* The sums that the additions of `jacobian` get wrong are nS + S for nS = S and for nS = 0, n > 1
//! being a prefix of |x|, and the same for S' = |x|·S ≠ 0. Then n − 1 or n, or |x| times it, which is neither zero nor
//! a multiple of r since it is below 2¹²⁸ < r and r is prime, kills S. So S is not in G1. And what comes out has Z = 0,
//! and keeps it: "no" is the answer, as it should be. Points of order 3 and 11 do meet this.

use super::jacobian::{coordinate, numbers, Addend, Coordinate, Jacobian};
use super::kernel::Kernel;
use crate::backend::Fq;
use crate::curve_point::CurvePoint;
use crate::endomorphism::{BETA, X};
use ark_ec::AffineRepr;
use ark_ff::{AdditiveGroup, Field};

/// For each point of the curve, whether it lies in G1.
pub(crate) fn are_in_subgroup<K: Kernel>(points: &[CurvePoint]) -> Vec<bool> {
    // The identity is in G1, and has no coordinates.
    let mut answers = vec![true; points.len()];
    let (mut places, mut xs, mut ys) = (Vec::new(), Vec::new(), Vec::new());
    for (place, point) in points.iter().enumerate() {
        if let Some((x, y)) = point.affine().xy() {
            places.push(place);
            xs.push(x);
            ys.push(y);
        }
    }
    let coordinates = xs.chunks(K::LANES).zip(ys.chunks(K::LANES));
    for (places, (xs, ys)) in places.chunks(K::LANES).zip(coordinates) {
        let [x, y, z] = compared::<K>(&coordinate::<K>(xs), &coordinate::<K>(ys));
        for (difference, is_zero) in [(x, true), (y, true), (z, false)] {
            for (place, number) in places.iter().zip(numbers::<K>(&difference)) {
                if let Some(answer) = answers.get_mut(*place) {
                    *answer &= (number == Fq::ZERO) == is_zero;
                }
            }
        }
    }
    answers
}

/// Of points other than the identity, two differences that are zero exactly for the points that lie in G1, and z, which must not be
/// zero: where an addition met its exceptions, all three are.
fn compared<K: Kernel>(x: &Coordinate<K>, y: &Coordinate<K>) -> [Coordinate<K>; 3] {
    let z = coordinate::<K>(&[Fq::ONE]);
    let once = times_x(&Jacobian { x: *x, y: *y, z }, &Addend::affine(*x, *y));
    let Jacobian { x: x2, y: y2, z } = times_x::<K>(&once, &Addend::jacobian(&once));
    // x²S = (βX, −Y), with X = x₂/z² and Y = y₂/z³.
    let beta = coordinate::<K>(&[BETA]);
    let square: Coordinate<K> = z.square();
    [(x2 - beta.mul(x).mul(&square)).reduce(), (y2 + y.mul(&square.mul(&z))).reduce(), z]
}

/// |x|·P: 63 doublings and 5 additions. `point` twice, in the forms that these want.
fn times_x<K: Kernel>(point: &Jacobian<K>, addend: &Addend<K>) -> Jacobian<K> {
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
    use blobcheck_testing::torsion;

    /// Every point beside every other, in either lane: of G1, of each prime order of the cofactor, among them 3 and 11
    /// which meet the additions' exceptions, and sums of both.
    fn beside_each_other_over<K: Kernel>() {
        let of = |encodings: &[[u8; 48]]| -> Vec<G1> {
            let points = decompress_on_curve(encodings).into_iter().flatten();
            points.map(|point| G1::from(*point.affine())).collect()
        };
        let mut points = vec![generator().into(), times(generator().into(), &[99]), identity()];
        for part in of(&torsion::of_g1().into_iter().map(|found| found.point).collect::<Vec<_>>()) {
            points.extend([part, -part, part + generator()]);
        }
        // All orders in one.
        let all = points.iter().skip(3).step_by(3).sum();
        points.push(all);
        let any = of(&core::array::from_fn::<_, 6, _>(|x| {
            core::array::from_fn(|i| if i == 47 { x as u8 } else { 0x80 * u8::from(i == 0) })
        }));
        points.extend(any.into_iter().take(2));
        let expected: Vec<bool> = points.iter().map(|point| is_identity(&times(*point, &MODULUS))).collect();
        assert!(expected.iter().filter(|inside| !**inside).count() >= 27, "all primes are there");
        let affine: Vec<CurvePoint> = normalize(&points).into_iter().map(CurvePoint::from).collect();
        assert_eq!(are_in_subgroup::<K>(&affine), expected);
        for (i, first) in affine.iter().enumerate() {
            for (j, second) in affine.iter().enumerate() {
                assert_eq!(are_in_subgroup::<K>(&[*first, *second]), [expected[i], expected[j]], "{i} {j}");
            }
        }
    }

    over_each_kernel!(beside_each_other: beside_each_other_over);
}
