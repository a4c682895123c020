//! The simplified SWU map (RFC 9380, sections 6.6.2 and 8.8.2) to E': y² = x³ + A·x + B over Fq2, A = 240u, B = 1012(1
//! + u).
//!
//! Of x₁ and x₂ = Zt²·x₁, Z being no square, one belongs to a point: g(x₂) = Z³t⁶·g(x₁). So x₁ is tried, and a failure
//! leaves √(Z·g(x₁)), of which √g(x₂) is a multiple (Wahby, Boneh, eprint 2019/403, section 4.2).

use crate::backend::{Fq, Fq2};
use crate::fq2::{self, RootOrTwist, NON_SQUARE as Z};
use ark_ff::{AdditiveGroup, Field, MontFp};

pub(super) const A: Fq2 = Fq2::new(Fq::ZERO, MontFp!("240"));
pub(super) const B: Fq2 = Fq2::new(MontFp!("1012"), MontFp!("1012"));

/// x and y of a point of E'.
pub(super) type Point = (Fq2, Fq2);

/// `map_to_curve_simple_swu` for each element, with one inversion for all.
pub(super) fn map_to_curve(elements: &[Fq2]) -> Vec<Point> {
    let twisted: Vec<Fq2> = elements.iter().map(|t| Z * t.square()).collect();
    // Z²t⁴ + Zt²
    let sums: Vec<Fq2> = twisted.iter().map(|zt| zt.square() + zt).collect();
    // x₁ = B(sum + 1)/(−A·sum), or B/(Z·A) where the sum is zero. Neither A nor Z is.
    let mut inverses: Vec<Fq2> =
        sums.iter().map(|sum| if *sum == Fq2::ZERO { A * Z } else { -(A * sum) }).collect();
    ark_ff::batch_inversion(&mut inverses);
    let x1s: Vec<Fq2> =
        sums.iter().zip(inverses).map(|(sum, inverse)| B * (*sum + Fq2::ONE) * inverse).collect();
    let values: Vec<Fq2> = x1s.iter().map(|x1| (x1.square() + A) * x1 + B).collect();
    let mut points = Vec::with_capacity(elements.len());
    for (((t, zt), x1), root) in elements.iter().zip(twisted).zip(x1s).zip(fq2::sqrt_or_twist_each(&values)) {
        let (x, y) = match root {
            RootOrTwist::Root(root) => (x1, root),
            // (Zt³)²·Z·g(x₁) = Z³t⁶·g(x₁)
            RootOrTwist::Twist(root) => (zt * x1, zt * t * root),
        };
        points.push((x, if fq2::is_odd(&y) == fq2::is_odd(t) { y } else { -y }));
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every element has a point of E', and so has 0, the exceptional one. There is no other: Zt² is never −1, since −1 is a square and Z is none.
    #[test]
    fn points_of_the_curve() {
        const FACTOR: Fq = MontFp!("31415926535897932384626433832795028841971693993751058209749445923078164");
        assert_eq!(fq2::sqrt_each(&[(-Z).inverse().unwrap()]), [None]);
        let mut elements = vec![Fq2::ZERO, Fq2::ONE, -Fq2::ONE];
        let mut x = FACTOR;
        for _ in 0..50 {
            x = x * FACTOR + Fq::ONE;
            elements.push(Fq2::new(x, x.square() + FACTOR));
        }
        let points = map_to_curve(&elements);
        assert_eq!(points.len(), elements.len());
        for (t, (x, y)) in elements.iter().zip(points) {
            assert_eq!(y.square(), x.square() * x + A * x + B);
            assert_eq!(fq2::is_odd(t), fq2::is_odd(&y));
        }
    }
}
