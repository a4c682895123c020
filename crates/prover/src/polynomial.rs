//! A polynomial of degree below 4,096 in the two forms that the prover works on.
//!
//! *Rows*: the coefficients of the interpolation polynomials I_k of its first 64 cells, cell after cell. *Coefficients*:
//! the usual ones. As the sum Σ Xⁱ·P_i(X⁶⁴), i < 64, a polynomial has in place (k, i) of its rows the value P_i(D\[k\]), and
//! in place (d, i) of its coefficients the coefficient of Yᵈ in P_i: one is the transform of the other, column by column.

use blobcheck_curve::raw::Raw;
use blobcheck_curve::Scalar;
use blobcheck_kzg::constants::{Blob, BYTES_PER_CELL, FIELD_ELEMENTS_PER_BLOB, FIELD_ELEMENTS_PER_CELL};
use blobcheck_kzg::{commit, fft, InputError};

const LEN: usize = FIELD_ELEMENTS_PER_CELL;

/// The rows of the blob's polynomial, **times 64**.
///
/// # Errors
/// [`blobcheck_kzg::Reason::ScalarNotCanonical`].
pub fn rows(blob: &Blob) -> Result<Vec<Raw>, InputError> {
    let mut rows = commit::field_elements(blob)?;
    commit::to_rows(&mut rows, 0);
    Ok(rows)
}

/// From rows to coefficients, **times 64**.
pub fn to_coefficients(rows: &mut [Raw]) {
    columns(rows, |column| fft::interpolate(column, 0));
}

/// From coefficients to rows.
pub fn to_rows(coefficients: &mut [Raw]) {
    columns(coefficients, |column| fft::evaluate(column, 0));
}

/// From coefficients to the rows of the cells of the extension.
pub fn to_extension_rows(coefficients: &mut [Raw]) {
    columns(coefficients, |column| fft::evaluate(column, 1));
}

/// The bytes of the cells whose rows, times `1/factor`, these are, the first being cell `first`.
pub fn to_cells(rows: &[Raw], first: usize, factor: Scalar) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(rows.len() / LEN * BYTES_PER_CELL);
    for (k, row) in (first..).zip(rows.chunks_exact(LEN)) {
        let mut values = row.to_vec();
        fft::evaluate(&mut values, k);
        bytes.extend(values.into_iter().flat_map(|value| (value * factor).to_be()));
    }
    bytes
}

/// Applies `transform` to each of the 64 columns.
fn columns(values: &mut [Raw], transform: impl Fn(&mut [Raw])) {
    let mut column = [Raw::ZERO; FIELD_ELEMENTS_PER_BLOB / LEN];
    for i in 0..LEN {
        for (slot, value) in column.iter_mut().zip(values.iter().skip(i).step_by(LEN)) {
            *slot = *value;
        }
        transform(&mut column);
        for (value, slot) in column.iter().zip(values.iter_mut().skip(i).step_by(LEN)) {
            *slot = *value;
        }
    }
}
