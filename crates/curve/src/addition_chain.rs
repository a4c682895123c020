//! Powers with a constant exponent.
//!
//! The exponent's bits are taken in windows of up to five, each beginning and ending with a set bit: for the square
//! root's 379 bits, of which 228 are set, 376 squarings and 66 multiplications, with 16 more for the odd powers, in
//! place of 378 and 227 bit by bit.

/// Bits of a window.
const WINDOW: usize = 5;

/// Odd powers a, a³ … a³¹.
const POWERS: usize = 1 << (WINDOW - 1);

/// One step: so many squarings, then the product with an odd power (by its place among them).
type Step = (u16, u8);

/// Room for the steps: no exponent of 384 bits has more than one in two bits.
const MAX_STEPS: usize = 192;

/// The windows of an exponent from the top, and the squarings after the last. The chain starts with the first one's
/// power, whose squarings count for nothing.
pub(crate) struct AdditionChain {
    steps: [Step; MAX_STEPS],
    count: usize,
    last: u16,
}

impl AdditionChain {
    /// `exponent` is not zero, its lowest limb first.
    pub(crate) const fn of(exponent: [u64; 6]) -> Self {
        let (mut steps, mut count) = ([(0, 0); MAX_STEPS], 0);
        let (mut at, mut squarings) = (384, 0);
        while at > 0 {
            if !bit(&exponent, at - 1) {
                squarings += 1;
                at -= 1;
                continue;
            }
            let mut low = at.saturating_sub(WINDOW);
            while !bit(&exponent, low) {
                low += 1;
            }
            let (mut power, mut i) = (0, at);
            while i > low {
                i -= 1;
                power = 2 * power + bit(&exponent, i) as u8;
            }
            steps[count] = (squarings + (at - low) as u16, power / 2);
            count += 1;
            squarings = 0;
            at = low;
        }
        assert!(count > 0, "the exponent is not zero");
        Self { steps, count, last: squarings }
    }

    /// `a` to the power of the exponent, for whatever can be squared and multiplied.
    #[inline(always)]
    pub(crate) fn power_by<T: Copy>(
        &self,
        a: T,
        square: impl Fn(&T) -> T,
        multiply: impl Fn(&T, &T) -> T,
    ) -> T {
        let twice = square(&a);
        let mut powers = [a; POWERS];
        for i in 1..POWERS {
            powers[i] = multiply(&powers[i - 1], &twice);
        }
        let [(_, first), steps @ ..] = &self.steps;
        let mut power = powers[usize::from(*first)];
        for (squarings, odd) in steps.iter().take(self.count - 1) {
            for _ in 0..*squarings {
                power = square(&power);
            }
            power = multiply(&power, &powers[usize::from(*odd)]);
        }
        for _ in 0..self.last {
            power = square(&power);
        }
        power
    }
}

const fn bit(exponent: &[u64; 6], i: usize) -> bool {
    exponent[i / 64] >> (i % 64) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Fq;
    use ark_ff::{Field, MontFp};

    fn power(exponent: [u64; 6], a: &Fq) -> Fq {
        AdditionChain::of(exponent).power_by(*a, Field::square, |a, b| a * b)
    }

    #[test]
    fn powers() {
        const A: Fq = MontFp!("1234567890123456789012345678901234567890");
        let mut exponent = [1, 0, 0, 0, 0, 0];
        for i in 0..40 {
            assert_eq!(power(exponent, &A), A.pow(exponent));
            exponent[i % 6] ^= 0x9e37_79b9_7f4a_7c15 << (i + 1);
        }
        let extremes = [
            [1, 0, 0, 0, 0, 0],
            [u64::MAX; 6],
            [1, 0, 0, 0, 0, 1 << 63],
            [31, 0, 31, 0, 0, 0],
            [0, 0, 0, 0, 0, 1 << 63],
        ];
        for exponent in extremes {
            assert_eq!(power(exponent, &A), A.pow(exponent));
        }
    }
}
