//! The kernel of packed integers: two numbers modulo p side by side.
//!
//! Lanes and pairs are the same here: c0 and c1 of a number in Fp2 lie beside each other, as two independent numbers do.

use super::convert::{new, words};
use super::fp_kernels::{self as kernels, LIMBS, P, WIDTH};
use super::vector::I32x4;
use crate::backend::Fq;
use crate::engine::kernel::{Bounded, Kernel, Lanes, Pair, Sum};
use ark_ff::BigInt;

/// The kernel.
#[derive(Clone, Copy, Debug)]
pub struct Packed;

/// Two numbers modulo p, in Montgomery form with R = 2³⁹².
pub type FpLimbs = [I32x4; LIMBS / 2];

/// Two numbers within a bound: each is below B·p in size, and its limbs but the top one are at most B·(2²⁷ + 64).
pub type FpPair<const B: u32> = Bounded<FpLimbs, B>;

impl FpPair<1> {
    /// Two numbers below p in arkworks' form, as words from the least significant, side by side.
    #[doc(hidden)]
    pub fn new(a: &[u64; 6], b: &[u64; 6]) -> Self {
        Bounded(from_words(a, b))
    }

    /// The words of both numbers, fully reduced.
    #[doc(hidden)]
    pub fn words(&self) -> [[u64; 6]; 2] {
        to_words(&self.0)
    }
}

impl<const B: u32> FpPair<B> {
    /// Limbs as they are, least significant first; `None` unless they are within the bounds of the type. For tests, which choose
    /// the worst.
    #[doc(hidden)]
    pub fn within(limbs: &[[i32; 2]; LIMBS]) -> Option<Self> {
        let size = |i: usize| if i + 1 < LIMBS { (1 << (WIDTH - 1)) + 64 } else { i64::from(P[i]) };
        let good = |(i, limb): (usize, &[i32; 2])| {
            limb.iter().all(|limb| i64::from(*limb).abs() <= i64::from(B) * size(i))
        };
        limbs.iter().enumerate().all(good).then(|| {
            let vector = |m: usize| {
                let [[a, b], [c, d]] = [limbs[2 * m], limbs[2 * m + 1]];
                I32x4::new([a, b, c, d])
            };
            Bounded(core::array::from_fn(vector))
        })
    }

    /// The limbs, least significant first.
    #[doc(hidden)]
    pub fn limbs(&self) -> [[i32; 2]; LIMBS] {
        core::array::from_fn(|i| {
            let [a, b, c, d] = self.0[i / 2].lanes();
            [[a, b], [c, d]][i % 2]
        })
    }
}

impl Kernel for Packed {
    const LANES: usize = 2;
    type Lanes = FpLimbs;
    type Pair = FpLimbs;

    #[inline(always)]
    fn split<'p>(pair: impl Fn(usize) -> &'p FpPair<1>) -> [FpPair<1>; 2] {
        firsts_and_seconds(&pair(0).0, &pair(1).0).map(Bounded)
    }

    #[inline(always)]
    fn split_signed<'p>(pair: impl Fn(usize) -> (&'p FpPair<1>, bool)) -> [FpPair<1>; 2] {
        let ((a, a_negative), (b, b_negative)) = (pair(0), pair(1));
        let [first, second] = firsts_and_seconds(&a.0, &b.0);
        [Bounded(first), Bounded(negative_where(&second, signs(a_negative, b_negative)))]
    }

    #[inline(always)]
    fn join([a, b]: &[FpPair<1>; 2], mut give: impl FnMut(usize, FpPair<1>)) {
        let [first, second] = firsts_and_seconds(&a.0, &b.0);
        give(0, Bounded(first));
        give(1, Bounded(second));
    }
}

fn firsts_and_seconds(a: &FpLimbs, b: &FpLimbs) -> [FpLimbs; 2] {
    [each(a, b, |a, b| a.shuffle::<0, 4, 2, 6>(b)), each(a, b, |a, b| a.shuffle::<1, 5, 3, 7>(b))]
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

    #[inline(always)]
    fn reduce(&self) -> Self {
        reduce(self)
    }
}

impl Lanes for FpLimbs {
    fn of(numbers: &[Fq]) -> Self {
        match numbers {
            [a, b, ..] => <Self as Pair>::of(a, b),
            [a] => <Self as Pair>::of(a, a),
            [] => [I32x4::splat(0); LIMBS / 2],
        }
    }

    fn numbers(&self, mut give: impl FnMut(usize, Fq)) {
        let [a, b] = <Self as Pair>::numbers(self);
        give(0, a);
        give(1, b);
    }

