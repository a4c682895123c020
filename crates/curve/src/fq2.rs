//! The quadratic extension: Fq2 = Fq\[u\]/(u² + 1). Square roots, and which of two is meant.
//!
//! The "complex method": let N = x² + y² be the norm of x + yu. It is a square in Fq exactly where x + yu is one in
//! Fq2. With α² = N, (x + α)/2 · (x − α)/2 = −(y/2)²; −1 being no square, one of the two factors is a square r²
//! and the other −(y/2r)², so that (r + (y/2r)·u)² = x + yu. Two powers in Fq, and no inversion.

use crate::backend::{Fq, Fq2};
use crate::fq;
use crate::sqrt::{self, SquareRoot};
use ark_ff::{AdditiveGroup, MontFp};

/// −(2 + u), which is no square: its norm, 5, is none in Fq. Hashing to G2 uses it (RFC 9380, section 8.8.2: Z).
pub(crate) const NON_SQUARE: Fq2 = Fq2::new(MontFp!("-2"), MontFp!("-1"));

/// √−5.
const ROOT_OF_MINUS_5: Fq = MontFp!(
    "248294325734266649657405162895821171812231848760181225578082735178502750823719347628762635478508544819911854747095"
);

/// ½.
const HALF: Fq = MontFp!(
    "2001204777610833696708894912867952078278441409969503942666029068062015825245418932221343814564507832018947136279894"
);

/// A square root of each number that has one. Of the two, whichever comes out.
pub(crate) fn sqrt_each(numbers: &[Fq2]) -> Vec<Option<Fq2>> {
    let alphas = sqrt::sqrt_each(&norms(numbers));
    let squares: Vec<_> =
        numbers.iter().zip(&alphas).filter_map(|(a, alpha)| Some((*a, (*alpha)?))).collect();
    let mut roots = with_norm_roots(&squares).into_iter();
    alphas.iter().map(|alpha| alpha.and_then(|_| roots.next())).collect()
}

/// √a or, where `a` has none, √(Z·a) with Z = [`NON_SQUARE`].
pub(crate) enum RootOrTwist {
    /// √a.
    Root(Fq2),
    /// √(Z·a).
    Twist(Fq2),
}

/// A square root of each number a or of Z·a, by the same two powers.
pub(crate) fn sqrt_or_twist_each(numbers: &[Fq2]) -> Vec<RootOrTwist> {
    let norms = sqrt::sqrt_of_plus_or_minus_each(&norms(numbers));
    let squares: Vec<_> = numbers
        .iter()
        .zip(&norms)
        .map(|(a, norm)| match norm {
            SquareRoot::Of { root, .. } => (*a, *root),
            // The norm of Z·a is 5N = −5 · −N.
            SquareRoot::OfMinus { root, .. } => (*a * NON_SQUARE, *root * ROOT_OF_MINUS_5),
        })
        .collect();
    let roots = with_norm_roots(&squares).into_iter().zip(&norms);
    roots
        .map(|(root, norm)| match norm {
            SquareRoot::Of { .. } => RootOrTwist::Root(root),
            SquareRoot::OfMinus { .. } => RootOrTwist::Twist(root),
        })
        .collect()
}

/// A square root of each `a`, given with it α with α² = norm(a).
fn with_norm_roots(squares: &[(Fq2, Fq)]) -> Vec<Fq2> {
    let delta = |(a, alpha): &(Fq2, Fq)| {
        let sum = a.c0 + alpha;
        // x + α = 0 is y = 0 with the wrong α; the other gives x + x.
        if sum == Fq::ZERO {
            a.c0
        } else {
            fq::mul(&sum, &HALF)
        }
    };
    let deltas: Vec<Fq> = squares.iter().map(delta).collect();
    let root = |((a, _), root): (&(Fq2, Fq), SquareRoot)| {
        let half = fq::mul(&a.c1, &HALF);
        match root {
            SquareRoot::Of { root, inverse } => Fq2::new(root, fq::mul(&half, &inverse)),
            // δ = −s², and it is the other factor that is a square: (y/2s)².
            SquareRoot::OfMinus { root, inverse } => Fq2::new(fq::mul(&half, &inverse), root),
        }
    };
    squares.iter().zip(sqrt::sqrt_of_plus_or_minus_each(&deltas)).map(root).collect()
}

fn norms(numbers: &[Fq2]) -> Vec<Fq> {
    numbers.iter().map(|a| fq::mul(&a.c0, &a.c0) + fq::mul(&a.c1, &a.c1)).collect()
}

/// Whether y is larger than −y: compared by c1, then by c0.
pub(crate) fn is_larger(y: &Fq2) -> bool {
    fq::is_larger(if y.c1 == Fq::ZERO { &y.c0 } else { &y.c1 })
}

/// `sgn0` of RFC 9380, section 4.1: the parity of c0 or, where c0 = 0, of c1.
pub(crate) fn is_odd(value: &Fq2) -> bool {
    fq::is_odd(if value.c0 == Fq::ZERO { &value.c1 } else { &value.c0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ff::Field;

    /// Against arkworks' own; with zeros for each half, where the method has its exceptions.
    #[test]
    fn roots() {
        const FACTOR: Fq = MontFp!("98765432109876543210987654321098765432109876543210");
        let (mut x, mut y) = (FACTOR, Fq::ONE);
        let mut numbers = vec![Fq2::ZERO, Fq2::ONE, -Fq2::ONE, Fq2::new(Fq::ZERO, Fq::ONE), -NON_SQUARE];
        for i in 0..400 {
            (x, y) = (x * FACTOR + y, y * FACTOR + x);
            let a = match i % 5 {
                0 => Fq2::new(x, Fq::ZERO),
                1 => Fq2::new(Fq::ZERO, y),
                2 => Fq2::new(x, x),
                _ => Fq2::new(x, y),
            };
            numbers.extend([a, a.square(), NON_SQUARE * a.square()]);
        }
        let (mut squares, mut others) = (0, 0);
        let found = sqrt_each(&numbers).into_iter().zip(sqrt_or_twist_each(&numbers));
        for (a, (root, either)) in numbers.iter().zip(found) {
            assert_eq!(root.is_some(), a.sqrt().is_some());
            match either {
                RootOrTwist::Root(other) => {
                    assert_eq!(root, Some(other));
                    assert_eq!(other.square(), *a);
                    squares += 1;
                }
                RootOrTwist::Twist(other) => {
                    assert_eq!(root, None);
                    assert_eq!(other.square(), *a * NON_SQUARE);
                    others += 1;
                }
            }
        }
        assert!(squares > 500 && others > 450, "{squares} {others}");
        assert!(sqrt_each(&[]).is_empty() && sqrt_or_twist_each(&[]).is_empty());
    }

    #[test]
    fn constants() {
        assert_eq!(ROOT_OF_MINUS_5.square(), -Fq::from(5));
        assert_eq!(HALF.double(), Fq::ONE);
    }
}
