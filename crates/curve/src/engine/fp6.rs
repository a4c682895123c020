//! Fp6 = Fp2(v), v³ = ξ = 1 + u. Every coefficient has the bound 1.

use super::kernel::{Fp2, Kernel};

/// c0 + c1·v + c2·v².
#[derive(Clone, Copy, Debug)]
pub(super) struct Fp6<K: Kernel>(pub(super) [Fp2<K, 1>; 3]);

impl<K: Kernel> Fp6<K> {
    #[inline(never)]
    pub(super) fn add(&self, other: &Self) -> Self {
        let ([a0, a1, a2], [b0, b1, b2]) = (self.0, other.0);
        Self([(a0 + b0).reduce(), (a1 + b1).reduce(), (a2 + b2).reduce()])
    }

    /// v times: (ξ·c2, c0, c1).
    #[inline(always)]
    pub(super) fn times_v(&self) -> Self {
        let [c0, c1, c2] = self.0;
        Self([c2.times_xi::<2>().reduce(), c0, c1])
    }

    #[inline(always)]
    pub(super) fn negative(&self) -> Self {
        Self(self.0.map(|c| c.negative()))
    }

    /// Karatsuba's way: 6 multiplications.
    #[inline(never)]
    pub(super) fn mul(&self, other: &Self) -> Self {
        let ([a0, a1, a2], [b0, b1, b2]) = (self.0, other.0);
        let (v0, v1, v2) = (a0.mul_fp2(&b0), a1.mul_fp2(&b1), a2.mul_fp2(&b2));
        let high = (a1 + a2).mul_fp2_wide(&(b1 + b2)) - (v1 + v2);
        let middle = (a0 + a1).mul_fp2_wide(&(b0 + b1)) - (v0 + v1);
        let across = (a0 + a2).mul_fp2_wide(&(b0 + b2)) - (v0 + v2);
        Self([
            (high.times_xi::<8>() + v0).reduce(),
            (middle + v2.times_xi::<2>()).reduce(),
            (across + v1).reduce(),
        ])
    }

    /// The product with b0 + b1·v, and something to add: 5 multiplications.
    #[inline(never)]
    pub(super) fn mul_by_01(
        &self,
        b0: &Fp2<K, 1>,
        b1: &Fp2<K, 1>,
        [more0, more1, more2]: &[Fp2<K, 2>; 3],
    ) -> Self {
        let [a0, a1, a2] = self.0;
        let (v0, v1) = (a0.mul_fp2(b0), a1.mul_fp2(b1));
        let high = (a1 + a2).mul_fp2(b1) - v1;
        let middle = (a0 + a1).mul_fp2_wide(&(*b0 + *b1)) - (v0 + v1);
        let across = (a0 + a2).mul_fp2(b0) - v0;
        Self([
            (high.times_xi::<4>() + v0 + *more0).reduce(),
            (middle + *more1).reduce(),
            (across + v1 + *more2).reduce(),
        ])
    }
}
