//! The evaluation domain: the 8,192nd roots of unity in bit-reversed order.
//!
//! Let ω be the primitive 8,192nd root and D\[i\] = ω^brp₁₃(i), where brpₖ reverses k bits. Facts used
//! throughout:
//! - the domain of any smaller power of two, bit-reversed, is a prefix of D (so D\[..4096\] is the blob's
//!   domain);
//! - D\[2b+1\] = −D\[2b\] and D\[2b\]² = D\[b\];
//! - cell k holds the evaluations at D\[64k .. 64k+64\], the roots of X⁶⁴ = D\[k\] = h_k⁶⁴.

use blobcheck_curve::scalar::{self, Scalar};
use std::sync::OnceLock;

/// log₂ of the domain's size.
pub(crate) const LOG2: u32 = 13;

const TWIDDLES: usize = 1 << (LOG2 - 1);

static TABLE: OnceLock<Vec<Scalar>> = OnceLock::new();

/// D\[2b\] for b < 4,096, worked out on first use (4,096 multiplications).
fn twiddles() -> &'static [Scalar] {
    TABLE.get_or_init(|| bit_reversed_powers(scalar::root_of_unity(LOG2), LOG2 - 1))
}

/// D\[2b\], for b < 4,096.
pub(crate) fn twiddle(b: usize) -> Scalar {
    twiddles()[b]
}

/// D\[i\], the i-th point of the domain. `i` is taken modulo 8,192.
#[inline(never)]
pub fn domain(i: usize) -> Scalar {
    let i = i % (2 * TWIDDLES);
    let even = twiddle(i / 2);
    if i.is_multiple_of(2) {
        even
    } else {
        -even
    }
}

/// The position of −D\[2b\]⁻¹ among the twiddles, for b ≥ 1.
///
/// With 2ᵏ ≤ b < 2ᵏ⁺¹ the exponent e = brp₁₂(b) has its lowest one where b has its highest. 4096 − e keeps
/// that one and flips all bits above it, that is, all bits of b below the k-th: b' = 2ᵏ + (2ᵏ⁺¹ − 1 − b) =
/// 3·2ᵏ − 1 − b. And ω^(4096−e) = −ω^(−e).
pub(crate) fn mirror(b: usize) -> usize {
    let top = 1 << b.ilog2();
    3 * top - 1 - b
}

/// D\[2b\]⁻¹, for b < 4,096.
pub fn inverse_twiddle(b: usize) -> Scalar {
    match b {
        0 => scalar::ONE,
        _ => -twiddle(mirror(b)),
    }
}

/// root^brp(i) for i < 2^log2, where `root` has order 2^(log2+1) or a multiple fitting the caller.
fn bit_reversed_powers(root: Scalar, log2: u32) -> Vec<Scalar> {
    let mut powers = Vec::with_capacity(1 << log2);
    powers.push(scalar::ONE);
    for level in 0..log2 {
        // i = 2^level + j reverses to brp(j) + 2^(log2−1−level).
        let step = scalar::pow(root, 1 << (log2 - 1 - level));
        for j in 0..1 << level {
            powers.push(powers[j] * step);
        }
    }
    powers
}
