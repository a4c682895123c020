//! Between arkworks' words and limbs in doubles. The numbers are the same, Montgomery form included.

use super::fp_kernels::{C, LIMBS, S, WIDTH};
use super::vector::F64x2;
use crate::moduli;

const MASK: u64 = (1 << WIDTH) - 1;

/// A double from 2⁵² on has its integer's bits above 2⁵² in its own lowest.
const TWO_52: f64 = 4_503_599_627_370_496.0;

/// The same for integers of either sign: 1.5·2⁵².
const MIDDLE: f64 = 1.5 * TWO_52;

/// Two numbers below p, as words from the least significant, side by side.
pub(super) fn new(a: &[u64; 6], b: &[u64; 6]) -> [F64x2; LIMBS] {
    let (a, b) = (digits(a), digits(b));
    let (c, s, base) = (F64x2::splat(C), F64x2::splat(S), F64x2::splat(TWO_52));
    let mut limbs = [F64x2::splat(0.0); LIMBS];
    let mut carry = F64x2::splat(0.0);
    for ((limb, a), b) in limbs.iter_mut().zip(a).zip(b) {
        // A digit below 2⁴⁸ becomes one of at most 2⁴⁷ in size, and 0 or 1 for the next. The top one is p's at most.
        let value = F64x2::from_bits([a, b].map(|digit| digit | TWO_52.to_bits())) - base;
        let high = (value + c) - c;
        *limb = carry.mul_add(s, value - high);
        carry = high;
    }
    limbs
}

/// The words of both numbers, fully reduced.
pub(super) fn words(numbers: &[F64x2; LIMBS]) -> [[u64; 6]; 2] {
    let mut limbs = [[0i64; LIMBS]; 2];
    for (i, limb) in numbers.iter().enumerate() {
        let bits = (*limb + F64x2::splat(MIDDLE)).to_bits();
        for (limbs, bits) in limbs.iter_mut().zip(bits) {
            limbs[i] = bits.wrapping_sub(MIDDLE.to_bits()) as i64;
        }
    }
    limbs.map(|limbs| canonical(&limbs))
}

/// Digits of 48 bits.
fn digits(words: &[u64; 6]) -> [u64; LIMBS] {
    let [a, b, c, d, e, f] = *words;
    [
        a & MASK,
        (a >> 48 | b << 16) & MASK,
        (b >> 32 | c << 32) & MASK,
        c >> 16,
        d & MASK,
        (d >> 48 | e << 16) & MASK,
        (e >> 32 | f << 32) & MASK,
        f >> 16,
    ]
}

/// Signed limbs of a number between −p and p, as words of the one between 0 and p.
fn canonical(limbs: &[i64; LIMBS]) -> [u64; 6] {
    let (mut digits, mut carry) = ([0u64; LIMBS], 0i64);
    for (digit, limb) in digits.iter_mut().zip(limbs) {
        let value = limb + carry;
        *digit = value as u64 & MASK;
        carry = value >> WIDTH;
    }
    let [a, b, c, d, e, f, g, h] = digits;
    let words = [
        a | b << 48,
        b >> 16 | c << 32,
        c >> 32 | d << 16,
        e | f << 48,
        f >> 16 | g << 32,
        g >> 32 | h << 16,
    ];
    // The carry is −1 for a negative number, and 0 otherwise: the words are then the number plus 2³⁸⁴.
    let mut sum = [0u64; 6];
    let mut over = 0u128;
    for ((sum, word), p) in sum.iter_mut().zip(words).zip(moduli::P) {
        let value = u128::from(word) + u128::from(p & carry as u64) + over;
        *sum = value as u64;
        over = value >> 64;
    }
    sum
}
