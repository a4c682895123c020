//! The specification's functions (EIP-4844, EIP-7594; names and argument order of c-kzg), over byte slices.
//!
//! Where the specification asserts, they return [`InputError`]. Checks run in the order of `blobcheck_kzg::api`: the arrays'
//! lengths, the elements' lengths, indices, encodings.

use crate::cell_proofs::{self, Half};
use crate::cell_sums::CellPolynomials;
use crate::commit::from_sums;
use crate::opening::divide;
use crate::polynomial;
use crate::setup::ExtendedSetup;
use crate::tables::{Tables, PARTS};
use blobcheck_curve::raw::Raw;
use blobcheck_curve::scalar::{scalar_from_be, scalar_to_be, two_to_minus, Scalar};
use blobcheck_curve::{g1, g1_encoding, uncompressed, G1};
use blobcheck_kzg::challenge::compute_challenges;
use blobcheck_kzg::commit::commit;
use blobcheck_kzg::commitment_setup::CommitmentSetup;
use blobcheck_kzg::constants::{Blob, Bytes48, BYTES_PER_BLOB, CELLS_PER_EXT_BLOB};
use blobcheck_kzg::{api, InputError, Reason};
use core::ops::Range;

/// `blob_to_kzg_commitment`.
///
/// # Errors
/// [`Reason::BlobLength`], [`Reason::ScalarNotCanonical`].
pub fn blob_to_kzg_commitment(
    setup: &CommitmentSetup,
    tables: Option<&Tables>,
    blob: &[u8],
) -> Result<Bytes48, InputError> {
    let rows = polynomial::rows(sized(blob, Reason::BlobLength)?)?;
    Ok(commitment(setup, tables, &rows, two_to_minus(6)))
}

/// `compute_kzg_proof`: the proof, and y = p(z), 32 big-endian bytes.
///
/// # Errors
/// [`Reason::BlobLength`], [`Reason::ScalarLength`] and [`Reason::ScalarNotCanonical`], of z first.
pub fn compute_kzg_proof(
    setup: &CommitmentSetup,
    tables: Option<&Tables>,
    blob: &[u8],
    z: &[u8],
) -> Result<(Bytes48, [u8; 32]), InputError> {
    let blob = sized(blob, Reason::BlobLength)?;
    let z = scalar_from_be(sized(z, Reason::ScalarLength)?);
    let (proof, y) = open(setup, tables, blob, z.ok_or(InputError::at(Reason::ScalarNotCanonical, 0))?)?;
    Ok((proof, scalar_to_be(&y)))
}

/// `compute_blob_kzg_proof`. Whether `commitment` is the blob's own is not asked: the proof for another is no proof.
///
/// # Errors
/// Lengths; a commitment that is no point of G1; field elements not below r.
pub fn compute_blob_kzg_proof(
    setup: &CommitmentSetup,
    tables: Option<&Tables>,
    blob: &[u8],
    commitment: &[u8],
) -> Result<Bytes48, InputError> {
    let blob: &Blob = sized(blob, Reason::BlobLength)?;
    let commitment: &Bytes48 = sized(commitment, Reason::CommitmentLength)?;
    if let Some(error) = g1_encoding::decompress(&[*commitment]).into_iter().find_map(Result::err) {
        return Err(InputError::at(Reason::of_commitment(error), 0));
    }
    let challenges = compute_challenges(&[(blob, commitment)]);
    // One message, one challenge.
    let z = challenges.first().ok_or(InputError::at(Reason::BlobLength, 0))?;
    Ok(open(setup, tables, blob, *z)?.0)
}

/// `compute_cells_and_kzg_proofs`: 128 cells of 2,048 bytes, and 128 proofs, each one after the other.
///
/// # Errors
/// [`Reason::BlobLength`], [`Reason::ScalarNotCanonical`].
pub fn compute_cells_and_kzg_proofs(
    setup: &ExtendedSetup,
    tables: Option<&Tables>,
    blob: &[u8],
) -> Result<(Vec<u8>, Vec<Bytes48>), InputError> {
    let blob: &Blob = sized(blob, Reason::BlobLength)?;
    let polynomials = CellPolynomials::of(blob)?;
    let mut cells = Vec::with_capacity(2 * BYTES_PER_BLOB);
    cells.extend_from_slice(blob);
    cells.extend(polynomials.extension());
    let sums = polynomials.sums(setup, tables, 0..PARTS);
    let halves = [Half::Blob, Half::Extension].map(|half| cell_proofs::proofs(&sums, half));
    Ok((cells, halves.concat()))
}

