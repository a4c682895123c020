//! [`crate::extend`] in simd: place i of the first half of the values beside that of the second.
//!
//! Two levels of butterflies in each pass over the values, as `kzg`'s transforms have them: (u, v) → (u + v, ζ(u − v)) on
//! the way to the coefficients, (a, c) → (a + ζc, a − ζc) from there. Only the longest ones cross the lanes; they and
//! the next longest, of both ways, are the middle.
//!
//! Bounds: what is stored has B = 3. On the way there sums have 6 and 12, of which one is reduced and the others are
//! multiplied; on the way back what is not multiplied is reduced first, and two products are added to it.

use super::fr::FrPair;
use crate::scalar::{self, from_u128, Scalar, ZERO};

/// Pairs of 4,096 values.
const PAIRS: usize = 2048;
/// log₂ of the pairs, of 4,096 values and of 8,192.
const LEVELS: [usize; 2] = [11, 12];

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
            there: table(&inverses, LEVELS[0], false),
            back: table(&steps, LEVELS[0], true),
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

/// The factors of two transforms of 8,192 values, to the coefficients and back.
pub(crate) struct RecoveryFactors {
    there: Vec<FrPair<1>>,
    back: Vec<FrPair<1>>,
    /// j beside j + 64.
    counts: Vec<FrPair<1>>,
}

/// Values of a cell, and cells of a lane.
const ROW: usize = 64;

impl RecoveryFactors {
    /// Some 8,200 products.
    #[inline(never)]
    pub(crate) fn new() -> Self {
        let [steps, inverses] = steps();
        let count = |j| FrPair::factor(&from_u128(j), &from_u128(j + ROW as u128));
        Self {
            there: table(&inverses, LEVELS[1], false),
            back: table(&steps, LEVELS[1], false),
            counts: (0..ROW as u128).map(count).collect(),
        }
    }

    /// See [`crate::extend::recover`].
    pub(crate) fn recover(&self, cells: &mut [[[u8; 32]; ROW]], known: &[Scalar], missing: &[Scalar]) {
        let (low, high) = cells.split_at_mut(cells.len() / 2);
        let mut pairs = vec![FrPair::ZERO; low.len() * ROW];
        let known = pairs_of(known);
        for (k, (row, factors)) in pairs.chunks_exact_mut(ROW).zip(&known).enumerate() {
            let Some([a, b]) = factors else { continue };
            let factor = FrPair::factor(a, b);
            for ((pair, a), b) in row.iter_mut().zip(&low[k]).zip(&high[k]) {
                *pair = FrPair::from_be(a, b).mul(&factor).widen();
            }
            for m in [4, 2, 0] {
                pass(row, ROW >> m, (ROW + k) << m, &self.there, to_coefficients);
            }
        }
        let len = pairs.len();
        for m in [4, 2, 0] {
            pass(&mut pairs, len >> m, 1 << m, &self.there, to_coefficients);
        }
        for (row, count) in pairs.chunks_exact_mut(ROW).zip(&self.counts) {
            for pair in row {
                *pair = pair.crossed::<6>().mul(count).crossed::<3>();
            }
        }
        for m in [0, 2, 4] {
            pass(&mut pairs, len >> m, 1 << m, &self.back, to_values);
        }
        for (k, (row, factors)) in pairs.chunks_exact_mut(ROW).zip(pairs_of(missing)).enumerate() {
            let Some([a, b]) = factors else { continue };
            for m in [0, 2, 4] {
                pass(row, ROW >> m, (ROW + k) << m, &self.back, to_values);
            }
            let factor = FrPair::factor(&a, &b);
            for (i, pair) in row.iter().enumerate() {
                let [first, second] = pair.mul(&factor).numbers();
                for (cell, factor, value) in [(&mut low[k], a, first), (&mut high[k], b, second)] {
                    if factor != ZERO {
                        cell[i] = value.to_be();
                    }
                }
            }
        }
    }
}

