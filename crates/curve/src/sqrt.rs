//! Square roots in the base field.
//!
//! p ≡ 3 modulo 4. With e = a^((p−3)/4), e²·a is a^((p−1)/2), Euler's criterion: 1 for a square, −1 for what is none.
//! So a·e is a root of a or of −a, and ±e is that root's inverse, which roots in Fq2 need.
//!
//! Every compressed point asks for one, and it is half of the point's cost.

use crate::addition_chain::AdditionChain;
use crate::backend::Fq;
use crate::features::SIMD;
use crate::moduli::P;
use crate::simd;
use ark_ff::Field;

/// (p − 3)/4.
const EXPONENT: [u64; 6] = {
    let mut exponent = [0; 6];
    let mut i = 0;
    while i < 6 {
        let above = if i < 5 { P[i + 1] } else { 0 };
        exponent[i] = P[i] >> 2 | above << 62;
        i += 1;
    }
    // ⌊p/4⌋, since p ≡ 3.
    assert!(P[0] & 3 == 3);
    exponent
};

pub(crate) static CHAIN: AdditionChain = AdditionChain::of(EXPONENT);

/// A square root of each number that has one. Of the two, whichever comes out.
pub(crate) fn sqrt_each(numbers: &[Fq]) -> Vec<Option<Fq>> {
    if SIMD {
        return simd::sqrt_each(&CHAIN, numbers);
    }
    numbers.iter().map(sqrt).collect()
}

/// A square root of `a`, or `None` where it has none. Of the two, whichever comes out.
pub(crate) fn sqrt(a: &Fq) -> Option<Fq> {
    match sqrt_of_plus_or_minus(a) {
        SquareRoot::Of { root, .. } => Some(root),
        SquareRoot::OfMinus { .. } => None,
    }
}

/// What [`sqrt_of_plus_or_minus`] finds.
pub(crate) enum SquareRoot {
    /// root² = a and root·inverse = 1; zeros where a = 0.
    Of { root: Fq, inverse: Fq },
    /// a is no square: root² = −a and root·inverse = 1.
    OfMinus { root: Fq, inverse: Fq },
}

/// A square root of `a` or, where it has none, of −`a`.
pub(crate) fn sqrt_of_plus_or_minus(a: &Fq) -> SquareRoot {
    let inverse = CHAIN.power(a);
    let root = *a * inverse;
    if root.square() == *a {
        SquareRoot::Of { root, inverse }
    } else {
        SquareRoot::OfMinus { root, inverse: -inverse }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ff::{AdditiveGroup, MontFp};

    /// Against arkworks' own, on squares, on non-squares, and at the ends of the range.
    #[test]
    fn roots() {
        const FACTOR: Fq = MontFp!("1234567890123456789012345678901234567890");
        let mut a = FACTOR;
        let mut found = 0;
        for _ in 0..300 {
            a = a * FACTOR + Fq::ONE;
            assert_eq!(sqrt(&a).is_some(), a.sqrt().is_some());
            if let Some(root) = sqrt(&a) {
                assert_eq!(root * root, a);
                found += 1;
            }
            let inverted = match sqrt_of_plus_or_minus(&a) {
                SquareRoot::Of { root, inverse } => (root * root == a).then_some(root * inverse),
                SquareRoot::OfMinus { root, inverse } => (root * root == -a).then_some(root * inverse),
            };
            assert_eq!(inverted, Some(Fq::ONE));
            let square = a * a;
            assert!(sqrt(&square).is_some_and(|root| root == a || root == -a));
            assert_eq!(sqrt(&-square), None, "−1 is no square");
        }
        assert!((100..200).contains(&found));
        assert!(
            matches!(sqrt_of_plus_or_minus(&Fq::ZERO), SquareRoot::Of { root, inverse } if root == Fq::ZERO && inverse == Fq::ZERO)
        );
        assert_eq!(sqrt(&Fq::ONE), Some(Fq::ONE));
        assert_eq!(sqrt(&-Fq::ONE), None);
    }
}
