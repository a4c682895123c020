//! The lines of a Miller loop: what it needs of its point of G2, whatever the point of G1 is.
//!
//! The loop goes through the multiples of Q by the bits of |x|, in homogeneous coordinates (x = X/Z, y = Y/Z): a doubling
//! and its tangent for each bit below the top one, and for each that is set an addition and its chord. A line is c₀ +
//! c₁·x_P·v + c₄·y_P·vw in Fq12, up to a factor in Fq2, which the final exponentiation takes to 1 (formulas: Aranha,
//! Barreto, Longa, Ricardini, eprint 2013/722, with every coordinate multiplied by 4 in place of halving).
//!
//! Q has order r and its multiples here are below r, so that none is the identity, and no addition meets ±Q. For any
//! other point of the curve the lines mean nothing, but nothing is divided by either.

use crate::backend::{Fq2, G2Affine};
use crate::endomorphism::X;
use ark_ec::AffineRepr;
use ark_ff::{AdditiveGroup, Field};

/// (c₀, c₁, c₄).
pub(crate) type Line = (Fq2, Fq2, Fq2);

/// The bits of |x| below the top one, from the top.
pub(crate) fn bits() -> impl Iterator<Item = bool> {
    (0..63).rev().map(|bit| X >> bit & 1 == 1)
}

/// The lines of a point, in the order of the loop; none for the identity.
pub(crate) fn lines(point: &G2Affine) -> Vec<Line> {
    let Some((x, y)) = point.xy() else { return Vec::new() };
    let mut multiple = Multiple { x, y, z: Fq2::ONE };
    let mut lines = Vec::with_capacity(68);
    for bit in bits() {
        lines.push(multiple.double());
        if bit {
            lines.push(multiple.add(&x, &y));
        }
    }
    lines
}

struct Multiple {
    x: Fq2,
    y: Fq2,
    z: Fq2,
}

impl Multiple {
    /// The tangent; 7 squarings and 2 multiplications.
    #[inline(never)]
    fn double(&mut self) -> Line {
        let a = self.x.square();
        let b = self.y.square();
        let c = self.z.square();
        let xy2 = (self.x + self.y).square() - a - b;
        let yz2 = (self.y + self.z).square() - b - c;
        let c3 = c.double() + c;
        // 3b'Z², b' = 4(1 + u).
        let e = times_one_plus_u(&c3).double().double();
        let f = e.double() + e;
        let e2 = e.double();
        self.x = xy2 * (b - f);
        let square = e2.square();
        self.y = (b + f).square() - square.double() - square;
        self.z = b.double().double() * yz2;
        (e - b, a.double() + a, -yz2)
    }

    /// The chord to (x, y); 2 squarings and 11 multiplications.
    #[inline(never)]
    fn add(&mut self, x: &Fq2, y: &Fq2) -> Line {
        let theta = self.y - *y * self.z;
        let lambda = self.x - *x * self.z;
        let square = lambda.square();
        let cube = lambda * square;
        let g = self.x * square;
        let h = cube + self.z * theta.square() - g.double();
        self.x = lambda * h;
        self.y = theta * (g - h) - cube * self.y;
        self.z *= cube;
        (theta * x - lambda * y, -theta, lambda)
    }
}

/// (1 + u)·a, u² = −1.
fn times_one_plus_u(a: &Fq2) -> Fq2 {
    Fq2::new(a.c0 - a.c1, a.c0 + a.c1)
}
