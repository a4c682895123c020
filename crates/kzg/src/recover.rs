//! `recover_cells`: all 128 cells from any 64 of them (EIP-7594), without proofs.
//!
//! Let p be the polynomial of degree < 4,096 with these cells, and Z the one of degree 64 that vanishes at D\[k\] for the 64 cells
//! k that are missing. On the whole of cell k, X⁶⁴ is D\[k\], so that Z(X⁶⁴) is one number for each cell, zero where the cell is
//! missing: all values of p·Z(X⁶⁴), of degree < 8,192, are known. Two transforms of 8,192 lead from there to the missing cells:
//! let Y = X⁶⁴, and read both polynomials as polynomials in Y whose coefficients have degree < 64 in X. Then Y·(p·Z)′ = p·Y·Z′
//! at the missing places, ′ being the derivative by Y, which multiplies what stands at Yʲ by j.
//!
//! Of the transforms, the six levels within cells are left out for cells that are zero before, or that were given.

use crate::check::scalars;
use crate::constants::{Cell, CELLS_PER_BLOB, CELLS_PER_EXT_BLOB, FIELD_ELEMENTS_PER_CELL};
use crate::fft;
use crate::reason::{InputError, Reason};
use crate::roots::domain;
use blobcheck_curve::cells::{recover, Cell as Row};
use blobcheck_curve::raw::Raw;
use blobcheck_curve::scalar::{self, two_to_minus, Scalar, ONE, ZERO};

const LEN: usize = FIELD_ELEMENTS_PER_CELL;

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
    let mut recovery = Recovery::of(indices, cells)?;
    let Factors { known, missing } = &recovery.factors;
    if !recover(&mut recovery.rows, known, missing) {
        fill(&mut recovery.rows, &recovery.factors);
    }
    Ok(recovery.agreeing(cells)?.into_flattened().into_flattened())
}

/// The blob alone, for a module that has no lanes for it: the verifier's, which is to be small, and rebuilds rarely.
///
/// # Errors
/// As [`recover_cells`].
pub fn rebuild_blob(indices: &[u64], cells: &[&Cell]) -> Result<Vec<u8>, InputError> {
    let mut recovery = Recovery::of(indices, cells)?;
    fill(&mut recovery.rows, &recovery.factors);
    let mut rows = recovery.agreeing(cells)?;
    rows.truncate(CELLS_PER_BLOB);
    Ok(rows.into_flattened().into_flattened())
}

/// Cells on their way.
struct Recovery {
    /// Of the cells that are given.
    indices: Vec<usize>,
    /// All 128, of which the first 64 that are given are there from the start.
    rows: Vec<Row>,
    factors: Factors,
}

impl Recovery {
    #[inline(never)]
    fn of(indices: &[u64], cells: &[&Cell]) -> Result<Self, InputError> {
        let indices = check(indices, cells)?;
        let mut rows = vec![[[0; 32]; LEN]; CELLS_PER_EXT_BLOB];
        let known = indices.get(..CELLS_PER_BLOB).unwrap_or(&[]);
        for (index, cell) in known.iter().zip(cells) {
            rows[*index].as_flattened_mut().copy_from_slice(*cell);
        }
        Ok(Self { factors: Factors::of(known), indices, rows })
    }

