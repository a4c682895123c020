//! Whether the engine computes as the kernels need.

use super::fp::FpPair;
use super::fr::FrPair;
use crate::backend::Fq;
use crate::scalar::{scalar_reduce_be, scalar_to_be, ONE, ZERO};
use ark_ff::{AdditiveGroup, BigInt, Field};

/// Rounds of the probe: some 0.1 ms.
const ROUNDS: usize = 64;

/// Every kernel against the fields of integers, which rely on nothing that is left open: on 0, 1, −1 and a chain of
/// numbers from there, as factors near the widest bounds.
pub fn passes_self_test() -> bool {
    base_field() && scalars()
}

fn scalars() -> bool {
    let ones = [0xff; 32];
    let most = scalar_reduce_be(&ones);
    let mut numbers = [[ZERO, -ONE], [ONE, most]];
    for _ in 0..ROUNDS {
        let [[a, b], factors] = numbers;
        // What is read is up to 2.3·r, and four times that with the sums.
        let read = FrPair::from_be(&scalar_to_be(&a), &ones);
        let sum = read.plus::<3, 6>(&read);
        let sum = sum.plus::<6, 12>(&sum).plus::<3, 15>(&FrPair::from_be(&ones, &scalar_to_be(&b)));
        let found =
            [sum.mul(&FrPair::factor(&factors[0], &factors[1])), sum.reduce()].map(|pair| pair.numbers());
        let sums = [a.double().double() + most, most.double().double() + b];
        for lane in 0..2 {
            let product = sums[lane] * factors[lane];
            if found[0][lane].to_scalar() != product || found[1][lane].to_scalar() != sums[lane] {
                return false;
            }
            numbers[lane] = [product, numbers[lane][0] - ONE];
        }
    }
    true
}

fn base_field() -> bool {
    // Words of alternating long runs, for the borders of the limbs.
    let start = Fq::new_unchecked(BigInt([!0, 0, !0 << 32, !0 >> 16, 1 << 47, 0x1a00_ffff_0000_ffff]));
    let mut numbers = [[Fq::ZERO, -Fq::ONE], [Fq::ONE, start]];
    for _ in 0..ROUNDS {
        let [xs, ys] = numbers;
        let (x, y) = (FpPair::of(&xs[0], &xs[1]), FpPair::of(&ys[0], &ys[1]));
        let product = (x + y).mul(&(x - y));
        let square = (x - y).square();
        let twice = x + x;
        let wide = (twice + twice) + (twice + twice);
        let reduced = (wide - (square + product)).reduce();
        if x.mul_fp2(&y).numbers() != [xs[0] * ys[0] - xs[1] * ys[1], xs[0] * ys[1] + xs[1] * ys[0]] {
            return false;
        }
        let found = [product, square, reduced].map(|pair| pair.numbers());
        for lane in 0..2 {
            let (x, y) = (xs[lane], ys[lane]);
            let product = (x + y) * (x - y);
            let square = (x - y).square();
            let wide = x.double().double().double() - (square + product);
            if [found[0][lane], found[1][lane], found[2][lane]] != [product, square, wide] {
                return false;
            }
            numbers[lane] = [wide + y, if lane == 0 { product } else { square - Fq::ONE }];
        }
    }
    true
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_model_is_fused() {
        assert!(super::passes_self_test());
    }
}
