//! What cells (EIP-7594) add to the sums.
//!
//! The claim of cell k is e(C − \[I(τ)\]₁, \[1\]₂) = e(π, \[τ⁶⁴ − h_k⁶⁴\]₂), I being the polynomial of degree
//! < 64 that takes the cell's values on its coset. Moved to fixed points of G2: e(π, \[τ⁶⁴\]₂) = e(C −
//! \[I(τ)\]₁ + h_k⁶⁴·π, \[1\]₂).
//!
//! Everything is linear in the cells, so that Σ r·cell is formed for each *column* first and transformed
//! once.

use crate::claim::{Claim, RestTerms};
use crate::constants::{elements, Blob, Cell, BYTES_PER_CELL, CELLS_PER_BLOB, CELLS_PER_EXT_BLOB};
use crate::fft;
use crate::roots::domain;
use blobcheck_curve::raw::Raw;
use blobcheck_curve::scalar::{self, from_u128, Scalar, ZERO};
use blobcheck_curve::wide::Wide;
use blobcheck_curve::{g1, msm, msm_u128, G1Affine, G1};
use core::ops::Range;

const LEN: usize = 64;

/// Bits of a coefficient and of a scalar, for choosing between ways to sum.
const WEIGHT_BITS: u32 = 128;
const SCALAR_BITS: u32 = 255;

/// One cell of a column.
#[derive(Clone, Debug)]
pub(crate) struct CellRow<'a> {
    /// Position in the table of commitments.
    pub(crate) commitment: usize,
    pub(crate) proof: G1Affine,
    pub(crate) weight: u128,
    pub(crate) cell: &'a Cell,
}

/// Cells of one column.
#[derive(Clone, Debug)]
pub(crate) struct ColumnClaim<'a> {
    pub(crate) index: usize,
    pub(crate) rows: Vec<CellRow<'a>>,
}

impl ColumnClaim<'_> {
    pub(crate) fn slice(&self, range: Range<usize>) -> Self {
        Self { index: self.index, rows: self.rows.get(range).unwrap_or(&[]).to_vec() }
    }
}

/// All 128 cells of a blob that is given itself.
#[derive(Clone, Debug)]
pub(crate) struct ExtendedClaim<'a> {
    pub(crate) commitment: usize,
    /// 128 proofs and 128 coefficients.
    pub(crate) proofs: Vec<G1Affine>,
    pub(crate) weights: Vec<u128>,
    pub(crate) blob: &'a Blob,
}

impl ExtendedClaim<'_> {
    /// Only the cells in `range`: the others' coefficients become zero.
    pub(crate) fn slice(&self, range: Range<usize>) -> Self {
        let mut slice = self.clone();
        for (i, weight) in slice.weights.iter_mut().enumerate() {
            if !range.contains(&i) {
                *weight = 0;
            }
        }
        slice
    }
}

