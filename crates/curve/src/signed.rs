//! Integers of 128 bits and a sign: coefficients of batches.

use crate::scalar::{from_u128, Scalar};
use ark_ff::PrimeField;

/// An integer between −2¹²⁸ and 2¹²⁸.
///
/// To multiply a point that may lie outside G1 by a negative number, the *point* is negated: r − 1 stands for −1 inside G1 alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signed {
    /// Whether it is below zero. Zero has either sign.
    pub negative: bool,
    /// The absolute value.
    pub magnitude: u128,
}

impl Signed {
    /// One.
    pub const ONE: Self = Self { negative: false, magnitude: 1 };

    /// The integer that is `scalar` modulo r, if there is one.
    pub fn of(scalar: &Scalar) -> Option<Self> {
        let of = |number: Scalar, negative| match number.into_bigint().0 {
            [low, high, 0, 0] => Some(Self { negative, magnitude: u128::from(high) << 64 | u128::from(low) }),
            _ => None,
        };
        of(*scalar, false).or_else(|| of(-*scalar, true))
    }

    /// The number modulo r.
    pub fn to_scalar(self) -> Scalar {
        let magnitude = from_u128(self.magnitude);
        if self.negative {
            -magnitude
        } else {
            magnitude
        }
    }
}

impl From<u128> for Signed {
    fn from(magnitude: u128) -> Self {
        Self { negative: false, magnitude }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::{ONE, ZERO};

    #[test]
    fn integers_come_back() {
        for magnitude in [0, 1, 1 << 64, u128::MAX] {
            for negative in [false, true] {
                let number = Signed { negative, magnitude };
                let expected = Signed { negative: negative && magnitude > 0, magnitude };
                assert_eq!(Signed::of(&number.to_scalar()), Some(expected));
            }
        }
        let beyond = from_u128(u128::MAX) + ONE;
        assert_eq!([beyond, -beyond, ZERO - beyond * beyond].map(|scalar| Signed::of(&scalar)), [None; 3]);
    }
}
