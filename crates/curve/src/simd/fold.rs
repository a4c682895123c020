//! The rounds of [`crate::fold`], quads of the values' first half beside those of the second.
//!
//! Bounds, B of each number: what is read has 3, so that s, t, e have 6, g 1, t ± g 7, and s ± e 12; with a product
//! added at most 13, which is also what a round ends with before it is reduced.

use super::fr::FrPair;
use crate::raw::Raw;
use crate::scalar::{self, Scalar};

/// All rounds, as [`crate::fold::Folding::value`] has them.
///
/// There are 4ⁿ values, n ≥ 2, and at least 2n − 2 steps.
pub(crate) fn fold(values: &[[u8; 32]], z: Scalar, i: &Scalar, steps: &[Scalar]) -> Raw {
    let i = FrPair::factor(i, i);
    let (low, high) = values.split_at(values.len() / 2);
    let (low, high) = (low.as_chunks::<4>().0, high.as_chunks::<4>().0);
    let us = points(&z, low.len(), steps);
    let quads = low.iter().zip(high).map(|([a, b, c, d], [e, f, g, h])| {
        [FrPair::from_be(a, e), FrPair::from_be(b, f), FrPair::from_be(c, g), FrPair::from_be(d, h)]
    });
    let mut pairs: Vec<FrPair<1>> = quads.zip(&us).map(|(quad, u)| to_one(&quad, u, &i)).collect();
    let mut z = scalar::pow(z, 4);
    while pairs.len() > 2 {
        let us = points(&z, pairs.len() / 4, steps);
        let quads = pairs.as_chunks::<4>().0.iter();
        let quads = quads.map(|[a, b, c, d]| [a.widen(), b.widen(), c.widen(), d.widen()]);
        pairs = quads.zip(&us).map(|(quad, u)| to_one(&quad, u, &i)).collect();
        z = scalar::pow(z, 4);
    }
    // Two pairs are four values, a and b in the first lanes. What the second one makes of them is not looked at.
    let [a, b] = &pairs[..] else { return Raw::ZERO };
    let last = [a.widen(), b.widen(), a.swapped().widen(), b.swapped().widen()];
    let [value, _] = to_one(&last, &FrPair::factor(&z, &z), &i).numbers();
    value
}

/// z/x for the quads of the first half, `count` of them, a power of two, each beside that of the second half.
fn points(z: &Scalar, count: usize, steps: &[Scalar]) -> Vec<FrPair<1>> {
    // The quad count places further on has one step more.
    let (near, far) = steps.split_at(steps.len().min(count.max(1).ilog2() as usize));
    let mut us = Vec::with_capacity(count);
    us.push(FrPair::factor(z, &far.first().map_or(*z, |step| *z * step)));
    for step in near {
        let step = FrPair::factor(step, step);
        for at in 0..us.len() {
            us.push(us[at].mul(&step));
        }
    }
    us
}

/// The formula of [`crate::fold`].
#[inline(never)]
fn to_one([a, b, c, d]: &[FrPair<3>; 4], u: &FrPair<1>, i: &FrPair<1>) -> FrPair<1> {
    let (s, t): (FrPair<6>, FrPair<6>) = (a.plus(b), a.minus(b));
    let (e, f): (FrPair<6>, FrPair<6>) = (c.plus(d), c.minus(d));
    let g = f.mul(i);
    let inner = t.plus::<1, 7>(&g).mul(u);
    let inner = s.minus::<6, 12>(&e).plus::<1, 13>(&inner).mul(u);
    let inner = t.minus::<1, 7>(&g).plus::<1, 8>(&inner).mul(u);
    s.plus::<6, 12>(&e).plus::<1, 13>(&inner).reduce()
}
