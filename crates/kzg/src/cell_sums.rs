//! The two sums of cells' proofs: Σ rπ, and Σ r·h⁶⁴·π for `rest`.
//!
//! With A_c = Σ rπ over column c, they are Σ A_c and Σ h_c⁶⁴·A_c. With few rows a column, two sums over all proofs are
//! cheaper than one for each column.

use crate::claim::WeightedPoints;
use crate::roots::domain;
use blobcheck_curve::{g1, msm, msm_signed, G1Affine, Signed, G1};

/// Bits of a coefficient and of a scalar, for choosing between ways to sum.
pub(crate) const WEIGHT_BITS: u32 = 128;
const SCALAR_BITS: u32 = 255;

/// Σ rπ over the cells, whole or by column.
#[derive(Clone, Debug)]
pub(crate) enum CellSums {
    Together(G1),
    /// Columns that occur, with their sums.
    ByColumn(Vec<(usize, G1)>),
}

/// Proofs of a column's cells, with their coefficients.
#[derive(Clone, Default)]
pub(crate) struct ColumnProofs {
    pub(crate) proofs: Vec<G1Affine>,
    pub(crate) weights: Vec<Signed>,
}

/// Σ rπ over all columns, which are numbered by their place; the terms of Σ r·h⁶⁴·π go to `rest`. `known` is what was
/// summed before.
pub(crate) fn sum(columns: &[&ColumnProofs], known: Option<&CellSums>, rest: &mut WeightedPoints) -> G1 {
    match known.cloned().unwrap_or_else(|| sum_cheapest(columns)) {
        CellSums::Together(sum) => {
            for (index, column) in columns.iter().enumerate() {
                let h64 = domain(index);
                rest.scalars.extend(column.weights.iter().map(|weight| h64 * weight.to_scalar()));
                rest.points.extend_from_slice(&column.proofs);
            }
            sum
        }
        CellSums::ByColumn(sums) => {
            rest.scalars.extend(sums.iter().map(|(index, _)| domain(*index)));
            let sums: Vec<G1> = sums.into_iter().map(|(_, sum)| sum).collect();
            rest.points.extend(g1::normalize(&sums));
            sums.into_iter().fold(g1::identity(), |total, sum| total + sum)
        }
    }
}

fn sum_cheapest(columns: &[&ColumnProofs]) -> CellSums {
    let counts: Vec<usize> = columns.iter().map(|column| column.proofs.len()).collect();
    if cost_by_column(&counts) < cost_together(&counts) {
        let occupied = columns.iter().enumerate().filter(|(_, column)| !column.proofs.is_empty());
        let sum =
            |(index, column): (usize, &&ColumnProofs)| (index, msm_signed(&column.proofs, &column.weights));
        CellSums::ByColumn(occupied.map(sum).collect())
    } else {
        let proofs: Vec<G1Affine> = columns.iter().flat_map(|column| column.proofs.iter().copied()).collect();
        let weights: Vec<Signed> = columns.iter().flat_map(|column| column.weights.iter().copied()).collect();
        CellSums::Together(msm_signed(&proofs, &weights))
    }
}

/// What [`sum`] costs, in multiplications of the base field, for so many proofs in each column.
pub(crate) fn cost(counts: &[usize]) -> f32 {
    cost_by_column(counts).min(cost_together(counts))
}

/// What is left of it once the sums of the columns, or the sum of all, are known.
pub(crate) fn cost_after(counts: &[usize], by_column: bool) -> f32 {
    let terms = if by_column { occupied(counts).count() } else { counts.iter().sum() };
    msm::cost(terms, SCALAR_BITS)
}

fn cost_together(counts: &[usize]) -> f32 {
    msm::cost(counts.iter().sum(), WEIGHT_BITS) + cost_after(counts, false)
}

fn cost_by_column(counts: &[usize]) -> f32 {
    let each: f32 = occupied(counts).map(|count| msm::cost(count, WEIGHT_BITS)).sum();
    each + cost_after(counts, true)
}

fn occupied(counts: &[usize]) -> impl Iterator<Item = usize> + '_ {
    counts.iter().copied().filter(|count| *count > 0)
}
