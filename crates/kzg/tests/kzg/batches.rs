//! Batches: sums, merging, bisection, malformed neighbours.

use crate::support::known_tau::{falsify, setup_bytes, views, KnownTau, Polynomial};
use crate::support::{fresh, setup, Rng};
use blobcheck_kzg::accumulator::ACCUMULATOR_BYTES;
use blobcheck_kzg::randomness::FiatShamir;
use blobcheck_kzg::{collect, verify, warm, Accumulator, InputError, Outcome, Reason, Setup, Unit, Verdict};

/// A few true units of every kind, small enough to be quick.
fn true_units(known_tau: &KnownTau, rng: &mut Rng) -> Vec<Vec<u8>> {
    let polynomials: Vec<Polynomial> =
        [4096, 4096, 1, 0].iter().map(|n| known_tau.polynomial(rng, *n)).collect();
    let all: Vec<&Polynomial> = polynomials.iter().collect();
    let mut units: Vec<Vec<u8>> = polynomials.iter().map(|p| known_tau.blob_unit(p)).collect();
    for k in [0, 1, 64, 127] {
        units.push(known_tau.column_unit(&all, k));
    }
    units.push(known_tau.column_unit(&all[..1], 5));
    units.push(known_tau.column_unit(&all[1..2], 5));
    units.push(known_tau.extended_unit(&polynomials[0]));
    units
}

#[test]
fn true_units_are_valid_together_and_alone() {
    let (known_tau, mut rng) = (KnownTau::new(1), Rng(1));
    let units = true_units(&known_tau, &mut rng);
    assert!(verify(&known_tau.setup, &views(&units), fresh([1; 32])).iter().all(|v| *v == Verdict::Valid));
    assert!(verify(&known_tau.setup, &views(&units), FiatShamir).iter().all(|v| *v == Verdict::Valid));
    for unit in &units {
        assert_eq!(verify(&known_tau.setup, &[unit], fresh([2; 32])), [Verdict::Valid]);
    }
    assert_eq!(verify(&known_tau.setup, &[], fresh([1; 32])), []);
    // The same under another τ: nothing is valid but the constant polynomials' claims.
    let other = KnownTau::new(2);
    let verdicts = verify(&other.setup, &views(&units), fresh([1; 32]));
    let valid: Vec<usize> = (0..units.len()).filter(|i| verdicts[*i] == Verdict::Valid).collect();
    assert_eq!(valid, [2, 3]);
}

#[test]
fn a_unit_is_false_if_any_row_is() {
    let (known_tau, mut rng) = (KnownTau::new(3), Rng(2));
    let units = true_units(&known_tau, &mut rng);
    for (i, unit) in units.iter().enumerate() {
        let rows: &[usize] = match unit[0] {
            1 => &[0],
            2 if unit[2] > 1 => &[0, 1, 2, 3],
            2 => &[0],
            _ => &[0, 1, 63, 64, 127],
        };
        for row in rows {
            let mut batch = units.clone();
            batch[i] = falsify(unit, *row, &mut rng);
            let verdicts = verify(&known_tau.setup, &views(&batch), fresh([3; 32]));
            let expected = |j| if i == j { Verdict::Invalid } else { Verdict::Valid };
            assert_eq!(verdicts, (0..units.len()).map(expected).collect::<Vec<_>>());
        }
    }
}

/// Any set of culprits, none to all, is found exactly.
#[test]
fn bisection_finds_exactly_the_culprits() {
    let (known_tau, mut rng) = (KnownTau::new(4), Rng(3));
    let polynomials: Vec<Polynomial> = (0..3).map(|_| known_tau.polynomial(&mut rng, 100)).collect();
    let units: Vec<Vec<u8>> = (0..20).map(|k| known_tau.column_unit(&[&polynomials[k % 3]], k * 6)).collect();
    for count in [0, 1, 1, 2, 3, 5, 6, 7, 8, 12, 19, 20] {
        let mut batch = units.clone();
        let mut culprits = vec![false; units.len()];
        while culprits.iter().filter(|c| **c).count() < count {
            let i = rng.below(units.len());
            culprits[i] = true;
            batch[i] = falsify(&units[i], 0, &mut rng);
        }
        let verdicts = verify(&known_tau.setup, &views(&batch), fresh([4; 32]));
        let found: Vec<bool> = verdicts.iter().map(|v| *v == Verdict::Invalid).collect();
        assert_eq!(found, culprits);
    }
}

