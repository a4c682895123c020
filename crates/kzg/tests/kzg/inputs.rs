//! What the specification's functions refuse, in which order.

use crate::support::known_tau::outside_g1;
use crate::support::{fresh, setup};
use blobcheck_kzg::api::*;
use blobcheck_kzg::randomness::coefficients;
use blobcheck_kzg::setup::{SetupError, ETHEREUM_ID};
use blobcheck_kzg::{commitment_setup, CommitmentSetup, InputError, Reason, Setup, ETHEREUM};
use blobcheck_sha256::sha256;

const SEED: [u8; 32] = [1; 32];

fn infinity() -> [u8; 48] {
    let mut bytes = [0; 48];
    bytes[0] = 0xc0;
    bytes
}

fn refused<T: PartialEq + std::fmt::Debug>(result: Result<T, InputError>, reason: Reason, index: usize) {
    assert_eq!(result, Err(InputError { reason, index }));
}

#[test]
fn openings() {
    let (p, z, large) = (infinity(), [0; 32], [0xff; 32]);
    assert_eq!(verify_kzg_proof(setup(), &p, &z, &z, &p), Ok(true));
    refused(verify_kzg_proof(setup(), &p[1..], &z[1..], &z, &p), Reason::CommitmentLength, 0);
    refused(verify_kzg_proof(setup(), &p, &z[1..], &z[1..], &p), Reason::ScalarLength, 0);
    refused(verify_kzg_proof(setup(), &p, &large, &z[1..], &p), Reason::ScalarLength, 1);
    refused(verify_kzg_proof(setup(), &p, &large, &z, &[]), Reason::ProofLength, 0);
    refused(verify_kzg_proof(setup(), &[0; 48], &large, &large, &p), Reason::ScalarNotCanonical, 0);
    refused(verify_kzg_proof(setup(), &[0; 48], &z, &large, &p), Reason::ScalarNotCanonical, 1);
    refused(verify_kzg_proof(setup(), &[0; 48], &z, &z, &[0; 48]), Reason::CommitmentEncoding, 0);
    refused(verify_kzg_proof(setup(), &p, &z, &z, &[0; 48]), Reason::ProofEncoding, 0);
    refused(verify_kzg_proof(setup(), &outside_g1(), &z, &z, &p), Reason::CommitmentNotInSubgroup, 0);
    refused(verify_kzg_proof(setup(), &p, &z, &z, &outside_g1()), Reason::ProofNotInSubgroup, 0);
}

#[test]
fn blobs() {
    let (p, blob) = (infinity(), vec![0; 131_072]);
    let mut large = blob.clone();
    large[64..96].fill(0xff);
    assert_eq!(verify_blob_kzg_proof(setup(), &blob, &p, &p), Ok(true));
    refused(verify_blob_kzg_proof(setup(), &blob[1..], &[], &[]), Reason::BlobLength, 0);
    refused(verify_blob_kzg_proof(setup(), &large, &p, &p), Reason::ScalarNotCanonical, 0);
    let batch = |blobs: &[&[u8]], commitments: &[&[u8]], proofs: &[&[u8]]| {
        verify_blob_kzg_proof_batch(setup(), blobs, commitments, proofs, fresh(SEED))
    };
    assert_eq!(batch(&[], &[], &[]), Ok(true));
    assert_eq!(batch(&[&blob, &blob], &[&p, &p], &[&p, &p]), Ok(true));
    refused(batch(&[&blob], &[&p, &p], &[&p]), Reason::ArrayLengths, 0);
    refused(batch(&[&blob], &[&p], &[]), Reason::ArrayLengths, 0);
    refused(batch(&[&large, &blob], &[&p, &p[1..]], &[&p, &p]), Reason::CommitmentLength, 1);
    refused(batch(&[&blob, &large], &[&p, &p], &[&p, &p]), Reason::ScalarNotCanonical, 1);
    refused(batch(&[&blob, &blob], &[&p, &p], &[&p, &outside_g1()]), Reason::ProofNotInSubgroup, 1);
}