    #[inline(always)]
    fn mul(&self, other: &Self) -> Self {
        mul(self, other)
    }

    #[inline(always)]
    fn square(&self) -> Self {
        mul(self, self)
    }
}

impl Pair for FpLimbs {
    #[inline(always)]
    fn of(a: &Fq, b: &Fq) -> Self {
        from_words(&a.0 .0, &b.0 .0)
    }

    fn numbers(&self) -> [Fq; 2] {
        to_words(self).map(|words| Fq::new_unchecked(BigInt(words)))
    }

    /// Such a number is below p in size, so that it is zero itself. Its lowest limb is a multiple of 2²⁸, and at most 2²⁷ + 64, hence
    /// zero; and so, limb by limb, are the others.
    #[inline(always)]
    fn is_zero_once_reduced(&self) -> [bool; 2] {
        let [a, b, ..] = self[0].lanes();
        if a != 0 && b != 0 {
            return [false; 2];
        }
        [I32x4::new([-1, 0, -1, 0]), I32x4::new([0, -1, 0, -1])]
            .map(|lane| !self.iter().any(|limbs| limbs.and(lane).any()))
    }

    #[inline(always)]
    fn second_negative_if(&self, negative: bool) -> Self {
        negative_where(self, signs(false, negative))
    }

    #[inline(always)]
    fn minus_signed(&self, negative: bool, other: &Self, other_negative: bool) -> Self {
        minus(&self.second_negative_if(negative), &other.second_negative_if(other_negative))
    }

    #[inline(always)]
    fn negative(&self) -> Self {
        negative_where(self, signs(true, true))
    }

    #[inline(always)]
    fn mul_each(&self, other: &Self) -> Self {
        mul(self, other)
    }

    /// x₀·y + x₁·(u·y): two products, of which the sum is reduced.
    #[inline(never)]
    fn mul_fp2(&self, other: &Self) -> Self {
        let firsts = each(self, self, |x, _| x.shuffle::<0, 0, 2, 2>(x));
        let seconds = each(self, self, |x, _| x.shuffle::<1, 1, 3, 3>(x));
        let mut sum = kernels::multiply(&firsts, other);
        let more = kernels::multiply(&seconds, &times_u(other));
        for (sum, column) in sum.iter_mut().zip(&more) {
            *sum = sum.plus64(*column);
        }
        kernels::reduce_columns(&sum)
    }

    /// (c0 + c1)(c0 − c1) + 2·c0·c1·u, a product for each lane: factors within 2.
    #[inline(never)]
    fn square_fp2(&self) -> Self {
        let left = each(self, self, |x, _| x.shuffle::<0, 0, 2, 2>(x).plus32(x.shuffle::<1, 0, 3, 2>(x)));
        // (c1, 0) turned into (−c1, 0).
        let right =
            each(self, self, |x, _| x.minus32(x.shuffle::<1, 1, 3, 3>(x).and(I32x4::new([-1, 0, -1, 0]))));
        mul(&left, &right)
    }

    #[inline(always)]
    fn times_xi(&self) -> Self {
        times_xi(self)
    }
}

/// arkworks' words are a·2³⁸⁴; a product with 2⁴⁰⁰ makes a·2³⁹² of it.
#[inline(never)]
fn from_words(a: &[u64; 6], b: &[u64; 6]) -> FpLimbs {
    mul(&new(a, b), &new(&INTO, &INTO))
}

/// A product with 2³⁸⁴ makes a·2³⁸⁴ of a·2³⁹².
#[inline(never)]
fn to_words(numbers: &FpLimbs) -> [[u64; 6]; 2] {
    words(&mul(numbers, &new(&OUT_OF, &OUT_OF)))
}

/// 2⁴⁰⁰ modulo p.
const INTO: [u64; 6] = power_of_two(400);

/// 2³⁸⁴ modulo p.
const OUT_OF: [u64; 6] = power_of_two(384);

/// 2^exponent modulo p, by doubling.
const fn power_of_two(exponent: usize) -> [u64; 6] {
    use crate::moduli::P;
    let mut power = [1u64, 0, 0, 0, 0, 0];
    let mut step = 0;
    while step < exponent {
        // Below 2p, which has 382 bits.
        let (mut i, mut carry) = (0, 0);
        while i < 6 {
            let above = power[i] >> 63;
            power[i] = power[i] << 1 | carry;
            carry = above;
            i += 1;
        }
        let (mut less, mut borrow) = ([0; 6], false);
        i = 0;
        while i < 6 {
            let (difference, under) = power[i].overflowing_sub(P[i]);
            let (difference, again) = difference.overflowing_sub(borrow as u64);
            less[i] = difference;
            borrow = under | again;
            i += 1;
        }
        if !borrow {
            power = less;
        }
        step += 1;
    }
    power
}

