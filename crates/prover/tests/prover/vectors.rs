//! The official vectors of c-kzg, one test for each function of the specification. `output: null` is an error.

use crate::known_tau_setup::ethereum;
use crate::support::{cases, Case, Value};
use blobcheck_curve::fixed_base_table::TableShape;
use blobcheck_kzg::InputError;
use blobcheck_prover::{api, Tables};

fn assert_bytes(case: &Case, found: Result<Vec<Vec<u8>>, InputError>) {
    match &case.output {
        Value::Null => assert!(found.is_err(), "{}", case.name),
        Value::Bytes(expected) => assert_eq!(found, Ok(vec![expected.clone()]), "{}", case.name),
        Value::List(expected) if matches!(expected.first(), Some(Value::Bytes(_))) => {
            let expected = expected.iter().map(|value| value.bytes().to_vec()).collect();
            assert_eq!(found, Ok(expected), "{}", case.name);
        }
        expected => {
            let expected = expected.list().iter().map(|list| list.byte_lists().concat()).collect();
            assert_eq!(found, Ok(expected), "{}", case.name);
        }
    }
}

fn lists((cells, proofs): (Vec<u8>, Vec<[u8; 48]>)) -> Vec<Vec<u8>> {
    vec![cells, proofs.concat()]
}

#[test]
fn blob_to_kzg_commitment() {
    for case in cases("blob_to_kzg_commitment") {
        let found = api::blob_to_kzg_commitment(ethereum().blob(), case.input("blob").bytes());
        assert_bytes(&case, found.map(|bytes| vec![bytes.to_vec()]));
    }
}

#[test]
fn compute_kzg_proof() {
    for case in cases("compute_kzg_proof") {
        let (blob, z) = (case.input("blob").bytes(), case.input("z").bytes());
        let found = api::compute_kzg_proof(ethereum().blob(), blob, z);
        assert_bytes(&case, found.map(|(proof, y)| vec![proof.to_vec(), y.to_vec()]));
    }
}

#[test]
fn compute_blob_kzg_proof() {
    for case in cases("compute_blob_kzg_proof") {
        let (blob, commitment) = (case.input("blob").bytes(), case.input("commitment").bytes());
        let found = api::compute_blob_kzg_proof(ethereum().blob(), blob, commitment);
        assert_bytes(&case, found.map(|bytes| vec![bytes.to_vec()]));
    }
}

/// Without a table, and from one.
#[test]
fn compute_cells_and_kzg_proofs() {
    let tables = Tables::new(TableShape::new(1, 6).unwrap());
    for case in cases("compute_cells_and_kzg_proofs") {
        for tables in [None, Some(&tables)] {
            let found = api::compute_cells_and_kzg_proofs(ethereum(), tables, case.input("blob").bytes());
            assert_bytes(&case, found.map(lists));
        }
    }
}

#[test]
fn recover_cells_and_kzg_proofs() {
    for case in cases("recover_cells_and_kzg_proofs") {
        let (indices, cells) = (case.input("cell_indices").numbers(), case.input("cells").byte_lists());
        let found = api::recover_cells_and_kzg_proofs(ethereum(), None, &indices, &cells);
        assert_bytes(&case, found.map(lists));
    }
}
