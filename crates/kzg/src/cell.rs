//! What cells (EIP-7594) add to the sums.
//!
//! The claim of cell k is e(C − \[I(τ)\]₁, \[1\]₂) = e(π, \[τ⁶⁴ − h_k⁶⁴\]₂), I being the polynomial of degree
//! < 64 that takes the cell's values on its coset. Moved to fixed points of G2: e(π, \[τ⁶⁴\]₂) = e(C −
//! \[I(τ)\]₁ + h_k⁶⁴·π, \[1\]₂).
//!
//! Everything is linear in the cells, so that Σ r·cell is formed for each *column* first and transformed
//! once.

use crate::cell_sums::{self, CellSums, ColumnProofs};
use crate::constants::{elements, Blob, Cell, BYTES_PER_CELL, CELLS_PER_BLOB, CELLS_PER_EXT_BLOB};
use crate::fft;
use crate::weighted_points::{WeightedPoints, WeightedProof};
use blobcheck_curve::cells::{interpolate, Cell as Elements};
use blobcheck_curve::raw::Raw;
use blobcheck_curve::scalar::{self, Scalar};
use blobcheck_curve::wide::Wide;
use blobcheck_curve::{Signed, G1};
use core::iter;

const LEN: usize = 64;

/// One cell of a column.
#[derive(Clone, Debug)]
pub(crate) struct CellRow<'a> {
    /// Position in the table of commitments.
    pub(crate) commitment: usize,
    pub(crate) proof: WeightedProof,
    pub(crate) cell: &'a Cell,
}

/// Cells of one column.
#[derive(Clone, Debug)]
pub(crate) struct ColumnClaim<'a> {
    /// Below 128.
    pub(crate) index: usize,
    pub(crate) rows: Vec<CellRow<'a>>,
}

/// All 128 cells of a blob that is given itself.
#[derive(Clone, Debug)]
pub(crate) struct ExtendedClaim<'a> {
    /// Position in the table of commitments.
    pub(crate) commitment: usize,
    /// One for each cell.
    pub(crate) proofs: Box<[WeightedProof; CELLS_PER_EXT_BLOB]>,
    pub(crate) blob: &'a Blob,
}

/// What the claims say of one column.
#[derive(Default)]
struct Column<'c> {
    proofs: ColumnProofs,
    /// Cells with their coefficients: those that are given, and those of extended blobs, in columns 0..64, with r′.
    cells: Vec<(&'c Elements, Scalar)>,
}

/// Cells, as their terms are gathered by column: Σ rπ, the terms r·C and r·h⁶⁴·π of `rest`, and Σ rI in the interpolation.
pub(crate) struct Columns<'c>(Vec<Column<'c>>);

impl<'c> Columns<'c> {
    /// None yet.
    pub(crate) fn new() -> Self {
        Self(iter::repeat_with(Column::default).take(CELLS_PER_EXT_BLOB).collect())
    }

    /// Adds the terms of one column's cells.
    pub(crate) fn add_column(&mut self, claim: &ColumnClaim<'c>, rest: &mut WeightedPoints<'_>) {
        let column = &mut self.0[claim.index];
        for row in &claim.rows {
            let weight = row.proof.weight.to_scalar();
            column.proofs.push(row.proof);
            column.push(row.cell, weight);
            rest.add_commitment(row.commitment, weight);
        }
    }

    /// Adds the terms of the 128 cells of a blob.
    pub(crate) fn add_extended(&mut self, claim: &ExtendedClaim<'c>, rest: &mut WeightedPoints<'_>) {
        for (column, proof) in self.0.iter_mut().zip(claim.proofs.iter()) {
            column.proofs.push(*proof);
            rest.add_commitment(claim.commitment, proof.weight.to_scalar());
        }
        let cells = claim.blob.as_chunks::<BYTES_PER_CELL>().0;
        for ((column, cell), weight) in self.0.iter_mut().zip(cells).zip(fold_weights(&claim.proofs)) {
            column.push(cell, weight);
        }
    }

    /// Σ rπ. The terms r·h⁶⁴·π go to `rest`, and Σ rI to `interpolation`. `known`: sums of the proofs that were formed before.
    pub(crate) fn sum(
        self,
        known: Option<&CellSums>,
        rest: &mut WeightedPoints<'_>,
        interpolation: &mut [Scalar; LEN],
    ) -> G1 {
        self.interpolate(interpolation);
        let proofs: Vec<&ColumnProofs> = self.0.iter().map(|column| &column.proofs).collect();
        cell_sums::sum(&proofs, known, rest)
    }

    /// Adds Σ rI to `interpolation`: one transform for each column that occurs.
    fn interpolate(&self, interpolation: &mut [Scalar; LEN]) {
        let total = interpolate(|| self.0.iter().map(|column| &column.cells[..]).collect());
        for (out, sum) in interpolation.iter_mut().zip(total.unwrap_or_else(|| self.transform())) {
            *out += sum.to_scalar() * INVERSE_OF_64;
        }
    }

