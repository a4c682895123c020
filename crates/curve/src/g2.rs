//! The group G2: points, and the group's operations, which are complete on the whole curve y² = x³ + 4(1 + u) over Fq2.

use crate::backend;
use ark_ec::{AffineRepr, CurveGroup};

/// A point of G2 in affine coordinates.
pub type G2Affine = backend::G2Affine;

/// A point in projective coordinates. `+`, `−` and unary `−` are the group's, complete on all inputs.
pub type G2 = backend::G2Projective;

/// The identity.
pub fn identity() -> G2 {
    G2Affine::identity().into()
}

/// The generator of G2.
pub fn generator() -> G2Affine {
    G2Affine::generator()
}

/// Affine forms of `points`, with one inversion for all.
pub fn normalize(points: &[G2]) -> Vec<G2Affine> {
    G2::normalize_batch(points)
}
