//! The specification, step by step and slowly: an oracle that shares no method with the crate.
#![allow(dead_code)]

use ark_bls12_381::{Bls12_381, Fr, G1Affine, G1Projective, G2Affine, G2Projective};
use ark_ec::pairing::Pairing;
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{Field, PrimeField};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use blobcheck_curve::scalar::{scalar_from_be, scalar_to_be, Scalar};

/// `reverse_bits(n, order)`, `order` a power of two.
pub fn reverse_bits(n: usize, order: usize) -> usize {
    n.reverse_bits() >> (usize::BITS - order.trailing_zeros())
}

/// The i-th point of the bit-reversed domain of 8,192 points.
pub fn root(i: usize) -> Fr {
    let mut exponent = Fr::MODULUS;
    exponent.0[0] -= 1;
    let omega = (0..13).fold(exponent, |mut e, _| {
        ark_ff::BigInteger::div2(&mut e);
        e
    });
    Fr::from(7).pow(omega).pow([reverse_bits(i, 8192) as u64])
}

pub fn scalar(bytes: &[u8]) -> Option<Fr> {
    let mut little: Vec<u8> = bytes.to_vec();
    little.reverse();
    Fr::deserialize_uncompressed(little.as_slice()).ok()
}

pub fn bytes(scalar: Fr) -> [u8; 32] {
    let mut out = Vec::new();
    scalar.serialize_uncompressed(&mut out).expect("32 bytes");
    out.reverse();
    out.try_into().expect("32 bytes")
}

/// The crate's scalar, which may be another type (feature `baseline` of blobcheck-curve).
pub fn ours(scalar: Fr) -> Scalar {
    scalar_from_be(&bytes(scalar)).expect("canonical")
}

pub fn theirs(scalar: Scalar) -> Fr {
    self::scalar(&scalar_to_be(&scalar)).expect("canonical")
}

pub fn point(bytes: &[u8]) -> Option<G1Affine> {
    G1Affine::deserialize_compressed(bytes).ok()
}

/// `evaluate_polynomial_in_evaluation_form`: the barycentric formula, with the case of z in the domain.
pub fn evaluate(blob: &[Fr], z: Fr) -> Fr {
    let roots: Vec<Fr> = (0..4096).map(root).collect();
    if let Some(at) = roots.iter().position(|x| *x == z) {
        return blob[at];
    }
    let sum: Fr = blob.iter().zip(&roots).map(|(f, x)| *f * x * (z - x).inverse().expect("not zero")).sum();
    sum * (z.pow([4096]) - Fr::ONE) * Fr::from(4096).inverse().expect("not zero")
}

/// The coefficients of the polynomial of degree < 64 that takes a cell's values on its coset.
pub fn interpolate_cell(index: usize, cell: &[Fr]) -> Vec<Fr> {
    let points: Vec<Fr> = (0..64).map(|j| root(64 * index + j)).collect();
    // Σⱼ xⱼ^(m−i) is 64 for m = i and zero for other |m − i| < 64.
    (0..64u64)
        .map(|i| {
            let sum: Fr =
                cell.iter().zip(&points).map(|(v, x)| *v * x.inverse().expect("a root").pow([i])).sum();
            sum * Fr::from(64).inverse().expect("not zero")
        })
        .collect()
}

/// The setup's points, all decompressed by arkworks.
pub struct NaiveSetup {
    g1: Vec<G1Affine>,
    tau: G2Affine,
    tau64: G2Affine,
}

impl NaiveSetup {
    pub fn of(bytes: &[u8]) -> Self {
        Self {
            g1: bytes[..64 * 48].chunks(48).map(|bytes| point(bytes).expect("a point")).collect(),
            tau: G2Affine::deserialize_compressed(&bytes[64 * 48..][..96]).expect("a point"),
            tau64: G2Affine::deserialize_compressed(&bytes[64 * 48 + 96..]).expect("a point"),
        }
    }

    /// `verify_kzg_proof_impl`: e(C − \[y\], \[1\]) = e(π, \[τ − z\]).
    pub fn opening(&self, commitment: G1Affine, z: Fr, y: Fr, proof: G1Affine) -> bool {
        let g2 = G2Projective::generator();
        let left = Bls12_381::pairing(commitment - G1Projective::generator() * y, g2);
        left == Bls12_381::pairing(proof, self.tau - g2 * z)
    }

    /// One cell by itself: e(C − \[I(τ)\], \[1\]) = e(π, \[τ⁶⁴ − h⁶⁴\]).
    pub fn cell(&self, commitment: G1Affine, index: usize, cell: &[Fr], proof: G1Affine) -> bool {
        let g2 = G2Projective::generator();
        let interpolation: G1Projective =
            interpolate_cell(index, cell).iter().zip(&self.g1).map(|(c, power)| power.into_group() * c).sum();
        let h = root(64 * index);
        let left = Bls12_381::pairing((commitment - interpolation).into_affine(), g2);
        left == Bls12_381::pairing(proof, self.tau64 - g2 * h.pow([64]))
    }
}