#[test]
fn cells() {
    let (p, cell) = (infinity(), [0; 2048]);
    let batch = |commitments: &[&[u8]], indices: &[u64], cells: &[&[u8]], proofs: &[&[u8]]| {
        verify_cell_kzg_proof_batch(setup(), commitments, indices, cells, proofs, fresh(SEED))
    };
    assert_eq!(batch(&[], &[], &[], &[]), Ok(true));
    assert_eq!(batch(&[&p, &p], &[127, 127], &[&cell, &cell], &[&p, &p]), Ok(true));
    refused(batch(&[], &[0], &[&cell], &[&p]), Reason::ArrayLengths, 0);
    refused(batch(&[&p], &[], &[&cell], &[&p]), Reason::ArrayLengths, 0);
    refused(batch(&[&p], &[128], &[&cell[1..]], &[&p]), Reason::CellLength, 0);
    refused(batch(&[&p, &p], &[0, 128], &[&[0xff; 2048], &cell], &[&p, &p]), Reason::CellIndex, 1);
    refused(batch(&[&p], &[u64::MAX], &[&cell], &[&p]), Reason::CellIndex, 0);
    refused(batch(&[&p, &[0; 48]], &[0, 1], &[&cell, &cell], &[&p, &p]), Reason::CommitmentEncoding, 1);
    refused(batch(&[&p], &[0], &[&[0xff; 2048]], &[&p]), Reason::ScalarNotCanonical, 0);
    let challenge = |commitment_indices: &[u64], indices: &[u64]| {
        compute_verify_cell_kzg_proof_batch_challenge(&[&p], commitment_indices, indices, &[&cell], &[&p])
    };
    assert!(challenge(&[0], &[0]).is_ok());
    refused(challenge(&[1], &[0]), Reason::CommitmentIndex, 0);
    refused(challenge(&[0], &[128]), Reason::CellIndex, 0);
    refused(challenge(&[], &[0]), Reason::ArrayLengths, 0);
}

#[test]
fn extension() {
    refused(compute_cells(&[0; 5]), Reason::BlobLength, 0);
    refused(compute_cells(&[0xff; 131_072]), Reason::ScalarNotCanonical, 0);
    refused(compute_challenge(&[0; 5], &infinity()), Reason::BlobLength, 0);
}

/// As documented, one hash after the other: 128 bits each, and no two of one place, in a batch of any length.
#[test]
fn coefficients_are_halves_of_digests() {
    for (seed, count) in [(SEED, 131_073), ([2; 32], 7), (SEED, 1), (SEED, 0)] {
        let found = coefficients(&seed, count);
        assert_eq!(found.len(), count);
        for (counter, pair) in (0_u64..).zip(found.chunks(2)) {
            let digest = sha256(&[b"blobcheck/coefficients/1", &seed, &counter.to_le_bytes()]);
            let halves = [0, 16].map(|at| u128::from_le_bytes(digest[at..at + 16].try_into().expect("half")));
            assert_eq!(*pair, halves[..pair.len()], "{counter}");
        }
    }
}

#[test]
fn setups() {
    assert_eq!(setup().id(), ETHEREUM_ID);
    let with = |at: usize, byte: u8| {
        let mut bytes = *ETHEREUM;
        bytes[at] = byte;
        Setup::from_bytes(&bytes).map(drop)
    };
    assert_eq!(with(0, 0x80), Err(SetupError::Generator));
    assert!(matches!(with(48, 0x00), Err(SetupError::Point(_))));
    assert!(matches!(with(64 * 48, 0x00), Err(SetupError::Point(_))));
    assert!(matches!(with(64 * 48 + 96, 0x00), Err(SetupError::Point(_))));
    // Beyond the points of G1 is the first of them, and nothing of G2.
    for i in [64, 65, 68, usize::MAX] {
        assert_eq!(setup().g1_bytes(i), setup().g1_bytes(0));
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let error = InputError { reason: Reason::CommitmentEncoding, index: 7 };
    assert_eq!(error.to_string(), format!("{} (element 7)", Reason::CommitmentEncoding.name()));
    let length = CommitmentSetup::from_bytes(&[0; 5]).expect_err("five bytes").to_string();
    assert_eq!(length, "the points of 64 cells are 262176 bytes");
    assert!(commitment_setup::CommitmentSetupError::Triple(3).to_string().contains("number 3"));
}
