//! The official vectors of c-kzg, one test for each function of the specification. `output: null` is an
//! error, never `false`.

use crate::support::{cases, fresh, setup, Case, Value};
use blobcheck_kzg::randomness::FiatShamir;
use blobcheck_kzg::{api, InputError};

/// Two seed sources must agree with every vector: a fixed seed and Fiat–Shamir.
fn assert_verdict(case: &Case, verdict: Result<bool, InputError>) {
    match case.output {
        Value::Null => assert!(verdict.is_err(), "{}: {verdict:?} where an error is expected", case.name),
        Value::Bool(expected) => assert_eq!(verdict, Ok(expected), "{}", case.name),
        ref other => panic!("{}: {other:?}", case.name),
    }
}

#[test]
fn verify_kzg_proof() {
    for case in cases("verify_kzg_proof") {
        let input = |key| case.input(key).bytes();
        let verdict =
            api::verify_kzg_proof(setup(), input("commitment"), input("z"), input("y"), input("proof"));
        assert_verdict(&case, verdict);
    }
}

#[test]
fn verify_blob_kzg_proof() {
    for case in cases("verify_blob_kzg_proof") {
        let input = |key| case.input(key).bytes();
        let verdict = api::verify_blob_kzg_proof(setup(), input("blob"), input("commitment"), input("proof"));
        assert_verdict(&case, verdict);
    }
}

#[test]
fn verify_blob_kzg_proof_batch() {
    for case in cases("verify_blob_kzg_proof_batch") {
        let input = |key| case.input(key).byte_lists();
        let (blobs, commitments, proofs) = (input("blobs"), input("commitments"), input("proofs"));
        let run = |seeded: bool| match seeded {
            true => api::verify_blob_kzg_proof_batch(setup(), &blobs, &commitments, &proofs, fresh([7; 32])),
            false => api::verify_blob_kzg_proof_batch(setup(), &blobs, &commitments, &proofs, FiatShamir),
        };
        assert_verdict(&case, run(true));
        assert_verdict(&case, run(false));
    }
}

#[test]
fn verify_cell_kzg_proof_batch() {
    for case in cases("verify_cell_kzg_proof_batch") {
        let input = |key| case.input(key).byte_lists();
        let (commitments, cells, proofs) = (input("commitments"), input("cells"), input("proofs"));
        let indices = case.input("cell_indices").numbers();
        let verdict = api::verify_cell_kzg_proof_batch(
            setup(),
            &commitments,
            &indices,
            &cells,
            &proofs,
            fresh([7; 32]),
        );
        assert_verdict(&case, verdict);
        let verdict =
            api::verify_cell_kzg_proof_batch(setup(), &commitments, &indices, &cells, &proofs, FiatShamir);
        assert_verdict(&case, verdict);
    }
}

#[test]
fn compute_challenge() {
    for case in cases("compute_challenge") {
        let challenge = api::compute_challenge(case.input("blob").bytes(), case.input("commitment").bytes());
        assert_eq!(
            challenge.map(|bytes| bytes.to_vec()).as_deref(),
            Ok(case.output.bytes()),
            "{}",
            case.name
        );
    }
}

#[test]
fn compute_verify_cell_kzg_proof_batch_challenge() {
    for case in cases("compute_verify_cell_kzg_proof_batch_challenge") {
        let cells: Vec<Vec<u8>> =
            case.input("cosets_evals").list().iter().map(|cell| cell.byte_lists().concat()).collect();
        let cells: Vec<&[u8]> = cells.iter().map(Vec::as_slice).collect();
        let challenge = api::compute_verify_cell_kzg_proof_batch_challenge(
            &case.input("commitments").byte_lists(),
            &case.input("commitment_indices").numbers(),
            &case.input("cell_indices").numbers(),
            &cells,
            &case.input("proofs").byte_lists(),
        );
        assert_eq!(
            challenge.map(|bytes| bytes.to_vec()).as_deref(),
            Ok(case.output.bytes()),
            "{}",
            case.name
        );
    }
}

#[test]
fn compute_cells() {
    for case in cases("compute_cells") {
        let cells = api::compute_cells(case.input("blob").bytes());
        match &case.output {
            Value::Null => assert!(cells.is_err(), "{}", case.name),
            expected => assert_eq!(cells, Ok(expected.byte_lists().concat()), "{}", case.name),
        }
    }
}

/// The cells' half of `recover_cells_and_kzg_proofs`.
#[test]
fn recover_cells() {
    for case in cases("recover_cells_and_kzg_proofs") {
        let cells =
            api::recover_cells(&case.input("cell_indices").numbers(), &case.input("cells").byte_lists());
        match &case.output {
            Value::Null => assert!(cells.is_err(), "{}", case.name),
            expected => assert_eq!(cells, Ok(expected.list()[0].byte_lists().concat()), "{}", case.name),
        }
    }
}
