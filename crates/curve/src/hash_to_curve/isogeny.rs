//! The isogeny of degree 3 from E' to our curve (RFC 9380, section 8.8.2 and appendix E.3), by Vélu's formulas.
//!
//! Its kernel is {0, (x₀, ±y₀)} with x₀ = 6(u − 1). With d = x − x₀, v = 2(3x₀² + A) = 48u and w = 4y₀² = 16(1 + u),
//! (x, y) goes to (x + v/d + w/d², y·(1 − v/d² − 2w/d³)) on y² = x³ + (A − 5v)x + B − 7(w + x₀v) = x³ + 2916(1 + u),
//! which dividing by 3² and (−3)³ takes to y² = x³ + 4(1 + u). The appendix has the same map, multiplied out.

use super::map::Point;
use crate::backend::{Fq, Fq2};
use crate::g2::G2;
use ark_ff::{AdditiveGroup, Field, MontFp};

const X0: Fq2 = Fq2::new(MontFp!("-6"), MontFp!("6"));
const V: Fq2 = Fq2::new(Fq::ZERO, MontFp!("48"));
const W: Fq2 = Fq2::new(MontFp!("16"), MontFp!("16"));

/// The image of a point of E'. Both denominators are powers of Z = −3d in Jacobian coordinates. d is never zero: y₀² =
/// 4(1 + u) is no square, so that the kernel's other points are not over Fq2.
pub(super) fn apply((x, y): &Point) -> G2 {
    let d = *x - X0;
    let square = d.square();
    let slope = V * d;
    G2::new_unchecked(*x * square + slope + W, *y * (square * d - slope - W.double()), -(d.double() + d))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash_to_curve::map::{map_to_curve, A, B};
    use crate::{fq2, g2};
    use ark_ec::AffineRepr;

    #[test]
    fn constants() {
        let y0_squared = X0.square() * X0 + A * X0 + B;
        assert_eq!(fq2::sqrt_each(&[y0_squared]), [None]);
        assert_eq!(W, y0_squared.double().double());
        assert_eq!(V, (X0.square().double() + X0.square() + A).double());
        assert_eq!(A, V.double().double() + V);
    }

    #[test]
    fn images_are_on_the_curve() {
        let elements: Vec<Fq2> = (0..20).map(|i| Fq2::new(Fq::from(i), Fq::from(3 * i + 1))).collect();
        for point in map_to_curve(&elements) {
            let image = g2::normalize(&[apply(&point)])[0];
            assert!(!image.is_zero() && image.is_on_curve());
        }
    }
}
