//! Square roots, two at a time: the exponent is the same for all.

use super::fp::FpPair;
use crate::backend::Fq;
use crate::root::{POWERS, STEPS};

/// As [`crate::root::sqrt_each`].
pub(crate) fn sqrt_each(numbers: &[Fq]) -> Vec<Option<Fq>> {
    let mut roots = Vec::with_capacity(numbers.len());
    for pair in numbers.chunks(2) {
        let [first, .., last] = pair else {
            roots.extend(pair.iter().flat_map(|number| sqrt(number, number).into_iter().take(1)));
            continue;
        };
        roots.extend(sqrt(first, last));
    }
    roots
}

fn sqrt(a: &Fq, b: &Fq) -> [Option<Fq>; 2] {
    let square = FpPair::of(a, b);
    let root = power(&square);
    let right = (root.square() - square).reduce().is_zero();
    let roots = root.numbers();
    [right[0].then_some(roots[0]), right[1].then_some(roots[1])]
}

/// a^((p+1)/4), by the windows of [`crate::root`].
fn power(a: &FpPair<1>) -> FpPair<1> {
    let twice = a.square();
    let mut powers = [*a; POWERS];
    for i in 1..POWERS {
        powers[i] = powers[i - 1].mul(&twice);
    }
    let ([(_, first), steps @ ..], count) = &STEPS;
    let mut root = powers[usize::from(*first)];
    for (squarings, power) in steps.iter().take(count - 1) {
        for _ in 0..*squarings {
            root = root.square();
        }
        root = root.mul(&powers[usize::from(*power)]);
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root;
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
            let expected: Vec<Option<Fq>> = numbers.iter().map(root::sqrt).collect();
            assert_eq!(sqrt_each(numbers), expected);
        }
    }
}
