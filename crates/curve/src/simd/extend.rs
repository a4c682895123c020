//! [`crate::extend`] in simd. Only the longest butterflies cross the lanes; they and the next longest, of both ways, are the
//! middle.

use super::fr::FrPair;
use super::transform::{pass, steps, table, to_coefficients, to_values};
use crate::scalar;

/// Pairs of 4,096 values.
const PAIRS: usize = 2048;
/// log₂ of them.
const LEVELS: usize = 11;

/// The factors of all butterflies. Of the level with 2ᵐ blocks a lane, block b's are at 2ᵐ + b.
pub(crate) struct Factors {
    there: Vec<FrPair<1>>,
    back: Vec<FrPair<1>>,
    /// 1/4,096, and that times the factors of the level with one block a lane.
    scale: FrPair<1>,
    scaled: FrPair<1>,
    /// ζ of block 1, D\[2\].
    middle: FrPair<1>,
}

impl Factors {
    /// Some 4,200 products.
    #[inline(never)]
    pub(crate) fn new() -> Self {
        let [steps, inverses] = steps();
        let scale = scalar::two_to_minus(12);
        Self {
            there: table(&inverses, LEVELS, false),
            back: table(&steps, LEVELS, true),
            scale: FrPair::factor(&scale, &scale),
            scaled: FrPair::factor(&scale, &(scale * inverses[0])),
            middle: FrPair::factor(&steps[0], &steps[0]),
        }
    }

    /// The values on block 1, D\[4096..8192\], of the polynomial with these 4,096 values on block 0, in bytes.
    pub(crate) fn extend(&self, values: &[[u8; 32]], out: &mut [[u8; 32]]) {
        let (low, high) = values.split_at(values.len() / 2);
        let mut pairs = vec![FrPair::ZERO; PAIRS];
        for ((pair, a), b) in pairs.iter_mut().zip(low).zip(high) {
            *pair = FrPair::from_be(a, b);
        }
        // Levels of 2¹⁰ blocks a lane to 2, two by two.
        for m in [9, 7, 5, 3, 1] {
            pass(&mut pairs, PAIRS >> m, 1 << m, &self.there, to_coefficients);
        }
        let (low, high) = pairs.split_at_mut(PAIRS / 2);
        for (p, q) in low.iter_mut().zip(high) {
            self.cross(p, q);
        }
        for m in [1, 3, 5, 7, 9] {
            pass(&mut pairs, PAIRS >> m, 1 << m, &self.back, to_values);
        }
        let (low, high) = out.split_at_mut(out.len() / 2);
        for ((pair, a), b) in pairs.iter().zip(low).zip(high) {
            let [first, second] = pair.reduce().numbers();
            (*a, *b) = (first.to_be(), second.to_be());
        }
    }

    /// The levels of one block a lane and of one in all, there and back.
    #[inline(never)]
    fn cross(&self, p: &mut FrPair<3>, q: &mut FrPair<3>) {
        let sum = self.across(&p.plus::<3, 6>(q).mul(&self.scale)).reduce();
        let difference = self.across(&p.minus::<3, 6>(q).mul(&self.scaled)).mul(&self.back[1]);
        (*p, *q) = (sum.plus(&difference), sum.minus(&difference));
    }

    /// (a + b, a + b) + ζ·(a − b, b − a).
    #[inline(never)]
    fn across(&self, pair: &FrPair<1>) -> FrPair<3> {
        let swapped = pair.swapped();
        let difference = pair.minus::<1, 2>(&swapped).mul(&self.middle);
        pair.plus::<1, 2>(&swapped).plus(&difference)
    }
}
