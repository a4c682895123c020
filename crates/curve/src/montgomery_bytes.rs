//! Points as they are computed with, in bytes: what is to be read back sooner than it can be worked out.
//!
//! A coordinate's form is the number times 2³⁸⁴ modulo p (Montgomery), the same for every backend, in 48 little-endian
//! bytes. Reading it takes a comparison, where big-endian numbers ([`crate::uncompressed::to_uncompressed`]) take a multiplication.

use crate::backend::Fq;
use crate::g1::G1Affine;
use crate::limbs;
use crate::moduli::P;
use ark_ec::AffineRepr;
use ark_ff::BigInt;

/// Bytes of a point.
pub(crate) const BYTES: usize = 96;

/// The forms of x ‖ y; zeros for the identity ((0, 0) is not on the curve).
pub(crate) fn write(point: &G1Affine) -> [u8; BYTES] {
    let mut out = [0; BYTES];
    if let Some((x, y)) = point.xy() {
        let words = x.0 .0.into_iter().chain(y.0 .0);
        for (bytes, word) in out.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
    }
    out
}

/// The inverse of [`write`]: `None` unless both forms are below p, which the arithmetic relies on. Whether the point is on
/// the curve is **not** asked.
pub(crate) fn read(bytes: &[u8; BYTES]) -> Option<G1Affine> {
    let mut words = [0; BYTES / 8];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    if words == [0; BYTES / 8] {
        return Some(G1Affine::identity());
    }
    let [x0, x1, x2, x3, x4, x5, y0, y1, y2, y3, y4, y5] = words;
    let (x, y) = (coordinate([x0, x1, x2, x3, x4, x5])?, coordinate([y0, y1, y2, y3, y4, y5])?);
    Some(G1Affine::new_unchecked(x, y))
}

fn coordinate(form: [u64; 6]) -> Option<Fq> {
    limbs::less(&form, &P).then(|| Fq::new_unchecked(BigInt(form)))
}