    /// 64 times Σ rI, by transforms of single scalars.
    fn transform(&self) -> [Raw; LEN] {
        let mut total = [Raw::ZERO; LEN];
        for (index, column) in self.0.iter().enumerate().filter(|(_, column)| !column.cells.is_empty()) {
            let mut values = column.sum();
            fft::interpolate(&mut values, index);
            for (sum, coefficient) in total.iter_mut().zip(values) {
                *sum += coefficient;
            }
        }
        total
    }
}

impl<'c> Column<'c> {
    fn push(&mut self, cell: &'c Cell, weight: Scalar) {
        // There is always one: 2,048 bytes.
        self.cells.extend(elements(cell).first_chunk().map(|elements| (elements, weight)));
    }

    /// Σ r·cell.
    fn sum(&self) -> [Raw; LEN] {
        let (mut short, mut values) = ([Wide::default(); LEN], [Raw::ZERO; LEN]);
        for (cell, weight) in &self.cells {
            // Of many cells of a column, products of short coefficients are reduced together.
            let integer = Signed::of(weight).filter(|_| self.cells.len() > 1);
            for ((short, value), element) in short.iter_mut().zip(&mut values).zip(*cell) {
                let element = Raw::from_be_reduced(element);
                match integer {
                    None => *value += element * *weight,
                    Some(Signed { negative: false, magnitude }) => short.add_product(magnitude, &element),
                    Some(Signed { magnitude, .. }) => short.add_product(magnitude, &(Raw::ZERO - element)),
                }
            }
        }
        if self.cells.len() > 1 {
            values.iter_mut().zip(short).for_each(|(value, short)| *value += short.reduce());
        }
        values
    }
}

/// Coefficients for the 64 cells of a blob that do what 128 coefficients do for the cells of its extension.
///
/// For each power Xⁱ, i < 64, the coefficients of the I_k at it are the values at D\[0..128\] of a polynomial
/// of degree < 64 in X⁶⁴: those on block 1 (k ≥ 64) are T = evaluate₁ ∘ interpolate₀ of those on block 0.
/// Hence Σ r_k·I_k = Σ_{k<64} (r + Tᵗ r_{64..128})_k · I_k.
fn fold_weights(proofs: &[WeightedProof; CELLS_PER_EXT_BLOB]) -> Vec<Scalar> {
    let weights: Vec<Scalar> = proofs.iter().map(|proof| proof.weight.to_scalar()).collect();
    let (low, high) = weights.split_at(CELLS_PER_BLOB);
    // As raws, which modules have the transforms of already.
    let mut folded: Vec<Raw> = high.iter().map(|weight| Raw::from_form_of(*weight)).collect();
    fft::evaluate_transposed(&mut folded, 1);
    fft::interpolate_transposed(&mut folded, 0);
    low.iter().zip(folded).map(|(low, high)| *low + high.as_form() * INVERSE_OF_64).collect()
}

/// 1/64.
pub(crate) const INVERSE_OF_64: Scalar = scalar::two_to_minus(6);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constants::BYTES_PER_CELL;
    use blobcheck_curve::scalar::{scalar_reduce_be, scalar_to_be, ONE, ZERO};

    /// Whichever way the engine takes, against products one by one and transforms of single scalars: columns of none, one and more
    /// cells, short coefficients of both signs and long ones, values at the ends of the range and random ones.
    #[test]
    fn both_ways() {
        let mut state = ONE;
        let mut next = || {
            state = state * scalar_reduce_be(&[0xa5; 32]) + ONE;
            state
        };
        let cells: Vec<Cell> = (0..24)
            .map(|i| {
                let mut cell = [0; BYTES_PER_CELL];
                for element in cell.as_chunks_mut::<32>().0 {
                    *element = scalar_to_be(&[-ONE, ZERO, next()][i % 3]);
                }
                cell
            })
            .collect();
        let short = Signed::from(u128::MAX).to_scalar();
        let mut columns = Columns::new();
        for (i, cell) in cells.iter().enumerate() {
            let weight = [short, -short, next(), ONE][i % 4];
            columns.0[[0, 1, 5, 69, 127, 5, 69, 5][i % 8]].push(cell, weight);
        }
        let mut expected = [Raw::ZERO; LEN];
        for (index, column) in columns.0.iter().enumerate() {
            for (cell, weight) in &column.cells {
                let mut values: Vec<Raw> =
                    cell.iter().map(|element| Raw::from_be_reduced(element) * *weight).collect();
                fft::interpolate(&mut values, index);
                expected.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            }
        }
        assert_eq!(columns.transform(), expected);
        let mut found = [ONE; LEN];
        columns.interpolate(&mut found);
        assert_eq!(found, expected.map(|sum| ONE + sum.to_scalar() * INVERSE_OF_64));
    }
}
