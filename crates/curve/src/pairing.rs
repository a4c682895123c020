//! Products of pairings.

use crate::engine::{self, Lines, Summing};
use crate::g1::G1Affine;
use crate::g2::G2Affine;
use ark_ec::AffineRepr;

/// A point of G2 with the lines of its Miller loop, some 20 KB.
#[derive(Clone, Debug)]
pub struct PreparedG2(Lines<Summing>);

impl PreparedG2 {
    /// Prepares the lines of `point`, which is in G2.
    pub fn new(point: G2Affine) -> Self {
        Self(Lines::of(&point))
    }
}

/// Whether Π e(Pᵢ, Qᵢ) = 1, with one squaring a bit and one final exponentiation for all. A pair with the identity
/// contributes nothing.
pub fn product_is_one(pairs: &[(G1Affine, &PreparedG2)]) -> bool {
    let pairs: Vec<_> = pairs
        .iter()
        .filter(|(point, _)| !point.is_zero())
        .map(|(point, PreparedG2(lines))| (*point, lines))
        .collect();
    engine::product_is_one(&pairs)
}
