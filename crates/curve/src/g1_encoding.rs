//! The compressed form of points of G1: checks, batch decompression, compression.
//!
//! It is 48 bytes: x, big-endian, with three flags in the top bits of the first byte:
//! compressed (always set), infinity, and whether y is the larger of the two square roots (the "ZCash" form,
//! which the specifications use).

use crate::backend::Fq;
use crate::curve_point::{curve_rhs, CurvePoint};
use crate::fq;
use crate::g1::G1Affine;
use crate::point_error::PointError;
use crate::sqrt;
use crate::subgroup;
use ark_ec::AffineRepr;

const COMPRESSED: u8 = 0x80;
const INFINITY: u8 = 0x40;
const LARGER: u8 = 0x20;
const FLAGS: u8 = COMPRESSED | INFINITY | LARGER;

/// The cheap part of decompression: flags, the one encoding of infinity, x below p. No field arithmetic.
///
/// # Errors
/// [`PointError::Encoding`] only.
pub fn check_encoding(bytes: &[u8; 48]) -> Result<(), PointError> {
    let flags = bytes[0] & FLAGS;
    let x = x_bytes(bytes);
    let good = match flags {
        COMPRESSED => fq::is_canonical(&x),
        f if f == COMPRESSED | LARGER => fq::is_canonical(&x),
        f if f == COMPRESSED | INFINITY => x == [0u8; 48],
        _ => false,
    };
    good.then_some(()).ok_or(PointError::Encoding)
}

/// Decompresses each 48-byte string into a point of G1, subgroup test included.
pub fn decompress(points: &[[u8; 48]]) -> Vec<Result<G1Affine, PointError>> {
    let on_curve = decompress_on_curve(points);
    let candidates: Vec<CurvePoint> = on_curve.iter().filter_map(|point| point.ok()).collect();
    let mut tested = subgroup::tested_each(&candidates).into_iter();
    let mut points = Vec::with_capacity(on_curve.len());
    for point in on_curve {
        points.push(point.and_then(|_| tested.next().flatten().ok_or(PointError::NotInSubgroup)));
    }
    points
}

/// Decompresses each 48-byte string into a point of the curve, without a subgroup test.
pub fn decompress_on_curve(points: &[[u8; 48]]) -> Vec<Result<CurvePoint, PointError>> {
    let xs: Vec<Result<Option<Fq>, PointError>> = points.iter().map(read_x).collect();
    let squares: Vec<Fq> = xs.iter().filter_map(|x| x.ok().flatten()).map(curve_rhs).collect();
    let mut roots = sqrt::sqrt_each(&squares).into_iter();
    let point = |(x, bytes): (Result<Option<Fq>, PointError>, &[u8; 48])| match x? {
        None => Ok(CurvePoint::identity()),
        Some(x) => {
            let y = roots.next().flatten().ok_or(PointError::NotOnCurve)?;
            let flip = fq::is_larger(&y) != (bytes[0] & LARGER != 0);
            Ok(CurvePoint::new_unchecked(x, if flip { -y } else { y }))
        }
    };
    xs.into_iter().zip(points).map(point).collect()
}

/// The x that is written there; `None` for infinity.
fn read_x(bytes: &[u8; 48]) -> Result<Option<Fq>, PointError> {
    check_encoding(bytes)?;
    if bytes[0] & INFINITY != 0 {
        return Ok(None);
    }
    fq::from_be(&x_bytes(bytes)).map(Some).ok_or(PointError::Encoding)
}

/// Compresses a point.
pub fn compress(point: &G1Affine) -> [u8; 48] {
    let Some((x, y)) = point.xy() else {
        let mut out = [0u8; 48];
        out[0] = COMPRESSED | INFINITY;
        return out;
    };
    let mut out = fq::to_be(x);
    out[0] |= COMPRESSED | if fq::is_larger(&y) { LARGER } else { 0 };
    out
}

fn x_bytes(bytes: &[u8; 48]) -> [u8; 48] {
    let mut x = *bytes;
    x[0] &= !FLAGS;
    x
}
