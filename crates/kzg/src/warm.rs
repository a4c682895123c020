//! A true batch, for engines that compile hot code better.
//!
//! WebAssembly engines start with a quick compiler and replace what runs often. A page that has time before
//! its first blob spends it here. Nothing is stored, cached or counted: the result is the answer and no more.

use crate::batch::collect;
use crate::constants::{BYTES_PER_BLOB, BYTES_PER_CELL, FIELD_ELEMENTS_PER_BLOB};
use crate::randomness::FiatShamir;
use crate::roots::domain;
use crate::setup::Setup;
use crate::unit::Unit;
use blobcheck_curve::scalar::scalar_to_be;

/// The compressed identity.
const INFINITY: [u8; 48] = {
    let mut bytes = [0; 48];
    bytes[0] = 0xc0;
    bytes
};

/// Verifies the polynomial p(X) = X, as a blob and by three of its cells: the blob is the domain itself, the
/// commitment \[τ\]₁, the blob's proof \[(X − z)/(X − z)\]₁ = \[1\]₁, and a cell's \[0\]₁, since p is its own
/// interpolation. Makes the table that commitments want. Returns whether it verified, which it does.
pub fn warm(setup: &Setup) -> bool {
    let mut blob = Vec::with_capacity(BYTES_PER_BLOB);
    for i in 0..FIELD_ELEMENTS_PER_BLOB {
        blob.extend_from_slice(&scalar_to_be(&domain(i)));
    }
    let (commitment, proof) = (setup.g1_bytes(1), setup.g1_bytes(0));
    let mut units = vec![Unit::blob(commitment, proof, &blob)];
    for (k, cell) in blob.chunks_exact(BYTES_PER_CELL).enumerate().take(3) {
        units.push(Unit::cell(k as u64, commitment, &INFINITY, cell));
    }
    let Ok(units) = units.into_iter().collect::<Result<Vec<_>, _>>() else { return false };
    let units: Vec<Vec<u8>> = units.iter().map(Unit::to_bytes).collect();
    let units: Vec<&[u8]> = units.iter().map(Vec::as_slice).collect();
    setup.table().is_some() && collect(&units, FiatShamir).accumulator.close(setup)
}
