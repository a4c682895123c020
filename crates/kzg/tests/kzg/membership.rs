//! Batches whose points are tested in bulk, against the same units one by one, which are not.

use crate::support::known_tau::{falsify, off_curve, outside_g1, views, KnownTau, Polynomial};
use crate::support::torsion::{plus, torsion};
use crate::support::{fresh, setup, Rng};
use blobcheck_curve::scalar::{scalar_to_be, Scalar};
use blobcheck_curve::{g1, g1_encoding, Signed, Trits, G1};
use blobcheck_kzg::api::{verify_blob_kzg_proof_batch, verify_cell_kzg_proof_batch};
use blobcheck_kzg::randomness::{coefficients, trits, FiatShamir};
use blobcheck_kzg::{collect, verify, InputError, Reason, Unit, Verdict};
use blobcheck_sha256::sha256;

const SEED: [u8; 32] = [7; 32];
/// Where a column's lists start, and their entries.
const LISTS: usize = 4;
const POINT: usize = 48;

fn one_by_one(known_tau: &KnownTau, units: &[Vec<u8>]) -> Vec<Verdict> {
    units.iter().flat_map(|unit| verify(&known_tau.setup, &[unit], fresh(SEED))).collect()
}

fn refused(reason: Reason, index: usize) -> Verdict {
    Verdict::Malformed(InputError { reason, index })
}

fn patched(unit: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut unit = unit.to_vec();
    unit[at..at + bytes.len()].copy_from_slice(bytes);
    unit
}

/// Units of every kind, with well over a hundred points.
fn mixed(known_tau: &KnownTau, rng: &mut Rng) -> Vec<Vec<u8>> {
    let polynomials: Vec<Polynomial> =
        [4096, 300, 64, 1, 0].iter().map(|n| known_tau.polynomial(rng, *n)).collect();
    let all: Vec<&Polynomial> = polynomials.iter().collect();
    let mut units: Vec<Vec<u8>> = polynomials.iter().map(|p| known_tau.blob_unit(p)).collect();
    units.extend((0..9).map(|k| known_tau.column_unit(&all, 14 * k + 3)));
    units.extend((0..40).map(|k| known_tau.column_unit(&all[k % 5..k % 5 + 1], k)));
    units.push(known_tau.extended_unit(&polynomials[1]));
    // The same again: equal points, of which a batch may have any number.
    units.extend_from_within(3..20);
    units
}

#[test]
fn true_and_false_units_of_every_kind() {
    let (known_tau, mut rng) = (KnownTau::new(41), Rng(41));
    let mut units = mixed(&known_tau, &mut rng);
    assert!(verify(&known_tau.setup, &views(&units), fresh(SEED))
        .iter()
        .all(|verdict| *verdict == Verdict::Valid));
    assert!(verify(&known_tau.setup, &views(&units), FiatShamir).iter().all(|v| *v == Verdict::Valid));
    for (i, row) in [(1, 0), (7, 4), (30, 0), (54, 99)] {
        units[i] = falsify(&units[i], row, &mut rng);
        let verdicts = verify(&known_tau.setup, &views(&units), fresh(SEED));
        assert_eq!(verdicts[i], Verdict::Invalid);
        assert_eq!(verdicts, one_by_one(&known_tau, &units));
    }
}

