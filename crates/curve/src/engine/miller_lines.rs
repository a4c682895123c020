//! The lines of a Miller loop: what it needs of its point of G2, whatever the point of G1 is.
//!
//! The loop goes through the multiples of Q by the bits of |x|, in homogeneous coordinates (x = X/Z, y = Y/Z): a doubling
//! and its tangent for each bit below the top one, and for each that is set an addition and its chord. A line is c₀ +
//! c₁·x_P·v + c₄·y_P·vw in Fq12, up to a factor in Fq2, which the final exponentiation takes to 1 (formulas: Aranha,
//! Barreto, Longa, Ricardini, eprint 2013/722, with every coordinate multiplied by 4 in place of halving). So it is divided
//! by c₄, which leaves two coefficients of each.
//!
//! Q has order r and its multiples here are below r, so that none is the identity, and no addition meets ±Q: no c₄ is zero.

use super::fp12::of_fq2;
use super::kernel::{Bounded, Fp2, Kernel, LanesOf};
use super::sums::invert;
use crate::backend::Fq;
use crate::endomorphism::X;
use crate::g2::G2Affine;
use ark_ec::AffineRepr;
use ark_ff::{AdditiveGroup, Field};

/// Lines of a Miller loop, in its order: c₀/c₄ and c₁/c₄. None for the identity.
#[derive(Clone, Debug)]
pub(crate) struct Lines<K: Kernel>(pub(super) Vec<[Fp2<K, 1>; 2]>);

/// (c₀, c₁, c₄).
type Line<K> = [Fp2<K, 1>; 3];

impl<K: Kernel> Lines<K> {
    /// Those of a point of G2, with one inversion for all.
    pub(crate) fn of(point: &G2Affine) -> Self {
        let Some((x, y)) = point.xy() else { return Self(Vec::new()) };
        let (x, y) = (of_fq2::<K>(&x), of_fq2::<K>(&y));
        let mut multiple = Multiple::<K> { x, y, z: Bounded::of(&Fq::ONE, &Fq::ZERO) };
        let mut lines = Vec::with_capacity(68);
        for bit in (0..63).rev() {
            lines.push(multiple.double());
            if X >> bit & 1 == 1 {
                lines.push(multiple.add(&x, &y));
            }
        }
        Self(divide::<K>(&lines))
    }
}

/// Lines without their c₄, of which none is zero. 1/(a + b·u) = (a − b·u)/(a² + b²): norms of lines are lanes.
fn divide<K: Kernel>(lines: &[Line<K>]) -> Vec<[Fp2<K, 1>; 2]> {
    let mut product: LanesOf<K, 1> = Bounded::of_each(&[Fq::ONE]);
    let (mut norms, mut inverses) = (Vec::with_capacity(lines.len()), Vec::with_capacity(lines.len()));
    for some in lines.chunks(K::LANES) {
        let [a, b] = K::split(|at| &some[at.min(some.len() - 1)][2]);
        let norm = (a.square() + b.square()).reduce();
        inverses.push(product);
        product = product.mul(&norm);
        norms.push(norm);
    }
    let mut inverse = invert::<K>(&product);
    for (slot, norm) in inverses.iter_mut().zip(&norms).rev() {
        *slot = slot.mul(&inverse);
        inverse = inverse.mul(norm);
    }
    let mut divided = Vec::with_capacity(lines.len());
    for (some, inverses) in lines.chunks(K::LANES).zip(&inverses) {
        // A norm is in Fp: it multiplies both coefficients.
        K::join(&[*inverses; 2], |at, inverse| {
            if let Some([c0, c1, c4]) = some.get(at) {
                let inverse = c4.conjugate().mul_each(&inverse);
                divided.push([c0.mul_fp2(&inverse), c1.mul_fp2(&inverse)]);
            }
        });
    }
    divided
}

struct Multiple<K: Kernel> {
    x: Fp2<K, 1>,
    y: Fp2<K, 1>,
    z: Fp2<K, 1>,
}

impl<K: Kernel> Multiple<K> {
    /// The tangent.
    #[inline(never)]
    fn double(&mut self) -> Line<K> {
        let a = self.x.square_fp2();
        let b = self.y.square_fp2();
        let c = self.z.square_fp2();
        let xy = self.x.mul_fp2(&self.y);
        let yz = self.y.mul_fp2(&self.z);
        // 3b'Z², b' = 4(1 + u).
        let c3 = (c + c + c).times_xi::<6>().reduce();
        let c6 = c3 + c3;
        let e = (c6 + c6).reduce();
        let f = e + e + e;
        let x = xy.mul_fp2(&(b - f).reduce());
        self.x = (x + x).reduce();
        // (b + f)² − 12e²
        let square = e.square_fp2();
        let square = square + square;
        let square = square + square;
        self.y = ((b + f).reduce().square_fp2() - square - (square + square)).reduce();
        let z = b.mul_fp2(&yz);
        let z = z + z;
        let z = z + z;
        self.z = (z + z).reduce();
        [(e - b).reduce(), (a + a + a).reduce(), (yz + yz).negative().reduce()]
    }

    /// The chord to (x, y).
    #[inline(never)]
    fn add(&mut self, x: &Fp2<K, 1>, y: &Fp2<K, 1>) -> Line<K> {
        let theta = (self.y - y.mul_fp2(&self.z)).reduce();
        let lambda = (self.x - x.mul_fp2(&self.z)).reduce();
        let square = lambda.square_fp2();
        let cube = lambda.mul_fp2(&square);
        let g = self.x.mul_fp2(&square);
        let h = (cube + self.z.mul_fp2(&theta.square_fp2()) - (g + g)).reduce();
        self.x = lambda.mul_fp2(&h);
        self.y = (theta.mul_fp2(&(g - h)) - cube.mul_fp2(&self.y)).reduce();
        self.z = self.z.mul_fp2(&cube);
        [(theta.mul_fp2(x) - lambda.mul_fp2(y)).reduce(), theta.negative(), lambda]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Bls12_381, Fq2};
    use crate::{g2, hash_to_g2};
    use ark_ec::pairing::Pairing;

    /// Against arkworks' lines, divided.
    fn lines_of_points<K: Kernel>() {
        let mut points = hash_to_g2(&[b"1", b"2", b"3"], b"lines");
        points.extend([g2::generator(), -g2::generator()]);
        points.extend(g2::normalize(&[g2::identity()]));
        for point in points {
            let expected: Vec<[Fq2; 2]> = <Bls12_381 as Pairing>::G2Prepared::from(point)
                .ell_coeffs
                .iter()
                .map(|(c0, c1, c4)| [c0, c1].map(|c| *c * c4.inverse().unwrap()))
                .collect();
            let found: Vec<[Fq2; 2]> = Lines::<K>::of(&point)
                .0
                .iter()
                .map(|line| line.map(|c| Fq2::new(c.numbers()[0], c.numbers()[1])))
                .collect();
            assert_eq!(found, expected);
        }
    }

    over_each_kernel!(lines_of_each_kernel: lines_of_points);
}
