//! Signed digits of scalars: windows for buckets, and non-adjacent forms for tables of odd multiples.

/// `width` bits of `scalar` from bit `at` on, zeros beyond the top. `width` ≤ 15.
///
/// By words: a shift of 128 bits is a call of a function in WebAssembly.
fn bits_at(scalar: u128, at: u32, width: u32) -> u64 {
    let (low, high) = (scalar as u64, (scalar >> 64) as u64);
    let bits = match at {
        0 => low,
        1..64 => low >> at | high << (64 - at),
        64..128 => high >> (at - 64),
        _ => 0,
    };
    bits & ((1 << width) - 1)
}

/// The signed digit at `at`: the bits of the window, plus the bit below it, less 2^width where the window's
/// top bit is set. Σ digit·2^at = scalar, since what a window takes away its neighbour above adds: no carry
/// to pass on, and each window can be done by itself.
pub(crate) fn window_digit(scalar: u128, at: u32, width: u32) -> i64 {
    // The window and the bit below it: twice the window, plus the bit.
    let bits = if at == 0 { bits_at(scalar, 0, width) << 1 } else { bits_at(scalar, at - 1, width + 1) };
    let top = bits >> width;
    ((bits as i64 + 1) >> 1) - ((top as i64) << width)
}

/// The non-adjacent form: digits at places up to `bits`, odd and below 2^(width−1) in size, given to `each` from
/// the lowest up; one place in width + 1 has one.
pub(crate) fn non_adjacent(scalar: u128, bits: u32, width: u32, mut each: impl FnMut(u32, i64)) {
    let (mut at, mut carry) = (0, 0u64);
    while at <= bits {
        if bits_at(scalar, at, 1) == carry {
            at += 1; // bit + carry is even: 0 + 0, or 1 + 1 which carries on
            continue;
        }
        let value = bits_at(scalar, at, width) + carry;
        carry = value >> (width - 1) & 1;
        each(at, value as i64 - ((carry as i64) << width));
        at += width;
    }
}

/// Σ digit·2ⁱ = n, each digit zero or odd and between −7 and 7, with three zeros after each that is not.
pub(crate) fn digits_below_8(n: u64) -> [i8; 65] {
    // Taking a digit away adds at most 7: a 65th digit, 1 at most, takes the carry.
    let mut rest = u128::from(n);
    core::array::from_fn(|_| {
        let low = (rest & 15) as i8;
        let digit = match (low & 1, low & 8) {
            (0, _) => 0,
            (_, 0) => low,
            _ => low - 16,
        };
        rest = rest.wrapping_add_signed(-i128::from(digit)) >> 1;
        digit
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endomorphism::X;

    /// Against the bits one by one, at every place of every width.
    #[test]
    fn window_digits() {
        let mut scalar = 1u128;
        for _ in 0..40 {
            scalar = scalar.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).rotate_left(41) + 1;
            for n in [scalar, scalar >> 64, 0, u128::MAX] {
                let bit = |at: u32| i64::from(at < 128 && n.checked_shr(at).unwrap_or(0) & 1 == 1);
                for width in 1..=14 {
                    for at in 0..140 {
                        let value: i64 = (0..width).map(|i| bit(at + i) << i).sum();
                        let below = if at == 0 { 0 } else { bit(at - 1) };
                        let expected = value + below - (bit(at + width - 1) << width);
                        assert_eq!(window_digit(n, at, width), expected, "{n:x} {at} {width}");
                    }
                }
            }
        }
    }

    #[test]
    fn digits_are_the_number() {
        let mut n = 1u64;
        let mut numbers =
            vec![0, 1, 7, 8, 9, 15, 16, u64::MAX, u64::MAX - 8, 1 << 63, X, 0x7777_7777_7777_7777];
        for _ in 0..1000 {
            n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            numbers.push(n);
        }
        for n in numbers {
            let digits = digits_below_8(n);
            let total = digits.iter().rev().fold(0i128, |total, digit| 2 * total + i128::from(*digit));
            assert_eq!(total, i128::from(n));
            assert!(digits.iter().all(|digit| *digit == 0 || (digit % 2 != 0 && digit.abs() <= 7)));
            assert!(digits.windows(4).all(|four| four.iter().filter(|digit| **digit != 0).count() <= 1));
        }
    }
}