#[test]
fn planted_torsion() {
    let (known_tau, mut rng) = (KnownTau::new(42), Rng(42));
    let units = mixed(&known_tau, &mut rng);
    let (blob, column, cell, extended) = (&units[0], &units[6], &units[20], &units[54]);
    let proof = |unit: &[u8], rows: usize, row: usize| {
        let at = match unit[0] {
            1 => 1,
            2 => LISTS + (rows + row) * POINT,
            _ => 1 + (1 + row) * POINT,
        };
        (at, unit[at..at + POINT].try_into().expect("a point"))
    };
    for order in [3, 11, 10_177, 859_267, 52_437_899] {
        let bad = torsion(order);
        let infected = |unit: &[u8], rows: usize, row: usize, defect: G1| {
            let (at, bytes) = proof(unit, rows, row);
            patched(unit, at, &plus(&bytes, defect))
        };
        let commitment = |unit: &[u8], at: usize, defect: G1| {
            patched(unit, at, &plus(&unit[at..at + POINT].try_into().expect("a point"), defect))
        };
        let infinity = g1_encoding::compress(&g1::normalize(&[g1::identity()])[0]);
        let mut batch = units.clone();
        let mut expected = vec![Verdict::Valid; batch.len()];
        let mut add = |unit: Vec<u8>, reason: Reason, index: usize| {
            // Anywhere, though not among the copies that an earlier one was put beside.
            let at = (batch.len() * 7 + index) % (batch.len() + 1);
            batch.insert(at, unit);
            expected.insert(at, refused(reason, index));
        };
        // A true proof with a defect, with the opposite one, with a doubled one, and the bare defect.
        add(infected(blob, 1, 0, bad), Reason::ProofNotInSubgroup, 0);
        add(infected(blob, 1, 0, -bad), Reason::ProofNotInSubgroup, 0);
        add(infected(cell, 1, 0, bad), Reason::ProofNotInSubgroup, 0);
        add(infected(cell, 1, 0, -bad), Reason::ProofNotInSubgroup, 0);
        add(infected(cell, 1, 0, bad + bad), Reason::ProofNotInSubgroup, 0);
        add(patched(cell, LISTS + POINT, &plus(&infinity, bad)), Reason::ProofNotInSubgroup, 0);
        add(infected(column, 5, 3, bad), Reason::ProofNotInSubgroup, 3);
        add(infected(extended, 128, 77, bad), Reason::ProofNotInSubgroup, 77);
        // Commitments, the same one in two units, and in one unit that is refused anyway.
        add(commitment(blob, blob.len() - POINT, bad), Reason::CommitmentNotInSubgroup, 0);
        add(commitment(cell, LISTS, -bad), Reason::CommitmentNotInSubgroup, 0);
        add(commitment(column, LISTS + 2 * POINT, bad), Reason::CommitmentNotInSubgroup, 2);
        let twice = commitment(&commitment(column, LISTS + POINT, bad), LISTS + 4 * POINT, -bad);
        add(twice, Reason::CommitmentNotInSubgroup, 1);
        let off = patched(&commitment(column, LISTS + POINT, bad), LISTS + 3 * POINT, &off_curve());
        add(off, Reason::CommitmentNotInSubgroup, 1);
        // Opposite defects in a commitment and its proof.
        add(
            commitment(&infected(blob, 1, 0, -bad), blob.len() - POINT, bad),
            Reason::CommitmentNotInSubgroup,
            0,
        );

        assert_eq!(verify(&known_tau.setup, &views(&batch), fresh(rng.bytes::<32>())), expected);
        assert_eq!(one_by_one(&known_tau, &batch), expected);
        // What is left closes without a search for culprits.
        assert!(collect(&views(&batch), fresh(SEED)).accumulator.close(&known_tau.setup));
        // One at a time, so that none hides behind another.
        for at in (0..batch.len()).filter(|at| expected[*at] != Verdict::Valid) {
            let mut batch_of_one = units.clone();
            batch_of_one.push(batch[at].clone());
            let verdicts = verify(&known_tau.setup, &views(&batch_of_one), fresh(rng.bytes::<32>()));
            assert_eq!(verdicts.last(), Some(&expected[at]));
            assert!(verdicts.iter().rev().skip(1).all(|verdict| *verdict == Verdict::Valid));
        }
    }
}

