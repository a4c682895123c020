//! Three points of the curve over Fq in four numbers, 192 bytes: how files of many points lie that are read at a start. A third less than
//! [`crate::uncompressed`], and no square roots, which [`crate::g1_encoding`] takes.
//!
//! The numbers are x₁, x₂, x₃ and s = y₁ + y₂ + y₃. With a, b, c = xᵢ³ + 4, the squares of the y, with q = s² and A = q + c − a − b, the sum
//! t = y₁ + y₂ is E/D for D = 4·A·s and E = 4(q − a)(q − b) − A². Then y₃ = s − t, y₁ = (t + (a − b)/t)/2 and y₂ = t − y₁. Where D·E is not
//! zero, y₃² = c is all that is left to be checked. `docs/prover.md` proves this, and that three points have D·E = 0 exactly where other
//! points have the same four numbers.
//!
//! A triple takes 24 multiplications, with one inversion for all triples.

use crate::backend::Fq;
use crate::curve_point::{curve_rhs, CurvePoint};
use crate::fq;
use crate::g1::G1Affine;
use ark_ec::AffineRepr;
use ark_ff::{AdditiveGroup, Field};

/// Bytes of three points.
pub const BYTES: usize = 192;

/// x₁ ‖ x₂ ‖ x₃ ‖ y₁ + y₂ + y₃, 48 big-endian bytes each. `None` where the points cannot be read back: where one of them is the identity, or
/// where two or all three y add up to zero.
pub fn write(points: &[G1Affine; 3]) -> Option<[u8; BYTES]> {
    let [p1, p2, p3] = points;
    let ((x1, y1), (x2, y2), (x3, y3)) = (p1.xy()?, p2.xy()?, p3.xy()?);
    let sum = y1 + y2 + y3;
    if [sum, y1 + y2, y1 + y3, y2 + y3].contains(&Fq::ZERO) {
        return None;
    }
    let mut out = [0; BYTES];
    for (bytes, number) in out.as_chunks_mut().0.iter_mut().zip([x1, x2, x3, sum]) {
        *bytes = fq::to_be(number);
    }
    Some(out)
}

/// The inverse of [`write()`], for each triple: `None` for all bytes that it writes for no points of the curve.
pub fn read_each(triples: &[[u8; BYTES]]) -> Vec<Option<[CurvePoint; 3]>> {
    let triples: Vec<Option<Triple>> = triples.iter().map(Triple::read).collect();
    let mut inverses: Vec<Fq> =
        triples.iter().flatten().map(|triple| (triple.d * triple.e).double()).collect();
    // Leaves zeros as they are.
    ark_ff::batch_inversion(&mut inverses);
    let mut inverses = inverses.iter();
    triples.into_iter().map(|triple| triple?.solve(inverses.next()?)).collect()
}

/// What is known of three points before the inversion.
struct Triple {
    x: [Fq; 3],
    sum: Fq,
    /// y₁² − y₂².
    difference: Fq,
    /// y₃².
    square: Fq,
    d: Fq,
    e: Fq,
}

impl Triple {
    fn read(bytes: &[u8; BYTES]) -> Option<Self> {
        let [x1, x2, x3, sum] = bytes.as_chunks().0 else { return None };
        let x = [fq::from_be(x1)?, fq::from_be(x2)?, fq::from_be(x3)?];
        let sum = fq::from_be(sum)?;
        let [a, b, c] = x.map(curve_rhs);
        let q = fq::mul(&sum, &sum);
        let big_a = q + c - a - b;
        let d = fq::mul(&big_a, &sum).double().double();
        let e = fq::mul(&(q - a), &(q - b)).double().double() - fq::mul(&big_a, &big_a);
        Some(Self { x, sum, difference: a - b, square: c, d, e })
    }

    /// With 1/(2DE), or zero where DE is.
    fn solve(&self, inverse: &Fq) -> Option<[CurvePoint; 3]> {
        if *inverse == Fq::ZERO {
            return None;
        }
        // E²/(2DE) = t/2 = (y₁ + y₂)/2, and D²·(y₁² − y₂²)/(2DE) = (y₁² − y₂²)/(2t) = (y₁ − y₂)/2.
        let mean = fq::mul(&fq::mul(inverse, &self.e), &self.e);
        let half = fq::mul(&fq::mul(&fq::mul(inverse, &self.d), &self.d), &self.difference);
        let y3 = self.sum - mean.double();
        if y3.square() != self.square {
            return None;
        }
        let [x1, x2, x3] = self.x;
        // On the curve, as the third point is.
        Some([(x1, mean + half), (x2, mean - half), (x3, y3)].map(|(x, y)| CurvePoint::new_unchecked(x, y)))
    }
}
