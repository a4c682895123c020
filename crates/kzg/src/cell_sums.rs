//! The two sums of cells' proofs: Σ rπ, and Σ r·h⁶⁴·π for `rest`.
//!
//! With A_c = Σ rπ over column c, they are Σ A_c and Σ h_c⁶⁴·A_c. With few rows a column, two sums over all proofs are
//! cheaper than one for each column.

use crate::roots::domain;
use crate::weighted_points::{WeightedPoints, WeightedProof};
use blobcheck_curve::scalar::Scalar;
use blobcheck_curve::{g1, msm, msm_signed, G1Affine, Signed, G1};

/// Bits of a coefficient and of a scalar, for choosing between ways to sum.
pub(crate) const WEIGHT_BITS: u32 = 128;
const SCALAR_BITS: u32 = 255;

/// Σ rπ over the cells, whole or by column.
#[derive(Clone, Debug)]
pub(crate) enum CellSums {
    Together(G1),
    /// Of the columns that occur.
    ByColumn(Vec<ColumnSum>),
}

/// Σ rπ over the cells of one column.
#[derive(Clone, Debug)]
pub(crate) struct ColumnSum {
    pub(crate) index: usize,
    pub(crate) sum: G1,
}

/// The sums of a batch's weighted proofs, where they were formed before: the subgroup test of a large batch gives them.
#[derive(Debug)]
pub(crate) struct ProofSums {
    /// Σ rπ over the openings.
    pub(crate) openings: G1,
    /// Σ rπ over the cells.
    pub(crate) cells: CellSums,
}

/// Proofs of a column's cells, with their coefficients.
#[derive(Default)]
pub(crate) struct ColumnProofs {
    /// As many as weights: [`Self::push`] alone adds to either.
    proofs: Vec<G1Affine>,
    weights: Vec<Signed>,
}

impl ColumnProofs {
    /// Adds a proof with its coefficient.
    pub(crate) fn push(&mut self, WeightedProof { proof, weight }: WeightedProof) {
        self.proofs.push(proof);
        self.weights.push(weight);
    }

    fn len(&self) -> usize {
        self.proofs.len()
    }

    /// Σ rπ.
    fn sum(&self) -> G1 {
        msm_signed(&self.proofs, &self.weights)
    }

    fn append(&mut self, other: &Self) {
        self.proofs.extend_from_slice(&other.proofs);
        self.weights.extend_from_slice(&other.weights);
    }

    /// Adds h·r·π for each proof to `rest`.
    fn add_to(&self, rest: &mut WeightedPoints<'_>, h: Scalar) {
        for (proof, weight) in self.proofs.iter().zip(&self.weights) {
            rest.add(*proof, h * weight.to_scalar());
        }
    }
}

/// Σ rπ over all columns, which are numbered by their place; the terms of Σ r·h⁶⁴·π go to `rest`. `known` is what was
/// summed before.
pub(crate) fn sum(columns: &[&ColumnProofs], known: Option<&CellSums>, rest: &mut WeightedPoints<'_>) -> G1 {
    match known.cloned().unwrap_or_else(|| sum_cheapest(columns)) {
        CellSums::Together(sum) => {
            for (index, column) in columns.iter().enumerate() {
                column.add_to(rest, domain(index));
            }
            sum
        }
        CellSums::ByColumn(columns) => {
            let sums: Vec<G1> = columns.iter().map(|column| column.sum).collect();
            for (column, sum) in columns.iter().zip(g1::normalize(&sums)) {
                rest.add(sum, domain(column.index));
            }
            sums.into_iter().fold(g1::identity(), |total, sum| total + sum)
        }
    }
}

fn sum_cheapest(columns: &[&ColumnProofs]) -> CellSums {
    let counts: Vec<usize> = columns.iter().map(|column| column.len()).collect();
    if cost_by_column(&counts) < cost_together(&counts) {
        let occupied = columns.iter().enumerate().filter(|(_, column)| column.len() > 0);
        CellSums::ByColumn(occupied.map(|(index, column)| ColumnSum { index, sum: column.sum() }).collect())
    } else {
        let mut all = ColumnProofs::default();
        for column in columns {
            all.append(column);
        }
        CellSums::Together(all.sum())
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
