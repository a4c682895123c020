//! What each cell adds to the proofs: W_k = ±½ Σ (coefficient of Xⁱ in I_k)·A\[k\]\[i\] over i < 64, + for the blob's own
//! cells and − for the extension's. 128 sums of 64 points each: nearly all of the work, in parts that know nothing of each
//! other.

use crate::polynomial;
use crate::setup::ExtendedSetup;
use crate::tables::{points, Tables, CELLS_PER_PART, PARTS};
use blobcheck_curve::fixed_base_table::{FixedBaseSums, TableShape};
use blobcheck_curve::raw::Raw;
use blobcheck_curve::scalar::two_to_minus;
use blobcheck_curve::{Scalar, G1};
use blobcheck_kzg::constants::{Blob, CELLS_PER_BLOB, FIELD_ELEMENTS_PER_BLOB, FIELD_ELEMENTS_PER_CELL};
use blobcheck_kzg::InputError;
use core::ops::Range;

/// The interpolation polynomials of all 128 cells of a blob.
pub struct CellPolynomials {
    /// Times 64, and times 64².
    rows: [Vec<Raw>; 2],
}

impl CellPolynomials {
    /// Those of the blob's cells and of its extension's.
    ///
    /// # Errors
    /// [`blobcheck_kzg::Reason::ScalarNotCanonical`].
    pub fn of(blob: &Blob) -> Result<Self, InputError> {
        let rows = polynomial::rows(blob)?;
        let mut extension = rows.clone();
        polynomial::to_coefficients(&mut extension);
        polynomial::to_extension_rows(&mut extension);
        Ok(Self { rows: [rows, extension] })
    }

    /// The bytes of the extension's 64 cells.
    pub fn extension(&self) -> Vec<u8> {
        polynomial::to_cells(&self.rows[1], CELLS_PER_BLOB, two_to_minus(12))
    }

    /// W_k/64 for the cells k of `parts`, in order; what is beyond [`PARTS`] is left out. (64 is what the transform
    /// after it, [`crate::cell_proofs`], multiplies by.)
    pub fn sums(&self, setup: &ExtendedSetup, tables: Option<&Tables>, parts: Range<usize>) -> Vec<G1> {
        // ½ and 1/64 for W_k/64, and the factors of the rows.
        let blob = two_to_minus(13);
        let factors = [blob, -(blob * two_to_minus(6))];
        let shape = tables.map_or(TableShape::ONCE, Tables::shape);
        let mut sums = FixedBaseSums::new(shape, FIELD_ELEMENTS_PER_CELL);
        for part in parts.start..parts.end.min(PARTS) {
            let scalars = self.scalars(part, factors);
            match tables.and_then(|tables| tables.part(setup, part)) {
                Some(table) => sums.add(table, &scalars),
                None => sums.add_points(points(setup, part), &scalars),
            }
        }
        sums.finish()
    }

    fn scalars(&self, part: usize, factors: [Scalar; 2]) -> Vec<Scalar> {
        let values = part * CELLS_PER_PART * FIELD_ELEMENTS_PER_CELL;
        let (half, start) = match values.checked_sub(FIELD_ELEMENTS_PER_BLOB) {
            None => (0, values),
            Some(start) => (1, start),
        };
        let values = self.rows[half].iter().skip(start).take(CELLS_PER_PART * FIELD_ELEMENTS_PER_CELL);
        values.map(|value| (*value * factors[half]).to_scalar()).collect()
    }
}
