//! [`crate::cells`] in simd: cell k beside cell k + 64.

use super::fr::FrPair;
use super::transform::{pass, steps, table, to_coefficients, to_values};
use crate::raw::Raw;
use crate::scalar::{from_u128, Scalar, ZERO};
use std::sync::OnceLock;

/// The field elements of a cell, 32 big-endian bytes each, below r.
pub type Cell = [[u8; 32]; 64];

/// Cells of one column, with their coefficients.
pub type Column<'c> = &'c [(&'c Cell, Scalar)];

/// Values of a cell, and cells of a lane.
const ROW: usize = 64;
/// log₂ of the 4,096 pairs.
const LEVELS: usize = 12;

/// The factors on the way to the coefficients: 0.4 MB, some 4,200 products.
#[inline(never)]
fn to_coefficients_factors() -> &'static [FrPair<1>] {
    static TABLE: OnceLock<Vec<FrPair<1>>> = OnceLock::new();
    TABLE.get_or_init(|| table(&steps()[1], LEVELS, false))
}

/// The values of cells k and k + 64 to the coefficients of their interpolation polynomials, times 64.
fn interpolate_row(row: &mut [FrPair<3>], k: usize, factors: &[FrPair<1>]) {
    for m in [4, 2, 0] {
        pass(row, ROW >> m, (ROW + k) << m, factors, to_coefficients);
    }
}

/// See [`crate::cells::interpolate`].
pub(crate) fn interpolate(columns: &[Column<'_>]) -> [Raw; ROW] {
    let factors = to_coefficients_factors();
    let mut total = [FrPair::ZERO.reduce(); ROW];
    let (low, high) = columns.split_at(columns.len() / 2);
    for (k, (low, high)) in low.iter().zip(high).enumerate() {
        let rows = low.len().max(high.len());
        if rows == 0 {
            continue;
        }
        let mut values = vec![FrPair::ZERO; ROW];
        for i in 0..rows {
            let [(a, u), (b, v)] =
                [low, high].map(|column| column.get(i).copied().unwrap_or((&[[0; 32]; ROW], ZERO)));
            let factor = FrPair::factor(&u, &v);
            for ((value, a), b) in values.iter_mut().zip(a).zip(b) {
                *value = FrPair::from_be(a, b).mul(&factor).plus::<3, 4>(value).reduce().widen();
            }
        }
        interpolate_row(&mut values, k, factors);
        for (sum, value) in total.iter_mut().zip(&values) {
            *sum = sum.plus::<3, 4>(value).reduce();
        }
    }
    total.map(|pair| {
        let [a, b] = pair.numbers();
        a + b
    })
}

/// The factors on the way back from the coefficients of a polynomial of degree < 8,192.
pub(crate) struct RecoveryFactors {
    back: Vec<FrPair<1>>,
    /// j beside j + 64.
    counts: Vec<FrPair<1>>,
}

impl RecoveryFactors {
    /// Some 4,200 products.
    #[inline(never)]
    pub(crate) fn new() -> Self {
        let [steps, _] = steps();
        let count = |j| FrPair::factor(&from_u128(j), &from_u128(j + ROW as u128));
        Self { back: table(&steps, LEVELS, false), counts: (0..ROW as u128).map(count).collect() }
    }

    /// See [`crate::cells::recover`].
    pub(crate) fn recover(&self, cells: &mut [Cell], known: &[Scalar], missing: &[Scalar]) {
        let (low, high) = cells.split_at_mut(cells.len() / 2);
        let mut pairs = vec![FrPair::ZERO; low.len() * ROW];
        let known = pairs_of(known);
        let there = to_coefficients_factors();
        for (k, (row, factors)) in pairs.chunks_exact_mut(ROW).zip(&known).enumerate() {
            let Some([a, b]) = factors else { continue };
            let factor = FrPair::factor(a, b);
            for ((pair, a), b) in row.iter_mut().zip(&low[k]).zip(&high[k]) {
                *pair = FrPair::from_be(a, b).mul(&factor).widen();
            }
            interpolate_row(row, k, there);
        }
        let len = pairs.len();
        for m in [4, 2, 0] {
            pass(&mut pairs, len >> m, 1 << m, there, to_coefficients);
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
