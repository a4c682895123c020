//! p(z) from the values of p at the roots of unity, by folding.
//!
//! Values come in bit-reversed order, and so in quads f(x), f(−x), f(ix), f(−ix), i² = −1. Write f(X) = Σₖ Xᵏ·fₖ(X⁴),
//! k = 0..3. The quad gives the four values xᵏ·fₖ(x⁴) by a transform of length four (times 4), and with u = z/x the
//! combination Σ uᵏ·xᵏfₖ(x⁴) = Σ zᵏ·fₖ(x⁴) is the value at x⁴ of a polynomial g of a quarter of the degree with g(z⁴) =
//! f(z). Six rounds lead from 4,096 values to one, 4⁶ = 4,096 times too large. No inversion, no special case for z among
//! the roots, 6,838 multiplications; and linear in the data, so that plain integers will do.
//!
//! *The points.* Quad j has x = D\[4j\], D being the roots in their order, ω^brp(i). Bits of j are factors of x: D\[4(j +
//! 2ᵏ)\] = D\[4j\]·D\[4·2ᵏ\] for j < 2ᵏ. So the u of all quads follow from z by a multiplication each with one of ten
//! steps, the inverses of D\[4·2ᵏ\]; and the steps are those of every round, whose roots are a prefix of D.

use crate::features::SIMD;
use crate::raw::Raw;
use crate::scalar::{self, Scalar};
use crate::simd;

/// log₂ of the number of values, an even number.
const LOG2: u32 = 12;

/// Values of a polynomial of degree below 4,096.
pub const VALUES: usize = 1 << LOG2;

/// What all evaluations have in common.
pub struct Folding {
    /// A root of −1: D\[2\].
    i: Scalar,
    /// D\[4·2ᵏ\]⁻¹.
    steps: [Scalar; LOG2 as usize - 2],
}

/// 1/4,096.
const INVERSE: Scalar = scalar::two_to_minus(LOG2);

impl Folding {
    /// Some 600 multiplications.
    pub fn new() -> Self {
        // D[4·2ᵏ] = ω^(2^(9−k)): from the last one, ω itself, each is the square of the one above.
        let mut power = scalar::pow(scalar::root_of_unity(LOG2), VALUES as u64 - 1);
        let mut steps = [scalar::ONE; LOG2 as usize - 2];
        for step in steps.iter_mut().rev() {
            *step = power;
            power = power * power;
        }
        // ω^−1024 is a root of −1, and D[2] = ω^1024 its opposite.
        Self { i: -power, steps }
    }

    /// The value at `z` of the polynomial of degree < 4,096 with these values, 32 big-endian bytes each, at the
    /// bit-reversed roots of unity. What is not below r is read modulo r.
    pub fn value(&self, values: &[u8; 32 * VALUES], z: Scalar) -> Scalar {
        let values = values.as_chunks().0;
        let value = if SIMD {
            simd::fold(values, z, &self.i, &self.steps)
        } else {
            self.rounds(values.iter().map(Raw::from_be_reduced).collect(), z)
        };
        value.to_scalar() * INVERSE
    }

    /// All rounds.
    fn rounds(&self, mut values: Vec<Raw>, mut z: Scalar) -> Raw {
        while values.len() > 1 {
            let count = values.len() / 4;
            let us = self.points(z, count);
            // In place: quad j is read before values[j] is written, and 4j ≥ j.
            for (j, u) in us.into_iter().enumerate() {
                values[j] = self.fold(&values.as_chunks().0[j], u);
            }
            values.truncate(count);
            z = scalar::pow(z, 4);
        }
        // Powers of four come down to one.
        values.first().copied().unwrap_or(Raw::ZERO)
    }

    /// z/x for each of `count` quads, a power of two.
    fn points(&self, z: Scalar, count: usize) -> Vec<Scalar> {
        let mut us = Vec::with_capacity(count);
        us.push(z);
        for step in self.steps.iter().take(count.max(1).ilog2() as usize) {
            for j in 0..us.len() {
                us.push(us[j] * step);
            }
        }
        us
    }

    /// One quad to one value: Horner's rule on the transform.
    #[inline]
    fn fold(&self, quad: &[Raw; 4], u: Scalar) -> Raw {
        let [a, b, c, d] = *quad;
        let (s, t, e, g) = (a + b, a - b, c + d, (c - d) * self.i);
        (s + e) + ((t - g) + ((s - e) + (t + g) * u) * u) * u
    }
}

impl Default for Folding {
    fn default() -> Self {
        Self::new()
    }
}
