//! Between arkworks' words and limbs. The integers are the same; what they stand for differs by 2⁸, which `fp` sees to.

use super::fp_kernels::{LIMBS, WIDTH};
use super::vector::I32x4;
use crate::moduli;

const MASK: i64 = (1 << WIDTH) - 1;
const HALF: i64 = 1 << (WIDTH - 1);

/// Two numbers below p, as words from the least significant, side by side.
pub(super) fn new(a: &[u64; 6], b: &[u64; 6]) -> [I32x4; LIMBS / 2] {
    let (a, b) = (limbs(a), limbs(b));
    let mut out = [I32x4::splat(0); LIMBS / 2];
    for ((out, a), b) in out.iter_mut().zip(a.as_chunks::<2>().0).zip(b.as_chunks::<2>().0) {
        *out = I32x4::new([a[0], b[0], a[1], b[1]]);
    }
    out
}

/// The words of both numbers, fully reduced.
pub(super) fn words(numbers: &[I32x4; LIMBS / 2]) -> [[u64; 6]; 2] {
    let mut limbs = [[0; LIMBS]; 2];
    for (m, vector) in numbers.iter().enumerate() {
        let [a, b, c, d] = vector.lanes();
        [limbs[0][2 * m], limbs[1][2 * m], limbs[0][2 * m + 1], limbs[1][2 * m + 1]] = [a, b, c, d];
    }
    limbs.map(|limbs| canonical(&limbs))
}

/// Limbs of at most 2²⁷ in size; the top one is p's at most.
fn limbs(words: &[u64; 6]) -> [i32; LIMBS] {
    let (mut limbs, mut carry) = ([0; LIMBS], 0);
    for (i, limb) in limbs.iter_mut().enumerate() {
        let at = i * WIDTH as usize;
        let word = |i: usize| u128::from(words.get(i).copied().unwrap_or(0));
        let pair = word(at / 64) | word(at / 64 + 1) << 64;
        let digit = ((pair >> (at % 64)) as i64 & MASK) + carry;
        carry = (digit + HALF) >> WIDTH;
        *limb = (digit - (carry << WIDTH)) as i32;
    }
    limbs
}

/// Signed limbs of a number between −p and p, as words of the one between 0 and p.
fn canonical(limbs: &[i32; LIMBS]) -> [u64; 6] {
    let (mut words, mut carry) = ([0u64; 6], 0i64);
    for (i, limb) in limbs.iter().enumerate() {
        let value = i64::from(*limb) + carry;
        carry = value >> WIDTH;
        let at = i * WIDTH as usize;
        let digit = u128::from((value & MASK) as u64) << (at % 64);
        for (word, part) in words.iter_mut().skip(at / 64).zip([digit as u64, (digit >> 64) as u64]) {
            *word |= part;
        }
    }
    // The carry is −1 for a negative number, and 0 otherwise: the words are then the number plus 2³⁸⁴.
    let (mut sum, mut over) = ([0u64; 6], 0u128);
    for ((sum, word), p) in sum.iter_mut().zip(words).zip(moduli::P) {
        let value = u128::from(word) + u128::from(p & carry as u64) + over;
        *sum = value as u64;
        over = value >> 64;
    }
    sum
}
