//! `recover_cells`: all 128 cells from any 64 of them (EIP-7594), without proofs.
//!
//! The coefficients of the interpolation polynomials I_k at Xⁱ, for fixed i and k = 0..128, are the values at
//! D\[k\] of one polynomial P_i of degree < 64 (p(X) = Σ Xⁱ·P_i(X⁶⁴)). So the cells are transformed one by
//! one, and 64 small problems of length 128 are left, with the same places missing in all of them: let Z
//! vanish at the missing places; P·Z, of degree < 128, is known everywhere (zero where P is missing), and at
//! a missing place (P·Z)′ = P·Z′.

use crate::cell::INVERSE_OF_64;
use crate::check::scalars;
use crate::constants::{elements, Cell, BYTES_PER_CELL, CELLS_PER_BLOB, CELLS_PER_EXT_BLOB};
use crate::fft;
use crate::reason::{InputError, Reason};
use crate::roots::domain;
use blobcheck_curve::raw::Raw;
use blobcheck_curve::scalar::{self, from_u128, two_to_minus, Scalar, ONE, ZERO};

const LEN: usize = 64;

/// The cells of a blob, 128 · 2,048 bytes, from 64 or more of them, with their indices in strictly ascending
/// order.
///
/// Where more than 64 are given, the first 64 determine the blob and the others must agree with it. (The
/// specification does not say what cells that belong to no blob recover to; here they are refused.)
///
/// # Errors
/// In this order: [`Reason::ArrayLengths`], [`Reason::CellCount`], [`Reason::CellIndex`],
/// [`Reason::CellOrder`], [`Reason::ScalarNotCanonical`], [`Reason::CellsInconsistent`].
pub fn recover_cells(indices: &[u64], cells: &[&Cell]) -> Result<Vec<u8>, InputError> {
    let indices = check(indices, cells)?;
    let (known, given) = (indices.get(..CELLS_PER_BLOB).unwrap_or(&[]), cells);
    let mut rows = vec![[Raw::ZERO; LEN]; CELLS_PER_EXT_BLOB];
    for (index, cell) in known.iter().zip(given) {
        if let Some(row) = rows.get_mut(*index) {
            for (slot, element) in row.iter_mut().zip(elements(*cell)) {
                *slot = Raw::from_be_reduced(element);
            }
            fft::interpolate(row, *index);
        }
    }
    Missing::without(known).fill(&mut rows);

    let mut out = vec![0u8; CELLS_PER_EXT_BLOB * BYTES_PER_CELL];
    for (k, (row, bytes)) in rows.iter_mut().zip(out.chunks_exact_mut(BYTES_PER_CELL)).enumerate() {
        fft::evaluate(row, k);
        for (value, slot) in row.iter().zip(bytes.as_chunks_mut::<32>().0) {
            *slot = (*value * INVERSE_OF_64).to_be();
        }
    }
    for (i, (index, cell)) in indices.iter().zip(given).enumerate() {
        if out.chunks_exact(BYTES_PER_CELL).nth(*index) != Some(cell.as_slice()) {
            return Err(InputError::at(Reason::CellsInconsistent, i));
        }
    }
    Ok(out)
}

fn check(indices: &[u64], cells: &[&Cell]) -> Result<Vec<usize>, InputError> {
    if indices.len() != cells.len() {
        return Err(InputError::at(Reason::ArrayLengths, 0));
    }
    if !(CELLS_PER_BLOB..=CELLS_PER_EXT_BLOB).contains(&cells.len()) {
        return Err(InputError::at(Reason::CellCount, 0));
    }
    let mut checked: Vec<usize> = Vec::with_capacity(indices.len());
    for (i, index) in indices.iter().enumerate() {
        let index = usize::from(crate::unit::cell_index(*index, i)?);
        if checked.last().is_some_and(|last| *last >= index) {
            return Err(InputError::at(Reason::CellOrder, i));
        }
        checked.push(index);
    }
    for (i, cell) in cells.iter().enumerate() {
        scalars(*cell, i)?;
    }
    Ok(checked)
}

/// The polynomial Z = Π (Y − D\[k\]) over 64 missing places k.
struct Missing {
    places: Vec<usize>,
    /// Z(D\[k\]) / 128 for the known places, zero for the missing ones.
    values: Vec<Scalar>,
    /// 1 / Z′(D\[k\]), in the order of `places`.
    slopes: Vec<Scalar>,
}

/// What the transforms of the 128 places leave out.
const INVERSE_OF_128: Scalar = two_to_minus(7);

impl Missing {
    /// All but `known`, 64 places.
    fn without(known: &[usize]) -> Self {
        let places: Vec<usize> = (0..CELLS_PER_EXT_BLOB).filter(|k| !known.contains(k)).collect();
        let mut coefficients = vec![ONE];
        for place in &places {
            coefficients.insert(0, ZERO); // times Y
            for i in 0..coefficients.len() - 1 {
                let next = coefficients[i + 1];
                coefficients[i] -= next * domain(*place);
            }
        }
        coefficients.resize(CELLS_PER_EXT_BLOB, ZERO);
        let mut slope = derivative(&coefficients);
        fft::evaluate(&mut coefficients, 0);
        fft::evaluate(&mut slope, 0);
        let mut slopes: Vec<Scalar> = places.iter().filter_map(|k| slope.get(*k).copied()).collect();
        scalar::invert_all(&mut slopes);
        let values = coefficients.into_iter().map(|value| value * INVERSE_OF_128).collect();
        Self { places, values, slopes }
    }

    /// Fills in the missing rows, one power of X at a time.
    fn fill(&self, rows: &mut [[Raw; LEN]]) {
        for i in 0..LEN {
            let mut product: Vec<Raw> =
                rows.iter().zip(&self.values).map(|(row, value)| row[i] * *value).collect();
            fft::interpolate(&mut product, 0);
            let mut product = derivative(&product);
            fft::evaluate(&mut product, 0);
            for (place, slope) in self.places.iter().zip(&self.slopes) {
                rows[*place][i] = product[*place] * *slope;
            }
        }
    }
}

/// The derivative, padded to the same length.
fn derivative<T: fft::Linear>(coefficients: &[T]) -> Vec<T> {
    let mut out: Vec<T> =
        (1u128..).zip(coefficients.iter().skip(1)).map(|(j, c)| *c * from_u128(j)).collect();
    if let Some(first) = coefficients.first() {
        out.push(*first * ZERO);
    }
    out
}
