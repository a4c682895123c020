//! What the engine asks of a kernel, and numbers with their bounds.
//!
//! A kernel has two shapes of numbers modulo p. *Lanes* are some independent numbers, as many as the kernel multiplies at
//! once. A *pair* is two numbers that belong together: c0 and c1 of a number in Fp2, or x and y of a point. Nothing above a
//! kernel knows how its numbers lie in memory; all of it works over each kernel, and is written once.

use crate::backend::Fq;
use core::ops::{Add, Sub};

/// A kernel: two shapes of numbers, and how one is made of the other.
pub trait Kernel: Copy + core::fmt::Debug + 'static {
    /// How many numbers lanes have: a power of two.
    const LANES: usize;
    /// Independent numbers.
    type Lanes: Lanes;
    /// Two numbers that belong together.
    type Pair: Pair;

    /// The first and the second numbers of `LANES` pairs, which are asked for by their place.
    fn split<'p>(pair: impl Fn(usize) -> &'p PairOf<Self, 1>) -> [LanesOf<Self, 1>; 2];

    /// The same, with the opposites of those second numbers for which `true` is beside their pair.
    fn split_signed<'p>(pair: impl Fn(usize) -> (&'p PairOf<Self, 1>, bool)) -> [LanesOf<Self, 1>; 2];

    /// The inverse of [`Kernel::split`]: `LANES` pairs, given away one by one with their place.
    fn join(numbers: &[Bounded<Self::Lanes, 1>; 2], give: impl FnMut(usize, Bounded<Self::Pair, 1>));
}

/// What can be added up.
pub trait Sum: Copy + core::fmt::Debug {
    /// self + other.
    fn plus(&self, other: &Self) -> Self;
    /// self − other.
    fn minus(&self, other: &Self) -> Self;
    /// The same numbers modulo p, within the bound 1, of numbers within 15.
    fn reduce(&self) -> Self;
}

/// Independent numbers modulo p.
pub trait Lanes: Sum {
    /// Some numbers, of which the last stands for those that lack.
    fn of(numbers: &[Fq]) -> Self;
    /// The numbers, fully reduced, given away one by one with their place.
    fn numbers(&self, give: impl FnMut(usize, Fq));
    /// The product, lane by lane. Bounds of the factors multiply to at most 4, and the product has 1.
    fn mul(&self, other: &Self) -> Self;
    /// The square, of numbers within 2.
    fn square(&self) -> Self;
}

/// Two numbers modulo p that belong together.
pub trait Pair: Sum {
    /// `a` and `b`.
    fn of(a: &Fq, b: &Fq) -> Self;
    /// Both numbers, fully reduced.
    fn numbers(&self) -> [Fq; 2];
    /// Which of the two are zero modulo p, of numbers that come from [`Sum::reduce`].
    fn is_zero_once_reduced(&self) -> [bool; 2];
    /// The first number, and the second or its opposite.
    fn second_negative_if(&self, negative: bool) -> Self;
    /// self − other, with the opposites of the second numbers where that is asked for.
    fn minus_signed(&self, negative: bool, other: &Self, other_negative: bool) -> Self;
    /// The opposites of both.
    fn negative(&self) -> Self;
    /// The products of the first numbers, and of the second ones. Bounds of the factors multiply to at most 4, and the product has 1.
    fn mul_each(&self, other: &Self) -> Self;
    /// The product in Fp2. Bounds of the factors multiply to at most 4; where they multiply to at most 2 the product has 1,
    /// otherwise 2.
    fn mul_fp2(&self, other: &Self) -> Self;
    /// The square in Fp2, of a number within 1.
    fn square_fp2(&self) -> Self;
    /// (1 + u) times a number in Fp2: twice the bound.
    fn times_xi(&self) -> Self;
}

/// Numbers within a bound that the type carries: in the unit of their kernel, each is below B·p in size.
///
/// Sums add bounds up, products ask for factors whose bounds multiply to at most 4, and [`Bounded::reduce`] brings 1 back.
/// What asks for more does not compile.
#[derive(Clone, Copy, Debug)]
pub struct Bounded<T, const B: u32>(pub(crate) T);

/// Independent numbers of a kernel.
pub(crate) type LanesOf<K, const B: u32> = Bounded<<K as Kernel>::Lanes, B>;
/// Two coordinates of a point.
pub(crate) type PairOf<K, const B: u32> = Bounded<<K as Kernel>::Pair, B>;
/// c0 + c1·u, u² = −1.
pub(crate) type Fp2<K, const B: u32> = Bounded<<K as Kernel>::Pair, B>;

impl<T: Sum, const B: u32> Bounded<T, B> {
    /// The same numbers modulo p, small again.
    #[inline(always)]
    pub fn reduce(&self) -> Bounded<T, 1> {
        const { assert!(B <= 15) }
        Bounded(self.0.reduce())
    }

    /// The same numbers under a larger bound.
    #[inline(always)]
    pub fn widen<const B2: u32>(&self) -> Bounded<T, B2> {
        const { assert!(B <= B2) }
        Bounded(self.0)
    }
}

impl<T: Lanes> Bounded<T, 1> {
    /// Some numbers, of which the last stands for those that lack.
    pub fn of_each(numbers: &[Fq]) -> Self {
        Self(T::of(numbers))
    }

    /// The numbers, fully reduced, given away one by one with their place.
    pub fn give_numbers(&self, give: impl FnMut(usize, Fq)) {
        self.0.numbers(give);
    }
}

