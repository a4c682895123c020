//! Two numbers modulo p, one in each lane.

use super::fp_kernels::{self as kernels, LIMBS};
use super::vector::F64x2;
use core::ops::{Add, Sub};

/// Two numbers modulo p in Montgomery form, within a bound that the type carries: each is below B·p in size, and
/// its limbs but the top one are at most B·(2⁴⁷ + 64).
///
/// Sums add bounds up, a product asks that those of its factors multiply to at most 4 and has 1, and
/// [`FpPair::reduce`] brings 1 back. What asks for more does not compile.
#[derive(Clone, Copy, Debug)]
pub struct FpPair<const B: u32>(pub(super) [F64x2; LIMBS]);

impl<const B: u32> FpPair<B> {
    /// The product, lane by lane.
    #[inline(always)]
    pub fn mul<const B2: u32>(&self, other: &FpPair<B2>) -> FpPair<1> {
        const { assert!(B * B2 <= 4) }
        FpPair(kernels::mul(&self.0, &other.0))
    }

    /// The square, lane by lane.
    #[inline(always)]
    pub fn square(&self) -> FpPair<1> {
        const { assert!(B <= 2) }
        FpPair(kernels::square(&self.0))
    }

    /// The same numbers modulo p, small again.
    ///
    /// x − k·p for the k next to x/p, which the top limb tells: the limbs below are less than half of B's unit of the
    /// top one, so that k is right but for 2⁻³⁹ and what is left is at most (1/2 + 2⁻³⁹)·p. k ≤ B, so that all limbs
    /// stay below B·2⁴⁹ ≤ 2⁵³ on the way. Then each limb keeps its low part, at most 2⁴⁷, and hands the rest, at
    /// most 2⁵, to the next one.
    #[inline(always)]
    pub fn reduce(&self) -> FpPair<1> {
        const { assert!(B <= 16) }
        FpPair(kernels::reduce(&self.0))
    }

    /// The first numbers of both pairs.
    #[inline(always)]
    pub(super) fn firsts(&self, other: &Self) -> Self {
        FpPair(each(&self.0, &other.0, F64x2::firsts))
    }

    /// The second numbers of both pairs.
    #[inline(always)]
    pub(super) fn seconds(&self, other: &Self) -> Self {
        FpPair(each(&self.0, &other.0, F64x2::seconds))
    }

    /// The same numbers under a larger bound.
    #[inline(always)]
    pub fn widen<const B2: u32>(&self) -> FpPair<B2> {
        const { assert!(B <= B2) }
        FpPair(self.0)
    }
}

impl FpPair<1> {
    /// Which of the two are zero modulo p, of numbers that come from [`FpPair::reduce`].
    ///
    /// Such a number is at most (1/2 + 2⁻³⁹)·p, so that it is zero itself. Its lowest limb is a multiple of 2⁴⁸, and at
    /// most 2⁴⁷, hence zero; and so, limb by limb, are the others, being at most 2⁴⁷ + 2⁵.
    #[inline(always)]
    pub(super) fn is_zero_once_reduced(&self) -> [bool; 2] {
        let [a, b] = self.0[0].lanes();
        if a != 0.0 && b != 0.0 {
            return [false; 2];
        }
        [0, 1].map(|lane| self.0.iter().all(|limb| limb.lanes()[lane] == 0.0))
    }
}

/// Limb by limb. Written out, since a build for size would make it a loop.
#[inline(always)]
pub(super) fn each(
    x: &[F64x2; LIMBS],
    y: &[F64x2; LIMBS],
    f: impl Fn(F64x2, F64x2) -> F64x2,
) -> [F64x2; LIMBS] {
    [
        f(x[0], y[0]),
        f(x[1], y[1]),
        f(x[2], y[2]),
        f(x[3], y[3]),
        f(x[4], y[4]),
        f(x[5], y[5]),
        f(x[6], y[6]),
        f(x[7], y[7]),
    ]
}

/// Out of line: in each formula's place they would make the module larger by a twentieth.
#[inline(never)]
fn plus(x: &[F64x2; LIMBS], y: &[F64x2; LIMBS]) -> [F64x2; LIMBS] {
    each(x, y, |x, y| x + y)
}

#[inline(never)]
fn minus(x: &[F64x2; LIMBS], y: &[F64x2; LIMBS]) -> [F64x2; LIMBS] {
    each(x, y, |x, y| x - y)
}

macro_rules! sums {
    ($($a:literal: $($b:literal)*;)*) => {$($(
        impl Add<FpPair<$b>> for FpPair<$a> {
            type Output = FpPair<{ $a + $b }>;

            #[inline(always)]
            fn add(self, other: FpPair<$b>) -> Self::Output {
                FpPair(plus(&self.0, &other.0))
            }
        }

        impl Sub<FpPair<$b>> for FpPair<$a> {
            type Output = FpPair<{ $a + $b }>;

            #[inline(always)]
            fn sub(self, other: FpPair<$b>) -> Self::Output {
                FpPair(minus(&self.0, &other.0))
            }
        }
    )*)*};
}

// Limbs stay integers below 2⁵³, which doubles hold exactly.
sums! {
    1: 1 2 3 4 5 6 7 8;
    2: 1 2 3 4 5 6 7 8;
    3: 1 2 3 4 5 6 7 8;
    4: 1 2 3 4 5 6 7 8;
    5: 1 2 3 4 5 6 7 8;
    6: 1 2 3 4 5 6 7 8;
    7: 1 2 3 4 5 6 7 8;
    8: 1 2 3 4 5 6 7 8;
}
