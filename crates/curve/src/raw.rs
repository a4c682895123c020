//! Scalars as plain integers.
//!
//! The field keeps a number a as aR mod r, R = 2²⁵⁶ (Montgomery form), and a product of forms is divided by
//! R. An integer a < r that is *not* converted is therefore the form of aR⁻¹. Whatever is **linear** in such
//! values, with ordinary scalars as coefficients, gives the plain integer of the result: Σ cᵢ·(aᵢR⁻¹) = (Σ
//! cᵢaᵢ)R⁻¹. A blob is 4,096 integers of which only linear functions are asked, so that one multiplication a
//! field element is saved.
//!
//! [`Raw`] keeps the two kinds apart: sums of raws and products of a raw with a scalar are raw; there is no
//! product of two raws.

use crate::backend::{Fr, FrConfig};
use crate::{limbs, scalar, Scalar};
use ark_ff::{AdditiveGroup, BigInt, MontConfig};
use core::ops::{Add, AddAssign, Mul, Sub};

/// An integer below r, not converted to the field's internal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw(Fr);

impl Raw {
    /// Zero.
    pub const ZERO: Self = Self(Fr::ZERO);

    /// Reads 32 big-endian bytes; `None` when the number is not below r.
    #[inline]
    pub fn from_be(bytes: &[u8; 32]) -> Option<Self> {
        let value = limbs::from_be(bytes);
        limbs::less(&value, &scalar::MODULUS).then(|| Self(Fr::new_unchecked(BigInt(value))))
    }

    /// Reads 32 big-endian bytes modulo r: for bytes whose canonical form was checked before, where the
    /// reduction never does anything.
    #[inline(never)]
    pub fn from_be_reduced(bytes: &[u8; 32]) -> Self {
        Self::from_limbs(scalar::reduce(limbs::from_be(bytes)))
    }

    /// Writes 32 big-endian bytes.
    pub fn to_be(&self) -> [u8; 32] {
        let mut out = [0u8; 32];
        limbs::to_be(&(self.0).0 .0, &mut out);
        out
    }

    /// The number as a scalar: one multiplication.
    pub fn to_scalar(self) -> Scalar {
        // aR⁻¹ times R; the constant R has the form R².
        self.0 * Fr::new_unchecked(<FrConfig as MontConfig<4>>::R2)
    }

    /// A number below r from its limbs, least significant first.
    pub(crate) fn from_limbs(value: [u64; 4]) -> Self {
        debug_assert!(limbs::less(&value, &scalar::MODULUS));
        Self(Fr::new_unchecked(BigInt(value)))
    }

    /// The raw whose integer is `value`·R mod r: the scalar's internal form, taken as it lies.
    pub fn from_form_of(value: Scalar) -> Self {
        // `value`·R has the form `value`·R², and is the form of (`value`·R)·R⁻¹ when left as it lies.
        Self(value)
    }

    /// The reverse of [`Self::from_form_of`].
    pub fn as_form(self) -> Scalar {
        self.0
    }

    /// The integer's limbs, least significant first.
    pub(crate) fn limbs(&self) -> &[u64; 4] {
        &(self.0).0 .0
    }
}

impl Add for Raw {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Raw {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Raw {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<Scalar> for Raw {
    type Output = Self;
    #[inline]
    fn mul(self, factor: Scalar) -> Self {
        Self(self.0 * factor)
    }
}