/// Off the curve and outside G1 in one unit: the first in order counts, as in a small batch.
#[test]
fn the_first_error_counts() {
    let (known_tau, mut rng) = (KnownTau::new(43), Rng(43));
    let mut units = mixed(&known_tau, &mut rng);
    let (outside, off) = (outside_g1(), off_curve());
    let column = units[6].clone();
    for points in [[&outside, &off], [&off, &outside]] {
        for rows in [[0, 4], [1, 6], [7, 9]] {
            let unit = patched(&column, LISTS + rows[0] * POINT, points[0]);
            units.push(patched(&unit, LISTS + rows[1] * POINT, points[1]));
        }
    }
    assert_eq!(verify(&known_tau.setup, &views(&units), fresh(SEED)), one_by_one(&known_tau, &units));
}

#[test]
fn thousands_of_cells() {
    let (known_tau, mut rng) = (KnownTau::new(44), Rng(44));
    let p = known_tau.polynomial(&mut rng, 100);
    let some: Vec<Vec<u8>> = (0..64).map(|k| known_tau.column_unit(&[&p], 2 * k)).collect();
    let mut units: Vec<Vec<u8>> = (0..4000).map(|i| some[i * 37 % 64].clone()).collect();
    let valid = |verdicts: &[Verdict]| verdicts.iter().filter(|v| **v == Verdict::Valid).count();
    assert_eq!(valid(&verify(&known_tau.setup, &views(&units), fresh(SEED))), 4000);
    let at = rng.below(4000);
    let proof = units[at][LISTS + POINT..][..POINT].try_into().expect("a point");
    units[at] = patched(&units[at], LISTS + POINT, &plus(&proof, torsion(3)));
    let verdicts = verify(&known_tau.setup, &views(&units), fresh(SEED));
    assert_eq!(verdicts[at], refused(Reason::ProofNotInSubgroup, 0));
    assert_eq!(valid(&verdicts), 3999);
}

/// The specification's functions give the first refused element, however the points were tested.
#[test]
fn the_specifications_functions() {
    let (known_tau, mut rng) = (KnownTau::new(45), Rng(45));
    let p = known_tau.polynomial(&mut rng, 4096);
    let proofs: Vec<[u8; 48]> = (0..128).map(|k| known_tau.cell_proof(&p, k)).collect();
    let indices: Vec<u64> = (0..128).collect();
    let cells: Vec<&[u8]> = (0..128).map(|k| p.cell(k)).collect();
    let cell_batch = |commitments: &[[u8; 48]], proofs: &[[u8; 48]]| {
        let commitments: Vec<&[u8]> = commitments.iter().map(|point| &point[..]).collect();
        let proofs: Vec<&[u8]> = proofs.iter().map(|point| &point[..]).collect();
        verify_cell_kzg_proof_batch(&known_tau.setup, &commitments, &indices, &cells, &proofs, FiatShamir)
    };
    let commitments = [p.commitment; 128];
    assert_eq!(cell_batch(&commitments, &proofs), Ok(true));
    let mut swapped = proofs.clone();
    swapped.swap(5, 6);
    assert_eq!(cell_batch(&commitments, &swapped), Ok(false));
    for order in [3, 11] {
        let mut bad = proofs.clone();
        bad[90] = plus(&bad[90], torsion(order));
        bad[17] = plus(&bad[17], -torsion(order));
        let error = InputError { reason: Reason::ProofNotInSubgroup, index: 17 };
        assert_eq!(cell_batch(&commitments, &bad), Err(error));
        let mut bad = commitments;
        bad[60] = plus(&bad[60], torsion(order));
        let error = InputError { reason: Reason::CommitmentNotInSubgroup, index: 60 };
        assert_eq!(cell_batch(&bad, &proofs), Err(error));
    }

    let (proof, blob) = (known_tau.blob_proof(&p), p.blob().as_slice());
    let bad = plus(&proof, torsion(3));
    let commitments = vec![p.commitment.as_slice(); 130];
    let mut proofs = vec![proof.as_slice(); 130];
    let batch = |proofs: &[&[u8]]| {
        verify_blob_kzg_proof_batch(&known_tau.setup, &[blob; 130], &commitments, proofs, fresh(SEED))
    };
    assert_eq!(batch(&proofs), Ok(true));
    proofs[129] = &bad;
    assert_eq!(batch(&proofs), Err(InputError { reason: Reason::ProofNotInSubgroup, index: 129 }));
}

