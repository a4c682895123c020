//! What openings (EIP-4844) add to the sums.
//!
//! The claim is e(C − \[y\]₁, \[1\]₂) = e(π, \[τ − z\]₂). Moved to fixed points of G2:
//! e(π, \[τ\]₂) = e(C − \[y\]₁ + zπ, \[1\]₂).

use crate::claim::{Claim, WeightedPoints};
use blobcheck_curve::scalar::{Scalar, ZERO};
use blobcheck_curve::{g1, msm_signed, G1Affine, Signed, G1};

/// "The polynomial that `commitment` commits to takes the value `y` at `z`."
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    /// Position in the table of commitments.
    pub(crate) commitment: usize,
    pub(crate) proof: G1Affine,
    pub(crate) z: Scalar,
    pub(crate) y: Scalar,
    /// The claim's coefficient in the batch.
    pub(crate) weight: Signed,
}

/// Σ rπ, and the terms r·C, rz·π and −Σ ry·\[1\]₁ of `rest`. `known`: Σ rπ, where it was formed before.
pub(crate) fn sum(claims: &[Claim<'_>], known: Option<G1>, rest: &mut WeightedPoints) -> G1 {
    let (mut proofs, mut weights) = (Vec::new(), Vec::new());
    let mut value = ZERO;
    for claim in claims {
        let Claim::Opening(opening) = claim else { continue };
        let weight = opening.weight.to_scalar();
        proofs.push(opening.proof);
        weights.push(opening.weight);
        rest.commitments.push((opening.commitment, weight));
        rest.points.push(opening.proof);
        rest.scalars.push(weight * opening.z);
        value += weight * opening.y;
    }
    rest.points.push(g1::generator());
    rest.scalars.push(-value);
    known.unwrap_or_else(|| msm_signed(&proofs, &weights))
}
