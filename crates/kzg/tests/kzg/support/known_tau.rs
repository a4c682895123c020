//! A setup whose τ is known, so that every proof is two field operations and one multiplication.
#![allow(dead_code)]

use super::naive::{ours, root, theirs, NaiveSetup};
use super::Rng;
use ark_bls12_381::{Fq, Fr, G1Affine, G1Projective, G2Projective};
use ark_ec::scalar_mul::ScalarMul;
use ark_ec::{CurveGroup, PrimeGroup};
use ark_ff::{AdditiveGroup, BigInteger, Field, PrimeField};
use ark_serialize::CanonicalSerialize;
use blobcheck_curve::scalar::scalar_to_be;
use blobcheck_curve::{PointError, Scalar};
use blobcheck_kzg::challenge::compute_challenges;
use blobcheck_kzg::constants::{Blob, Bytes48, Cell};
use blobcheck_kzg::setup::SETUP_BYTES;
use blobcheck_kzg::{fft, roots, BareBlob, CommitmentSetup, Setup, Unit};
use core::array::from_fn;

pub struct KnownTau {
    pub tau: Fr,
    pub setup: Setup,
    pub naive: NaiveSetup,
}

/// A blob with what it takes to prove anything about it.
pub struct Polynomial {
    pub coefficients: Vec<Fr>,
    pub at_tau: Fr,
    /// The blob and its extension: 8,192 elements.
    pub extended: Vec<u8>,
    pub commitment: Bytes48,
}

impl Polynomial {
    pub fn blob(&self) -> &Blob {
        self.extended[..131_072].try_into().expect("a blob")
    }

    pub fn cell(&self, k: usize) -> &[u8] {
        &self.extended[2048 * k..2048 * (k + 1)]
    }
}

pub fn horner(coefficients: &[Fr], x: Fr) -> Fr {
    coefficients.iter().rev().fold(Fr::ZERO, |value, c| value * x + c)
}

pub fn compress(point: impl Into<G1Affine>) -> Bytes48 {
    let mut out = Vec::new();
    point.into().serialize_compressed(&mut out).expect("48 bytes");
    out.try_into().expect("48 bytes")
}

/// Points in the form of the setup's files: of each three x₁ ‖ x₂ ‖ x₃ ‖ y₁ + y₂ + y₃, of the last one x ‖ y; big-endian.
fn setup_file(points: &[G1Affine]) -> Vec<u8> {
    let numbers = points.chunks(3).flat_map(|points| {
        let xs = points.iter().map(|point| point.x);
        xs.chain([points.iter().map(|point| point.y).sum::<Fq>()]).collect::<Vec<_>>()
    });
    numbers.flat_map(|number| number.into_bigint().to_bytes_be()).collect()
}

pub fn random(rng: &mut Rng) -> Fr {
    Fr::from_be_bytes_mod_order(&rng.bytes::<32>())
}

/// A setup's bytes: 64 powers of τ in G1, then τ and τ⁶⁴ in G2.
pub fn setup_bytes(tau: Fr) -> [u8; SETUP_BYTES] {
    let mut bytes = Vec::new();
    let mut power = Fr::ONE;
    for _ in 0..64 {
        bytes.extend(compress(G1Projective::generator() * power));
        power *= tau;
    }
    for scalar in [tau, power] {
        let point = (G2Projective::generator() * scalar).into_affine();
        point.serialize_compressed(&mut bytes).expect("a point");
    }
    bytes.try_into().expect("3,264 bytes")
}

impl KnownTau {
    pub fn new(seed: u64) -> Self {
        let tau = random(&mut Rng(seed));
        let bytes = setup_bytes(tau);
        Self { tau, setup: Setup::from_bytes(&bytes).expect("a setup"), naive: NaiveSetup::of(&bytes) }
    }

    /// The points of 64 cells, in the form of the setup's files: τⁱ·(τ⁴⁰⁹⁶ ∓ 1)/(τ⁶⁴ − D[k]) times the generator, for the blob's own cells (`first` is 0) or those
    /// of the extension (64).
    pub fn points_of_cells(&self, first: usize) -> Vec<u8> {
        let one = if first == 0 { Fr::ONE } else { -Fr::ONE };
        let numerator = self.tau.pow([4096]) - one;
        let scalars: Vec<Fr> = (first..first + 64)
            .flat_map(|k| {
                let start = numerator / (self.tau.pow([64]) - root(k));
                (0..64).scan(start, |scalar, _| {
                    let this = *scalar;
                    *scalar *= self.tau;
                    Some(this)
                })
            })
            .collect();
        setup_file(&G1Projective::generator().batch_mul(&scalars))
    }

