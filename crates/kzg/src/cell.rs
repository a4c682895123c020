//! What cells (EIP-7594) add to the sums.
//!
//! The claim of cell k is e(C − \[I(τ)\]₁, \[1\]₂) = e(π, \[τ⁶⁴ − h_k⁶⁴\]₂), I being the polynomial of degree
//! < 64 that takes the cell's values on its coset. Moved to fixed points of G2: e(π, \[τ⁶⁴\]₂) = e(C −
//! \[I(τ)\]₁ + h_k⁶⁴·π, \[1\]₂).
//!
//! Everything is linear in the cells, so that Σ r·cell is formed for each *column* first and transformed
//! once.

use crate::cell_sums::{self, CellSums, ColumnProofs};
use crate::claim::{Claim, WeightedPoints};
use crate::constants::{elements, Blob, Cell, BYTES_PER_CELL, CELLS_PER_BLOB, CELLS_PER_EXT_BLOB};
use crate::fft;
use blobcheck_curve::raw::Raw;
use blobcheck_curve::scalar::{self, Scalar};
use blobcheck_curve::wide::Wide;
use blobcheck_curve::{G1Affine, Signed, G1};
use core::array::from_fn;

const LEN: usize = 64;

/// One cell of a column.
#[derive(Clone, Debug)]
pub(crate) struct CellRow<'a> {
    /// Position in the table of commitments.
    pub(crate) commitment: usize,
    pub(crate) proof: G1Affine,
    pub(crate) weight: Signed,
    pub(crate) cell: &'a Cell,
}

/// Cells of one column.
#[derive(Clone, Debug)]
pub(crate) struct ColumnClaim<'a> {
    pub(crate) index: usize,
    pub(crate) rows: Vec<CellRow<'a>>,
}

/// All 128 cells of a blob that is given itself.
#[derive(Clone, Debug)]
pub(crate) struct ExtendedClaim<'a> {
    pub(crate) commitment: usize,
    /// 128 proofs and 128 coefficients.
    pub(crate) proofs: Vec<G1Affine>,
    pub(crate) weights: Vec<Signed>,
    pub(crate) blob: &'a Blob,
}

/// Σ rπ, the terms r·C and r·h⁶⁴·π of `rest`, and Σ rI in the interpolation. `known`: sums of proofs that were
/// formed before.
pub(crate) fn sum(
    claims: &[Claim<'_>],
    known: Option<&CellSums>,
    rest: &mut WeightedPoints,
    interpolation: &mut [Scalar; 64],
) -> G1 {
    let mut columns = Columns(vec![Column::default(); CELLS_PER_EXT_BLOB]);
    for claim in claims {
        match claim {
            Claim::Opening(_) => {}
            Claim::Column(column) => columns.add_column(column, rest),
            Claim::Extended(extended) => columns.add_extended(extended, rest),
        }
    }
    columns.interpolate(interpolation);
    let proofs: Vec<&ColumnProofs> = columns.0.iter().map(|column| &column.proofs).collect();
    cell_sums::sum(&proofs, known, rest)
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

/// The claims' parts by column.
struct Columns<'c>(Vec<Column<'c>>);

impl<'c> Columns<'c> {
    fn add_column(&mut self, claim: &ColumnClaim<'c>, rest: &mut WeightedPoints) {
        // Indices were checked to be below 128.
        let Some(column) = self.0.get_mut(claim.index) else { return };
        for row in &claim.rows {
            column.proofs.proofs.push(row.proof);
            column.proofs.weights.push(row.weight);
            column.cells.push((row.cell, row.weight));
            rest.commitments.push((row.commitment, row.weight.to_scalar()));
        }
    }

    fn add_extended(&mut self, claim: &ExtendedClaim<'c>, rest: &mut WeightedPoints) {
        for ((column, proof), weight) in self.0.iter_mut().zip(&claim.proofs).zip(&claim.weights) {
            column.proofs.proofs.push(*proof);
            column.proofs.weights.push(*weight);
            rest.commitments.push((claim.commitment, weight.to_scalar()));
        }
        let cells = claim.blob.as_chunks::<BYTES_PER_CELL>().0;
        for ((column, cell), weight) in self.0.iter_mut().zip(cells).zip(fold_weights(&claim.weights)) {
            column.extended.resize(LEN, Raw::ZERO);
            for (sum, element) in column.extended.iter_mut().zip(elements(cell)) {
                *sum += Raw::from_be_reduced(element) * weight;
            }
        }
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
fn fold_weights(weights: &[Signed]) -> Vec<Scalar> {
    let weights: Vec<Scalar> = weights.iter().map(|weight| weight.to_scalar()).collect();
    let (low, high) = weights.split_at(CELLS_PER_BLOB.min(weights.len()));
    let mut folded = high.to_vec();
    fft::evaluate_transposed(&mut folded, 1);
    fft::interpolate_transposed(&mut folded, 0);
    low.iter().zip(folded).map(|(low, high)| *low + high * INVERSE_OF_64).collect()
}

/// 1/64.
pub(crate) const INVERSE_OF_64: Scalar = scalar::two_to_minus(6);
