//! The subgroup test of G2.
//!
//! A point S of the curve lies in G2 exactly if ψ(S) = x·S (Scott, eprint 2021/1130). ψ² − (x + 1)ψ + p = 0
//! holds on the whole curve, x + 1 being the trace of Frobenius. From ψ(S) = xS follows (x² − (x + 1)x + p)·S = (p −
//! x)·S = 0, and p − x = (x − 1)²/3 · r is r times the cofactor of G1. The order of S divides that and the order of
//! the curve, r times the cofactor of G2; the cofactors have no common factor, so that r·S = 0. Conversely ψ acts on
//! G2 as p, and p ≡ x modulo r.

use crate::g2::{G2Affine, G2};
use crate::psi::{psi, times_x};
use ark_ec::AffineRepr;

/// For each point of the curve over Fq2, whether it lies in G2. The identity does.
pub fn are_in_subgroup(points: &[G2Affine]) -> Vec<bool> {
    points.iter().map(is_in_subgroup).collect()
}

fn is_in_subgroup(point: &G2Affine) -> bool {
    if point.is_zero() {
        return true;
    }
    let jacobian = G2::from(*point);
    // x is −|x|.
    psi(&jacobian) == -times_x(&jacobian)
}
