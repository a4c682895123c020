//! Whether the engine computes as the kernels need.

use super::fp::FpPair;
use crate::backend::Fq;
use ark_ff::{AdditiveGroup, BigInt, Field};

/// Rounds of the probe: some 0.1 ms.
const ROUNDS: usize = 64;

/// Every kernel against the field of integers, which relies on nothing that is left open: on 0, 1, −1 and a chain of
/// numbers from there, as factors within the widest bounds.
pub fn agrees() -> bool {
    // Words of alternating long runs, for the borders of the limbs.
    let start = Fq::new_unchecked(BigInt([!0, 0, !0 << 32, !0 >> 16, 1 << 47, 0x1a00_ffff_0000_ffff]));
    let mut numbers = [Fq::ZERO, -Fq::ONE, Fq::ONE, start];
    for _ in 0..ROUNDS {
        let [a, b, c, d] = numbers;
        let (x, y) = (FpPair::of(&a, &b), FpPair::of(&c, &d));
        let product = (x + y).mul(&(x - y));
        let square = (x - y).square();
        let twice = x + x;
        let wide = (twice + twice) + (twice + twice);
        let reduced = (wide - (square + product)).reduce();
        let (plus, minus) = ([a + c, b + d], [a - c, b - d]);
        let expected: [[Fq; 2]; 3] = [
            [plus[0] * minus[0], plus[1] * minus[1]],
            minus.map(|x| x.square()),
            [0, 1].map(|i| {
                let wide = [a, b][i].double().double().double();
                wide - (minus[i].square() + plus[i] * minus[i])
            }),
        ];
        if [product, square, reduced].map(|pair| pair.numbers()) != expected {
            return false;
        }
        numbers = [expected[2][0] + d, expected[0][1], expected[1][0] - Fq::ONE, expected[2][1] + a];
    }
    true
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_model_is_fused() {
        assert!(super::agrees());
    }
}
