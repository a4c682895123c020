//! Points of G2, for the setup.

use crate::backend::{self, Fq, Fq2};
use crate::fq;
use crate::limbs;
use crate::PointError;
use ark_ec::AffineRepr;
use ark_ff::{AdditiveGroup, Field, MontFp, PrimeField};

/// A point of G2 in affine coordinates.
pub type G2Affine = backend::G2Affine;

/// The generator of G2.
pub fn generator() -> G2Affine {
    G2Affine::generator()
}

/// Decompresses 96 bytes (x = c0 + c1·u, as c1 ‖ c0, flags as in G1) to a point of the curve. There is no
/// subgroup test: the points are trusted by the hash of the setup that holds them. Infinity is refused: no
/// setup has it.
///
/// # Errors
/// [`PointError::Encoding`] or [`PointError::NotOnCurve`].
pub fn decompress_on_curve(bytes: &[u8; 96]) -> Result<G2Affine, PointError> {
    const FOUR: Fq2 = Fq2::new(MontFp!("4"), MontFp!("4"));
    let larger = match bytes[0] >> 5 {
        0b100 => false,
        0b101 => true,
        _ => return Err(PointError::Encoding),
    };
    let (mut c1, mut c0) = ([0u8; 48], [0u8; 48]);
    c1.copy_from_slice(&bytes[..48]);
    c0.copy_from_slice(&bytes[48..]);
    c1[0] &= 0x1f;
    let c0 = fq::from_be(&c0).ok_or(PointError::Encoding)?;
    let c1 = fq::from_be(&c1).ok_or(PointError::Encoding)?;
    let x = Fq2::new(c0, c1);
    let y = (x.square() * x + FOUR).sqrt().ok_or(PointError::NotOnCurve)?;
    Ok(G2Affine::new_unchecked(x, if is_larger(&y) == larger { y } else { -y }))
}

/// Whether y is larger than −y: compared by c1, then by c0.
fn is_larger(y: &Fq2) -> bool {
    let half = if y.c1 == Fq::ZERO { y.c0 } else { y.c1 };
    limbs::less(&(-half).into_bigint().0, &half.into_bigint().0)
}
