//! The official vectors of c-kzg, one test for each function of the specification. `output: null` is an error.

use crate::known_tau_setup::ethereum;
use crate::support::{cases, Case, Value};
use blobcheck_curve::fixed_base_table::TableShape;
use blobcheck_execution::versioned_hash::kzg_to_versioned_hash;
use blobcheck_kzg::{bare_batch, BareBlob, InputError, Verdict};
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
        let found = api::blob_to_kzg_commitment(ethereum().blob(), None, case.input("blob").bytes());
        assert_bytes(&case, found.map(|bytes| vec![bytes.to_vec()]));
    }
}

/// What the official commitments are of: together, each with its neighbour's, and as versioned hashes.
#[test]
fn blobs_without_proofs() {
    let verify = |units: &[Vec<u8>]| {
        let units: Vec<&[u8]> = units.iter().map(Vec::as_slice).collect();
        bare_batch::verify(ethereum().blob(), &units, None)
    };
    let unit = |commitment: &[u8], blob: &[u8]| {
        BareBlob::of_commitment(commitment, blob).map(|unit| unit.to_bytes())
    };
    let (mut true_units, mut false_units, mut before) = (Vec::new(), Vec::new(), vec![0xc0; 48]);
    before[1..].fill(0);
    for case in cases("blob_to_kzg_commitment") {
        let blob = case.input("blob").bytes();
        let Value::Bytes(commitment) = &case.output else {
            let refused = unit(&before, blob).map_or(true, |unit| verify(&[unit]) != [Verdict::Valid]);
            assert!(refused, "{}", case.name);
            continue;
        };
        true_units.push(unit(commitment, blob).expect("a unit"));
        if *commitment != before {
            false_units.push(unit(&before, blob).expect("a unit"));
        }
        let hash = kzg_to_versioned_hash(commitment[..].try_into().expect("48 bytes"));
        let of_hash = |hashes: &[u8]| BareBlob::of_versioned_hashes(hashes, blob).expect("a unit").to_bytes();
        let found = verify(&[of_hash(&[[3; 32], hash].concat()), of_hash(&[3; 32])]);
        assert_eq!(found, [Verdict::Valid, Verdict::Invalid], "{}", case.name);
        before.clone_from(commitment);
    }
    assert!(true_units.len() > 4 && false_units.len() > 4);
    assert!(verify(&true_units).iter().all(|verdict| *verdict == Verdict::Valid));
    assert!(verify(&false_units).iter().all(|verdict| *verdict == Verdict::Invalid));
}

#[test]
fn compute_kzg_proof() {
    for case in cases("compute_kzg_proof") {
        let (blob, z) = (case.input("blob").bytes(), case.input("z").bytes());
        let found = api::compute_kzg_proof(ethereum().blob(), None, blob, z);
        assert_bytes(&case, found.map(|(proof, y)| vec![proof.to_vec(), y.to_vec()]));
    }
}

#[test]
fn compute_blob_kzg_proof() {
    for case in cases("compute_blob_kzg_proof") {
        let (blob, commitment) = (case.input("blob").bytes(), case.input("commitment").bytes());
        let found = api::compute_blob_kzg_proof(ethereum().blob(), None, blob, commitment);
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
