//! What openings (EIP-4844) add to the sums.
//!
//! The claim is e(C − \[y\]₁, \[1\]₂) = e(π, \[τ − z\]₂). Moved to fixed points of G2:
//! e(π, \[τ\]₂) = e(C − \[y\]₁ + zπ, \[1\]₂).

use crate::weighted_points::{WeightedPoints, WeightedProof};
use blobcheck_curve::scalar::{Scalar, ZERO};
use blobcheck_curve::{g1, msm_signed, G1Affine, Signed, G1};

/// "The polynomial that `commitment` commits to takes the value `y` at `z`."
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    /// Position in the table of commitments.
    pub(crate) commitment: usize,
    pub(crate) proof: WeightedProof,
    pub(crate) z: Scalar,
    pub(crate) y: Scalar,
}

/// Openings, as their terms are gathered: Σ rπ, and of `rest` the terms r·C, rz·π and −Σ ry·\[1\]₁.
pub(crate) struct Openings {
    proofs: Vec<G1Affine>,
    weights: Vec<Signed>,
    /// Σ ry.
    value: Scalar,
}

impl Openings {
    /// None yet.
    pub(crate) fn new() -> Self {
        Self { proofs: Vec::new(), weights: Vec::new(), value: ZERO }
    }

    /// Adds the terms of one opening.
    pub(crate) fn add(&mut self, opening: &Opening, rest: &mut WeightedPoints<'_>) {
        let WeightedProof { proof, weight } = opening.proof;
        self.proofs.push(proof);
        self.weights.push(weight);
        let weight = weight.to_scalar();
        rest.add_commitment(opening.commitment, weight);
        rest.add(proof, weight * opening.z);
        self.value += weight * opening.y;
    }

    /// Σ rπ, which is `known` where it was formed before; the term of the values goes to `rest`.
    pub(crate) fn sum(self, known: Option<G1>, rest: &mut WeightedPoints<'_>) -> G1 {
        rest.add(g1::generator(), -self.value);
        known.unwrap_or_else(|| msm_signed(&self.proofs, &self.weights))
    }
}
