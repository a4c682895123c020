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
use blobcheck_curve::raw::Raw;
use blobcheck_curve::scalar::{self, Scalar};
use blobcheck_curve::wide::Wide;
use blobcheck_curve::{Signed, G1};
use core::array::from_fn;

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
#[derive(Clone, Default)]
struct Column<'c> {
    proofs: ColumnProofs,
    /// Cells that are given, with their coefficients.
    cells: Vec<(&'c Cell, Signed)>,
    /// Σ r′·cell over the extended blobs, in columns 0..64; empty where there is none.
    extended: Vec<Raw>,
}

/// Cells, as their terms are gathered by column: Σ rπ, the terms r·C and r·h⁶⁴·π of `rest`, and Σ rI in the interpolation.
pub(crate) struct Columns<'c>(Vec<Column<'c>>);

impl<'c> Columns<'c> {
    /// None yet.
    pub(crate) fn new() -> Self {
        Self(vec![Column::default(); CELLS_PER_EXT_BLOB])
    }

    /// Adds the terms of one column's cells.
    pub(crate) fn add_column(&mut self, claim: &ColumnClaim<'c>, rest: &mut WeightedPoints<'_>) {
        let column = &mut self.0[claim.index];
        for row in &claim.rows {
            column.proofs.push(row.proof);
            column.cells.push((row.cell, row.proof.weight));
            rest.add_commitment(row.commitment, row.proof.weight.to_scalar());
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
            column.extended.resize(LEN, Raw::ZERO);
            for (sum, element) in column.extended.iter_mut().zip(elements(cell)) {
                *sum += Raw::from_be_reduced(element) * weight;
            }
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
        let mut total = [Raw::ZERO; LEN];
        let present =
            |(_, column): &(usize, &Column<'_>)| !(column.cells.is_empty() && column.extended.is_empty());
        for (index, column) in self.0.iter().enumerate().filter(present) {
            let (mut sums, mut negative) = ([Wide::default(); LEN], [Wide::default(); LEN]);
            for (cell, weight) in &column.cells {
                let sums = if weight.negative { &mut negative } else { &mut sums };
                for (sum, element) in sums.iter_mut().zip(elements(*cell)) {
                    sum.add_product(weight.magnitude, &Raw::from_be_reduced(element));
                }
            }
            let mut values: [Raw; LEN] = from_fn(|i| sums[i].reduce() - negative[i].reduce());
            for (value, more) in values.iter_mut().zip(&column.extended) {
                *value += *more;
            }
            fft::interpolate(&mut values, index);
            for (sum, coefficient) in total.iter_mut().zip(values) {
                *sum += coefficient;
            }
        }
        for (out, sum) in interpolation.iter_mut().zip(total) {
            *out += sum.to_scalar() * INVERSE_OF_64;
        }
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
    let mut folded = high.to_vec();
    fft::evaluate_transposed(&mut folded, 1);
    fft::interpolate_transposed(&mut folded, 0);
    low.iter().zip(folded).map(|(low, high)| *low + high * INVERSE_OF_64).collect()
}

/// 1/64.
pub(crate) const INVERSE_OF_64: Scalar = scalar::two_to_minus(6);
