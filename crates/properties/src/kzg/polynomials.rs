//! Polynomials of few terms, whose commitments and proofs are sums of few of the ceremony's powers, so that an input costs milliseconds and no
//! prover is wanted.

use crate::draw::{below, rng, scalar};
use crate::points::compress;
use arbitrary::{Result, Unstructured};
use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ec::CurveGroup;
use ark_ff::{AdditiveGroup, BigInteger, Field, PrimeField};
use ark_serialize::CanonicalDeserialize;
use blobcheck_kzg::{api, Setup, ETHEREUM};
use c_kzg::KzgSettings;
use std::sync::OnceLock;

pub(super) type Bytes48 = [u8; 48];

/// Exponents that polynomials have: below 64, a cell's remainder; from 64 on, its quotient too.
pub(super) const EXPONENTS: [usize; 7] = [0, 1, 2, 63, 64, 65, 127];

/// What is made once.
pub(super) struct World {
    pub(super) ours: Setup,
    pub(super) theirs: &'static KzgSettings,
    /// \[τ^i\] for i < 128.
    pub(super) powers: Vec<G1Affine>,
    /// ω^i for i < 8,192.
    pub(super) roots: Vec<Fr>,
}

pub(super) fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        let theirs = c_kzg::ethereum_kzg_settings(0);
        let ours = Setup::from_bytes(ETHEREUM).unwrap_or_else(|error| panic!("{error:?}"));
        let omega = Fr::from(7).pow((-Fr::ONE / Fr::from(8192)).into_bigint());
        let roots: Vec<Fr> =
            core::iter::successors(Some(Fr::ONE), |root| Some(*root * omega)).take(8192).collect();
        let read =
            |bytes: &[u8]| G1Affine::deserialize_compressed(bytes).unwrap_or_else(|error| panic!("{error}"));
        let mut powers: Vec<G1Affine> = (0..64).map(|i| read(ours.g1_bytes(i))).collect();
        // The others are commitments.
        for exponent in 64..128 {
            let needed = EXPONENTS.contains(&exponent);
            let blob = needed.then(|| blob_of(&roots, &[(exponent, Fr::ONE)]));
            powers.push(blob.map_or(G1Affine::identity(), |blob| {
                let commitment = theirs.blob_to_kzg_commitment(&ckzg_blob(&blob[..131_072]));
                read(&commitment.map(|point| point.to_bytes().into_inner()).unwrap_or([0; 48]))
            }));
        }
        World { ours, theirs, powers, roots }
    })
}

pub(super) fn ckzg48(bytes: &Bytes48) -> c_kzg::Bytes48 {
    c_kzg::Bytes48::new(*bytes)
}

pub(super) fn ckzg_blob(bytes: &[u8]) -> c_kzg::Blob {
    c_kzg::Blob::from_bytes(bytes).unwrap_or_else(|error| panic!("{error:?}"))
}

/// The place of the k-th value among powers of ω.
pub(super) fn reversed(k: usize) -> usize {
    k.reverse_bits() >> (usize::BITS - 13)
}

pub(super) fn be(value: Fr) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes.copy_from_slice(&value.into_bigint().to_bytes_be());
    bytes
}

/// The 8,192 values of a polynomial of these terms.
pub(super) fn blob_of(roots: &[Fr], terms: &[(usize, Fr)]) -> Vec<u8> {
    let value =
        |k| terms.iter().map(|(exponent, factor)| roots[reversed(k) * exponent % 8192] * factor).sum();
    (0..8192).flat_map(|k| be(value(k))).collect()
}

/// A polynomial of up to three terms.
pub(super) struct Polynomial {
    terms: Vec<(usize, Fr)>,
    extended: Vec<u8>,
    pub(super) commitment: Bytes48,
}

impl Polynomial {
    /// Exponents among the first `most` of [`EXPONENTS`].
    pub(super) fn draw(input: &mut Unstructured<'_>, most: usize) -> Result<Self> {
        let terms = (0..below(input, 4)?)
            .map(|_| Ok((EXPONENTS[below(input, most)?], Fr::from_be_bytes_mod_order(&scalar(input)?))))
            .collect::<Result<Vec<_>>>()?;
        let commitment: G1Projective =
            terms.iter().map(|(exponent, factor)| world().powers[*exponent] * factor).sum();
        let extended = blob_of(&world().roots, &terms);
        Ok(Self { terms, extended, commitment: compress(&commitment.into_affine()) })
    }

    pub(super) fn blob(&self) -> &[u8] {
        &self.extended[..131_072]
    }

    pub(super) fn at(&self, x: Fr) -> Fr {
        self.terms.iter().map(|(exponent, factor)| x.pow([*exponent as u64]) * factor).sum()
    }

    /// The proof of the value at z: (X^e − z^e)/(X − z) = Σ z^(e−1−j)·X^j.
    pub(super) fn opening(&self, z: Fr) -> Bytes48 {
        let mut proof = G1Projective::ZERO;
        for (exponent, factor) in &self.terms {
            for j in 0..*exponent {
                proof += world().powers[j] * (z.pow([(exponent - 1 - j) as u64]) * factor);
            }
        }
        compress(&proof.into_affine())
    }

    pub(super) fn blob_proof(&self) -> Bytes48 {
        let z = api::compute_challenge(self.blob(), &self.commitment);
        self.opening(Fr::from_be_bytes_mod_order(&z.unwrap_or_else(|error| panic!("{error}"))))
    }

    pub(super) fn cell(&self, k: usize) -> &[u8] {
        &self.extended[2048 * k..2048 * (k + 1)]
    }

    /// X^(64 + j) is X^j·(X⁶⁴ − h⁶⁴) and a remainder, whatever the cell.
    pub(super) fn cell_proof(&self) -> Bytes48 {
        let high = self.terms.iter().filter(|(exponent, _)| *exponent >= 64);
        let proof: G1Projective = high.map(|(exponent, factor)| world().powers[exponent - 64] * factor).sum();
        compress(&proof.into_affine())
    }
}

/// A blob of few terms, or of field elements of any size.
pub(super) fn draw_blob(input: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    if input.arbitrary()? {
        return Ok(Polynomial::draw(input, EXPONENTS.len())?.blob().to_vec());
    }
    let mut random = rng(input)?;
    let element = |_| {
        let mut element: [u8; 32] = random.bytes();
        element[0] &= 0x3f;
        element
    };
    Ok((0..4096).flat_map(element).collect())
}