impl<T: Lanes, const B: u32> Bounded<T, B> {
    /// The product, lane by lane.
    #[inline(always)]
    pub fn mul<const B2: u32>(&self, other: &Bounded<T, B2>) -> Bounded<T, 1> {
        const { assert!(B * B2 <= 4) }
        Bounded(self.0.mul(&other.0))
    }

    /// The square, lane by lane.
    #[inline(always)]
    pub fn square(&self) -> Bounded<T, 1> {
        const { assert!(B <= 2) }
        Bounded(self.0.square())
    }
}

impl<T: Pair> Bounded<T, 1> {
    /// `a` and `b`.
    #[inline(always)]
    pub fn of(a: &Fq, b: &Fq) -> Self {
        Self(T::of(a, b))
    }

    /// Both numbers, fully reduced.
    pub fn numbers(&self) -> [Fq; 2] {
        self.0.numbers()
    }

    /// Which of the two are zero modulo p, of numbers that come from [`Bounded::reduce`].
    #[inline(always)]
    pub(crate) fn is_zero_once_reduced(&self) -> [bool; 2] {
        self.0.is_zero_once_reduced()
    }

    /// The square in Fp2.
    #[inline(always)]
    pub fn square_fp2(&self) -> Self {
        Self(self.0.square_fp2())
    }
}

impl<T: Pair, const B: u32> Bounded<T, B> {
    /// The first number, and the second or its opposite.
    #[inline(always)]
    pub(crate) fn second_negative_if(&self, negative: bool) -> Self {
        Self(self.0.second_negative_if(negative))
    }

    /// self − other, with the opposites of the second numbers where that is asked for.
    #[inline(always)]
    pub(crate) fn minus_signed(&self, negative: bool, other: &Self, other_negative: bool) -> Bounded<T, 2> {
        const { assert!(B == 1) }
        Bounded(self.0.minus_signed(negative, &other.0, other_negative))
    }

    /// c0 − c1·u.
    #[inline(never)]
    pub(crate) fn conjugate(&self) -> Self {
        self.second_negative_if(true)
    }

    /// −c0 − c1·u.
    #[inline(always)]
    pub(crate) fn negative(&self) -> Self {
        Self(self.0.negative())
    }

    /// The products of the first numbers, and of the second ones.
    #[inline(always)]
    pub(crate) fn mul_each<const B2: u32>(&self, other: &Bounded<T, B2>) -> Bounded<T, 1> {
        const { assert!(B * B2 <= 4) }
        Bounded(self.0.mul_each(&other.0))
    }

    /// The product in Fp2.
    #[inline(always)]
    pub fn mul_fp2<const B2: u32>(&self, other: &Bounded<T, B2>) -> Bounded<T, 1> {
        const { assert!(B * B2 <= 2) }
        Bounded(self.0.mul_fp2(&other.0))
    }

    /// The product in Fp2 of larger factors, which is larger itself.
    #[inline(always)]
    pub fn mul_fp2_wide<const B2: u32>(&self, other: &Bounded<T, B2>) -> Bounded<T, 2> {
        const { assert!(B * B2 <= 4) }
        Bounded(self.0.mul_fp2(&other.0))
    }

    /// (1 + u) times: c0 − c1 + (c0 + c1)·u. Twice the bound, for any that there is room for.
    #[inline(always)]
    pub(crate) fn times_xi<const B2: u32>(&self) -> Bounded<T, B2> {
        const { assert!(2 * B <= B2) }
        Bounded(self.0.times_xi())
    }
}

macro_rules! sums {
    ($($a:literal: $($b:literal)*;)*) => {$($(
        impl<T: Sum> Add<Bounded<T, $b>> for Bounded<T, $a> {
            type Output = Bounded<T, { $a + $b }>;

            #[inline(always)]
            fn add(self, other: Bounded<T, $b>) -> Self::Output {
                Bounded(self.0.plus(&other.0))
            }
        }

        impl<T: Sum> Sub<Bounded<T, $b>> for Bounded<T, $a> {
            type Output = Bounded<T, { $a + $b }>;

            #[inline(always)]
            fn sub(self, other: Bounded<T, $b>) -> Self::Output {
                Bounded(self.0.minus(&other.0))
            }
        }
    )*)*};
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ff::{AdditiveGroup, BigInt};

    fn is_zero<K: Kernel>(a: &Fq, b: &Fq) -> [bool; 2] {
        PairOf::<K, 1>::of(a, b).reduce().is_zero_once_reduced()
    }

    /// Powers of two as forms, for each form that kernels have: numbers of which one limb alone is not zero. And multiples of p, which are.
    fn zero_over<K: Kernel>() {
        assert_eq!(is_zero::<K>(&Fq::ZERO, &Fq::ZERO), [true; 2]);
        let mut form = BigInt::one();
        for bit in 0..380 {
            for number in [Fq::new_unchecked(form), Fq::new_unchecked(form) / Fq::from(1u64 << 8)] {
                assert_eq!(is_zero::<K>(&number, &Fq::ZERO), [false, true], "bit {bit}");
                assert_eq!(is_zero::<K>(&Fq::ZERO, &-number), [true, false], "bit {bit}");
                assert_eq!(is_zero::<K>(&-number, &number), [false; 2], "bit {bit}");
                let [x, same, opposite] =
                    [number, number, -number].map(|number| PairOf::<K, 1>::of(&number, &number));
                let twice = (x + opposite) + (x + opposite);
                let zeros = [(x - same).reduce(), (x + opposite).reduce(), (twice + twice).reduce()];
                assert!(zeros.iter().all(|zero| zero.is_zero_once_reduced() == [true; 2]), "bit {bit}");
            }
            form <<= 1;
        }
    }

    over_each_kernel!(zero: zero_over);
}
