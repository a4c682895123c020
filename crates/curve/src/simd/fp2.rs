//! Fp2 = Fp(u), u² = −1: c0 + c1·u in the two lanes of a pair.

use super::fp::{each, FpPair};
use super::fp_kernels::{self as kernels, LIMBS};
use super::vector::F64x2;

/// c0 and c1, with the bound of a pair.
pub(super) type Fp2<const B: u32> = FpPair<B>;

impl<const B: u32> FpPair<B> {
    /// The product in Fp2. A lane is the sum of two products.
    #[inline(always)]
    pub fn mul_fp2<const B2: u32>(&self, other: &Fp2<B2>) -> Fp2<1> {
        const { assert!(B * B2 <= 2) }
        FpPair(kernels::mul_quadratic(&self.0, &other.0))
    }

    /// The same of larger factors: below 2·4·0.1016·p + p/2 < 2p.
    #[inline(always)]
    pub fn mul_fp2_wide<const B2: u32>(&self, other: &Fp2<B2>) -> Fp2<2> {
        const { assert!(B * B2 <= 4) }
        FpPair(kernels::mul_quadratic(&self.0, &other.0))
    }

    /// (1 + u) times: c0 − c1 + (c0 + c1)·u. Twice the bound, for any that limbs have room for.
    #[inline(always)]
    pub(super) fn times_xi<const B2: u32>(&self) -> Fp2<B2> {
        const { assert!(2 * B <= B2) }
        FpPair(times_xi(&self.0))
    }

    /// c0 − c1·u.
    #[inline(always)]
    pub(super) fn conjugate(&self) -> Fp2<B> {
        FpPair(each(&self.0, &self.0, |x, _| x * F64x2::new(1.0, -1.0)))
    }

    /// −c0 − c1·u.
    #[inline(always)]
    pub(super) fn negative(&self) -> Fp2<B> {
        FpPair(each(&self.0, &self.0, |x, _| F64x2::splat(0.0) - x))
    }
}

#[inline(never)]
fn times_xi(x: &[F64x2; LIMBS]) -> [F64x2; LIMBS] {
    each(x, x, |x, _| x + x.times_u())
}

impl FpPair<1> {
    /// The square in Fp2: (c0 + c1)(c0 − c1) + 2·c0·c1·u, a product for each lane.
    #[inline(never)]
    pub fn square_fp2(&self) -> Fp2<1> {
        let minus_first = F64x2::new(-1.0, 0.0);
        let left: FpPair<2> = FpPair(each(&self.0, &self.0, |x, _| x.first() + x.swapped()));
        let right: FpPair<2> = FpPair(each(&self.0, &self.0, |x, _| x.second().mul_add(minus_first, x)));
        left.mul(&right)
    }
}
