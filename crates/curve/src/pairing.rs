//! Products of pairings.

use crate::backend::{Bls12_381, Fq12, LANES};
use crate::g1::G1Affine;
use crate::g2::G2Affine;
use crate::lanes;
use ark_ec::pairing::Pairing;
use ark_ec::AffineRepr;
use ark_ff::Field;

/// A fixed point of G2 with the lines of its Miller loop, prepared once: in one of two forms.
#[derive(Clone, Debug)]
pub struct PreparedG2 {
    stock: <Bls12_381 as Pairing>::G2Prepared,
    lanes: lanes::Lines,
}

impl PreparedG2 {
    /// Prepares the lines of `point`.
    pub fn new(point: G2Affine) -> Self {
        let mut stock = <Bls12_381 as Pairing>::G2Prepared::from(point);
        let lanes = if LANES {
            lanes::Lines::of(&core::mem::take(&mut stock.ell_coeffs))
        } else {
            lanes::Lines::default()
        };
        Self { stock, lanes }
    }
}

/// Whether Π e(Pᵢ, Qᵢ) = 1, with one final exponentiation. A pair with the identity contributes nothing.
pub fn product_is_one(pairs: &[(G1Affine, &PreparedG2)]) -> bool {
    let pairs = pairs.iter().filter(|(point, _)| !point.is_zero());
    if LANES {
        return lanes::product_is_one(
            &pairs.map(|(point, lines)| (*point, &lines.lanes)).collect::<Vec<_>>(),
        );
    }
    let (left, right): (Vec<_>, Vec<_>) = pairs.map(|(point, lines)| (*point, lines.stock.clone())).unzip();
    let product = Bls12_381::multi_miller_loop(left, right);
    Bls12_381::final_exponentiation(product).is_some_and(|output| output.0 == Fq12::ONE)
}
