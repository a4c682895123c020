//! The group G1: points, and the group's operations.
//!
//! The formulas hold on the whole curve y² = x³ + 4 over Fq, of which G1 is the subgroup of order r. A [`G1Affine`] is a point
//! that was found to lie in G1, or was asserted to ([`crate::CurvePoint::assume_in_subgroup`]).

use crate::backend::{self, Fq};
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::AdditiveGroup;

/// A point of G1 in affine coordinates.
pub type G1Affine = backend::G1Affine;

/// A point in projective coordinates. `+`, `−` and unary `−` are the group's, complete on all inputs.
pub type G1 = backend::G1Projective;

/// The identity.
pub fn identity() -> G1 {
    G1Affine::identity().into()
}

/// The generator of G1.
pub fn generator() -> G1Affine {
    G1Affine::generator()
}

/// Doubles in place. Out of line: arkworks inlines its formulas into every caller, which makes a WebAssembly
/// module half as large again and saves nothing that can be measured.
#[inline(never)]
pub(crate) fn double(point: &mut G1) {
    point.double_in_place();
}

/// Adds in place; out of line, as [`double`].
#[inline(never)]
pub(crate) fn add(sum: &mut G1, point: &G1) {
    *sum += point;
}

/// Adds a point in affine coordinates; out of line, as [`double`].
#[inline(never)]
pub(crate) fn add_affine(sum: &mut G1, point: &G1Affine) {
    *sum += point;
}

/// Whether the point is the identity.
pub fn is_identity(point: &G1) -> bool {
    point.z == Fq::ZERO
}

/// Affine forms of `points`, with one inversion for all.
pub fn normalize(points: &[G1]) -> Vec<G1Affine> {
    G1::normalize_batch(points)
}

/// n·P by doubling and adding, n little-endian: the slow twin of the unit tests, right for every point of the curve.
#[cfg(test)]
pub(crate) fn times(point: G1, n: &[u64]) -> G1 {
    (0..64 * n.len()).rev().fold(identity(), |sum, bit| {
        let twice = sum + sum;
        if n[bit / 64] >> (bit % 64) & 1 == 1 {
            twice + point
        } else {
            twice
        }
    })
}
