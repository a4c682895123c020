//! The kernel of arkworks' fields: numbers one at a time, always fully reduced, so that nothing needs a bound.
//!
//! Natively it is what the engine runs on, and without relaxed SIMD what powers and affine sums do. The other kernels are tested
//! beside it.

use super::kernel::{Bounded, Kernel, Lanes, Pair, Sum};
use crate::backend::{Fq, Fq2};
use ark_ff::{AdditiveGroup, Field};

/// The kernel.
#[derive(Clone, Copy, Debug)]
pub struct Words;

impl Kernel for Words {
    const LANES: usize = 1;
    type Lanes = Fq;
    type Pair = Fq2;

    #[inline(always)]
    fn split<'p>(pair: impl Fn(usize) -> &'p Bounded<Fq2, 1>) -> [Bounded<Fq, 1>; 2] {
        let Bounded(Fq2 { c0, c1 }) = pair(0);
        [Bounded(*c0), Bounded(*c1)]
    }

    #[inline(always)]
    fn split_signed<'p>(pair: impl Fn(usize) -> (&'p Bounded<Fq2, 1>, bool)) -> [Bounded<Fq, 1>; 2] {
        let (pair, negative) = pair(0);
        let Bounded(Fq2 { c0, c1 }) = pair.second_negative_if(negative);
        [Bounded(c0), Bounded(c1)]
    }

    #[inline(always)]
    fn join([Bounded(a), Bounded(b)]: &[Bounded<Fq, 1>; 2], mut give: impl FnMut(usize, Bounded<Fq2, 1>)) {
        give(0, Bounded(Fq2::new(*a, *b)));
    }
}

macro_rules! sums {
    ($($number:ty)*) => {$(
        impl Sum for $number {
            #[inline(always)]
            fn plus(&self, other: &Self) -> Self {
                *self + other
            }

            #[inline(always)]
            fn minus(&self, other: &Self) -> Self {
                *self - other
            }

            #[inline(always)]
            fn reduce(&self) -> Self {
                *self
            }
        }
    )*};
}

sums!(Fq Fq2);

impl Lanes for Fq {
    #[inline(always)]
    fn of(numbers: &[Fq]) -> Self {
        numbers.first().copied().unwrap_or(Fq::ZERO)
    }

    #[inline(always)]
    fn numbers(&self, mut give: impl FnMut(usize, Fq)) {
        give(0, *self);
    }

    #[inline(always)]
    fn mul(&self, other: &Self) -> Self {
        *self * other
    }

    #[inline(always)]
    fn square(&self) -> Self {
        Field::square(self)
    }
}

impl Pair for Fq2 {
    #[inline(always)]
    fn of(a: &Fq, b: &Fq) -> Self {
        Self::new(*a, *b)
    }

    #[inline(always)]
    fn numbers(&self) -> [Fq; 2] {
        [self.c0, self.c1]
    }

    #[inline(always)]
    fn is_zero_once_reduced(&self) -> [bool; 2] {
        [self.c0 == Fq::ZERO, self.c1 == Fq::ZERO]
    }

    #[inline(always)]
    fn second_negative_if(&self, negative: bool) -> Self {
        if negative {
            Self::new(self.c0, -self.c1)
        } else {
            *self
        }
    }

    #[inline(always)]
    fn minus_signed(&self, negative: bool, other: &Self, other_negative: bool) -> Self {
        self.second_negative_if(negative) - other.second_negative_if(other_negative)
    }

    #[inline(always)]
    fn negative(&self) -> Self {
        -*self
    }

    #[inline(always)]
    fn mul_each(&self, other: &Self) -> Self {
        Self::new(self.c0 * other.c0, self.c1 * other.c1)
    }

    #[inline(never)]
    fn mul_fp2(&self, other: &Self) -> Self {
        *self * other
    }

    #[inline(never)]
    fn square_fp2(&self) -> Self {
        Field::square(self)
    }

    #[inline(always)]
    fn times_xi(&self) -> Self {
        Self::new(self.c0 - self.c1, self.c0 + self.c1)
    }
}
