//! The 3-part of a point, by the cubic residue of a number.
//!
//! The group of the curve over the base field has a cyclic 3-part of order 3, which T = (0, 2) generates. The tangent at
//! T is y = 2 and meets the curve nowhere else, so that y − 2 has the divisor 3(T) − 3(O), and (y − 2)^((p−1)/3)
//! is the reduced Tate pairing of T with the point. It is not degenerate, and vanishes on the threefold points: it is
//! one exactly for the points whose 3-part is trivial.

use crate::backend::Fq;
use crate::curve_point::CurvePoint;
use crate::eisenstein::is_cube;
use ark_ec::AffineRepr;
use ark_ff::MontFp;

/// Whether no part of any of these points of the curve has order 3. Points of G1 have none.
pub(crate) fn are_trivial(points: &[CurvePoint]) -> bool {
    const TWO: Fq = MontFp!("2");
    // As numbers lie there, times R = 2³⁸⁴, which is a cube. It is zero at T itself, whose pairing is not one either.
    points.iter().filter_map(|point| point.affine().xy()).all(|(_, y)| is_cube(&(y - TWO).0 .0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::g1::{generator, identity, is_identity, normalize, times, G1};
    use crate::g1_encoding::decompress_on_curve;
    use crate::moduli::R;

    /// Against multiplication with everything in the group's order but 3.
    #[test]
    fn definition() {
        let mut points = vec![identity(), generator().into(), -G1::from(generator())];
        for x in 0..60 {
            let mut bytes = [0; 48];
            (bytes[0], bytes[47]) = (0x80, x);
            if let Ok(point) = decompress_on_curve(&[bytes])[0].map(CurvePoint::assume_in_subgroup) {
                points.extend([point.into(), times(point.into(), &[3]), -G1::from(point)]);
                points.extend([times(point.into(), &R), times(point.into(), &[9]) + generator()]);
            }
        }
        let mut found = [0; 2];
        for (point, affine) in points.iter().zip(normalize(&points)) {
            let others = [11u64, 10_177, 859_267, 52_437_899];
            let part = others.iter().fold(times(*point, &R), |part, prime| times(part, &[prime * prime]));
            assert_eq!(are_trivial(&[affine.into()]), is_identity(&part));
            found[usize::from(is_identity(&part))] += 1;
        }
        assert!(found.iter().all(|count| *count > 30), "{found:?}");
        // x = 0: T and −T.
        let mut bytes = [0; 48];
        for flag in [0x80, 0xa0] {
            bytes[0] = flag;
            assert!(decompress_on_curve(&[bytes])[0].is_ok_and(|point| !are_trivial(&[point])));
        }
    }
}
