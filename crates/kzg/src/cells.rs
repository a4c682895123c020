//! `compute_cells`: the extension of a blob (EIP-7594).

use crate::check::scalars;
use crate::constants::{elements, Blob, BYTES_PER_BLOB};
use crate::fft;
use crate::reason::InputError;
use blobcheck_curve::extend;
use blobcheck_curve::raw::Raw;
use blobcheck_curve::scalar::{two_to_minus, Scalar};

/// The 128 cells of a blob, 2,048 bytes each, one after the other. The first 64 are the blob.
///
/// # Errors
/// [`crate::Reason::ScalarNotCanonical`].
pub fn compute_cells(blob: &Blob) -> Result<Vec<u8>, InputError> {
    scalars(blob, 0)?;
    let mut cells = vec![0; 2 * BYTES_PER_BLOB];
    if let [first, second] = cells.as_chunks_mut().0 {
        *first = *blob;
        if !extend(blob, second) {
            transform(blob, second);
        }
    }
    Ok(cells)
}

/// What the inverse transform of 4,096 values leaves out.
const SCALE: Scalar = two_to_minus(12);

/// The upper half of the extension.
fn transform(blob: &Blob, out: &mut Blob) {
    let mut values: Vec<Raw> = elements(blob).iter().map(Raw::from_be_reduced).collect();
    // p has degree < 4096, so that it is its own remainder modulo X⁴⁰⁹⁶ + 1: block 1, the upper half of the
    // domain.
    fft::interpolate(&mut values, 0);
    fft::evaluate(&mut values, 1);
    for (value, bytes) in values.iter().zip(out.as_chunks_mut().0) {
        *bytes = (*value * SCALE).to_be();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blobcheck_curve::scalar::{scalar_reduce_be, scalar_to_be, ONE};

    /// Whichever way the engine takes, against the transforms of single scalars: values at the ends of the range, few that
    /// are not zero, and random ones.
    #[test]
    fn both_ways() {
        let most = scalar_to_be(&-ONE);
        let mut state = ONE;
        for round in 0..6 {
            let mut blob = [0; BYTES_PER_BLOB];
            for (i, element) in blob.as_chunks_mut::<32>().0.iter_mut().enumerate() {
                state = state * scalar_reduce_be(&[0xa5; 32]) + ONE;
                *element = match round {
                    0 => most,
                    1 => [[0; 32], most][(scalar_to_be(&state)[31] & 1) as usize],
                    2 if i % 1000 != 7 => [0; 32],
                    _ => scalar_to_be(&state),
                };
            }
            let cells = compute_cells(&blob).unwrap();
            let mut expected = [0; BYTES_PER_BLOB];
            transform(&blob, &mut expected);
            assert_eq!(&cells[..BYTES_PER_BLOB], blob);
            assert_eq!(&cells[BYTES_PER_BLOB..], expected);
        }
    }
}