    /// What commitments are sums of.
    pub fn commitment_setup(&self) -> CommitmentSetup {
        CommitmentSetup::from_bytes(&self.points_of_cells(0)).expect("points")
    }

    /// A random polynomial with `count` coefficients.
    pub fn polynomial(&self, rng: &mut Rng, count: usize) -> Polynomial {
        let mut coefficients: Vec<Fr> = (0..count).map(|_| random(rng)).collect();
        coefficients.resize(4096, Fr::ZERO);
        let at_tau = horner(&coefficients, self.tau);
        let mut values: Vec<Scalar> = coefficients.iter().map(|c| ours(*c)).collect();
        values.resize(8192, ours(Fr::ZERO));
        fft::evaluate(&mut values, 0); // checked against Horner's rule in transforms.rs
        let commitment = compress(G1Projective::generator() * at_tau);
        Polynomial {
            extended: values.iter().flat_map(scalar_to_be).collect(),
            coefficients,
            at_tau,
            commitment,
        }
    }

    pub fn blob_proof(&self, p: &Polynomial) -> Bytes48 {
        let z = theirs(compute_challenges(&[(p.blob(), &p.commitment)])[0]);
        let quotient = (p.at_tau - horner(&p.coefficients, z)) / (self.tau - z);
        compress(G1Projective::generator() * quotient)
    }

    pub fn cell_proof(&self, p: &Polynomial, k: usize) -> Bytes48 {
        let h64 = theirs(roots::domain(k));
        let mut remainder = vec![Fr::ZERO; 64];
        for chunk in p.coefficients.chunks(64).rev() {
            remainder.iter_mut().zip(chunk).for_each(|(r, c)| *r = *r * h64 + c);
        }
        let quotient = (p.at_tau - horner(&remainder, self.tau)) / (self.tau.pow([64]) - h64);
        compress(G1Projective::generator() * quotient)
    }

    pub fn blob_unit(&self, p: &Polynomial) -> Vec<u8> {
        Unit::blob(&p.commitment, &self.blob_proof(p), p.blob()).expect("a unit").to_bytes()
    }

    pub fn bare_unit(&self, p: &Polynomial) -> Vec<u8> {
        BareBlob::of_commitment(&p.commitment, p.blob()).expect("a unit").to_bytes()
    }

    pub fn column_unit(&self, polynomials: &[&Polynomial], k: usize) -> Vec<u8> {
        let commitments: Vec<Bytes48> = polynomials.iter().map(|p| p.commitment).collect();
        let proofs: Vec<Bytes48> = polynomials.iter().map(|p| self.cell_proof(p, k)).collect();
        let cells: Vec<Cell> = polynomials.iter().map(|p| p.cell(k).try_into().expect("a cell")).collect();
        Unit::column(k as u64, &commitments, &proofs, &cells).expect("a unit").to_bytes()
    }

    pub fn extended_unit(&self, p: &Polynomial) -> Vec<u8> {
        let proofs: [Bytes48; 128] = from_fn(|k| self.cell_proof(p, k));
        Unit::ExtendedBlob { commitment: &p.commitment, proofs: &proofs, blob: p.blob() }.to_bytes()
    }
}

/// A true unit made false, and still well-formed: another point for one of its proofs.
pub fn falsify(unit: &[u8], row: usize, rng: &mut Rng) -> Vec<u8> {
    let mut unit = unit.to_vec();
    let at = match unit[0] {
        2 => {
            let n = usize::from(u16::from_le_bytes([unit[2], unit[3]]));
            4 + 48 * n + 48 * row
        }
        1 => 1,
        _ => 49 + 48 * row,
    };
    unit[at..at + 48].copy_from_slice(&compress(G1Projective::generator() * random(rng)));
    unit
}

pub fn views(units: &[Vec<u8>]) -> Vec<&[u8]> {
    units.iter().map(Vec::as_slice).collect()
}

/// The compressed form of a point of the curve outside G1.
pub fn outside_g1() -> Bytes48 {
    find(|bytes| blobcheck_curve::g1_encoding::decompress(&[*bytes])[0] == Err(PointError::NotInSubgroup))
}

/// 48 bytes that are well encoded, with an x that no point has.
pub fn off_curve() -> Bytes48 {
    find(|bytes| blobcheck_curve::g1_encoding::decompress(&[*bytes])[0] == Err(PointError::NotOnCurve))
}

fn find(wanted: impl Fn(&Bytes48) -> bool) -> Bytes48 {
    let candidates = (0..=255).map(|x| {
        let mut bytes = [0; 48];
        (bytes[0], bytes[47]) = (0x80, x);
        bytes
    });
    candidates.into_iter().find(|bytes| wanted(bytes)).expect("one of 256")
}
