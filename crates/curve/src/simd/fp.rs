//! The kernel of relaxed SIMD: two numbers modulo p, one in each lane.
//!
//! Lanes and pairs are the same here: c0 and c1 of a number in Fp2 lie beside each other, as two independent numbers do.

use super::convert::{new, words};
use super::fp_kernels::{self as kernels, LIMBS, P, WIDTH};
use super::vector::F64x2;
use crate::backend::Fq;
use crate::engine::kernel::{Bounded, Kernel, Lanes, Pair, Sum};

/// The kernel.
#[derive(Clone, Copy, Debug)]
pub struct Doubles;

/// Two numbers modulo p in Montgomery form.
pub type FpLimbs = [F64x2; LIMBS];

/// Two numbers within a bound: each is below B·p in size, and its limbs but the top one are at most B·(2⁴⁷ + 64).
pub type FpPair<const B: u32> = Bounded<FpLimbs, B>;

impl Kernel for Doubles {
    const LANES: usize = 2;
    type Lanes = FpLimbs;
    type Pair = FpLimbs;

    #[inline(always)]
    fn split<'p>(pair: impl Fn(usize) -> &'p FpPair<1>) -> [FpPair<1>; 2] {
        firsts_and_seconds(pair(0), pair(1))
    }

    #[inline(always)]
    fn split_signed<'p>(pair: impl Fn(usize) -> (&'p FpPair<1>, bool)) -> [FpPair<1>; 2] {
        let ((a, a_negative), (b, b_negative)) = (pair(0), pair(1));
        let signs = F64x2::new(sign(a_negative), sign(b_negative));
        let (a, b) = (&a.0, &b.0);
        [Bounded(each(a, b, F64x2::firsts)), Bounded(each(a, b, |a, b| a.seconds(b) * signs))]
    }

    #[inline(always)]
    fn join([a, b]: &[FpPair<1>; 2], mut give: impl FnMut(usize, FpPair<1>)) {
        let [first, second] = firsts_and_seconds(a, b);
        give(0, first);
        give(1, second);
    }
}

#[inline(always)]
fn firsts_and_seconds(Bounded(a): &FpPair<1>, Bounded(b): &FpPair<1>) -> [FpPair<1>; 2] {
    [Bounded(each(a, b, F64x2::firsts)), Bounded(each(a, b, F64x2::seconds))]
}

impl FpPair<1> {
    /// Two numbers below p, as words from the least significant, side by side.
    #[doc(hidden)]
    pub fn new(a: &[u64; 6], b: &[u64; 6]) -> Self {
        Bounded(new(a, b))
    }

    /// The words of both numbers, fully reduced.
    #[doc(hidden)]
    pub fn words(&self) -> [[u64; 6]; 2] {
        words(&self.0)
    }
}

impl<const B: u32> FpPair<B> {
    /// Limbs as they are, least significant first; `None` unless they are integers within the bounds of the type.
    /// For tests, which choose the worst.
    #[doc(hidden)]
    pub fn within(limbs: &[[f64; 2]; LIMBS]) -> Option<Self> {
        let size = |i: usize| if i + 1 < LIMBS { (1u64 << (WIDTH - 1)) as f64 + 64.0 } else { P[i] - 1.0 };
        let good = limbs
            .iter()
            .enumerate()
            .all(|(i, limb)| limb.iter().all(|x| *x == x.trunc() && x.abs() <= f64::from(B) * size(i)));
        good.then(|| Bounded(limbs.map(|[a, b]| F64x2::new(a, b))))
    }

    /// The limbs, least significant first.
    #[doc(hidden)]
    pub fn limbs(&self) -> [[f64; 2]; LIMBS] {
        self.0.map(F64x2::lanes)
    }
}

const ZERO: FpLimbs = [F64x2::new(0.0, 0.0); LIMBS];

#[inline(always)]
fn map(x: &FpLimbs, f: impl Fn(F64x2) -> F64x2) -> FpLimbs {
    each(x, x, |limb, _| f(limb))
}

impl Sum for FpLimbs {
    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        plus(self, other)
    }

    #[inline(always)]
    fn minus(&self, other: &Self) -> Self {
        minus(self, other)
    }

    /// x − k·p for the k next to x/p, which the top limb tells: the limbs below are less than half of B's unit of the
    /// top one, so that k is right but for 2⁻³⁹ and what is left is at most (1/2 + 2⁻³⁹)·p. k ≤ B, so that all limbs
    /// stay below B·2⁴⁹ ≤ 2⁵³ on the way. Then each limb keeps its low part, at most 2⁴⁷, and hands the rest, at
    /// most 2⁵, to the next one.
    #[inline(always)]
    fn reduce(&self) -> Self {
        kernels::reduce(self)
    }
}

