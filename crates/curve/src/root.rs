//! Square roots in the base field.
//!
//! p ≡ 3 modulo 4, so that a^((p+1)/4) is a root of a where there is one. Every compressed point asks for one,
//! and it is half of the point's cost: the exponent's 379 bits, of which 229 are set, are taken in windows of up to
//! five, each beginning and ending with a set bit. 375 squarings and 66 multiplications, with 16 more for the odd
//! powers, in place of 378 and 228 bit by bit.

use crate::backend::{Fq, LANES};
use crate::fq::MODULUS;
use crate::lanes;
use ark_ff::Field;

/// Bits of a window.
const WINDOW: usize = 5;

/// Odd powers a, a³ … a³¹.
pub(crate) const POWERS: usize = 1 << (WINDOW - 1);

/// (p + 1)/4.
const EXPONENT: [u64; 6] = {
    let mut exponent = [0; 6];
    let mut i = 0;
    while i < 6 {
        let above = if i < 5 { MODULUS[i + 1] } else { 0 };
        exponent[i] = MODULUS[i] >> 2 | above << 62;
        i += 1;
    }
    // ⌊p/4⌋ + 1 = (p + 1)/4, since p ≡ 3.
    assert!(MODULUS[0] & 3 == 3 && exponent[0] != u64::MAX);
    exponent[0] += 1;
    exponent
};

/// One step: so many squarings, then the product with an odd power (by its place among them).
pub(crate) type Step = (u8, u8);

/// Room for the steps: no exponent of 384 bits has more than one in two bits.
const ROOM: usize = 192;

/// The exponent's windows from the top. The chain starts with the first one's power, whose squarings count
/// for nothing.
pub(crate) const STEPS: ([Step; ROOM], usize) = {
    let (mut steps, mut count) = ([(0, 0); ROOM], 0);
    let (mut at, mut squarings) = (384, 0);
    while at > 0 {
        if !bit(at - 1) {
            squarings += 1;
            at -= 1;
            continue;
        }
        let mut low = at.saturating_sub(WINDOW);
        while !bit(low) {
            low += 1;
        }
        let (mut power, mut i) = (0, at);
        while i > low {
            i -= 1;
            power = 2 * power + bit(i) as u8;
        }
        steps[count] = (squarings + (at - low) as u8, power / 2);
        count += 1;
        squarings = 0;
        at = low;
    }
    assert!(squarings == 0, "the exponent is odd");
    (steps, count)
};

const fn bit(i: usize) -> bool {
    EXPONENT[i / 64] >> (i % 64) & 1 == 1
}

/// A square root of each number that has one. Of the two, whichever comes out.
pub(crate) fn sqrt_each(numbers: &[Fq]) -> Vec<Option<Fq>> {
    if LANES {
        return lanes::sqrt_each(numbers);
    }
    numbers.iter().map(sqrt).collect()
}

/// A square root of `a`, or `None` where it has none. Of the two, whichever comes out.
pub(crate) fn sqrt(a: &Fq) -> Option<Fq> {
    let twice = a.square();
    let mut powers = [*a; POWERS];
    for i in 1..POWERS {
        powers[i] = powers[i - 1] * twice;
    }
    let ([(_, first), steps @ ..], count) = &STEPS;
    let mut root = powers[usize::from(*first)];
    for (squarings, power) in steps.iter().take(count - 1) {
        for _ in 0..*squarings {
            root.square_in_place();
        }
        root *= powers[usize::from(*power)];
    }
    (root.square() == *a).then_some(root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ff::{AdditiveGroup, MontFp};

    /// Against arkworks' own, on squares, on non-squares, and at the ends of the range.
    #[test]
    fn roots() {
        const FACTOR: Fq = MontFp!("1234567890123456789012345678901234567890");
        let mut a = FACTOR;
        let mut found = 0;
        for _ in 0..300 {
            a = a * FACTOR + Fq::ONE;
            assert_eq!(sqrt(&a).is_some(), a.sqrt().is_some());
            if let Some(root) = sqrt(&a) {
                assert_eq!(root * root, a);
                found += 1;
            }
            let square = a * a;
            assert!(sqrt(&square).is_some_and(|root| root == a || root == -a));
            assert_eq!(sqrt(&-square), None, "−1 is no square");
        }
        assert!((100..200).contains(&found));
        assert_eq!(sqrt(&Fq::ZERO), Some(Fq::ZERO));
        assert_eq!(sqrt(&Fq::ONE), Some(Fq::ONE));
        assert_eq!(sqrt(&-Fq::ONE), None);
    }

    /// The steps put together again are the exponent.
    #[test]
    fn the_steps_are_the_exponent() {
        let mut exponent = [0u64; 6];
        for (squarings, power) in &STEPS.0[..STEPS.1] {
            for _ in 0..*squarings {
                for i in (0..6).rev() {
                    exponent[i] = exponent[i] << 1 | if i > 0 { exponent[i - 1] >> 63 } else { 0 };
                }
            }
            exponent[0] += 2 * u64::from(*power) + 1;
        }
        assert_eq!(exponent, EXPONENT);
    }
}
