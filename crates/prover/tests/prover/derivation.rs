//! The points that the build derives from the powers of τ, against their definition; and how bytes are read.

use crate::known_tau_setup::{bytes, ethereum_bytes, setup};
use crate::support::known_tau::{compress, KnownTau};
use ark_bls12_381::{Fr, G1Projective};
use ark_ec::scalar_mul::ScalarMul;
use ark_ec::PrimeGroup;
use ark_ff::Field;
use blobcheck_curve::uncompressed::to_uncompressed;
use blobcheck_curve::{g1, PointError};
use blobcheck_kzg::commitment_setup::{read_points, write_points, CommitmentSetup, CommitmentSetupError};
use blobcheck_kzg::setup::ETHEREUM;
use blobcheck_prover::{derive, ExtendedSetup};
use blobcheck_sha256::sha256;

#[test]
fn from_the_powers() {
    let known_tau = KnownTau::new(1);
    let powers: Vec<Fr> = (0..4096).map(|i| known_tau.tau.pow([i])).collect();
    let powers = G1Projective::generator().batch_mul(&powers);
    let mut monomials: Vec<[u8; 48]> = powers.iter().map(|point| compress(*point)).collect();
    let expected = bytes(&known_tau);
    let derived = derive::setup_points(&monomials).expect("points of the curve");
    assert!(derived.map(|points| write_points(&points)) == expected.map(Ok));
    monomials[4095] = crate::support::known_tau::off_curve();
    assert_eq!(derive::setup_points(&monomials), Err(PointError::NotOnCurve));
}

/// The ceremony's powers begin with those that the verifier has, and give the pinned bytes.
#[test]
fn ethereum() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/monomials.bin");
    let monomials = std::fs::read(path).expect("monomials.bin: run `cargo xtask data`");
    assert_eq!(monomials.len(), 4096 * 48);
    assert_eq!(monomials[..64 * 48], ETHEREUM[..64 * 48]);
    let [blob, extension] = ethereum_bytes();
    assert_eq!(sha256(&[blob]), CommitmentSetup::ETHEREUM_ID);
    assert_eq!(sha256(&[extension]), ExtendedSetup::ETHEREUM_ID);
}

/// The points that are read are the ceremony's, whatever form the files have: SHA-256 of all x ‖ y.
#[test]
fn points() {
    let hashes = ethereum_bytes().each_ref().map(|bytes| {
        let points = read_points(bytes).expect("points");
        assert_eq!(write_points(&points).as_ref(), Ok(bytes));
        let uncompressed: Vec<u8> = points.iter().flat_map(to_uncompressed).collect();
        assert_eq!(uncompressed.len(), 393_216);
        sha256(&[&uncompressed]).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    });
    assert_eq!(
        hashes,
        [
            "556809daa82fe71acb4b380c178406e8c505e80537decd7c207f7764ceba8862",
            "d120450456b69d42af9b63c119410173ec4b14d4e79ffcb65b89e44d2ec7e11f",
        ]
    );
}

#[test]
fn refused_bytes() {
    let (known_tau, extended) = setup();
    let [good, extension] = bytes(known_tau);
    let read = |bytes: &[u8]| CommitmentSetup::from_bytes(bytes).map(drop);
    assert_eq!(read(&good[1..]), Err(CommitmentSetupError::Length));
    assert_eq!(read(&[]), Err(CommitmentSetupError::Length));
    assert_eq!(read(&[&good[..], &[0]].concat()), Err(CommitmentSetupError::Length));
    let mut bad = good.clone();
    bad[1365 * 192 + 95] ^= 1;
    assert_eq!(read(&bad), Err(CommitmentSetupError::Point(4095)));
    // A sum of zero, which three points and their opposites would have.
    bad[2 * 192 + 144..3 * 192].fill(0);
    assert_eq!(read(&bad), Err(CommitmentSetupError::Point(6)));
    bad[192..2 * 192].fill(0xff);
    assert_eq!(read(&bad), Err(CommitmentSetupError::Point(3)));
    assert_eq!(CommitmentSetup::ethereum(&good).map(drop), Err(CommitmentSetupError::Hash));
    let extend = |bytes: &[u8]| ExtendedSetup::from_bytes(extended.blob().clone(), bytes).map(drop);
    assert_eq!(extend(&extension), Ok(()));
    assert_eq!(extend(&extension[96..]), Err(CommitmentSetupError::Length));
    let hashed = ExtendedSetup::ethereum(extended.blob().clone(), &extension);
    assert_eq!(hashed.map(drop), Err(CommitmentSetupError::Hash));
}

#[test]
fn refused_points() {
    let mut points = setup().1.blob().points().to_vec();
    assert_eq!(write_points(&points[1..]), Err(CommitmentSetupError::Length));
    points[4] = -points[5];
    assert_eq!(write_points(&points), Err(CommitmentSetupError::Triple(3)));
    // Points that are as ordinary as others do not hide one that is not.
    points[4] = points[5];
    assert!(write_points(&points).is_ok());
    points[4092] = g1::normalize(&[g1::identity()])[0];
    assert_eq!(write_points(&points), Err(CommitmentSetupError::Triple(4092)));
}
