//! Powers and square roots, two at a time: the exponent is the same for all.

use super::fp::FpPair;
use crate::addition_chain::AdditionChain;
use crate::backend::Fq;

/// Each number to the power of the chain's exponent.
pub(crate) fn power_each(chain: &AdditionChain, numbers: &[Fq]) -> Vec<Fq> {
    in_pairs(numbers, |pair| power(chain, pair).numbers())
}

/// A square root of each number that has one; `chain` raises to the power (p − 3)/4.
pub(crate) fn sqrt_each(chain: &AdditionChain, numbers: &[Fq]) -> Vec<Option<Fq>> {
    in_pairs(numbers, |square| {
        // a^((p−3)/4)·a = a^((p+1)/4).
        let root = power(chain, square).mul(square);
        let right = (root.square() - *square).reduce().is_zero();
        let roots = root.numbers();
        [right[0].then_some(roots[0]), right[1].then_some(roots[1])]
    })
}

/// What `f` makes of the numbers, two by two; of the last one of an odd number, beside itself.
fn in_pairs<T>(numbers: &[Fq], f: impl Fn(&FpPair<1>) -> [T; 2]) -> Vec<T> {
    let mut out = Vec::with_capacity(numbers.len() + 1);
    for pair in numbers.chunks(2) {
        let ([first, ..], [.., last]) = (pair, pair) else { continue };
        out.extend(f(&FpPair::of(first, last)));
    }
    out.truncate(numbers.len());
    out
}

#[inline(never)]
fn power(chain: &AdditionChain, a: &FpPair<1>) -> FpPair<1> {
    chain.power_by(*a, FpPair::square, FpPair::mul)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqrt;
    use ark_ff::{AdditiveGroup, Field, MontFp};

    /// Against the roots one by one: squares beside non-squares, in either lane, and lists of odd length.
    #[test]
    fn roots() {
        const FACTOR: Fq = MontFp!("1234567890123456789012345678901234567890");
        let mut numbers = vec![Fq::ZERO, Fq::ONE, -Fq::ONE, Fq::ONE, Fq::ZERO];
        let mut a = FACTOR;
        for _ in 0..60 {
            a = a * FACTOR + Fq::ONE;
            numbers.extend([a, a * a, -(a * a)]);
        }
        for count in [0, 1, 2, 3, numbers.len() - 1, numbers.len()] {
            let numbers = &numbers[..count];
            let expected: Vec<Option<Fq>> = numbers.iter().map(sqrt::sqrt).collect();
            assert_eq!(sqrt_each(&sqrt::CHAIN, numbers), expected);
        }
    }
}
