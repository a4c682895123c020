//! Square roots in the base field.
//!
//! p ≡ 3 modulo 4. With e = a^((p−3)/4), e²·a is a^((p−1)/2), Euler's criterion: 1 for a square, −1 for what is none.
//! So a·e is a root of a or of −a, and ±e is that root's inverse, which roots in Fq2 need.
//!
//! Every compressed point asks for one, and it is half of the point's cost: the exponent's 379 bits, of which 228 are
//! set, are taken in windows of up to five, each beginning and ending with a set bit. 376 squarings and 66
//! multiplications, with 16 more for the odd powers, in place of 378 and 227 bit by bit.

use crate::backend::Fq;
use crate::fq::MODULUS;
use ark_ff::Field;

/// Bits of a window.
const WINDOW: usize = 5;

/// Odd powers a, a³ … a³¹.
const POWERS: usize = 1 << (WINDOW - 1);

/// (p − 3)/4.
const EXPONENT: [u64; 6] = {
    let mut exponent = [0; 6];
    let mut i = 0;
    while i < 6 {
        let above = if i < 5 { MODULUS[i + 1] } else { 0 };
        exponent[i] = MODULUS[i] >> 2 | above << 62;
        i += 1;
    }
    // ⌊p/4⌋, since p ≡ 3.
    assert!(MODULUS[0] & 3 == 3);
    exponent
};

/// One step: so many squarings, then the product with an odd power (by its place among them).
type Step = (u8, u8);

/// Room for the steps: no exponent of 384 bits has more than one in two bits.
const ROOM: usize = 192;

/// The exponent's windows from the top, their number, and the squarings after the last. The chain starts with the
/// first one's power, whose squarings count for nothing.
const STEPS: ([Step; ROOM], usize, u8) = {
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
    (steps, count, squarings)
};

const fn bit(i: usize) -> bool {
    EXPONENT[i / 64] >> (i % 64) & 1 == 1
}

/// A square root of `a`, or `None` where it has none. Of the two, whichever comes out.
pub(crate) fn sqrt(a: &Fq) -> Option<Fq> {
    match root(a) {
        Root::Of { root, .. } => Some(root),
        Root::OfMinus { .. } => None,
    }
}

/// What [`root`] finds.
pub(crate) enum Root {
    /// root² = a and root·inverse = 1; zeros where a = 0.
    Of { root: Fq, inverse: Fq },
    /// a is no square: root² = −a and root·inverse = 1.
    OfMinus { root: Fq, inverse: Fq },
}

/// A square root of `a` or, where it has none, of −`a`.
pub(crate) fn root(a: &Fq) -> Root {
    let inverse = power(a);
    let root = *a * inverse;
    if root.square() == *a {
        Root::Of { root, inverse }
    } else {
        Root::OfMinus { root, inverse: -inverse }
    }
}

/// a^((p−3)/4).
fn power(a: &Fq) -> Fq {
    let twice = a.square();
    let mut powers = [*a; POWERS];
    for i in 1..POWERS {
        powers[i] = powers[i - 1] * twice;
    }
    let ([(_, first), steps @ ..], count, last) = &STEPS;
    let mut out = powers[usize::from(*first)];
    for (squarings, power) in steps.iter().take(count - 1) {
        for _ in 0..*squarings {
            out.square_in_place();
        }
        out *= powers[usize::from(*power)];
    }
    for _ in 0..*last {
        out.square_in_place();
    }
    out
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
            let inverted = match root(&a) {
                Root::Of { root, inverse } => (root * root == a).then_some(root * inverse),
                Root::OfMinus { root, inverse } => (root * root == -a).then_some(root * inverse),
            };
            assert_eq!(inverted, Some(Fq::ONE));
            let square = a * a;
            assert!(sqrt(&square).is_some_and(|root| root == a || root == -a));
            assert_eq!(sqrt(&-square), None, "−1 is no square");
        }
        assert!((100..200).contains(&found));
        assert!(
            matches!(root(&Fq::ZERO), Root::Of { root, inverse } if root == Fq::ZERO && inverse == Fq::ZERO)
        );
        assert_eq!(sqrt(&Fq::ONE), Some(Fq::ONE));
        assert_eq!(sqrt(&-Fq::ONE), None);
    }

    /// The steps put together again are the exponent.
    #[test]
    fn the_steps_are_the_exponent() {
        let mut exponent = [0u64; 6];
        let shift = |exponent: &mut [u64; 6], by: u8| {
            for _ in 0..by {
                for i in (0..6).rev() {
                    exponent[i] = exponent[i] << 1 | if i > 0 { exponent[i - 1] >> 63 } else { 0 };
                }
            }
        };
        for (squarings, power) in &STEPS.0[..STEPS.1] {
            shift(&mut exponent, *squarings);
            exponent[0] += 2 * u64::from(*power) + 1;
        }
        shift(&mut exponent, STEPS.2);
        assert_eq!(exponent, EXPONENT);
    }
}