/// Two errors that cancel in a sum with equal coefficients do not cancel here.
#[test]
fn opposite_errors_do_not_cancel() {
    let (known_tau, mut rng) = (KnownTau::new(5), Rng(4));
    let p = known_tau.polynomial(&mut rng, 4096);
    let (a, b) = (known_tau.column_unit(&[&p], 9), known_tau.column_unit(&[&p], 9));
    let mut cells = (a.clone(), b.clone());
    // The same cell twice, one element larger by one in one copy and smaller by one in the other.
    let at = a.len() - 1;
    cells.0[at] = cells.0[at].wrapping_add(1);
    cells.1[at] = cells.1[at].wrapping_sub(1);
    let verdicts = verify(&known_tau.setup, &[&cells.0, &cells.1], fresh([5; 32]));
    assert_eq!(verdicts, [Verdict::Invalid; 2]);
    let (x, y) = (&cells.0, &cells.1);
    let (Ok(Unit::Column { commitments: c, proofs: p, cells: x, .. }), Ok(Unit::Column { cells: y, .. })) =
        (Unit::parse(x), Unit::parse(y))
    else {
        panic!("columns")
    };
    let column = Unit::column(9, &[c[0]; 2], &[p[0]; 2], &[x[0], y[0]]).expect("a unit").to_bytes();
    assert_eq!(verify(&known_tau.setup, &[&column], fresh([5; 32])), [Verdict::Invalid]);
}

#[test]
fn merging_any_split_is_one_batch() {
    let (known_tau, mut rng) = (KnownTau::new(6), Rng(5));
    let units = true_units(&known_tau, &mut rng);
    let units = views(&units);
    for cut in 0..=units.len() {
        let (left, right) = units.split_at(cut);
        let (left, right) =
            (collect(left, fresh([1; 32])).accumulator, collect(right, fresh([2; 32])).accumulator);
        let merged = left.merge(&right);
        assert!(merged.close(&known_tau.setup), "cut at {cut}");
        let over_the_wire = Accumulator::from_bytes(&merged.to_bytes()).expect("our own bytes");
        assert_eq!(over_the_wire.to_bytes(), merged.to_bytes());
        assert!(over_the_wire.close(&known_tau.setup));
    }
    let bad = falsify(units[0], 0, &mut rng);
    let bad = collect(&[&bad], fresh([3; 32])).accumulator;
    let good = collect(&units, fresh([4; 32])).accumulator;
    assert!(!bad.close(&known_tau.setup));
    assert!(!good.merge(&bad).close(&known_tau.setup));
    assert!(Accumulator::empty().close(&known_tau.setup));
}

#[test]
fn accumulators_from_anywhere_do_not_panic() {
    let mut rng = Rng(6);
    assert!(Accumulator::from_bytes(&[]).is_none());
    assert!(Accumulator::from_bytes(&[0; ACCUMULATOR_BYTES + 1]).is_none());
    assert!(Accumulator::from_bytes(&[0; ACCUMULATOR_BYTES]).is_some(), "the empty sum");
    assert!(Accumulator::from_bytes(&[0xff; ACCUMULATOR_BYTES]).is_none());
    for _ in 0..50 {
        let mut bytes = Accumulator::empty().to_bytes();
        bytes[rng.below(288)] = rng.next() as u8 | 1;
        assert!(Accumulator::from_bytes(&bytes).is_none());
    }
}

/// An extended blob is its 128 cells: with the same coefficients, the very same sum.
#[test]
fn an_extended_blob_is_its_cells() {
    let (known_tau, mut rng) = (KnownTau::new(7), Rng(7));
    let p = known_tau.polynomial(&mut rng, 4096);
    let extended = known_tau.extended_unit(&p);
    let cells: Vec<Vec<u8>> = (0..128).map(|k| known_tau.column_unit(&[&p], k)).collect();
    let one = collect(&[&extended], fresh([8; 32])).accumulator;
    let many = collect(&views(&cells), fresh([8; 32])).accumulator;
    assert_eq!(one.to_bytes()[..], many.to_bytes()[..]);
    assert!(one.close(&known_tau.setup));
}