/// The sums of the cells of some of the 16 parts, for whoever divides the work of [`compute_cells_and_kzg_proofs`]: 96 bytes
/// a cell, opaque, to be joined in the parts' order. What is beyond the parts is left out.
///
/// # Errors
/// As [`compute_cells_and_kzg_proofs`].
pub fn compute_cell_sums(
    setup: &ExtendedSetup,
    tables: Option<&Tables>,
    blob: &[u8],
    parts: Range<usize>,
) -> Result<Vec<u8>, InputError> {
    let polynomials = CellPolynomials::of(sized(blob, Reason::BlobLength)?)?;
    let sums = g1::normalize(&polynomials.sums(setup, tables, parts));
    Ok(sums.iter().flat_map(uncompressed::to_uncompressed).collect())
}

/// The 64 proofs of a half of the cells, from the sums of all.
///
/// # Errors
/// [`Reason::ArrayLengths`] unless there are 128 sums; [`Reason::ProofNotOnCurve`] for bytes that are no sum.
pub fn finish_cell_proofs(sums: &[u8], half: Half) -> Result<Vec<Bytes48>, InputError> {
    Ok(cell_proofs::proofs(&read_sums(sums)?, half))
}

/// The blob's commitment, from the sums of all cells: for whoever wants both, at a thirtieth of the cost of
/// [`blob_to_kzg_commitment`].
///
/// # Errors
/// As [`finish_cell_proofs`].
pub fn finish_commitment(sums: &[u8]) -> Result<Bytes48, InputError> {
    Ok(compress(from_sums(&read_sums(sums)?)))
}

/// `recover_cells_and_kzg_proofs`, from 64 cells or more, in strictly ascending order of their indices.
///
/// # Errors
/// Those of [`api::recover_cells`].
pub fn recover_cells_and_kzg_proofs(
    setup: &ExtendedSetup,
    tables: Option<&Tables>,
    cell_indices: &[u64],
    cells: &[&[u8]],
) -> Result<(Vec<u8>, Vec<Bytes48>), InputError> {
    let cells = api::recover_cells(cell_indices, cells)?;
    // The first 64 cells are the blob.
    compute_cells_and_kzg_proofs(setup, tables, cells.get(..BYTES_PER_BLOB).unwrap_or(&[]))
}

/// The proof that p(z) = y, and y.
fn open(
    setup: &CommitmentSetup,
    tables: Option<&Tables>,
    blob: &Blob,
    z: Scalar,
) -> Result<(Bytes48, Scalar), InputError> {
    let mut polynomial = polynomial::rows(blob)?;
    polynomial::to_coefficients(&mut polynomial);
    let y = divide(&mut polynomial, z);
    polynomial::to_rows(&mut polynomial);
    // 64 from each of two transforms.
    let factor = two_to_minus(12);
    Ok((commitment(setup, tables, &polynomial, factor), (y * factor).to_scalar()))
}

/// The commitment of a polynomial whose rows times `1/factor` are given.
fn commitment(setup: &CommitmentSetup, tables: Option<&Tables>, rows: &[Raw], factor: Scalar) -> Bytes48 {
    compress(match tables {
        Some(tables) => tables.commit(setup, rows, factor),
        None => commit(setup, rows, factor),
    })
}

fn read_sums(sums: &[u8]) -> Result<Vec<G1>, InputError> {
    let (points, rest) = sums.as_chunks();
    if points.len() != CELLS_PER_EXT_BLOB || !rest.is_empty() {
        return Err(InputError::at(Reason::ArrayLengths, 0));
    }
    let point = |(i, bytes)| match uncompressed::from_uncompressed(bytes) {
        // Made by our own workers, of points of the setup.
        Some(point) => Ok(point.assume_in_subgroup().into()),
        None => Err(InputError::at(Reason::ProofNotOnCurve, i)),
    };
    points.iter().enumerate().map(point).collect()
}

fn compress(point: G1) -> Bytes48 {
    g1_encoding::compress(&point.into())
}

fn sized<const N: usize>(bytes: &[u8], reason: Reason) -> Result<&[u8; N], InputError> {
    bytes.try_into().map_err(|_| InputError::at(reason, 0))
}
