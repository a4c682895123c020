//! Transforms in lanes, place i of the first half of the values beside that of the second.
//!
//! Two levels of butterflies in each pass over the values, as `kzg`'s transforms have them: (u, v) → (u + v, ζ(u − v)) on
//! the way to the coefficients, (a, c) → (a + ζc, a − ζc) from there. Levels that cross the lanes are not here.
//!
//! Bounds: what is stored has B = 3. On the way there sums have 6 and 12, of which one is reduced and the others are
//! multiplied; on the way back what is not multiplied is reduced first, and two products are added to it.

use super::fr::FrPair;
use crate::scalar::{self, Scalar};

/// D\[2·2ᵏ\] for k from 0 to 11, the factor that bit k of a block's number adds; and the inverses.
pub(super) fn steps() -> [Vec<Scalar>; 2] {
    // ω^(2^(11−k)), ω of order 2¹³.
    let root = scalar::root_of_unity(13);
    [root, scalar::pow(root, (1 << 13) - 1)].map(squares)
}

/// The value last, and before each its square.
#[inline(never)]
fn squares(value: Scalar) -> Vec<Scalar> {
    let squares = core::iter::successors(Some(value), |value| Some(*value * *value));
    let mut squares: Vec<Scalar> = squares.take(12).collect();
    squares.reverse();
    squares
}

/// For each level, of 2ᵐ blocks a lane, at 2ᵐ + b the factor of block b, or of block 2ᵐ⁺¹ + b if `above`: the product of the steps
/// of the number's bits. The second lane's blocks stand 2ᵐ further on.
#[inline(never)]
pub(super) fn table(steps: &[Scalar], levels: usize, above: bool) -> Vec<FrPair<1>> {
    let pairs: Vec<FrPair<1>> = steps.iter().map(|step| FrPair::factor(step, step)).collect();
    let mut table = vec![FrPair::factor(&scalar::ONE, &scalar::ONE)];
    for at in 1..1usize << levels {
        let m = at.ilog2() as usize;
        // The highest bit of the block's number.
        let top = (at ^ (1 << m)).checked_ilog2().unwrap_or(0) as usize;
        table.push(if at == 1 << m {
            let first = if above { steps[m + 1] } else { scalar::ONE };
            FrPair::factor(&first, &(first * steps[m]))
        } else {
            table[at ^ (1 << top)].mul(&pairs[top])
        });
    }
    table
}

/// `f` on quarters of each block of `len` pairs, with the factors of the block and of its two halves; those of the first are
/// at `first`.
#[inline(never)]
pub(super) fn pass(
    pairs: &mut [FrPair<3>],
    len: usize,
    first: usize,
    factors: &[FrPair<1>],
    f: impl Fn([&mut FrPair<3>; 4], &[FrPair<1>; 3]),
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
pub(super) fn to_coefficients([a, b, c, d]: [&mut FrPair<3>; 4], [whole, left, right]: &[FrPair<1>; 3]) {
    let (s, t) = (a.plus::<3, 6>(b), a.minus::<3, 6>(b).mul(left));
    let (u, v) = (c.plus::<3, 6>(d), c.minus::<3, 6>(d).mul(right));
    *a = s.plus::<6, 12>(&u).reduce().widen();
    *b = t.plus(&v);
    *c = s.minus::<6, 12>(&u).mul(whole).widen();
    *d = t.minus::<1, 2>(&v).mul(whole).widen();
}

#[inline(never)]
pub(super) fn to_values([a, b, c, d]: [&mut FrPair<3>; 4], [whole, left, right]: &[FrPair<1>; 3]) {
    let (s, t) = (a.reduce(), b.reduce());
    let (u, v) = (c.mul(whole), d.mul(whole));
    let high = t.plus::<1, 2>(&v).mul(left);
    let low = s.plus::<1, 2>(&u);
    (*a, *b) = (low.plus(&high), low.minus(&high));
    let high = t.minus::<1, 2>(&v).mul(right);
    let low = s.minus::<1, 2>(&u);
    (*c, *d) = (low.plus(&high), low.minus(&high));
}