/// The prime's limbs, for both numbers.
static DIGITS: [I32x4; LIMBS / 2] = {
    let mut digits = [I32x4::new([0; 4]); LIMBS / 2];
    let mut m = 0;
    while m < LIMBS / 2 {
        digits[m] = I32x4::new([P[2 * m], P[2 * m], P[2 * m + 1], P[2 * m + 1]]);
        m += 1;
    }
    digits
};

/// All ones in the lanes whose numbers are to be turned around.
#[inline(always)]
fn signs(first: bool, second: bool) -> I32x4 {
    let (a, b) = (-i32::from(first), -i32::from(second));
    I32x4::new([a, b, a, b])
}

/// Limb by limb. Written out, since a build for size would make it a loop.
#[inline(always)]
fn each(x: &FpLimbs, y: &FpLimbs, f: impl Fn(I32x4, I32x4) -> I32x4) -> FpLimbs {
    [f(x[0], y[0]), f(x[1], y[1]), f(x[2], y[2]), f(x[3], y[3]), f(x[4], y[4]), f(x[5], y[5]), f(x[6], y[6])]
}

// Out of line: in each formula's place they would make the module larger. Limbs within B ≤ 15 fit into 32 bits.

#[inline(never)]
fn plus(x: &FpLimbs, y: &FpLimbs) -> FpLimbs {
    each(x, y, I32x4::plus32)
}

#[inline(never)]
fn minus(x: &FpLimbs, y: &FpLimbs) -> FpLimbs {
    each(x, y, I32x4::minus32)
}

/// The numbers, or their opposites where the lanes of `signs` are all ones.
#[inline(never)]
fn negative_where(x: &FpLimbs, signs: I32x4) -> FpLimbs {
    each(x, x, |x, _| x.xor(signs).minus32(signs))
}

/// u·(c0 + c1·u) = −c1 + c0·u.
#[inline(always)]
fn times_u(x: &FpLimbs) -> FpLimbs {
    let signs = signs(true, false);
    each(x, x, |x, _| x.shuffle::<1, 0, 3, 2>(x).xor(signs).minus32(signs))
}

#[inline(never)]
fn times_xi(x: &FpLimbs) -> FpLimbs {
    each(x, &times_u(x), I32x4::plus32)
}

#[inline(never)]
fn mul(x: &FpLimbs, y: &FpLimbs) -> FpLimbs {
    kernels::reduce_columns(&kernels::multiply(x, y))
}

/// x − m·p for the m next to x/p, of numbers within 15.
///
/// The top limb t tells m, by (630·t + 2²⁵)/2²⁶: 2²⁶/630 is the prime's top limb but for 10⁻⁴ of it, and the limbs below are less
/// than 16 of its units, or 2·10⁻⁴ of it. So m is right but for 0.002, at most 15, and what is left is below 0.51·p.
///
/// Limbs are at most 15·(2²⁷ + 64) < 2³¹. Each is cut into 2²⁸·a + b, 0 ≤ b < 2²⁸, and b − m·pᵢ, less than 14·2²⁷ in size since the
/// prime's limbs are below 0.77·2²⁷, into 2²⁸·c + d, where d is at most 2²⁷ in size. What is left is d, and a + c of the limb below, at
/// most 16.
#[inline(never)]
fn reduce(x: &FpLimbs) -> FpLimbs {
    let half = I32x4::splat(1 << (WIDTH - 1));
    let top = x[LIMBS / 2 - 1].times32(I32x4::splat(630)).plus32(I32x4::splat(1 << 25)).down32(26);
    let multiple = top.shuffle::<2, 3, 2, 3>(top);
    let (mut out, mut below) = (*x, I32x4::splat(0));
    for (limbs, digits) in out.iter_mut().zip(&DIGITS) {
        let upper = limbs.down32(WIDTH);
        let rest = limbs.minus32(upper.up32(WIDTH)).minus32(multiple.times32(*digits));
        let carry = rest.plus32(half).down32(WIDTH);
        let both = upper.plus32(carry);
        *limbs = rest.minus32(carry.up32(WIDTH)).plus32(below.shuffle::<2, 3, 4, 5>(both));
        below = both;
    }
    out
}
