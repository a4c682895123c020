//! Commitments.
//!
//! p(X) = Σ I_k(X)·ℓ_k(X⁶⁴) over the blob's 64 cells, ℓ_k the Lagrange polynomials of the D\[k\]: ℓ_k(Y) =
//! (Y⁶⁴ − 1)·D\[k\]/(64·(Y − D\[k\])). So \[p(τ)\]₁ is the sum over k and i of D\[k\]/64 times the coefficient of Xⁱ in I_k,
//! times A\[k\]\[i\].

use crate::setup::Setup;
use blobcheck_curve::raw::Raw;
use blobcheck_curve::{msm, Scalar, G1};
use blobcheck_kzg::constants::FIELD_ELEMENTS_PER_CELL;
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
