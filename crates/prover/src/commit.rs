//! The commitment of a blob whose cells' sums are known, which proofs are made of: they are \[I_k(τ)·ℓ_k(τ⁶⁴)\]₁ up to a factor
//! (`blobcheck_kzg::commit`), so that 64 terms are enough.

use blobcheck_curve::scalar::from_u128;
use blobcheck_curve::{g1, msm, Scalar, G1};
use blobcheck_kzg::constants::CELLS_PER_BLOB;
use blobcheck_kzg::roots::domain;

/// `[p(τ)]₁` from the sums W_k/64 of the blob's cells ([`crate::cell_sums`]), k < 64; what follows is ignored. The k-th part
/// of the commitment is D\[k\]/64 times 2·W_k.
pub fn from_sums(sums: &[G1]) -> G1 {
    let sums = g1::normalize(sums.get(..CELLS_PER_BLOB).unwrap_or(sums));
    let factors: Vec<Scalar> = (0..sums.len()).map(|k| from_u128(2) * domain(k)).collect();
    msm(&sums, &factors)
}
