//! More of a polynomial's values at roots of unity: from 4,096 of them to 4,096 more, or from 64 cells of 128 to the others.

use crate::features::SIMD;
use crate::fold::VALUES;
use crate::simd;
use crate::Scalar;
use std::sync::OnceLock;

/// Writes the values at D\[4096..8192\] of the polynomial of degree < 4,096 with these `values` at D\[0..4096\], 32 big-endian
/// bytes each; D\[i\] = ω^brp(i) are the 8,192nd roots of unity in bit-reversed order. What is not below r is read modulo r.
///
/// `false`, and nothing is written, where this engine has no way that is faster than transforms of single scalars. The
/// first call works factors out, 0.4 MB, in a fourth of the time of a call.
#[inline]
pub fn extend(values: &[u8; 32 * VALUES], out: &mut [u8; 32 * VALUES]) -> bool {
    static FACTORS: OnceLock<simd::Factors> = OnceLock::new();
    if SIMD {
        FACTORS.get_or_init(simd::Factors::new).extend(values.as_chunks().0, out.as_chunks_mut().0);
    }
    SIMD
}

/// The missing ones of 128 cells of 64 values, which are 32 big-endian bytes each, below r. Of each cell that is known `known` has a
/// factor by which its values are multiplied, and of each one that is missing `missing` has one by which what comes out is; the
/// others are zero. In between are two transforms of 8,192 values at D, to coefficients times 8,192 and back, and there the
/// coefficient of X^(64j + i) is multiplied by j, i < 64.
///
/// `false`, and nothing is written, as for [`extend()`]. The first call works factors out, 0.8 MB.
#[inline]
pub fn recover(cells: &mut [[[u8; 32]; 64]], known: &[Scalar], missing: &[Scalar]) -> bool {
    static FACTORS: OnceLock<simd::RecoveryFactors> = OnceLock::new();
    if SIMD {
        FACTORS.get_or_init(simd::RecoveryFactors::new).recover(cells, known, missing);
    }
    SIMD
}
