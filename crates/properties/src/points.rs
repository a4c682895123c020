//! Points of which everything is known: multiples of the generator, with defects of small order where a test wants them.

use crate::draw::{alter, array, below, number, P};
use arbitrary::{Result, Unstructured};
use ark_bls12_381::{Fq, Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{AdditiveGroup, BigInteger, PrimeField};
use ark_serialize::CanonicalSerialize;
use blobcheck_curve::{g2_encoding, uncompressed, CurvePoint};
use std::sync::OnceLock;

/// The primes of the cofactor of G1.
pub const PRIMES: [u64; 5] = [3, 11, 10_177, 859_267, 52_437_899];

/// k·G + j·T, G the generator of G1 and T a point of order [`PRIMES`]`[prime]`.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// k.
    pub multiple: Fr,
    /// j, and the prime's place.
    pub defect: (u64, usize),
}

/// A point of each order.
fn torsion() -> &'static [G1Affine; 5] {
    static POINTS: OnceLock<[G1Affine; 5]> = OnceLock::new();
    POINTS.get_or_init(|| {
        PRIMES.map(|prime| {
            let found = (1u64..).find_map(|x| {
                let point = G1Affine::get_point_from_x_unchecked(Fq::from(x), false)?;
                let mut part = point.mul_bigint(Fr::MODULUS);
                for other in PRIMES.into_iter().filter(|other| *other != prime) {
                    part = part.mul_bigint([other]).mul_bigint([other]);
                }
                // The cofactor has each prime but 3 twice, and the group no element of order prime².
                (part != G1Projective::ZERO).then(|| part.into_affine())
            });
            found.unwrap_or_default()
        })
    })
}

impl Known {
    /// The point in arkworks.
    pub fn point(&self) -> G1Affine {
        let (times, prime) = self.defect;
        (G1Projective::generator() * self.multiple + torsion()[prime].mul_bigint([times])).into_affine()
    }

    /// Whether it lies in G1.
    pub fn is_in_subgroup(&self) -> bool {
        self.defect.0.is_multiple_of(PRIMES[self.defect.1])
    }

    /// The point in our own form.
    pub fn ours(&self) -> CurvePoint {
        ours(&self.point())
    }
}

/// A point of arkworks' in our own form, by its 96 bytes.
pub fn ours(point: &G1Affine) -> CurvePoint {
    uncompressed::from_uncompressed(&bytes_of(point)).unwrap_or_else(|| panic!("{point} is a point"))
}

/// x ‖ y of arkworks' point; zeros for infinity.
pub fn bytes_of(point: &G1Affine) -> [u8; 96] {
    let mut bytes = [0; 96];
    if let Some((x, y)) = point.xy() {
        bytes[..48].copy_from_slice(&x.into_bigint().to_bytes_be());
        bytes[48..].copy_from_slice(&y.into_bigint().to_bytes_be());
    }
    bytes
}

/// A point of G1 or G2 of arkworks', compressed.
pub fn compress<const N: usize>(point: &impl CanonicalSerialize) -> [u8; N] {
    let mut bytes = Vec::new();
    let written = point.serialize_compressed(&mut bytes);
    assert!(written.is_ok() && bytes.len() == N);
    let mut out = [0; N];
    out.copy_from_slice(&bytes);
    out
}

/// A small multiple of the generator, or one that 32 bytes name; zero, and the same or the opposite of others, often.
pub fn draw(input: &mut Unstructured<'_>) -> Result<Known> {
    let multiple = match below(input, 4)? {
        0 => Fr::from_be_bytes_mod_order(&array::<16>(input)?),
        _ => Fr::from(input.int_in_range(-4i8..=4)?),
    };
    Ok(Known { multiple, defect: (0, 0) })
}

/// The same, and now and then with a defect.
pub fn draw_on_curve(input: &mut Unstructured<'_>) -> Result<Known> {
    let mut known = draw(input)?;
    if below(input, 4)? == 0 {
        let prime = below(input, PRIMES.len())?;
        known.defect = (input.int_in_range(0..=PRIMES[prime])?, prime);
    }
    Ok(known)
}

/// 48 bytes: a point, one with something altered, or any.
pub fn draw_bytes(input: &mut Unstructured<'_>) -> Result<[u8; 48]> {
    let mut bytes = match below(input, 4)? {
        0 => {
            let mut x = number(input, &P)?;
            x[0] = x[0] & 0x1f | [0x80, 0xa0, 0xc0, 0xe0, 0x00, 0x40, 0x20, 0x60][below(input, 8)?];
            return Ok(x);
        }
        1 => return Ok(compress(&draw_on_curve(input)?.point())),
        _ => compress::<48>(&draw_on_curve(input)?.point()).to_vec(),
    };
    alter(input, &mut bytes)?;
    bytes.resize(48, 0);
    let mut out = [0; 48];
    out.copy_from_slice(&bytes);
    Ok(out)
}

/// l·H, H the generator of G2, in our own form.
pub fn g2(multiple: Fr) -> blobcheck_curve::G2Affine {
    let point: G2Affine = (G2Projective::generator() * multiple).into_affine();
    let read = g2_encoding::decompress(&[compress(&point)]);
    read.first().copied().and_then(Result::ok).unwrap_or_else(|| panic!("a point of G2"))
}