/// Each factor of the first half beside that of the second; `None` where both are zero.
fn pairs_of(factors: &[Scalar]) -> Vec<Option<[Scalar; 2]>> {
    let (low, high) = factors.split_at(factors.len() / 2);
    low.iter().zip(high).map(|(a, b)| (*a != ZERO || *b != ZERO).then_some([*a, *b])).collect()
}

/// D\[2·2ᵏ\] for k from 0 on, the factor that bit k of a block's number adds; and the inverses.
fn steps() -> [Vec<Scalar>; 2] {
    // ω^(2^(11−k)), ω of order 2¹³.
    let root = scalar::root_of_unity(13);
    [root, scalar::pow(root, (1 << 13) - 1)].map(squares)
}

/// The value last, and before each its square.
#[inline(never)]
fn squares(value: Scalar) -> Vec<Scalar> {
    let squares = core::iter::successors(Some(value), |value| Some(*value * *value));
    let mut squares: Vec<Scalar> = squares.take(LEVELS[1]).collect();
    squares.reverse();
    squares
}

/// For each level, of 2ᵐ blocks a lane, the factors of its blocks from 0 on, or from 2ᵐ⁺¹ on: products of the steps of the
/// number's bits. The second lane's blocks stand 2ᵐ further on.
#[inline(never)]
fn table(steps: &[Scalar], levels: usize, above: bool) -> Vec<FrPair<1>> {
    let one = FrPair::factor(&scalar::ONE, &scalar::ONE);
    let mut table = vec![one; 1 << levels];
    for m in 0..levels {
        let first = if above { steps[m + 1] } else { scalar::ONE };
        table[1 << m] = FrPair::factor(&first, &(first * steps[m]));
        for (k, step) in steps.iter().enumerate().take(m) {
            let step = FrPair::factor(step, step);
            for at in 1 << m..(1 << m) + (1 << k) {
                table[at + (1 << k)] = table[at].mul(&step);
            }
        }
    }
    table
}

/// `f` on quarters of each block of `len` pairs, with the factors of the block and of its two halves; those of the first are
/// at `first`.
#[inline(never)]
fn pass(
    pairs: &mut [FrPair<3>],
    len: usize,
    first: usize,
    factors: &[FrPair<1>],
    f: fn([&mut FrPair<3>; 4], &[FrPair<1>; 3]),
) {
    let quarter = len / 4;
    for (at, block) in (first..).zip(pairs.chunks_exact_mut(4 * quarter)) {
        let factors = [factors[at], factors[2 * at], factors[2 * at + 1]];
        let (low, high) = block.split_at_mut(2 * quarter);
        let ((a, b), (c, d)) = (low.split_at_mut(quarter), high.split_at_mut(quarter));
        for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
            f([a, b, c, d], &factors);
        }
    }
}

#[inline(never)]
fn to_coefficients([a, b, c, d]: [&mut FrPair<3>; 4], [whole, left, right]: &[FrPair<1>; 3]) {
    let (s, t) = (a.plus::<3, 6>(b), a.minus::<3, 6>(b).mul(left));
    let (u, v) = (c.plus::<3, 6>(d), c.minus::<3, 6>(d).mul(right));
    *a = s.plus::<6, 12>(&u).reduce().widen();
    *b = t.plus(&v);
    *c = s.minus::<6, 12>(&u).mul(whole).widen();
    *d = t.minus::<1, 2>(&v).mul(whole).widen();
}

#[inline(never)]
fn to_values([a, b, c, d]: [&mut FrPair<3>; 4], [whole, left, right]: &[FrPair<1>; 3]) {
    let (s, t) = (a.reduce(), b.reduce());
    let (u, v) = (c.mul(whole), d.mul(whole));
    let high = t.plus::<1, 2>(&v).mul(left);
    let low = s.plus::<1, 2>(&u);
    (*a, *b) = (low.plus(&high), low.minus(&high));
    let high = t.minus::<1, 2>(&v).mul(right);
    let low = s.minus::<1, 2>(&u);
    (*c, *d) = (low.plus(&high), low.minus(&high));
}
