//! `compute_cells`: the extension of a blob (EIP-7594).

use crate::cell::inverse_of_64;
use crate::constants::{elements, Blob, BYTES_PER_BLOB, FIELD_ELEMENTS_PER_BLOB};
use crate::fft;
use crate::reason::{InputError, Reason};
use blobcheck_curve::raw::Raw;

/// The 128 cells of a blob, 2,048 bytes each, one after the other. The first 64 are the blob.
///
/// # Errors
/// [`Reason::ScalarNotCanonical`].
pub fn compute_cells(blob: &Blob) -> Result<Vec<u8>, InputError> {
    let values = elements(blob).iter().map(Raw::from_be).collect::<Option<Vec<Raw>>>();
    let mut values = values.ok_or(InputError::at(Reason::ScalarNotCanonical, 0))?;
    // p has degree < 4096, so that it is its own remainder modulo X⁴⁰⁹⁶ + 1: block 1, the upper half of the
    // domain.
    fft::interpolate(&mut values, 0);
    fft::evaluate(&mut values, 1);
    // 1/4096, left out by the inverse transform.
    let inverse = inverse_of_64() * inverse_of_64();
    debug_assert_eq!(values.len(), FIELD_ELEMENTS_PER_BLOB);
    let mut cells = Vec::with_capacity(2 * BYTES_PER_BLOB);
    cells.extend_from_slice(blob);
    for value in values {
        cells.extend_from_slice(&(value * inverse).to_be());
    }
    Ok(cells)
}
