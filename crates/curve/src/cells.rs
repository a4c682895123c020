//! Cells of 64 values each: cell k of 128 has the values of a polynomial at D\[64k..64k + 64\], D\[i\] = ω^brp(i) being the 8,192nd roots
//! of unity in bit-reversed order. All here is for engines that have a faster way than transforms of single scalars.

use crate::features::SIMD;
use crate::raw::Raw;
use crate::simd;
use crate::Scalar;
use std::sync::OnceLock;

pub use crate::simd::{Cell, Column};

/// 64 times the sum of all cells' interpolation polynomials, of degree below 64, each times its coefficient: of 128 columns, column k
/// with cells k. `None` where this engine has no faster way. The first call works factors out, 0.4 MB.
#[inline]
pub fn interpolate<'c>(columns: impl FnOnce() -> Vec<Column<'c>>) -> Option<[Raw; 64]> {
    SIMD.then(|| simd::interpolate(&columns()))
}

/// Fills in the missing ones of 128 cells. Of each cell that is known `known` has a
/// factor by which its values are multiplied, and of each one that is missing `missing` has one by which what comes out is; the
/// others are zero. In between are two transforms of 8,192 values at D, to coefficients times 8,192 and back, and there the
/// coefficient of X^(64j + i) is multiplied by j, i < 64.
///
/// `false`, and nothing is written, where this engine has no faster way. The first call works factors out, 0.8 MB.
#[inline]
pub fn recover(cells: &mut [Cell], known: &[Scalar], missing: &[Scalar]) -> bool {
    static FACTORS: OnceLock<simd::RecoveryFactors> = OnceLock::new();
    if SIMD {
        FACTORS.get_or_init(simd::RecoveryFactors::new).recover(cells, known, missing);
    }
    SIMD
}