/// Which way a batch went shows in the coefficients of its sum: for cells of the constant polynomial 1, the first
/// coefficient of the interpolation is the sum of theirs.
#[test]
fn large_batches_are_tested_in_bulk() {
    let infinity = g1_encoding::compress(&g1::normalize(&[g1::identity()])[0]);
    let mut one = [0; 2048];
    one.chunks_exact_mut(32).for_each(|element| element[31] = 1);
    let commitment = g1_encoding::compress(&g1::generator());
    let unit = |proof: &[u8]| Unit::cell(9, &commitment, proof, &one).expect("a unit").to_bytes();
    let sum_of = |units: &[Vec<u8>]| {
        let collected = collect(&views(units), fresh(SEED));
        assert!(collected.accumulator.close(setup()));
        collected.accumulator.to_bytes()[288..320].to_vec()
    };
    let total = |coefficients: &[Signed]| {
        let sum = coefficients.iter().map(|c| c.to_scalar()).sum::<Scalar>();
        scalar_to_be(&sum).to_vec()
    };
    let single = |count| {
        let all: Vec<Signed> = coefficients(&SEED, count).into_iter().map(Signed::from).collect();
        total(&all)
    };
    let bulk = |count| total(&trits(&SEED, count).iter().map(Trits::value).collect::<Vec<_>>());

    let units = vec![unit(&infinity); 300];
    assert_eq!(sum_of(&units[..20]), single(20));
    assert_eq!(sum_of(&units), bulk(300));
    // Off the curve: left out, and no reason to test each point.
    let mut some_off = units.clone();
    some_off[1] = unit(&off_curve());
    assert_eq!(sum_of(&some_off), bulk(299));
    // Outside G1: each point is tested, and the rest has coefficients of its own.
    some_off[2] = unit(&outside_g1());
    assert_eq!(sum_of(&some_off), single(298));
}

/// As documented, one hash after the other: of all bytes of a digest, and no two of one place, in a batch of any length.
#[test]
fn trits_are_of_whole_digests() {
    for (seed, count) in [(SEED, 131_073), ([2; 32], 7), (SEED, 0)] {
        let found = trits(&seed, count);
        assert_eq!(found.len(), count);
        for (counter, trits) in (0_u64..).zip(found) {
            let digest = sha256(&[b"blobcheck/trits", &seed, &counter.to_le_bytes()]);
            assert_eq!(trits, Trits::from_bytes(&digest), "{counter}");
        }
    }
}

/// Whose commitment is refused because of a neighbour that names it, too, is refused for its own first bad point.
#[test]
fn the_first_bad_point_is_named_whatever_the_neighbours_are() {
    let (known_tau, mut rng) = (KnownTau::new(77), Rng(77));
    let polynomials = [100, 200].map(|n| known_tau.polynomial(&mut rng, n));
    let [one, two] = &polynomials;
    let pair = known_tau.column_unit(&[one, two], 3);
    let single = known_tau.column_unit(&[two], 5);
    let bad = |polynomial: &Polynomial, order| plus(&polynomial.commitment, torsion(order));
    let pair = patched(&patched(&pair, LISTS, &bad(one, 3)), LISTS + POINT, &bad(two, 11));
    let single = patched(&patched(&single, LISTS, &bad(two, 11)), LISTS + POINT, &off_curve());
    let expected = refused(Reason::CommitmentNotInSubgroup, 0);
    for crowd in [0, 60] {
        let mut units = vec![single.clone(), pair.clone()];
        units.extend((0..crowd).map(|k| known_tau.column_unit(&[one], k)));
        let verdicts = verify(&known_tau.setup, &views(&units), fresh(SEED));
        assert_eq!(verdicts[..2], [expected, expected]);
        assert!(verdicts[2..].iter().all(|verdict| *verdict == Verdict::Valid));
    }
}
