//! Products of pairings.

use crate::engine::{self, Fp12, Lines, Summing};
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

/// Π e(Pᵢ, Qᵢ), to a power that is 1 exactly where the product is.
#[derive(Clone, Copy, Debug)]
pub struct PairingProduct(Fp12<Summing>);

impl PairingProduct {
    /// With one squaring a bit and one final exponentiation for all pairs. A pair with the identity contributes nothing.
    /// `None` where a Miller loop comes to zero, as none does.
    pub fn of(pairs: &[(G1Affine, &PreparedG2)]) -> Option<Self> {
        let pairs: Vec<_> = pairs
            .iter()
            .filter(|(point, _)| !point.is_zero())
            .map(|(point, PreparedG2(lines))| (*point, lines))
            .collect();
        if pairs.is_empty() {
            return Some(Self(Fp12::one()));
        }
        engine::product(&pairs).map(Self)
    }

    /// Whether it is 1.
    pub fn is_one(&self) -> bool {
        self.0.is_one()
    }

    /// The product of the other pairs, where `part` is that of some of them.
    #[must_use]
    pub fn without(&self, part: &Self) -> Self {
        Self(self.0.mul(&part.0.conjugate()))
    }
}

/// Whether Π e(Pᵢ, Qᵢ) = 1: see [`PairingProduct`].
pub fn product_is_one(pairs: &[(G1Affine, &PreparedG2)]) -> bool {
    PairingProduct::of(pairs).is_some_and(|product| product.is_one())
}