#[test]
fn malformed_neighbours_spoil_nothing() {
    let (known_tau, mut rng) = (KnownTau::new(8), Rng(8));
    let units = true_units(&known_tau, &mut rng);
    let mut batch = Vec::new();
    let mut expected = Vec::new();
    let bad = |unit: &[u8], at: usize, patch: &[u8]| {
        let mut unit = unit.to_vec();
        unit[at..at + patch.len()].copy_from_slice(patch);
        unit
    };
    let torsion = crate::support::known_tau::outside_g1();
    let off = crate::support::known_tau::off_curve();
    let mut add = |unit: Vec<u8>, verdict: Result<(), (Reason, usize)>| {
        batch.push(unit);
        expected.push(match verdict {
            Ok(()) => Verdict::Valid,
            Err((reason, index)) => Verdict::Malformed(InputError { reason, index }),
        });
    };
    let (blob, column, extended) = (&units[0], &units[4], &units[10]);
    // proof ‖ 32 bytes that never change ‖ blob ‖ commitment, after the kind
    let (proof, data, commitment) = (1, 81, 81 + 131_072);
    add(blob.clone(), Ok(()));
    add(vec![], Err((Reason::UnitLayout, 0)));
    add(vec![9; 200], Err((Reason::UnitLayout, 0)));
    add(blob[..blob.len() - 1].to_vec(), Err((Reason::UnitLayout, 0)));
    add(column.clone(), Ok(()));
    add(bad(blob, commitment, &torsion), Err((Reason::CommitmentNotInSubgroup, 0)));
    add(bad(blob, proof, &torsion), Err((Reason::ProofNotInSubgroup, 0)));
    add(bad(blob, commitment, &off), Err((Reason::CommitmentNotOnCurve, 0)));
    add(bad(blob, proof, &off), Err((Reason::ProofNotOnCurve, 0)));
    add(bad(blob, commitment, &[0; 48]), Err((Reason::CommitmentEncoding, 0)));
    add(bad(blob, proof, &[0xe0]), Err((Reason::ProofEncoding, 0)));
    add(bad(blob, 49, b"f"), Err((Reason::UnitLayout, 0)));
    add(bad(blob, 80, &[1]), Err((Reason::UnitLayout, 0)));
    add(bad(blob, data + 32 * 4095, &[0xff; 32]), Err((Reason::ScalarNotCanonical, 0)));
    add(extended.clone(), Ok(()));
    add(bad(column, 1, &[128]), Err((Reason::CellIndex, 0)));
    add(bad(column, 4 + 48 * 2, &torsion), Err((Reason::CommitmentNotInSubgroup, 2)));
    add(bad(column, 4 + 48 * (4 + 3), &torsion), Err((Reason::ProofNotInSubgroup, 3)));
    add(bad(column, 4 + 96 * 4 + 2048, &[0xff; 32]), Err((Reason::ScalarNotCanonical, 1)));
    add(bad(extended, 49 + 48 * 100, &off), Err((Reason::ProofNotOnCurve, 100)));
    add(bad(column, 2, &[0, 0]), Err((Reason::UnitLayout, 0)));
    add(bad(column, 2, &[0xff, 0xff]), Err((Reason::UnitLayout, 0)));
    add(units[5].clone(), Ok(()));

    assert_eq!(verify(&known_tau.setup, &views(&batch), fresh([9; 32])), expected);
    let collected = collect(&views(&batch), fresh([9; 32]));
    assert!(collected.accumulator.close(&known_tau.setup));
    for (outcome, verdict) in collected.outcomes.iter().zip(&expected) {
        assert_eq!(*outcome == Outcome::Pending, *verdict == Verdict::Valid);
    }
    // And with a false one among them.
    batch.push(falsify(&units[1], 0, &mut rng));
    expected.push(Verdict::Invalid);
    assert_eq!(verify(&known_tau.setup, &views(&batch), fresh([9; 32])), expected);
}

/// The identity is a commitment and a proof like any other.
#[test]
fn identities() {
    let mut infinity = [0; 48];
    infinity[0] = 0xc0;
    let zero = Unit::blob(&infinity, &infinity, &[0; 131_072]).expect("a unit").to_bytes();
    assert_eq!(verify(setup(), &[&zero], fresh([1; 32])), [Verdict::Valid]);
    let mut one = zero.clone();
    let last = one.len() - 49; // of the blob, before the commitment
    one[last] = 1;
    assert_eq!(verify(setup(), &[&one], fresh([1; 32])), [Verdict::Invalid]);
    let cell = Unit::cell(3, &infinity, &infinity, &[0; 2048]).expect("a unit").to_bytes();
    assert_eq!(verify(setup(), &[&cell, &one, &zero], fresh([1; 32]))[0], Verdict::Valid);
}

#[test]
fn warming_up_verifies() {
    assert!(warm(setup()));
    assert!(warm(&KnownTau::new(9).setup));
}

/// The points of G1 of one setup with those of G2 of another: nothing true verifies.
#[test]
fn warming_up_does_not_verify_where_a_setup_is_none() {
    let [mut mixed, other] = [9, 10].map(|tau| setup_bytes(tau.into()));
    mixed[64 * 48..].copy_from_slice(&other[64 * 48..]);
    assert!(!warm(&Setup::from_bytes(&mixed).expect("points on their curves")));
}

/// Three points and 64 scalars.
#[test]
fn sums_on_their_way_have_a_fixed_size() {
    assert_eq!(ACCUMULATOR_BYTES, 3 * 96 + 64 * 32);
}
