//! A point of the curve over Fp2 at a time, in Jacobian coordinates: its coordinates are pairs, so that there can be
//! branches, and sums are right for all points. The curve has no point of order 2: its order is odd.

use super::fp12::of_fq2;
use super::kernel::{Fp2, Kernel};
use crate::backend::Fq2;
use crate::endomorphism::X;
use crate::g2::G2;

/// (X/Z², Y/Z³), and Z = 0 for the identity.
#[derive(Clone, Copy)]
struct Point<K: Kernel> {
    x: Fp2<K, 1>,
    y: Fp2<K, 1>,
    z: Fp2<K, 1>,
}

/// As [`crate::psi::times_x`]: |x|·P, for any point of the curve.
pub(crate) fn times_x<K: Kernel>(point: &G2) -> G2 {
    let base = Point::<K> { x: of_fq2::<K>(&point.x), y: of_fq2::<K>(&point.y), z: of_fq2::<K>(&point.z) };
    let mut sum = base;
    for bit in (0..63).rev() {
        sum = sum.double();
        if X >> bit & 1 == 1 {
            sum = sum.add(&base);
        }
    }
    let [x, y, z] = [sum.x, sum.y, sum.z].map(|c| {
        let [c0, c1] = c.numbers();
        Fq2::new(c0, c1)
    });
    G2::new_unchecked(x, y, z)
}

impl<K: Kernel> Point<K> {
    /// 2P: 3 multiplications and 4 squarings ("dbl-2009-l" of the Explicit-Formulas Database, with a product for the
    /// square of a sum). Z = 0 stays.
    #[inline(never)]
    fn double(&self) -> Self {
        let a = self.x.square_fp2();
        let b = self.y.square_fp2();
        let c = b.square_fp2();
        let xb = self.x.mul_fp2(&b);
        let xb2 = xb + xb;
        let d = (xb2 + xb2).reduce();
        let e = (a + a + a).reduce();
        let x = (e.square_fp2() - (d + d)).reduce();
        let c2 = c + c;
        let c4 = c2 + c2;
        let y = (e.mul_fp2(&(d - x)) - (c4 + c4)).reduce();
        let z = (self.y + self.y).mul_fp2(&self.z);
        Self { x, y, z }
    }

    /// P + Q: 12 multiplications and 4 squarings.
    #[inline(never)]
    fn add(&self, other: &Self) -> Self {
        if is_zero::<K>(&self.z.reduce()) {
            return *other;
        }
        if is_zero::<K>(&other.z.reduce()) {
            return *self;
        }
        let (zz1, zz2) = (self.z.square_fp2(), other.z.square_fp2());
        let (x1, x2) = (self.x.mul_fp2(&zz2), other.x.mul_fp2(&zz1));
        let y1 = self.y.mul_fp2(&other.z).mul_fp2(&zz2);
        let y2 = other.y.mul_fp2(&self.z).mul_fp2(&zz1);
        let h = (x2 - x1).reduce();
        let r = (y2 - y1).reduce();
        if is_zero::<K>(&h) && is_zero::<K>(&r) {
            return self.double();
        }
        let square = h.square_fp2();
        let cube = h.mul_fp2(&square);
        let v = x1.mul_fp2(&square);
        let x = (r.square_fp2() - cube - (v + v)).reduce();
        let y = (r.mul_fp2(&(v - x)) - y1.mul_fp2(&cube)).reduce();
        // Zero for P − P.
        let z = self.z.mul_fp2(&other.z).mul_fp2(&h);
        Self { x, y, z }
    }
}

/// Of a number that comes from `reduce`.
fn is_zero<K: Kernel>(number: &Fp2<K, 1>) -> bool {
    number.is_zero_once_reduced() == [true; 2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Fq;
    use crate::g2::{self, G2Affine};
    use ark_ec::{AffineRepr, CurveConfig};
    use ark_ff::{AdditiveGroup, Field, PrimeField};

    fn point_of<K: Kernel>(point: &G2) -> Point<K> {
        Point { x: of_fq2::<K>(&point.x), y: of_fq2::<K>(&point.y), z: of_fq2::<K>(&point.z) }
    }

    fn of_point<K: Kernel>(point: &Point<K>) -> G2 {
        let [x, y, z] = [point.x, point.y, point.z].map(|c| Fq2::new(c.numbers()[0], c.numbers()[1]));
        G2::new_unchecked(x, y, z)
    }

    /// Any points of the curve, nearly all outside G2.
    fn any_points() -> Vec<G2> {
        let encodings =
            (0..40u8).map(|i| core::array::from_fn(|at| if at == 95 { i } else { 0x80 * u8::from(at == 0) }));
        let points: Vec<G2> = encodings
            .filter_map(|bytes| crate::g2_encoding::decompress_on_curve(&bytes).ok())
            .map(G2::from)
            .collect();
        assert!(points.len() > 10);
        points
    }

    /// Against arkworks: each with each, itself, its opposite and the identity among them, in other coordinates.
    fn sums_over<K: Kernel>() {
        let mut points: Vec<G2> = any_points().into_iter().take(5).collect();
        points.push(g2::generator().into());
        points.extend(points.clone().iter().flat_map(|point| [-*point, point.double()]));
        points.push(g2::identity());
        let factor = Fq2::new(Fq::from(7u64), Fq::from(11u64));
        for left in &points {
            assert_eq!(of_point(&point_of::<K>(left).double()), left.double());
            for right in &points {
                let [zz, zzz] = [factor.square(), factor.square() * factor];
                let other = G2::new_unchecked(right.x * zz, right.y * zzz, right.z * factor);
                assert_eq!(of_point(&point_of::<K>(left).add(&point_of::<K>(&other))), *left + right);
            }
        }
    }

    /// Against multiplication by doubling and adding; points of small order, which meet the exceptions, among them.
    fn multiples_over<K: Kernel>() {
        let times = |point: G2, n: &[u64]| {
            (0..64 * n.len()).rev().fold(g2::identity(), |sum, bit| {
                let twice = sum.double();
                if n[bit / 64] >> (bit % 64) & 1 == 1 {
                    twice + point
                } else {
                    twice
                }
            })
        };
        // The cofactor's part without 13 and 23, times r: what is left has an order that divides 13²·23².
        let cofactor = <<G2Affine as AffineRepr>::Config as CurveConfig>::COFACTOR;
        let over = |n: &[u64], by: u64| {
            let (mut out, mut rest) = (n.to_vec(), 0u128);
            for limb in out.iter_mut().rev() {
                let value = rest << 64 | u128::from(*limb);
                (*limb, rest) = ((value / u128::from(by)) as u64, value % u128::from(by));
            }
            assert_eq!(rest, 0);
            out
        };
        let modulus = crate::backend::Fr::MODULUS.0;
        let mut points = any_points();
        let mut small = 0;
        for (order, square) in [(13, 169), (23, 529)] {
            for point in any_points().iter().take(6) {
                let part = times(times(*point, &over(cofactor, square)), &modulus);
                let once = times(part, &[order]);
                let part = if once.z == Fq2::ZERO { part } else { once };
                small += usize::from(part.z != Fq2::ZERO);
                points.extend([part, part + g2::generator()]);
            }
        }
        assert!(small > 4);
        points.extend([g2::identity(), g2::generator().into()]);
        for point in points {
            assert_eq!(times_x::<K>(&point), times(point, &[X]));
            assert!(G2Affine::from(point).is_zero() || G2Affine::from(point).is_on_curve());
        }
    }

    over_each_kernel!(sums: sums_over, multiples: multiples_over);
}
