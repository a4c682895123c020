//! What is refused, and in which order.

use crate::known_tau_setup::setup;
use crate::support::known_tau::{off_curve, outside_g1};
use blobcheck_kzg::Reason;
use blobcheck_prover::api;
use blobcheck_prover::cell_proofs::Half;

const LARGE: [u8; 32] = [0xff; 32];

fn blob(large: bool) -> Vec<u8> {
    let mut blob = vec![0; 131_072];
    if large {
        blob[131_040..].copy_from_slice(&LARGE);
    }
    blob
}

#[test]
fn lengths_and_scalars() {
    let (_, setup) = setup();
    let blobs = setup.blob();
    for (bytes, reason) in [
        (blob(false)[1..].to_vec(), Reason::BlobLength),
        (vec![], Reason::BlobLength),
        ([blob(false), vec![0]].concat(), Reason::BlobLength),
        (blob(true), Reason::ScalarNotCanonical),
    ] {
        assert_eq!(api::blob_to_kzg_commitment(blobs, None, &bytes).unwrap_err().reason, reason);
        assert_eq!(api::compute_kzg_proof(blobs, None, &bytes, &[0; 32]).unwrap_err().reason, reason);
        let infinity = api::blob_to_kzg_commitment(blobs, None, &blob(false)).unwrap();
        assert_eq!(api::compute_blob_kzg_proof(blobs, None, &bytes, &infinity).unwrap_err().reason, reason);
        assert_eq!(api::compute_cells_and_kzg_proofs(setup, None, &bytes).unwrap_err().reason, reason);
    }
    let z = |z: &[u8]| api::compute_kzg_proof(blobs, None, &blob(false), z).map_err(|error| error.reason);
    assert_eq!(z(&LARGE), Err(Reason::ScalarNotCanonical));
    assert_eq!(z(&LARGE[1..]), Err(Reason::ScalarLength));
    assert_eq!(z(&[]), Err(Reason::ScalarLength));
}

#[test]
fn commitments() {
    let (_, setup) = setup();
    let run = |blob: &[u8], commitment: &[u8]| {
        api::compute_blob_kzg_proof(setup.blob(), None, blob, commitment).map_err(|error| error.reason)
    };
    let bad = blob(true);
    assert_eq!(run(&bad[1..], &[0; 48]), Err(Reason::BlobLength));
    assert_eq!(run(&bad, &[0; 47]), Err(Reason::CommitmentLength));
    assert_eq!(run(&bad, &[0; 48]), Err(Reason::CommitmentEncoding));
    assert_eq!(run(&blob(false), &[0xff; 48]), Err(Reason::CommitmentEncoding));
    assert_eq!(run(&blob(false), &off_curve()), Err(Reason::CommitmentNotOnCurve));
    assert_eq!(run(&blob(false), &outside_g1()), Err(Reason::CommitmentNotInSubgroup));
}

/// Recovery refuses what recovery without proofs refuses; shuffled indices among it.
#[test]
fn recovery() {
    let (_, setup) = setup();
    let cell = [0; 2048];
    let run = |indices: &[u64], cells: &[&[u8]]| {
        api::recover_cells_and_kzg_proofs(setup, None, indices, cells)
            .map_err(|error| (error.reason, error.index))
    };
    let all: Vec<u64> = (0..64).collect();
    let cells: Vec<&[u8]> = vec![&cell; 64];
    assert_eq!(run(&all[..63], &cells[..63]), Err((Reason::CellCount, 0)));
    assert_eq!(run(&all, &cells[..63]), Err((Reason::ArrayLengths, 0)));
    let mut shuffled = all.clone();
    shuffled.swap(10, 11);
    assert_eq!(run(&shuffled, &cells), Err((Reason::CellOrder, 11)));
    let mut short = cells.clone();
    short[5] = &cell[1..];
    assert_eq!(run(&all, &short), Err((Reason::CellLength, 5)));
    let mut high = all;
    high[63] = 128;
    assert_eq!(run(&high, &cells), Err((Reason::CellIndex, 63)));
}

#[test]
fn parts() {
    let (_, setup) = setup();
    let sums = |blob: &[u8]| api::compute_cell_sums(setup, None, blob, 0..1).map_err(|error| error.reason);
    assert_eq!(sums(&blob(true)), Err(Reason::ScalarNotCanonical));
    assert_eq!(sums(&blob(true)[1..]), Err(Reason::BlobLength));
    let finish = |sums: &[u8]| {
        api::finish_cell_proofs(sums, Half::Blob).map(drop).map_err(|error| (error.reason, error.index))
    };
    let mut sums = vec![0; 128 * 96];
    assert_eq!(finish(&sums), Ok(()));
    assert_eq!(finish(&sums[1..]), Err((Reason::ArrayLengths, 0)));
    assert_eq!(finish(&sums[96..]), Err((Reason::ArrayLengths, 0)));
    assert_eq!(finish(&[]), Err((Reason::ArrayLengths, 0)));
    sums[127 * 96] = 1;
    assert_eq!(finish(&sums), Err((Reason::ProofNotOnCurve, 127)));
    assert_eq!(api::finish_commitment(&sums).map_err(|error| error.index), Err(127));
    assert_eq!(api::finish_commitment(&sums[1..]).map_err(|error| error.reason), Err(Reason::ArrayLengths));
}
