//! The exact subgroup test of G1.
//!
//! With the curve's parameter x (|x| = 0xd201000000010000) and the endomorphism φ(X, Y) = (βX, Y), β³ = 1, a
//! point S of the curve lies in G1 exactly if φ(S) = −x²S (Scott, eprint 2021/1130).
//!
//! *Exact:* φ² + φ + 1 = 0 holds on the whole curve, so that φ(S) = −x²S gives (x⁴ − x² + 1)·S = 0, and x⁴ −
//! x² + 1 = r. Conversely φ acts on the cyclic group G1 as one of the two primitive cube roots of unity
//! modulo r; β is chosen so that it is −x².
//!
//! The multiples of S are formed by plain doubling and addition. A GLV multiplication would be wrong here: it
//! assumes what is to be tested.

use crate::backend::{Fq, LANES};
use crate::endomorphism::{BETA, X};
use crate::fq::mul;
use crate::g1::{double, G1Affine, G1};
use crate::lanes;
use ark_ec::AffineRepr;
use ark_ff::AdditiveGroup;

/// For each point of the curve, whether it lies in G1. The identity does.
pub fn contains(points: &[G1Affine]) -> Vec<bool> {
    if LANES {
        return lanes::contains(points);
    }
    points.iter().map(contains_one).collect()
}

fn contains_one(point: &G1Affine) -> bool {
    let Some((x, y)) = point.xy() else { return true };
    let squared = times_x(times_x((*point).into()));
    // −x²S = (βx, y), in Jacobian coordinates: X = βx·Z², −Y = y·Z³. Z = 0 is the identity, which φ(S) is
    // not.
    if squared.z == Fq::ZERO {
        return false;
    }
    let zz = mul(&squared.z, &squared.z);
    squared.x == mul(&mul(&BETA, &x), &zz) && -squared.y == mul(&mul(&y, &zz), &squared.z)
}

/// |x|·P by doubling and adding: 63 doublings, 5 additions. The additions are complete (for a point of order 3 they
/// meet 2P + P = 0).
fn times_x(point: G1) -> G1 {
    let mut sum = point;
    for bit in (0..63).rev() {
        double(&mut sum);
        if X >> bit & 1 == 1 {
            sum += point;
        }
    }
    sum
}
