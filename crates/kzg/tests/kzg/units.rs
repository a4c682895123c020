//! Units: layout, encoders, digests, and bytes from anywhere.

use crate::support::known_tau::KnownTau;
use crate::support::{cases, fresh, setup, Rng, Value};
use blobcheck_kzg::check::check;
use blobcheck_kzg::unit::head_length;
use blobcheck_kzg::{body_hashes, collect, collect_hashed, digest, InputError, Reason, Unit};
use blobcheck_sha256::sha256;

fn error<T: std::fmt::Debug>(result: Result<T, InputError>) -> (Reason, usize) {
    let error = result.expect_err("an error");
    (error.reason, error.index)
}

#[test]
fn what_is_written_is_what_is_read() {
    let points = |xs: core::ops::Range<u8>| xs.map(|x| [x; 48]).collect::<Vec<_>>();
    let blob = vec![7; 131_072];
    let bytes = Unit::blob(&[1; 48], &[2; 48], &blob).expect("a unit").to_bytes();
    let Ok(Unit::Blob { commitment, proof, blob: parsed, hash: None }) = Unit::parse(&bytes) else {
        panic!("a blob")
    };
    assert_eq!((commitment, proof, &parsed[..]), (&[1; 48], &[2; 48], &blob[..]));

    let (commitments, proofs) = (points(10..13), points(20..23));
    let cells = [[0; 2048], [1; 2048], [2; 2048]];
    let bytes = Unit::column(127, &commitments, &proofs, &cells).expect("a unit").to_bytes();
    let Ok(Unit::Column { index, commitments: c, proofs: p, cells: parsed }) = Unit::parse(&bytes) else {
        panic!("a column")
    };
    assert_eq!((index, c, p, parsed), (127, &commitments[..], &proofs[..], &cells[..]));

    let cell = Unit::cell(9, &[1; 48], &[2; 48], &[3; 2048]).expect("a unit").to_bytes();
    let row = Unit::column(9, &[[1; 48]], &[[2; 48]], &[[3; 2048]]).expect("a unit").to_bytes();
    assert_eq!(cell, row);

    let proofs: [[u8; 48]; 128] = points(0..128).try_into().expect("128");
    let blob = blob.as_slice().try_into().expect("a blob");
    let bytes = Unit::ExtendedBlob { commitment: &[1; 48], proofs: &proofs, blob }.to_bytes();
    let Ok(Unit::ExtendedBlob { commitment, proofs: p, blob: parsed }) = Unit::parse(&bytes) else {
        panic!("extended")
    };
    assert_eq!((commitment, p, parsed), (&[1; 48], &proofs, blob));
}

#[test]
fn pieces_are_the_bytes_in_order() {
    let (known_tau, mut rng) = (KnownTau::new(32), Rng(32));
    let p = known_tau.polynomial(&mut rng, 10);
    for bytes in [known_tau.blob_unit(&p), known_tau.column_unit(&[&p, &p], 3), known_tau.extended_unit(&p)] {
        let unit = Unit::parse(&bytes).expect("a unit");
        let mut pieces = Vec::new();
        unit.write(&mut |piece| pieces.push(piece.to_vec()));
        assert!(pieces.len() > 1);
        assert_eq!(pieces.concat(), bytes);
    }
}

#[test]
fn constructors_name_the_fault() {
    let (p, q, blob, cell) = (vec![0; 48], vec![0; 47], vec![0; 131_072], vec![0; 2048]);
    assert_eq!(error(Unit::blob(&q, &q, &blob)), (Reason::CommitmentLength, 0));
    assert_eq!(error(Unit::blob(&p, &q, &blob)), (Reason::ProofLength, 0));
    assert_eq!(error(Unit::blob(&p, &p, &cell)), (Reason::BlobLength, 0));
    assert_eq!(error(Unit::cell(200, &q, &q, &q)), (Reason::CommitmentLength, 0));
    assert_eq!(error(Unit::cell(200, &p, &q, &q)), (Reason::ProofLength, 0));
    assert_eq!(error(Unit::cell(200, &p, &p, &q)), (Reason::CellLength, 0));
    for index in [128, 200, 1 << 8, 1 << 32] {
        assert_eq!(error(Unit::cell(index, &p, &p, &cell)), (Reason::CellIndex, 0));
    }
    let column = |c: usize, p: usize, cells: usize| {
        let (c, p) = (vec![[0; 48]; c], vec![[0; 48]; p]);
        Unit::column(0, &c, &p, &vec![[0; 2048]; cells]).map(|unit| unit.rows())
    };
    for (c, p, cells) in [(2, 2, 1), (1, 2, 2), (2, 1, 2), (0, 0, 0), (65_536, 65_536, 65_536)] {
        assert_eq!(error(column(c, p, cells)), (Reason::ArrayLengths, 0));
    }
    assert_eq!(column(65_535, 65_535, 65_535).ok(), Some(65_535));
}

