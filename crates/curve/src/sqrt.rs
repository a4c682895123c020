//! Square roots in the base field.
//!
//! p ≡ 3 modulo 4. With e = a^((p−3)/4), e²·a is a^((p−1)/2), Euler's criterion: 1 for a square, −1 for what is none.
//! So a·e is a root of a or of −a, and ±e is that root's inverse, which roots in Fq2 need.
//!
//! Every compressed point asks for one, and it is half of the point's cost.

use crate::addition_chain::AdditionChain;
use crate::backend::Fq;
use crate::engine::{power_each, Multiplying};
use crate::moduli::P;
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

static CHAIN: AdditionChain = AdditionChain::of(EXPONENT);

/// What [`sqrt_of_plus_or_minus_each`] finds of a number.
#[derive(Clone, Copy)]
pub(crate) enum SquareRoot {
    /// root² = a and root·inverse = 1; zeros where a = 0.
    Of { root: Fq, inverse: Fq },
    /// a is no square: root² = −a and root·inverse = 1.
    OfMinus { root: Fq, inverse: Fq },
}

impl SquareRoot {
    /// The root of `a` itself.
    fn of_number(&self) -> Option<Fq> {
        match self {
            Self::Of { root, .. } => Some(*root),
            Self::OfMinus { .. } => None,
        }
    }
}

/// A square root of each number that has one. Of the two, whichever comes out.
pub(crate) fn sqrt_each(numbers: &[Fq]) -> Vec<Option<Fq>> {
    sqrt_of_plus_or_minus_each(numbers).iter().map(SquareRoot::of_number).collect()
}

/// A square root of each number a or, where it has none, of −a.
pub(crate) fn sqrt_of_plus_or_minus_each(numbers: &[Fq]) -> Vec<SquareRoot> {
    let root_of = |(a, inverse): (&Fq, Fq)| {
        let root = *a * inverse;
        if root.square() == *a {
            SquareRoot::Of { root, inverse }
        } else {
            SquareRoot::OfMinus { root, inverse: -inverse }
        }
    };
    numbers.iter().zip(power_each::<Multiplying>(&CHAIN, numbers)).map(root_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ff::{AdditiveGroup, MontFp};

    /// Against arkworks' own, on squares, on non-squares, and at the ends of the range; in lists of any length, so that each
    /// number is in each lane and beside any other.
    #[test]
    fn roots() {
        const FACTOR: Fq = MontFp!("1234567890123456789012345678901234567890");
        let mut numbers = vec![Fq::ZERO, Fq::ONE, -Fq::ONE, Fq::ONE, Fq::ZERO];
        let mut a = FACTOR;
        for _ in 0..100 {
            a = a * FACTOR + Fq::ONE;
            numbers.extend([a, a * a, -(a * a)]);
        }
        let count = numbers.len();
        for length in [0, 1, 2, 3, 4, 5, 6, 7, count - 1, count] {
            let numbers = &numbers[..length];
            let (found, plus_or_minus) = (sqrt_each(numbers), sqrt_of_plus_or_minus_each(numbers));
            assert_eq!((found.len(), plus_or_minus.len()), (length, length));
            for ((a, root), either) in numbers.iter().zip(found).zip(plus_or_minus) {
                assert_eq!(root.is_some(), a.sqrt().is_some());
                assert!(root.is_none_or(|root| root * root == *a));
                let (square, root, inverse) = match either {
                    SquareRoot::Of { root, inverse } => (*a, root, inverse),
                    SquareRoot::OfMinus { root, inverse } => (-*a, root, inverse),
                };
                assert_eq!(root * root, square);
                assert_eq!(root * inverse, if *a == Fq::ZERO { Fq::ZERO } else { Fq::ONE });
            }
        }
    }
}
