//! The cheap checks: everything that can be refused without field arithmetic.
//!
//! They run at the edge, before a unit is looked up, queued or batched.

use crate::constants::{elements, Bytes48};
use crate::reason::{InputError, Reason};
use crate::unit::{cell_index, Unit};
use blobcheck_curve::{g1_encoding, scalar};

/// A column's lists equally long and its index below 128, commitments and proofs well encoded, field elements below r, in this
/// order.
///
/// # Errors
/// The first that fails; `index` is the row (zero for the blob of an extended blob).
pub fn check(unit: &Unit<'_>) -> Result<(), InputError> {
    if let Unit::Column { index, commitments, proofs, cells } = unit {
        if [commitments.len(), proofs.len()] != [cells.len(); 2] {
            return Err(InputError::at(Reason::ArrayLengths, 0));
        }
        cell_index(u64::from(*index), 0)?;
    }
    points(unit.commitments(), Reason::CommitmentEncoding)?;
    points(unit.proofs(), Reason::ProofEncoding)?;
    match unit {
        Unit::Blob { blob, .. } | Unit::ExtendedBlob { blob, .. } => scalars(*blob, 0),
        Unit::Column { cells, .. } => cells.iter().enumerate().try_for_each(|(i, cell)| scalars(cell, i)),
    }
}

fn points(points: &[Bytes48], reason: Reason) -> Result<(), InputError> {
    match points.iter().position(|point| g1_encoding::check_encoding(point).is_err()) {
        Some(i) => Err(InputError::at(reason, i)),
        None => Ok(()),
    }
}

/// All 32-byte elements of `data` are below r.
pub(crate) fn scalars(data: &[u8], index: usize) -> Result<(), InputError> {
    let canonical = elements(data).iter().all(scalar::is_canonical);
    canonical.then_some(()).ok_or(InputError::at(Reason::ScalarNotCanonical, index))
}
