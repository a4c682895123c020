//! Points of the curve y² = x³ + 4 of which nothing more is known, as a type of their own.
//!
//! Whoever makes a proof chooses its bytes, and a point of the curve outside G1 lets false claims pass. So what
//! comes out of decompression is a [`CurvePoint`], which no sum and no pairing takes; the subgroup tests make points of G1 of it.

use crate::backend::Fq;
use crate::fq;
use crate::g1::G1Affine;
use ark_ff::MontFp;
use core::ops::Neg;

/// A point that is known to lie on the curve, but not to lie in its subgroup G1. The identity is one of them.
///
/// [`crate::subgroup::tested_each`] finds out which points lie in G1.
///
/// ```
/// # use blobcheck_curve::{g1, g1_encoding, subgroup};
/// let bytes = g1_encoding::compress(&g1::generator());
/// let on_curve = g1_encoding::decompress_on_curve(&[bytes])[0].unwrap();
/// assert_eq!(subgroup::tested_each(&[on_curve]), [Some(g1::generator())]);
/// ```
///
/// It is no point of G1 before, unless somebody asserts that it is one:
///
/// ```
/// # use blobcheck_curve::{g1, g1_encoding, sum};
/// # let bytes = g1_encoding::compress(&g1::generator());
/// let on_curve = g1_encoding::decompress_on_curve(&[bytes])[0].unwrap();
/// sum(&[on_curve.assume_in_subgroup()]);
/// ```
///
/// ```compile_fail,E0308
/// # use blobcheck_curve::{g1, g1_encoding, sum};
/// # let bytes = g1_encoding::compress(&g1::generator());
/// let on_curve = g1_encoding::decompress_on_curve(&[bytes])[0].unwrap();
/// sum(&[on_curve]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct CurvePoint(G1Affine);

impl CurvePoint {
    /// The point of these coordinates; `None` where they are not on the curve.
    pub(crate) fn from_coordinates(x: Fq, y: Fq) -> Option<Self> {
        (fq::mul(&y, &y) == curve_rhs(x)).then(|| Self(G1Affine::new_unchecked(x, y)))
    }

    /// The point of these coordinates, which the caller has found to be on the curve.
    #[inline]
    pub(crate) fn new_unchecked(x: Fq, y: Fq) -> Self {
        Self(G1Affine::new_unchecked(x, y))
    }

    /// The identity.
    pub fn identity() -> Self {
        Self(G1Affine::identity())
    }

    /// The same point, **asserted** to lie in G1 and not tested here.
    ///
    /// Two kinds of callers may assert it: those that know the bytes by their hash (trusted setups), or as their own
    /// worker's; and those that test the point in a batch ([`crate::subgroup::tested`], [`crate::subgroup::untested`]), as
    /// long as they conclude nothing from it before the batch has passed.
    #[inline]
    pub fn assume_in_subgroup(self) -> G1Affine {
        self.0
    }

    /// The coordinates' carrier, for formulas that hold on the whole curve.
    #[inline]
    pub(crate) fn affine(&self) -> &G1Affine {
        &self.0
    }
}

impl From<G1Affine> for CurvePoint {
    /// Every point of G1 is a point of the curve.
    #[inline]
    fn from(point: G1Affine) -> Self {
        Self(point)
    }
}

impl Neg for CurvePoint {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// x³ + 4.
#[inline(never)]
pub(crate) fn curve_rhs(x: Fq) -> Fq {
    const FOUR: Fq = MontFp!("4");
    fq::mul(&fq::mul(&x, &x), &x) + FOUR
}
