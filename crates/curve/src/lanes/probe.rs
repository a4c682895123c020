//! Whether the engine computes as the kernels need.

use super::fp::FpPair;
use super::fr::FrPair;
use crate::backend::Fq;
use crate::scalar::{scalar_reduce_be, scalar_to_be, ONE, ZERO};
use ark_ff::{AdditiveGroup, BigInt, Field};

/// Rounds of the probe: some 0.1 ms.
const ROUNDS: usize = 64;

/// Every kernel against the fields of integers, which rely on nothing that is left open: on 0, 1, −1 and a chain of
/// numbers from there, as factors within the widest bounds.
pub fn agrees() -> bool {
    base_field() && scalars()
}

fn scalars() -> bool {
    let ones = [0xff; 32];
    let mut numbers = [ZERO, -ONE, ONE, scalar_reduce_be(&ones)];
    for _ in 0..ROUNDS {
        let [a, b, c, d] = numbers;
        // What is read is up to 2.3·r, and four times that with the sums.
        let read = FrPair::from_be(&scalar_to_be(&a), &ones);
        let sum = read.plus::<3, 6>(&read);
        let sum = sum.plus::<6, 12>(&sum).plus::<3, 15>(&FrPair::from_be(&ones, &scalar_to_be(&b)));
        let found = [sum.mul(&FrPair::factor(&c, &d)), sum.reduce()].map(|pair| pair.numbers());
        let most = scalar_reduce_be(&ones);
        let sums = [(a.double() + a.double() + most), (most.double() + most.double() + b)];
        if found.map(|pair| pair.map(|raw| raw.to_scalar())) != [[sums[0] * c, sums[1] * d], sums] {
            return false;
        }
        numbers = [sums[0] * c, sums[1] * d, b - ONE, sums[0] + d];
    }
    true
}

fn base_field() -> bool {
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
