//! Products of pairings.

use crate::backend::{Bls12_381, Fq12};
use crate::g1::G1Affine;
use crate::g2::G2Affine;
use ark_ec::pairing::Pairing;
use ark_ec::AffineRepr;
use ark_ff::Field;

/// A fixed point of G2 with the lines of its Miller loop, prepared once.
#[derive(Clone, Debug)]
pub struct PreparedG2(<Bls12_381 as Pairing>::G2Prepared);

impl PreparedG2 {
    /// Prepares the lines of `point`.
    pub fn new(point: G2Affine) -> Self {
        Self(point.into())
    }
}

/// Whether Π e(Pᵢ, Qᵢ) = 1, with one final exponentiation. A pair with the identity contributes nothing.
pub fn product_is_one(pairs: &[(G1Affine, &PreparedG2)]) -> bool {
    let left = pairs.iter().map(|(point, _)| *point).filter(|point| !point.is_zero());
    let right = pairs.iter().filter(|(point, _)| !point.is_zero()).map(|(_, lines)| lines.0.clone());
    let product = Bls12_381::multi_miller_loop(left, right);
    Bls12_381::final_exponentiation(product).is_some_and(|output| output.0 == Fq12::ONE)
}
