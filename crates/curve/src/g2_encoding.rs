//! The compressed form of points of G2: decompression and compression.
//!
//! It is 96 bytes: x = c0 + c1·u as c1 ‖ c0, 48 big-endian bytes each, with the three flags of G1's form in the
//! top bits of the first byte. y is the larger root by its c1, or by c0 where that is zero.

use crate::backend::{Fq, Fq2};
use crate::fq;
use crate::fq2;
use crate::g2::G2Affine;
use crate::g2_subgroup;
use crate::point_error::PointError;
use ark_ec::AffineRepr;
use ark_ff::{Field, MontFp};

const COMPRESSED: u8 = 0x80;
const INFINITY: u8 = 0x40;
const LARGER: u8 = 0x20;
const FLAGS: u8 = COMPRESSED | INFINITY | LARGER;

/// Decompresses each 96-byte string into a point of G2, subgroup test included. Infinity is a point of G2, in its
/// one encoding.
pub fn decompress(points: &[[u8; 96]]) -> Vec<Result<G2Affine, PointError>> {
    points.iter().map(decompress_one).collect()
}

fn decompress_one(bytes: &[u8; 96]) -> Result<G2Affine, PointError> {
    if bytes[0] & FLAGS == COMPRESSED | INFINITY {
        let rest_is_zero = bytes[0] & !FLAGS == 0 && bytes[1..].iter().all(|byte| *byte == 0);
        return rest_is_zero.then(G2Affine::identity).ok_or(PointError::Encoding);
    }
    let point = decompress_on_curve(bytes)?;
    match g2_subgroup::are_in_subgroup(&[point]).first() {
        Some(true) => Ok(point),
        _ => Err(PointError::NotInSubgroup),
    }
}

/// Decompresses a point of the curve other than infinity, without a subgroup test: for a setup, whose points are
/// trusted by its hash.
///
/// # Errors
/// [`PointError::Encoding`], for infinity too, or [`PointError::NotOnCurve`].
pub fn decompress_on_curve(bytes: &[u8; 96]) -> Result<G2Affine, PointError> {
    let larger = match bytes[0] & FLAGS {
        COMPRESSED => false,
        f if f == COMPRESSED | LARGER => true,
        _ => return Err(PointError::Encoding),
    };
    let (mut c1, mut c0) = ([0u8; 48], [0u8; 48]);
    c1.copy_from_slice(&bytes[..48]);
    c0.copy_from_slice(&bytes[48..]);
    c1[0] &= !FLAGS;
    let c0 = fq::from_be(&c0).ok_or(PointError::Encoding)?;
    let c1 = fq::from_be(&c1).ok_or(PointError::Encoding)?;
    let x = Fq2::new(c0, c1);
    let root = fq2::sqrt_each(&[curve_rhs(&x)]).first().copied().flatten();
    let y = root.ok_or(PointError::NotOnCurve)?;
    Ok(G2Affine::new_unchecked(x, if fq2::is_larger(&y) == larger { y } else { -y }))
}

/// Compresses a point.
pub fn compress(point: &G2Affine) -> [u8; 96] {
    let mut out = [0u8; 96];
    let Some((x, y)) = point.xy() else {
        out[0] = COMPRESSED | INFINITY;
        return out;
    };
    out[..48].copy_from_slice(&fq::to_be(x.c1));
    out[48..].copy_from_slice(&fq::to_be(x.c0));
    out[0] |= COMPRESSED | if fq2::is_larger(&y) { LARGER } else { 0 };
    out
}

/// x³ + 4(1 + u).
fn curve_rhs(x: &Fq2) -> Fq2 {
    const FOUR: Fq = MontFp!("4");
    x.square() * x + Fq2::new(FOUR, FOUR)
}
