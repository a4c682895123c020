//! φ(X, Y) = (βX, Y), β³ = 1: multiplication by −x² on G1, for one field multiplication.
//!
//! A scalar s below r = x⁴ − x² + 1 is q·x² + m with m < x² and q ≤ x² − 1, both of 128 bits, so that s·P = m·P −
//! q·φ(P) for a P **of G1** (Gallant, Lambert, Vanstone, 2001). This halves the doublings and the buckets of long
//! scalars. Outside G1 φ is another map: the subgroup test and sums of plain integers never use this.

use crate::backend::Fq;
use crate::fq;
use crate::g1::G1Affine;
use ark_ec::AffineRepr;
use ark_ff::MontFp;

/// |x|, the curve's parameter; x itself is negative, which does not matter for x².
pub(crate) const X: u64 = 0xd201_0000_0001_0000;

/// x², which is −λ for φ's eigenvalue λ on G1.
const X_SQUARED: u128 = X as u128 * X as u128;

/// The cube root of unity in the base field for which φ(S) = −x²S on G1.
pub(crate) const BETA: Fq = MontFp!(
    "793479390729215512621379701633421447060886740281060493010456487427281649075476305620758731620350"
);

/// −φ(P) = x²·P, for a point of G1.
pub(crate) fn times_x_squared(point: &G1Affine) -> G1Affine {
    match point.xy() {
        None => *point,
        Some((x, y)) => G1Affine::new_unchecked(fq::mul(&BETA, &x), -y),
    }
}

/// Appends the products of the first `count` points, which are of G1, with x².
pub(crate) fn extend(points: &mut Vec<G1Affine>, count: usize) {
    for i in 0..count.min(points.len()) {
        let image = points.get(i).map(times_x_squared);
        points.extend(image);
    }
}

/// μ = ⌊2²⁵⁵/x²⌋, which is below 2¹²⁸ since x² > 2¹²⁷. By long division, 255 steps of which the first 127 find nothing.
const RECIPROCAL: u128 = {
    let (mut rest, mut quotient, mut step) = (1u128 << 127, 0u128, 0);
    while step < 128 {
        // rest < x², so that 2·rest < 2x²: a carry means that it is above x² for certain.
        let carry = rest >> 127 == 1;
        rest <<= 1;
        quotient <<= 1;
        if carry || rest >= X_SQUARED {
            rest = rest.wrapping_sub(X_SQUARED);
            quotient |= 1;
        }
        step += 1;
    }
    quotient
};

/// The upper half of a product.
fn upper_half(a: u128, b: u128) -> u128 {
    let words = |n: u128| (n & u128::from(u64::MAX), n >> 64);
    let ((a0, a1), (b0, b1)) = (words(a), words(b));
    // (2⁶⁴ − 1)² + 2·(2⁶⁴ − 1) = 2¹²⁸ − 1: no sum overflows.
    let (_, carry) = words(a0 * b0);
    let (middle, above) = words(a0 * b1 + carry);
    let (_, carry) = words(a1 * b0 + middle);
    a1 * b1 + above + carry
}

/// s as (m, q): s = q·x² + m, for s < r, by Barrett's reduction.
///
/// With s′ = ⌊s/2¹²⁷⌋ < 2¹²⁸, as r < 2²⁵⁵, the estimate ⌊s′·μ/2¹²⁸⌋ is at most q, and at least q − 2: s/x² exceeds s′·μ/2¹²⁸ by less
/// than μ/2¹²⁸ + s/2²⁵⁵ < 0.75 + 0.91.
pub(crate) fn split(scalar: &[u64; 4]) -> (u128, u128) {
    let [s0, s1, s2, s3] = scalar.map(u128::from);
    let (low, high) = (s1 << 64 | s0, s3 << 64 | s2);
    let mut quotient = upper_half(high << 1 | low >> 127, RECIPROCAL);
    let (mut rest, borrow) = low.overflowing_sub(quotient.wrapping_mul(X_SQUARED));
    // What is left is below 3x², and `over` is what it has above 128 bits.
    let mut over = high - upper_half(quotient, X_SQUARED) - u128::from(borrow);
    for _ in 0..2 {
        if over > 0 || rest >= X_SQUARED {
            let (less, borrow) = rest.overflowing_sub(X_SQUARED);
            (rest, over) = (less, over - u128::from(borrow));
            quotient += 1;
        }
    }
    (rest, quotient)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::MODULUS;

    fn joined((rest, quotient): (u128, u128)) -> [u64; 4] {
        let mut out = [0u64; 4];
        for (shift, half) in [quotient as u64, (quotient >> 64) as u64].into_iter().enumerate() {
            let mut carry = 0u128;
            for (i, word) in [X_SQUARED as u64, (X_SQUARED >> 64) as u64].into_iter().enumerate() {
                let sum = u128::from(half) * u128::from(word) + u128::from(out[i + shift]) + carry;
                out[i + shift] = sum as u64;
                carry = sum >> 64;
            }
            if shift < 2 {
                out[shift + 2] = carry as u64;
            }
        }
        let mut carry = false;
        for (i, word) in [rest as u64, (rest >> 64) as u64, 0, 0].into_iter().enumerate() {
            let (sum, one) = out[i].overflowing_add(word);
            let (sum, two) = sum.overflowing_add(u64::from(carry));
            (out[i], carry) = (sum, one | two);
        }
        out
    }

    #[test]
    fn splitting() {
        let mut top = MODULUS;
        top[0] -= 1;
        let square = [X_SQUARED as u64, (X_SQUARED >> 64) as u64, 0, 0];
        let below = [square[0] - 1, square[1], 0, 0];
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state
        };
        let fixed = [[0; 4], [1, 0, 0, 0], top, square, below, [u64::MAX, u64::MAX, 0, 0], [0, 0, 1, 0]];
        let some = (0..2000).map(|_| [random(), random(), random(), random() >> 2]).collect::<Vec<_>>();
        for scalar in fixed.into_iter().chain(some) {
            let (rest, quotient) = split(&scalar);
            assert!(rest < X_SQUARED && quotient < X_SQUARED, "{scalar:?}");
            assert_eq!(joined((rest, quotient)), scalar);
        }
        // Around every multiple of x² where the estimate may be off: products with small, large and random quotients.
        for quotient in [1, 2, 3, X_SQUARED - 3, X_SQUARED - 2, u128::MAX >> 2, 0x5555_5555_5555_5555 << 62] {
            for rest in [0, 1, 2, X_SQUARED / 2, X_SQUARED - 2, X_SQUARED - 1] {
                assert_eq!(split(&joined((rest, quotient))), (rest, quotient));
            }
        }
        assert_eq!(split(&square), (0, 1));
        assert_eq!(split(&below), (X_SQUARED - 1, 0));
    }
}