/// Σ rπ, the terms r·C and r·h⁶⁴·π of `rest`, and Σ rI in the interpolation.
pub(crate) fn sum(claims: &[Claim<'_>], rest: &mut RestTerms, interpolation: &mut [Scalar; 64]) -> G1 {
    let mut columns = Columns::default();
    for claim in claims {
        match claim {
            Claim::Opening(_) => {}
            Claim::Column(column) => columns.add_column(column, rest),
            Claim::Extended(extended) => columns.add_extended(extended, rest),
        }
    }
    columns.interpolate(interpolation);
    columns.sum_proofs(rest)
}

/// The claims' parts, sorted by column.
#[derive(Default)]
struct Columns<'c> {
    /// (column, proof, coefficient)
    proofs: Vec<(usize, G1Affine, u128)>,
    /// (column, cell, coefficient)
    cells: Vec<(usize, &'c Cell, u128)>,
    /// Σ r′·cell over the extended blobs, for columns 0..64; empty where there is none.
    extended: Vec<[Raw; LEN]>,
}

impl<'c> Columns<'c> {
    fn add_column(&mut self, column: &ColumnClaim<'c>, rest: &mut RestTerms) {
        for row in &column.rows {
            self.proofs.push((column.index, row.proof, row.weight));
            self.cells.push((column.index, row.cell, row.weight));
            rest.commitments.push((row.commitment, from_u128(row.weight)));
        }
    }

    fn add_extended(&mut self, claim: &ExtendedClaim<'c>, rest: &mut RestTerms) {
        let mut total = ZERO;
        for (k, (proof, weight)) in claim.proofs.iter().zip(&claim.weights).enumerate() {
            self.proofs.push((k, *proof, *weight));
            total += from_u128(*weight);
        }
        rest.commitments.push((claim.commitment, total));
        self.extended.resize(CELLS_PER_BLOB, [Raw::ZERO; LEN]);
        let cells = claim.blob.as_chunks::<BYTES_PER_CELL>().0;
        for ((sums, cell), weight) in self.extended.iter_mut().zip(cells).zip(fold_weights(&claim.weights)) {
            for (sum, element) in sums.iter_mut().zip(elements(cell)) {
                *sum += Raw::from_be_reduced(element) * weight;
            }
        }
    }

    /// One transform for each column that occurs.
    fn interpolate(&mut self, interpolation: &mut [Scalar; LEN]) {
        let mut total = [Raw::ZERO; LEN];
        self.cells.sort_by_key(|(column, ..)| *column);
        let mut sums = vec![Vec::new(); CELLS_PER_EXT_BLOB];
        for same in self.cells.chunk_by(|a, b| a.0 == b.0) {
            let mut wide = [Wide::default(); LEN];
            for (_, cell, weight) in same {
                for (sum, element) in wide.iter_mut().zip(elements(*cell)) {
                    sum.add_product(*weight, &Raw::from_be_reduced(element));
                }
            }
            if let Some(slot) = same.first().and_then(|(column, ..)| sums.get_mut(*column)) {
                *slot = wide.iter().map(Wide::reduce).collect();
            }
        }
        for (slot, extended) in sums.iter_mut().zip(&self.extended) {
            slot.resize(LEN, Raw::ZERO);
            for (sum, more) in slot.iter_mut().zip(extended) {
                *sum += *more;
            }
        }
        for (column, values) in sums.iter_mut().enumerate().filter(|(_, values)| !values.is_empty()) {
            fft::interpolate(values, column);
            for (sum, coefficient) in total.iter_mut().zip(values) {
                *sum += *coefficient;
            }
        }
        let inverse = inverse_of_64();
        for (out, sum) in interpolation.iter_mut().zip(total) {
            *out += sum.to_scalar() * inverse;
        }
    }

    /// Σ rπ, which is returned, and the terms of Σ r·h⁶⁴·π, which go to `rest`.
    ///
    /// With A_c = Σ rπ over column c, the first is Σ A_c and the second Σ h_c⁶⁴·A_c. With few rows a column,
    /// two sums over all proofs are cheaper than one for each column.
    fn sum_proofs(&mut self, rest: &mut RestTerms) -> G1 {
        self.proofs.sort_by_key(|(column, ..)| *column);
        let by_column: Vec<_> = self.proofs.chunk_by(|a, b| a.0 == b.0).collect();
        let count = self.proofs.len();
        let direct = msm::cost(count, WEIGHT_BITS) + msm::cost(count, SCALAR_BITS);
        let grouped = by_column.iter().map(|same| msm::cost(same.len(), WEIGHT_BITS)).sum::<f32>()
            + msm::cost(by_column.len(), SCALAR_BITS);
        if grouped < direct {
            let sums: Vec<G1> = by_column.iter().map(|same| weighted(same)).collect();
            let columns = by_column.iter().filter_map(|same| same.first());
            rest.scalars.extend(columns.map(|(column, ..)| domain(*column)));
            rest.points.extend(g1::normalize(&sums));
            sums.into_iter().fold(g1::identity(), |total, sum| total + sum)
        } else {
            for (column, proof, weight) in &self.proofs {
                rest.points.push(*proof);
                rest.scalars.push(domain(*column) * from_u128(*weight));
            }
            weighted(&self.proofs)
        }
    }
}

fn weighted(terms: &[(usize, G1Affine, u128)]) -> G1 {
    let (points, weights): (Vec<_>, Vec<_>) =
        terms.iter().map(|(_, point, weight)| (*point, *weight)).unzip();
    msm_u128(&points, &weights)
}

/// Coefficients for the 64 cells of a blob that do what 128 coefficients do for the cells of its extension.
///
/// For each power Xⁱ, i < 64, the coefficients of the I_k at it are the values at D\[0..128\] of a polynomial
/// of degree < 64 in X⁶⁴: those on block 1 (k ≥ 64) are T = evaluate₁ ∘ interpolate₀ of those on block 0.
/// Hence Σ r_k·I_k = Σ_{k<64} (r + Tᵗ r_{64..128})_k · I_k.
fn fold_weights(weights: &[u128]) -> Vec<Scalar> {
    let weights: Vec<Scalar> = weights.iter().map(|weight| from_u128(*weight)).collect();
    let (low, high) = weights.split_at(CELLS_PER_BLOB.min(weights.len()));
    let mut folded = high.to_vec();
    fft::evaluate_transposed(&mut folded, 1);
    fft::interpolate_transposed(&mut folded, 0);
    let inverse = inverse_of_64();
    low.iter().zip(folded).map(|(low, high)| *low + high * inverse).collect()
}

pub(crate) fn inverse_of_64() -> Scalar {
    let mut value = [from_u128(LEN as u128)];
    scalar::invert_all(&mut value);
    value[0]
}
