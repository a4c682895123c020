//! Transforms between coefficients and evaluations, by reduction of polynomials.
//!
//! A polynomial modulo Xᵐ − D\[b\] (block b at this level) splits into its remainders modulo X^(m/2) ∓
//! D\[2b\]: blocks 2b and 2b + 1. Starting from X⁸¹⁹² − 1 this ends in the evaluations in the order of
//! [`crate::roots`], and block k of the 128 blocks of length 64 is exactly cell k: its coefficients are the
//! interpolation polynomial I_k, on its coset, with no scaling by powers of h_k.

use crate::roots::{inverse_twiddle, twiddle};
use blobcheck_curve::Scalar;
use core::ops::{Add, Mul, Sub};

/// What the transforms work on: scalars, or plain integers (they are linear).
pub trait Linear: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Scalar, Output = Self> {}

impl<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Scalar, Output = T>> Linear for T {}

/// Coefficients modulo Xⁿ − D\[block\] to the n evaluations on the block; n = `values.len()`, a power of two,
/// (block + 1)·n ≤ 8,192.
pub fn evaluate<T: Linear>(values: &mut [T], block: usize) {
    split(values, block, 1, twiddle);
}

/// The inverse of [`evaluate`], **times n**: the caller divides once, often after a sum.
pub fn interpolate<T: Linear>(values: &mut [T], block: usize) {
    join(values, block, 1, inverse_twiddle);
}

/// The transpose of [`evaluate`] as a matrix.
pub fn evaluate_transposed<T: Linear>(values: &mut [T], block: usize) {
    join(values, block, 1, twiddle);
}

/// The transpose of [`interpolate`] as a matrix: it, too, lacks a division by n.
pub fn interpolate_transposed<T: Linear>(values: &mut [T], block: usize) {
    split(values, block, 1, inverse_twiddle);
}

/// Coefficients modulo Xⁿ − 1 to the remainders on the blocks of `len`, which [`evaluate`] goes on with: each is that of its own
/// block.
pub(crate) fn to_blocks<T: Linear>(values: &mut [T], len: usize) {
    split(values, 0, len, twiddle);
}

/// The inverse of [`to_blocks`], **times n/len**.
pub(crate) fn from_blocks<T: Linear>(values: &mut [T], len: usize) {
    join(values, 0, len, inverse_twiddle);
}

/// From one block to blocks of `len`: (a, c) → (a + ζc, a − ζc).
#[inline(never)]
fn split<T: Linear>(values: &mut [T], block: usize, len: usize, twiddle: fn(usize) -> Scalar) {
    let mut half = values.len() / 2;
    let mut first = block;
    while half >= len {
        for (i, chunk) in values.chunks_exact_mut(2 * half).enumerate() {
            let zeta = factor(first + i, twiddle);
            let (low, high) = chunk.split_at_mut(half);
            for (a, c) in low.iter_mut().zip(high) {
                let term = zeta.map_or(*c, |zeta| *c * zeta);
                (*a, *c) = (*a + term, *a - term);
            }
        }
        half /= 2;
        first *= 2;
    }
}

/// From blocks of `len` to one block: (u, v) → (u + v, ζ(u − v)).
#[inline(never)]
fn join<T: Linear>(values: &mut [T], block: usize, len: usize, twiddle: fn(usize) -> Scalar) {
    let mut half = len;
    while half < values.len() {
        let first = block * (values.len() / (2 * half));
        for (i, chunk) in values.chunks_exact_mut(2 * half).enumerate() {
            let zeta = factor(first + i, twiddle);
            let (low, high) = chunk.split_at_mut(half);
            for (u, v) in low.iter_mut().zip(high) {
                let difference = *u - *v;
                (*u, *v) = (*u + *v, zeta.map_or(difference, |zeta| difference * zeta));
            }
        }
        half *= 2;
    }
}

/// The factor of a block; none for that of block 0, which is one, and a twelfth of all in a transform of 4,096 values.
fn factor(block: usize, twiddle: fn(usize) -> Scalar) -> Option<Scalar> {
    (block > 0).then(|| twiddle(block))
}
