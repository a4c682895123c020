//! The lines of a Miller loop, by the formulas of [`crate::miller_lines`]; divided by c4, which leaves two coefficients of each.

use super::bucket::invert;
use super::fp12::of_fq2;
use super::fp2::Fp2;
use super::FpPair;
use crate::backend::Fq;
use crate::g2::G2Affine;
use crate::miller_lines::bits;
use ark_ec::AffineRepr;
use ark_ff::{AdditiveGroup, Field};

/// Lines of a Miller loop, in its order: c0/c4 and c1/c4. None for the identity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines(pub(super) Vec<[Fp2<1>; 2]>);

/// (c0, c1, c4).
type Line = [Fp2<1>; 3];

impl Lines {
    /// Those of a point of G2, with one inversion for all.
    pub(crate) fn of(point: &G2Affine) -> Self {
        let Some((x, y)) = point.xy() else { return Self::default() };
        let (x, y) = (of_fq2(&x), of_fq2(&y));
        let mut multiple = Multiple { x, y, z: FpPair::of(&Fq::ONE, &Fq::ZERO) };
        let mut lines = Vec::with_capacity(68);
        for bit in bits() {
            lines.push(multiple.double());
            if bit {
                lines.push(multiple.add(&x, &y));
            }
        }
        Self(divide(&lines))
    }
}

/// Lines without their c4, of which none is zero. 1/(a + b·u) = (a − b·u)/(a² + b²): the norms of two lines are a pair.
fn divide(lines: &[Line]) -> Vec<[Fp2<1>; 2]> {
    let norms: Vec<FpPair<1>> = lines
        .chunks(2)
        .filter_map(|two| Some((two.first()?, two.last()?)))
        .map(|([.., a], [.., b])| (a.firsts(b).square() + a.seconds(b).square()).reduce())
        .collect();
    let mut product = FpPair::of(&Fq::ONE, &Fq::ONE);
    let mut before = Vec::with_capacity(norms.len());
    for norm in &norms {
        before.push(product);
        product = product.mul(norm);
    }
    let mut inverse = invert(&product);
    let mut inverses = before;
    for (slot, norm) in inverses.iter_mut().zip(&norms).rev() {
        *slot = slot.mul(&inverse);
        inverse = inverse.mul(norm);
    }
    let both = inverses.iter().flat_map(|pair| [pair.firsts(pair), pair.seconds(pair)]);
    let divided = |([c0, c1, c4], norm): (&Line, FpPair<1>)| {
        let inverse = c4.conjugate().mul(&norm);
        [c0.mul_fp2(&inverse), c1.mul_fp2(&inverse)]
    };
    lines.iter().zip(both).map(divided).collect()
}

struct Multiple {
    x: Fp2<1>,
    y: Fp2<1>,
    z: Fp2<1>,
}

impl Multiple {
    /// The tangent.
    #[inline(never)]
    fn double(&mut self) -> Line {
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
    fn add(&mut self, x: &Fp2<1>, y: &Fp2<1>) -> Line {
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
    use crate::backend::Fq2;
    use crate::{g2, hash_to_g2, miller_lines};

    /// Against the lines of integers, divided.
    #[test]
    fn lines_of_points() {
        let mut points = hash_to_g2(&[b"1", b"2", b"3"], b"lines");
        points.extend([g2::generator(), -g2::generator()]);
        points.extend(g2::normalize(&[g2::identity()]));
        for point in points {
            let expected: Vec<[Fq2; 2]> = miller_lines::lines(&point)
                .iter()
                .map(|(c0, c1, c4)| [c0, c1].map(|c| *c * c4.inverse().unwrap()))
                .collect();
            let found: Vec<[Fq2; 2]> = Lines::of(&point)
                .0
                .iter()
                .map(|line| line.map(|c| Fq2::new(c.numbers()[0], c.numbers()[1])))
                .collect();
            assert_eq!(found, expected);
        }
    }
}
