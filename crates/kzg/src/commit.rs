//! Commitments.
//!
//! p(X) = Σ I_k(X)·ℓ_k(X⁶⁴) over the blob's 64 cells, I_k their interpolation polynomials and ℓ_k the Lagrange polynomials of the D\[k\]:
//! ℓ_k(Y) = (Y⁶⁴ − 1)·D\[k\]/(64·(Y − D\[k\])). So \[p(τ)\]₁ is the sum over k and i of D\[k\]/64 times the coefficient of Xⁱ in I_k, times
//! A\[k\]\[i\] ([`crate::commitment_setup`]). The coefficients of the I_k, cell after cell, are the *rows* of p.

use crate::commitment_setup::CommitmentSetup;
use crate::constants::{elements, Blob, FIELD_ELEMENTS_PER_BLOB, FIELD_ELEMENTS_PER_CELL};
use crate::fft;
use crate::reason::{InputError, Reason};
use crate::roots::domain;
use blobcheck_curve::raw::Raw;
use blobcheck_curve::{msm_raw, scalar, Scalar, G1};
use core::ops::Range;

/// The field elements of a blob.
///
/// # Errors
/// [`Reason::ScalarNotCanonical`].
pub fn field_elements(blob: &Blob) -> Result<Vec<Raw>, InputError> {
    let mut values = Vec::with_capacity(FIELD_ELEMENTS_PER_BLOB);
    for bytes in elements(blob) {
        values.push(Raw::from_be(bytes).ok_or(InputError::at(Reason::ScalarNotCanonical, 0))?);
    }
    Ok(values)
}

/// From the field elements of whole cells to their rows **times 64**, the first cell being `first`.
pub fn to_rows(elements: &mut [Raw], first: usize) {
    for (k, row) in (first..).zip(elements.chunks_exact_mut(FIELD_ELEMENTS_PER_CELL)) {
        fft::interpolate(row, k);
    }
}

/// `[p(τ)]₁`, p given by its rows times `1/factor`.
pub fn commit(setup: &CommitmentSetup, rows: &[Raw], factor: Scalar) -> G1 {
    let cells = rows.len() / FIELD_ELEMENTS_PER_CELL;
    commit_cells(setup, rows, factor, 0..cells)
}

/// What some of the cells add to `[p(τ)]₁`; `rows` are those of these cells.
pub fn commit_cells(setup: &CommitmentSetup, rows: &[Raw], factor: Scalar, cells: Range<usize>) -> G1 {
    let points = setup.points().get(cells.start * FIELD_ELEMENTS_PER_CELL..).unwrap_or(&[]);
    msm_raw(points, &scalars(rows, factor, cells))
}

/// What the points of some of the cells are multiplied by; `rows` are those of these cells.
pub fn scalars(rows: &[Raw], factor: Scalar, cells: Range<usize>) -> Vec<Raw> {
    let factor = factor * scalar::two_to_minus(6);
    let mut scalars: Vec<Raw> = Vec::with_capacity(rows.len());
    for (k, row) in cells.zip(rows.chunks(FIELD_ELEMENTS_PER_CELL)) {
        let factor = factor * domain(k);
        scalars.extend(row.iter().map(|value| *value * factor));
    }
    scalars
}
