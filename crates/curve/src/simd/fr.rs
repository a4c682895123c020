//! Two numbers modulo r, one in each lane: plain integers in 6 limbs of 44 bits.
//!
//! R is 2²⁶⁴ here, other than in arkworks. A factor that is known beforehand brings it along ([`FrPair::factor`]), so
//! that products are those of the integers, and whatever is linear in plain integers stays plain.

use super::fr_kernels::{self as kernels, LIMBS, P, WIDTH};
use super::vector::F64x2;
use crate::raw::Raw;
use crate::scalar::{from_u128, Scalar};

const MASK: u64 = (1 << WIDTH) - 1;

/// Two numbers modulo r within a bound that the type carries: each is below B·r in size, and its limbs but the top
/// one are at most B·(2⁴³ + 64). As for `FpPair`, what asks for more does not compile.
#[derive(Clone, Copy, Debug)]
pub struct FrPair<const B: u32>([F64x2; LIMBS]);

impl FrPair<3> {
    /// Zeros.
    pub(super) const ZERO: Self = Self([F64x2::new(0.0, 0.0); LIMBS]);

    /// 32 big-endian bytes each, any.
    ///
    /// Digits are below 2⁴⁴, the top one below 2³⁶ < 3·r/2²²⁰, and the number is below 2²⁵⁶ < 2.3·r.
    #[inline(never)]
    pub fn from_be(a: &[u8; 32], b: &[u8; 32]) -> Self {
        // The digit from bit 44·i on, in the eight bytes that end with the one it begins in.
        let digit = |at: usize, shift: u32| F64x2::digits([word(a, at), word(b, at)], shift, MASK);
        // The top digit is in the first eight bytes, from bit 220 − 192 on.
        Self([digit(24, 0), digit(19, 4), digit(13, 0), digit(8, 4), digit(2, 0), digit(0, 28)])
    }
}

/// Eight bytes from `at` on; `at` is a constant of at most 24.
#[inline(always)]
fn word(bytes: &[u8; 32], at: usize) -> [u8; 8] {
    bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).unwrap_or([0; 8])
}

impl FrPair<1> {
    /// Factors: products with them are those with the scalars.
    pub fn factor(a: &Scalar, b: &Scalar) -> Self {
        // aR of arkworks, R = 2²⁵⁶, times 2⁸. The words of a field element are below r.
        let [a, b] = [a, b].map(|scalar| Raw::from_form_of(*scalar * from_u128(256)).to_be());
        FrPair::from_be(&a, &b).reduce()
    }

    /// Both numbers.
    #[inline(never)]
    pub fn numbers(&self) -> [Raw; 2] {
        let mut numbers = [[0i64; LIMBS]; 2];
        for (i, limb) in self.0.iter().enumerate() {
            for (number, limb) in numbers.iter_mut().zip(limb.lanes()) {
                // An integer below 2⁵³.
                number[i] = limb as i64;
            }
        }
        numbers.map(|limbs| canonical(&limbs))
    }
}

/// Signed limbs of a number between −r and r, as the one between 0 and r.
fn canonical(limbs: &[i64; LIMBS]) -> Raw {
    let negative = limbs.iter().fold(0, |carry, limb| (limb + carry) >> WIDTH) < 0;
    // With r added where it is negative, the number is below 2²⁵⁶: the top digit has 36 bits, and no carry.
    let (mut digits, mut carry) = ([0u64; LIMBS], 0);
    for ((digit, limb), p) in digits.iter_mut().zip(limbs).zip(P) {
        let value = if negative { limb + p as i64 } else { *limb } + carry;
        *digit = value as u64 & MASK;
        carry = value >> WIDTH;
    }
    let [a, b, c, d, e, f] = digits;
    Raw::from_limbs([a | b << 44, b >> 20 | c << 24, c >> 40 | d << 4 | e << 48, e >> 16 | f << 28])
}

impl<const B: u32> FrPair<B> {
    /// The product, lane by lane, divided by 2²⁶⁴.
    #[inline(always)]
    pub fn mul<const B2: u32>(&self, other: &FrPair<B2>) -> FrPair<1> {
        const { assert!(B * B2 <= 16) }
        FrPair(kernels::mul(&self.0, &other.0))
    }

    /// The same numbers modulo r, small again: as that of `FpLimbs` (`Sum::reduce`), the top limb being exact to 2⁻³⁴·B.
    #[inline(always)]
    pub fn reduce(&self) -> FrPair<1> {
        const { assert!(B <= 16) }
        FrPair(kernels::reduce(&self.0))
    }

    /// The sum.
    #[inline(always)]
    pub fn plus<const B2: u32, const SUM: u32>(&self, other: &FrPair<B2>) -> FrPair<SUM> {
        const { assert!(B + B2 <= SUM) }
        FrPair(each(&self.0, &other.0, |x, y| x + y))
    }

    /// The difference.
    #[inline(always)]
    pub fn minus<const B2: u32, const SUM: u32>(&self, other: &FrPair<B2>) -> FrPair<SUM> {
        const { assert!(B + B2 <= SUM) }
        FrPair(each(&self.0, &other.0, |x, y| x - y))
    }

    /// (a + b, a − b) of lanes a and b.
    #[inline(always)]
    pub(super) fn crossed<const SUM: u32>(&self) -> FrPair<SUM> {
        const { assert!(2 * B <= SUM) }
        // Exact: limbs are integers.
        FrPair(each(&self.0, &self.0, |x, _| x.second().mul_add(F64x2::new(1.0, -1.0), x.first())))
    }

    /// The lanes exchanged.
    #[inline(never)]
    pub(super) fn swapped(&self) -> Self {
        FrPair(each(&self.0, &self.0, |x, _| x.swapped()))
    }

    /// The same numbers under a larger bound.
    #[inline(always)]
    pub fn widen<const B2: u32>(&self) -> FrPair<B2> {
        const { assert!(B <= B2) }
        FrPair(self.0)
    }

    /// Limbs as they are, least significant first; `None` unless they are integers within the bounds of the type.
    /// For tests, which choose the worst.
    #[doc(hidden)]
    pub fn within(limbs: &[[f64; 2]; LIMBS]) -> Option<Self> {
        let size = |i: usize| if i + 1 < LIMBS { (1u64 << (WIDTH - 1)) as f64 + 64.0 } else { P[i] };
        let good = limbs
            .iter()
            .enumerate()
            .all(|(i, limb)| limb.iter().all(|x| *x == x.trunc() && x.abs() <= f64::from(B) * size(i)));
        good.then(|| Self(limbs.map(|[a, b]| F64x2::new(a, b))))
    }

    /// The limbs, least significant first.
    #[doc(hidden)]
    pub fn limbs(&self) -> [[f64; 2]; LIMBS] {
        self.0.map(F64x2::lanes)
    }
}

/// Limb by limb. Written out, since a build for size would make it a loop.
#[inline(always)]
fn each(x: &[F64x2; LIMBS], y: &[F64x2; LIMBS], f: impl Fn(F64x2, F64x2) -> F64x2) -> [F64x2; LIMBS] {
    [f(x[0], y[0]), f(x[1], y[1]), f(x[2], y[2]), f(x[3], y[3]), f(x[4], y[4]), f(x[5], y[5])]
}