impl Lanes for FpLimbs {
    fn of(numbers: &[Fq]) -> Self {
        match numbers {
            [a, b, ..] => <Self as Pair>::of(a, b),
            [a] => <Self as Pair>::of(a, a),
            [] => ZERO,
        }
    }

    fn numbers(&self, mut give: impl FnMut(usize, Fq)) {
        let [a, b] = <Self as Pair>::numbers(self);
        give(0, a);
        give(1, b);
    }

    #[inline(always)]
    fn mul(&self, other: &Self) -> Self {
        kernels::mul(self, other)
    }

    #[inline(always)]
    fn square(&self) -> Self {
        kernels::square(self)
    }
}

impl Pair for FpLimbs {
    #[inline(always)]
    fn of(a: &Fq, b: &Fq) -> Self {
        new(&a.0 .0, &b.0 .0)
    }

    fn numbers(&self) -> [Fq; 2] {
        words(self).map(|words| Fq::new_unchecked(ark_ff::BigInt(words)))
    }

    /// Such a number is at most (1/2 + 2⁻³⁹)·p, so that it is zero itself. Its lowest limb is a multiple of 2⁴⁸, and at
    /// most 2⁴⁷, hence zero; and so, limb by limb, are the others, being at most 2⁴⁷ + 2⁵.
    #[inline(always)]
    fn is_zero_once_reduced(&self) -> [bool; 2] {
        let [a, b] = self[0].lanes();
        if a != 0.0 && b != 0.0 {
            return [false; 2];
        }
        [0, 1].map(|lane| self.iter().all(|limb| limb.lanes()[lane] == 0.0))
    }

    #[inline(always)]
    fn second_negative_if(&self, negative: bool) -> Self {
        let signs = F64x2::new(1.0, sign(negative));
        map(self, |limb| limb * signs)
    }

    #[inline(always)]
    fn minus_signed(&self, negative: bool, other: &Self, other_negative: bool) -> Self {
        let (signs, others) = (F64x2::new(1.0, sign(negative)), F64x2::new(1.0, sign(other_negative)));
        each(self, other, |limb, other| limb * signs - other * others)
    }

    #[inline(always)]
    fn negative(&self) -> Self {
        map(self, |limb| F64x2::splat(0.0) - limb)
    }

    #[inline(always)]
    fn mul_each(&self, other: &Self) -> Self {
        kernels::mul(self, other)
    }

    /// A lane is the sum of two products. Of factors whose bounds multiply to 4: below 2·4·0.1016·p + p/2 < 2p.
    #[inline(always)]
    fn mul_fp2(&self, other: &Self) -> Self {
        kernels::mul_quadratic(self, other)
    }

    /// (c0 + c1)(c0 − c1) + 2·c0·c1·u, a product for each lane: factors within 2.
    #[inline(never)]
    fn square_fp2(&self) -> Self {
        let minus_first = F64x2::new(-1.0, 0.0);
        let left = map(self, |x| x.first() + x.swapped());
        let right = map(self, |x| x.second().mul_add(minus_first, x));
        left.mul_each(&right)
    }

    #[inline(always)]
    fn times_xi(&self) -> Self {
        times_xi(self)
    }
}

fn sign(negative: bool) -> f64 {
    if negative {
        -1.0
    } else {
        1.0
    }
}

/// Limb by limb. Written out, since a build for size would make it a loop.
#[inline(always)]
fn each(x: &[F64x2; LIMBS], y: &[F64x2; LIMBS], f: impl Fn(F64x2, F64x2) -> F64x2) -> [F64x2; LIMBS] {
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

// Out of line: in each formula's place they would make the module larger by a twentieth. Limbs stay integers below 2⁵³,
// which doubles hold exactly.

#[inline(never)]
fn plus(x: &[F64x2; LIMBS], y: &[F64x2; LIMBS]) -> [F64x2; LIMBS] {
    each(x, y, |x, y| x + y)
}

#[inline(never)]
fn minus(x: &[F64x2; LIMBS], y: &[F64x2; LIMBS]) -> [F64x2; LIMBS] {
    each(x, y, |x, y| x - y)
}

#[inline(never)]
fn times_xi(x: &[F64x2; LIMBS]) -> [F64x2; LIMBS] {
    each(x, x, |x, _| x + x.times_u())
}
