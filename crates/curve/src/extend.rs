//! The other half of a polynomial's values: from 4,096 values at roots of unity to those at 4,096 more.

use crate::features::SIMD;
use crate::fold::VALUES;
use crate::simd;
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
