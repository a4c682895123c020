//! Commitments.
//!
//! p(X) = Σ I_k(X)·ℓ_k(X⁶⁴) over the blob's 64 cells, ℓ_k the Lagrange polynomials of the D\[k\]: ℓ_k(Y) =
//! (Y⁶⁴ − 1)·D\[k\]/(64·(Y − D\[k\])). So \[p(τ)\]₁ is the sum over k and i of D\[k\]/64 times the coefficient of Xⁱ in I_k,
//! times A\[k\]\[i\]. Where the sums of the cells are known, which proofs are made of, they are \[I_k(τ)·ℓ_k(τ⁶⁴)\]₁ up to a
//! factor: then 64 terms are enough.

use crate::setup::Setup;
use blobcheck_curve::raw::Raw;
use blobcheck_curve::scalar::from_u128;
use blobcheck_curve::{g1, msm, Scalar, G1};
use blobcheck_kzg::constants::{CELLS_PER_BLOB, FIELD_ELEMENTS_PER_CELL};
use blobcheck_kzg::roots::domain;

/// `[p(τ)]₁`, p given by its rows times `1/factor` ([`crate::polynomial`]).
pub fn commit(setup: &Setup, rows: &[Raw], factor: Scalar) -> G1 {
    let factor = factor * crate::polynomial::inverse_of_power_of_two(6);
    let mut scalars = Vec::with_capacity(rows.len());
    for (k, row) in rows.chunks(FIELD_ELEMENTS_PER_CELL).enumerate() {
        let factor = factor * domain(k);
        scalars.extend(row.iter().map(|value| (*value * factor).to_scalar()));
    }
    msm(setup.points(), &scalars)
}

/// `[p(τ)]₁` from the sums W_k/64 of the blob's cells ([`crate::cell_sums`]), k < 64; what follows is ignored. The k-th part
/// of the commitment is D\[k\]/64 times 2·W_k.
pub fn from_sums(sums: &[G1]) -> G1 {
    let sums = g1::normalize(sums.get(..CELLS_PER_BLOB).unwrap_or(sums));
    let factors: Vec<Scalar> = (0..sums.len()).map(|k| from_u128(2) * domain(k)).collect();
    msm(&sums, &factors)
}
