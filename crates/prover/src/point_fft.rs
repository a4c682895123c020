//! Transforms over points: `blobcheck_kzg::fft` with points of G1 for numbers.
//!
//! The same butterflies on the same domain. A level's products with its twiddles are made together, since they share
//! their inversions; the twiddle 1 costs nothing, and ±i a third ([`multiply_each()`]).

use blobcheck_curve::multiply_each;
use blobcheck_curve::scalar::Scalar;
use blobcheck_curve::{g1, G1};
use blobcheck_kzg::roots::{domain, inverse_twiddle};

/// The coefficients modulo Xⁿ − D\[block\] to the n evaluations on the block: see `blobcheck_kzg::fft::evaluate`.
pub fn evaluate(values: &mut [G1], block: usize) {
    let mut half = values.len() / 2;
    let mut first = block;
    while half > 0 {
        let (low, high) = halves(values, half);
        let factors = factors(low.len(), half, |i| domain(2 * (first + i)));
        let terms = multiply_each(&g1::normalize(&high), &factors);
        write(values, half, low.iter().zip(terms).map(|(a, term)| (*a + term, *a - term)));
        half /= 2;
        first *= 2;
    }
}

/// The inverse of [`evaluate`], times n: see `blobcheck_kzg::fft::interpolate`.
pub fn interpolate(values: &mut [G1], block: usize) {
    let mut half = 1;
    while half < values.len() {
        let first = block * (values.len() / (2 * half));
        let (low, high) = halves(values, half);
        let factors = factors(low.len(), half, |i| inverse_twiddle(first + i));
        let differences: Vec<G1> = low.iter().zip(&high).map(|(u, v)| *u - *v).collect();
        let products = multiply_each(&g1::normalize(&differences), &factors);
        let sums = low.iter().zip(&high).map(|(u, v)| *u + *v);
        write(values, half, sums.zip(products));
        half *= 2;
    }
}

/// The lower and the upper halves of the chunks of length 2·`half`, each one after the other.
fn halves(values: &[G1], half: usize) -> (Vec<G1>, Vec<G1>) {
    let chunks = || values.chunks_exact(2 * half);
    let low = chunks().flat_map(|chunk| &chunk[..half]).copied().collect();
    let high = chunks().flat_map(|chunk| &chunk[half..]).copied().collect();
    (low, high)
}

/// `count` factors, the i-th chunk's `half` times over.
fn factors(count: usize, half: usize, of: impl Fn(usize) -> Scalar) -> Vec<Scalar> {
    (0..count / half).flat_map(|i| core::iter::repeat_n(of(i), half)).collect()
}

/// Puts pairs back in the places of [`halves`].
fn write(values: &mut [G1], half: usize, pairs: impl Iterator<Item = (G1, G1)>) {
    let mut pairs = pairs;
    for chunk in values.chunks_exact_mut(2 * half) {
        let (low, high) = chunk.split_at_mut(half);
        for ((a, b), (new_a, new_b)) in low.iter_mut().zip(high).zip(&mut pairs) {
            (*a, *b) = (new_a, new_b);
        }
    }
}
