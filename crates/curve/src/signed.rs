//! Integers of 128 bits and a sign: coefficients of batches.

use crate::scalar::{from_u128, Scalar};

/// An integer between −2¹²⁸ and 2¹²⁸.
///
/// A multiple of a point that may lie outside G1 is taken by negating the *point*: reduced modulo r, −1 would become
/// r − 1, which is another factor there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signed {
    /// Whether it is below zero. Zero has either sign.
    pub negative: bool,
    /// The absolute value.
    pub magnitude: u128,
}

impl Signed {
    /// Zero.
    pub const ZERO: Self = Self { negative: false, magnitude: 0 };

    /// One.
    pub const ONE: Self = Self { negative: false, magnitude: 1 };

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
