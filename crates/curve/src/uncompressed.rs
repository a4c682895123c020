//! Points of the curve over Fq in 96 bytes: how they travel between our own workers.

use crate::curve_point::CurvePoint;
use crate::fq;
use crate::g1::G1Affine;
use ark_ec::AffineRepr;

/// x ‖ y, 48 big-endian bytes each; 96 zeros for the identity ((0, 0) is not on the curve).
pub fn to_uncompressed(point: &G1Affine) -> [u8; 96] {
    let mut out = [0u8; 96];
    if let Some((x, y)) = point.xy() {
        out[..48].copy_from_slice(&fq::to_be(x));
        out[48..].copy_from_slice(&fq::to_be(y));
    }
    out
}

/// The inverse of [`to_uncompressed`]: `None` unless the coordinates are below p and on the curve.
pub fn from_uncompressed(bytes: &[u8; 96]) -> Option<CurvePoint> {
    if *bytes == [0u8; 96] {
        return Some(CurvePoint::identity());
    }
    let (mut x, mut y) = ([0u8; 48], [0u8; 48]);
    x.copy_from_slice(&bytes[..48]);
    y.copy_from_slice(&bytes[48..]);
    CurvePoint::from_coordinates(fq::from_be(&x)?, fq::from_be(&y)?)
}
