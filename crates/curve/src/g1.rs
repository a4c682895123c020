//! Points of G1.
//!
//! The compressed form is 48 bytes: x, big-endian, with three flags in the top bits of the first byte:
//! compressed (always set), infinity, and whether y is the larger of the two square roots (the "ZCash" form,
//! which the specifications use).

use crate::backend::{self, Fq};
use crate::fq;
use crate::sqrt;
use crate::subgroup;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, MontFp};

/// A point in affine coordinates.
pub type G1Affine = backend::G1Affine;

/// A point in projective coordinates. `+`, `−` and unary `−` are the group's, complete on all inputs.
pub type G1 = backend::G1Projective;

/// Why 48 bytes are not a point of G1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointError {
    /// Flags that contradict each other or the rest, or x not below p.
    Encoding,
    /// No point of the curve has this x.
    NotOnCurve,
    /// On the curve, but outside the subgroup of order r.
    NotInSubgroup,
}

const COMPRESSED: u8 = 0x80;
const INFINITY: u8 = 0x40;
const LARGER: u8 = 0x20;
const FLAGS: u8 = COMPRESSED | INFINITY | LARGER;

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
    let mut out = decompress_on_curve(points);
    let candidates: Vec<G1Affine> = out.iter().filter_map(|point| point.ok()).collect();
    let mut verdicts = subgroup::are_in_subgroup(&candidates).into_iter();
    for point in &mut out {
        if point.is_ok() && verdicts.next() != Some(true) {
            *point = Err(PointError::NotInSubgroup);
        }
    }
    out
}

/// Decompresses without the subgroup test, for points that are trusted by their hash.
pub fn decompress_on_curve(points: &[[u8; 48]]) -> Vec<Result<G1Affine, PointError>> {
    let xs: Vec<Result<Option<Fq>, PointError>> = points.iter().map(read_x).collect();
    let squares: Vec<Fq> = xs.iter().filter_map(|x| x.ok().flatten()).map(curve_rhs).collect();
    let mut roots = sqrt::sqrt_each(&squares).into_iter();
    let point = |(x, bytes): (Result<Option<Fq>, PointError>, &[u8; 48])| match x? {
        None => Ok(G1Affine::identity()),
        Some(x) => {
            let y = roots.next().flatten().ok_or(PointError::NotOnCurve)?;
            let flip = fq::is_larger(&y) != (bytes[0] & LARGER != 0);
            Ok(G1Affine::new_unchecked(x, if flip { -y } else { y }))
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

/// Affine forms of `points`, with one inversion for all.
pub fn normalize(points: &[G1]) -> Vec<G1Affine> {
    G1::normalize_batch(points)
}

/// x ‖ y, 48 big-endian bytes each; 96 zeros for the identity ((0, 0) is not on the curve).
pub fn to_uncompressed(point: &G1Affine) -> [u8; 96] {
    let mut out = [0u8; 96];
    if let Some((x, y)) = point.xy() {
        out[..48].copy_from_slice(&fq::to_be(x));
        out[48..].copy_from_slice(&fq::to_be(y));
    }
    out
}

/// The inverse of [`to_uncompressed`]: `None` unless the coordinates are below p and on the curve. The
/// subgroup is **not** tested: for our own output only.
pub fn from_uncompressed(bytes: &[u8; 96]) -> Option<G1Affine> {
    if *bytes == [0u8; 96] {
        return Some(G1Affine::identity());
    }
    let (mut x, mut y) = ([0u8; 48], [0u8; 48]);
    x.copy_from_slice(&bytes[..48]);
    y.copy_from_slice(&bytes[48..]);
    let (x, y) = (fq::from_be(&x)?, fq::from_be(&y)?);
    (fq::mul(&y, &y) == curve_rhs(x)).then(|| G1Affine::new_unchecked(x, y))
}

/// x³ + 4.
fn curve_rhs(x: Fq) -> Fq {
    const FOUR: Fq = MontFp!("4");
    fq::mul(&fq::mul(&x, &x), &x) + FOUR
}

fn x_bytes(bytes: &[u8; 48]) -> [u8; 48] {
    let mut x = *bytes;
    x[0] &= !FLAGS;
    x
}
