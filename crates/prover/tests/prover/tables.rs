//! Tables as bytes: what is taken makes the sums that what is worked out makes, and what is no part is refused.

use crate::known_tau_setup::setup;
use crate::support::Rng;
use blobcheck_curve::fixed_base_table::{FixedBaseTable, TableShape};
use blobcheck_prover::cell_sums::CellPolynomials;
use blobcheck_prover::{api, Tables};

#[test]
fn taken_or_worked_out() {
    let (known_tau, setup) = setup();
    let polynomials = CellPolynomials::of(known_tau.polynomial(&mut Rng(6), 4096).blob()).unwrap();
    let expected = polynomials.sums(setup, None, 0..16);
    for (rows, width) in [(1, 3), (4, 2)] {
        let shape = TableShape::new(rows, width).unwrap();
        let (made, read) = (Tables::new(shape), Tables::new(shape));
        for part in 0..16 {
            assert!(!made.has(part) && !read.has(part));
            let bytes = made.part(setup, part).map(FixedBaseTable::to_bytes).unwrap();
            assert_eq!(bytes.len(), 512 * rows as usize * (1 << (width - 2)) * 96);
            assert!(read.take(part, &bytes));
            assert!(made.has(part) && read.has(part));
        }
        assert_eq!(polynomials.sums(setup, Some(&read), 0..16), expected);
    }
}

#[test]
fn no_part() {
    let (_, setup) = setup();
    let shape = TableShape::new(2, 2).unwrap();
    let tables = Tables::new(shape);
    let bytes = Tables::new(shape).part(setup, 5).map(FixedBaseTable::to_bytes).unwrap();
    assert!(!tables.take(5, &[]));
    // A point less: a table, but not of a part.
    assert!(!tables.take(5, &bytes[2 * 96..]));
    assert!(!tables.take(5, &[&bytes[..], &bytes[..]].concat()));
    let mut large = bytes.clone();
    large[47] = 0xff;
    assert!(!tables.take(5, &large));
    assert!(!tables.take(16, &bytes) && !tables.has(16) && !tables.has(usize::MAX));
    assert!(!tables.has(5));
    assert!(tables.take(5, &bytes));
    // It is there; nothing else takes its place.
    assert!(tables.take(5, &[]));
    assert_eq!(tables.part(setup, 5).map(FixedBaseTable::to_bytes), Some(bytes));
}

/// Commitments and proofs of blobs with the table that many of them have, and before there is one.
#[test]
fn commitments() {
    let (known_tau, setup) = setup();
    let tables = Tables::new(TableShape::new(1, 2).unwrap());
    for seed in 0..20 {
        // Coefficients that lack, and the blob of zeros.
        let p = known_tau.polynomial(&mut Rng(seed), [4096, 1, 0, 65][seed as usize % 4]);
        let commitment = api::blob_to_kzg_commitment(setup.blob(), Some(&tables), p.blob()).unwrap();
        assert_eq!(commitment, p.commitment);
        if seed >= 17 {
            let [with, without] = [Some(&tables), None].map(|tables| {
                api::compute_blob_kzg_proof(setup.blob(), tables, p.blob(), &commitment).unwrap()
            });
            assert_eq!(with, without);
        }
    }
}