#[test]
fn bytes_from_anywhere_do_not_panic() {
    let (known_tau, mut rng) = (KnownTau::new(31), Rng(31));
    let p = known_tau.polynomial(&mut rng, 10);
    let seeds = [known_tau.blob_unit(&p), known_tau.column_unit(&[&p, &p], 3), known_tau.extended_unit(&p)];
    for unit in &seeds {
        for len in [0, 1, 2, 3, 4, 48, 49, 97, unit.len() - 1] {
            assert_eq!(error(Unit::parse(&unit[..len])).0, Reason::UnitLayout, "{len}");
        }
        assert_eq!(error(Unit::parse(&[unit.as_slice(), &[0]].concat())).0, Reason::UnitLayout);
        for _ in 0..40 {
            let mut unit = unit.clone();
            for _ in 0..1 + rng.below(3) {
                let at = if rng.below(2) == 0 { rng.below(200) } else { rng.below(unit.len()) };
                unit[at] = rng.next() as u8;
            }
            if let Ok(parsed) = Unit::parse(&unit) {
                let _ = check(&parsed);
            }
            let _ = collect(&[&unit], fresh([0; 32]));
        }
    }
}

#[test]
fn digests_are_the_cache_keys() {
    let (known_tau, mut rng) = (KnownTau::new(32), Rng(33));
    let p = known_tau.polynomial(&mut rng, 5);
    let (blob, column) = (known_tau.blob_unit(&p), known_tau.column_unit(&[&p, &p], 3));
    let mut units = vec![blob, column, known_tau.extended_unit(&p)];
    // Every byte counts: of the kind, the head, the body's begin and its end.
    for at in [0, 1, 48, 49, 80, 81, 131_200] {
        let mut changed = units[0].clone();
        changed[at] ^= 2;
        units.push(changed);
    }
    units.extend([vec![], vec![1], vec![2]]);
    let views: Vec<&[u8]> = units.iter().map(Vec::as_slice).collect();
    let mut digests = Vec::new();
    for (unit, hash) in views.iter().zip(body_hashes(&views)) {
        let length = if unit.first() == Some(&1) { 49 } else { 1 }.min(unit.len());
        let (head, body) = unit.split_at(length);
        assert_eq!(hash, sha256(&[body]));
        assert_eq!(head_length(unit.first().copied().unwrap_or(0)).min(unit.len()), length);
        let expected = sha256(&[b"blobcheck/2", &setup().id(), head, &hash]);
        assert_eq!(digest(setup(), head, &hash), expected);
        assert_ne!(digest(&known_tau.setup, head, &hash), expected, "of another setup");
        assert!(!digests.contains(&expected));
        digests.push(expected);
    }
}

/// The hash of a blob's body is the one that `compute_challenge` reduces; a claim at another point is false.
#[test]
fn a_known_hash_is_the_challenge() {
    let (known_tau, mut rng) = (KnownTau::new(34), Rng(34));
    let all: Vec<_> = (0..5).map(|_| known_tau.polynomial(&mut rng, 9)).collect();
    let mut units: Vec<Vec<u8>> = all.iter().map(|p| known_tau.blob_unit(p)).collect();
    units.push(known_tau.column_unit(&[&all[0]], 3));
    let views: Vec<&[u8]> = units.iter().map(Vec::as_slice).collect();
    let hashes = body_hashes(&views);
    let plain = collect(&views, fresh([7; 32])).accumulator.to_bytes();
    for known in [0, 1, 3, 6] {
        let some = views
            .iter()
            .zip(&hashes)
            .enumerate()
            .map(|(i, (unit, hash))| (*unit, (i < known).then_some(*hash)));
        let collected = collect_hashed(&some.collect::<Vec<_>>(), fresh([7; 32]));
        assert_eq!(collected.accumulator.to_bytes(), plain, "{known} hashes known");
        assert!(collected.accumulator.close(&known_tau.setup));
    }
    for wrong in 0..6 {
        let mut hashes = hashes.clone();
        hashes[wrong][31] ^= 1;
        let is_blob = wrong < 5;
        let hashed: Vec<_> = views.iter().zip(&hashes).map(|(unit, hash)| (*unit, Some(*hash))).collect();
        let closes = collect_hashed(&hashed, fresh([7; 32])).accumulator.close(&known_tau.setup);
        assert_eq!(closes, !is_blob, "hash {wrong} is wrong");
    }
}

/// The blobs and proofs of the official `compute_cells_and_kzg_proofs`, as EIP-7594 transactions carry them.
#[test]
fn extended_blobs_of_the_official_vectors() {
    let commitments = cases("blob_to_kzg_commitment");
    let known = |blob: &[u8]| {
        let case = commitments.iter().find(|case| case.input("blob").bytes() == blob);
        case.filter(|case| case.output != Value::Null).map(|case| case.output.bytes())
    };
    let mut checked = 0;
    for case in cases("compute_cells_and_kzg_proofs") {
        let blob = case.input("blob").bytes();
        let (Value::List(output), Some(commitment)) = (&case.output, known(blob)) else { continue };
        let proofs: Vec<[u8; 48]> =
            output[1].byte_lists().iter().map(|proof| proof[..].try_into().expect("a proof")).collect();
        let unit = Unit::ExtendedBlob {
            commitment: commitment.try_into().expect("a commitment"),
            proofs: proofs[..].try_into().expect("128 proofs"),
            blob: blob.try_into().expect("a blob"),
        }
        .to_bytes();
        assert!(collect(&[&unit], fresh([6; 32])).accumulator.close(setup()), "{}", case.name);
        checked += 1;
    }
    assert!(checked > 0);
}
