//! The points that the build derives from the powers of τ, against their definition; and how bytes are read.

use crate::known_tau_setup::{bytes, ethereum_bytes, setup};
use crate::support::known_tau::{compress, KnownTau};
use ark_bls12_381::{Fr, G1Projective};
use ark_ec::scalar_mul::ScalarMul;
use ark_ec::PrimeGroup;
use ark_ff::Field;
use blobcheck_curve::PointError;
use blobcheck_kzg::commitment_setup::{CommitmentSetup, SetupError};
use blobcheck_kzg::setup::ETHEREUM;
use blobcheck_prover::{derive, ExtendedSetup};

#[test]
fn from_the_powers() {
    let known_tau = KnownTau::new(1);
    let powers: Vec<Fr> = (0..4096).map(|i| known_tau.tau.pow([i])).collect();
    let powers = G1Projective::generator().batch_mul(&powers);
    let mut monomials: Vec<[u8; 48]> = powers.iter().map(|point| compress(*point)).collect();
    let expected = bytes(&known_tau);
    assert!(derive::setup_bytes(&monomials).as_ref() == Ok(&expected));
    monomials[4095] = crate::support::known_tau::off_curve();
    assert_eq!(derive::setup_bytes(&monomials), Err(PointError::NotOnCurve));
}

/// The ceremony's powers begin with those that the verifier has, and give the pinned bytes.
#[test]
fn ethereum() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/monomials.bin");
    let monomials = std::fs::read(path).expect("monomials.bin: run `cargo xtask data`");
    assert_eq!(monomials.len(), 4096 * 48);
    assert_eq!(monomials[..64 * 48], ETHEREUM[..64 * 48]);
    let [blob, extension] = ethereum_bytes();
    assert_eq!(blobcheck_sha256::sha256(&[blob]), CommitmentSetup::ETHEREUM_ID);
    assert_eq!(blobcheck_sha256::sha256(&[extension]), ExtendedSetup::ETHEREUM_ID);
}

#[test]
fn refused_bytes() {
    let (known_tau, extended) = setup();
    let [good, extension] = bytes(known_tau);
    let read = |bytes: &[u8]| CommitmentSetup::from_bytes(bytes).map(drop);
    assert_eq!(read(&good[1..]), Err(SetupError::Length));
    assert_eq!(read(&[]), Err(SetupError::Length));
    assert_eq!(read(&[&good[..], &[0]].concat()), Err(SetupError::Length));
    let mut bad = good.clone();
    bad[4095 * 96 + 95] ^= 1;
    assert_eq!(read(&bad), Err(SetupError::Point(4095)));
    bad[3 * 96..4 * 96].fill(0xff);
    assert_eq!(read(&bad), Err(SetupError::Point(3)));
    assert_eq!(CommitmentSetup::ethereum(&good).map(drop), Err(SetupError::Hash));
    let extend = |bytes: &[u8]| ExtendedSetup::from_bytes(extended.blob().clone(), bytes).map(drop);
    assert_eq!(extend(&extension), Ok(()));
    assert_eq!(extend(&extension[96..]), Err(SetupError::Length));
    let hashed = ExtendedSetup::ethereum(extended.blob().clone(), &extension);
    assert_eq!(hashed.map(drop), Err(SetupError::Hash));
}
