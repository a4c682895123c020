//! From the ceremony's powers of τ to the prover's points: for the build, which does it once.
//!
//! (τ⁴⁰⁹⁶ ∓ 1)/(τ⁶⁴ − D\[k\]) = Σ D\[k\]ᵈ·τ^(64(63 − d)) over d < 64, since D\[k\]⁶⁴ is ±1. So A\[·\]\[i\] are the values on the domain
//! of the polynomial whose coefficients are \[τ^(64·63 + i)\]₁, \[τ^(64·62 + i)\]₁ … \[τⁱ\]₁: one transform of length 64 for
//! each i and each half, some 20,000 multiplications of points by scalars in all.

use crate::point_fft;
use blobcheck_curve::{g1, g1_encoding, G1Affine, PointError, G1};
use blobcheck_kzg::commitment_setup::POINTS;
use blobcheck_kzg::constants::FIELD_ELEMENTS_PER_CELL;

const LEN: usize = FIELD_ELEMENTS_PER_CELL;

/// The points of `CommitmentSetup` and those of the extension, from \[τ⁰\]₁ … \[τ⁴⁰⁹⁵\]₁, compressed. Missing powers count as the
/// identity, and what is beyond is ignored.
///
/// # Errors
/// The first point that is not on the curve; the subgroup is taken on trust.
pub fn setup_points(monomials: &[[u8; 48]]) -> Result<[Vec<G1Affine>; 2], PointError> {
    let powers = g1_encoding::decompress_on_curve(monomials).into_iter().take(POINTS);
    let mut powers = powers
        .map(|point| point.map(|point| G1::from(point.assume_in_subgroup())))
        .collect::<Result<Vec<G1>, _>>()?;
    powers.resize(POINTS, g1::identity());
    Ok([half(&powers, 0), half(&powers, 1)])
}

fn half(powers: &[G1], block: usize) -> Vec<G1Affine> {
    let mut values = vec![g1::identity(); POINTS];
    for i in 0..LEN {
        let mut column: Vec<G1> = powers.iter().skip(i).step_by(LEN).rev().copied().collect();
        point_fft::evaluate(&mut column, block);
        for (value, slot) in column.into_iter().zip(values.iter_mut().skip(i).step_by(LEN)) {
            *slot = value;
        }
    }
    g1::normalize(&values)
}