    /// The cells, where those that are given have come out as they are.
    fn agreeing(self, cells: &[&Cell]) -> Result<Vec<Row>, InputError> {
        // Of the list as a whole: that a cell differs from what the first 64 came to does not say which of them is false.
        let agrees = |(index, cell): (&usize, &&Cell)| self.rows[*index].as_flattened() == *cell;
        if !self.indices.iter().zip(cells).all(agrees) {
            return Err(InputError::at(Reason::CellsInconsistent, 0));
        }
        Ok(self.rows)
    }
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

/// What cells are multiplied by, for the polynomial Z = Π (Y − D\[k\]) over 64 missing places k.
struct Factors {
    /// Z(D\[k\])/8,192 of the known places, zero for the missing ones: what the transform leaves out is divided out here.
    known: Vec<Scalar>,
    /// 1/(D\[k\]·Z′(D\[k\])) of the missing places, zero for the known ones.
    missing: Vec<Scalar>,
}

impl Factors {
    /// Those where all but `given`, 64 places in ascending order, are missing.
    ///
    /// 8,192 products: a product of polynomials and transforms would take 3,000, of 90,000 in all, and more code.
    #[inline(never)]
    fn of(given: &[usize]) -> Self {
        let points: Vec<Scalar> = (0..CELLS_PER_EXT_BLOB).map(domain).collect();
        let (mut known, mut missing, mut roots) = (vec![ZERO; points.len()], points.clone(), points.clone());
        for k in given.iter().rev() {
            known[*k] = INVERSE_OF_8192;
            missing[*k] = ZERO;
            roots.remove(*k);
        }
        for (k, at) in points.iter().enumerate() {
            // Z(D[k]), or Z′(D[k]) where D[k] is a root.
            let mut product = ONE;
            for difference in roots.iter().map(|root| *at - *root).filter(|difference| *difference != ZERO) {
                product *= difference;
            }
            known[k] *= product;
            missing[k] *= product;
        }
        scalar::invert_all(&mut missing);
        Self { known, missing }
    }
}

/// 1/8,192.
const INVERSE_OF_8192: Scalar = two_to_minus(13);

/// 0, 1, 2, 3 and so on.
fn counting() -> impl Iterator<Item = Scalar> {
    core::iter::successors(Some(ZERO), |j| Some(*j + ONE))
}

/// Writes the missing cells beside the known ones.
fn fill(cells: &mut [Row], factors: &Factors) {
    let mut values = vec![Raw::ZERO; CELLS_PER_EXT_BLOB * LEN];
    let rows = values.as_chunks_mut::<LEN>().0;
    for (k, ((row, factor), cell)) in rows.iter_mut().zip(&factors.known).zip(&*cells).enumerate() {
        if *factor != ZERO {
            for (value, element) in row.iter_mut().zip(cell) {
                *value = Raw::from_be_reduced(element) * *factor;
            }
            fft::interpolate(row, k);
        }
    }
    fft::from_blocks(&mut values, LEN);
    for (row, j) in values.chunks_exact_mut(LEN).zip(counting()) {
        for value in row {
            *value = *value * j;
        }
    }
    fft::to_blocks(&mut values, LEN);
    let rows = values.as_chunks_mut::<LEN>().0;
    for (k, ((row, factor), cell)) in rows.iter_mut().zip(&factors.missing).zip(cells).enumerate() {
        if *factor != ZERO {
            fft::evaluate(row, k);
            for (value, element) in row.iter().zip(cell) {
                *element = (*value * *factor).to_be();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::compute_cells;
    use crate::constants::BYTES_PER_BLOB;
    use blobcheck_curve::scalar::scalar_to_be;

    /// Whichever way the engine takes, against the transforms of single scalars: cells at the ends of the range and others, in
    /// patterns where both, one or neither of cells k and k + 64 are known.
    #[test]
    fn both_ways() {
        let most = scalar_to_be(&-ONE);
        let mut state = ONE;
        let patterns: [fn(usize) -> bool; 5] =
            [|k| k % 2 == 1, |k| k < 64, |k| k >= 64, |k| k % 64 < 32, |k| (k * 37 + k / 3) % 128 < 64];
        for (round, pattern) in patterns.into_iter().enumerate() {
            let mut blob = [0; BYTES_PER_BLOB];
            for element in blob.as_chunks_mut::<32>().0 {
                state = state * scalar::scalar_reduce_be(&[0xa5; 32]) + ONE;
                *element = if round == 0 { most } else { scalar_to_be(&state) };
            }
            let cells = compute_cells(&blob).unwrap();
            let mut known: Vec<usize> = (0..128).filter(|k| pattern(*k)).collect();
            known.truncate(64);
            let rest = (0..128).filter(|k| !known.contains(k)).take(64 - known.len());
            let known: Vec<usize> = known.iter().copied().chain(rest).collect();
            let mut given = vec![[[0; 32]; LEN]; CELLS_PER_EXT_BLOB];
            for k in &known {
                given[*k].as_flattened_mut().copy_from_slice(&cells[2048 * k..2048 * (k + 1)]);
            }
            let factors = Factors::of(&known);
            let mut other = given.clone();
            fill(&mut given, &factors);
            assert_eq!(given.as_flattened().as_flattened(), cells, "{round}");
            if recover(&mut other, &factors.known, &factors.missing) {
                assert_eq!(other, given, "{round}");
            }
        }
    }
}
