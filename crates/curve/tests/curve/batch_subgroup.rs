//! The batch subgroup test against its definition, against single tests, and against planted torsion.

use crate::support::{all_torsion, batch, digits, outside_g1, torsion, Draw, Rng};
use blobcheck_curve::row_sums::{row_sums, width};
use blobcheck_curve::subgroup::{self, cost_of_each, cost_of_rows, cost_of_totals};
use blobcheck_curve::trits::ROWS;
use blobcheck_curve::{g1, msm_signed, BatchPoint, CurvePoint, G1Affine, Signed, Trits, G1};

fn points(rng: &mut Rng, count: usize) -> Vec<G1Affine> {
    (0..count).map(|_| rng.point()).collect()
}

/// What whoever writes proofs might choose: the same point, its opposite, the identity.
fn odd_points(rng: &mut Rng, count: usize) -> Vec<G1Affine> {
    let some = points(rng, 3);
    let identity = g1::normalize(&[g1::identity()])[0];
    let odd = |rng: &mut Rng| match rng.below(6) {
        0 => identity,
        1 => some[0],
        2 => -some[0],
        n => some[n % 3],
    };
    (0..count).map(|_| odd(rng)).collect()
}

/// Q_j = Σ t_ij·P_i, one addition at a time.
fn slow_rows(points: &[G1Affine], trits: &[Trits]) -> [G1; ROWS] {
    let mut rows = [g1::identity(); ROWS];
    for (point, trits) in points.iter().zip(trits) {
        for (row, digit) in rows.iter_mut().zip(digits(trits)) {
            match digit {
                0 => {}
                1 => *row += point,
                _ => *row -= point,
            }
        }
    }
    rows
}

fn passes(points: &[G1Affine], trits: &[Trits]) -> bool {
    subgroup::tested(&[&batch(points, trits)]).is_some()
}

#[test]
fn rows_are_what_they_should_be() {
    let mut rng = Rng(1);
    let mut widths = Vec::new();
    let outside = torsion(11);
    for sizes in [vec![], vec![0], vec![1], vec![2, 0, 9], vec![40, 1], vec![150, 400], vec![9000, 3]] {
        let mut families: Vec<(Vec<G1Affine>, Vec<Trits>)> =
            sizes.iter().map(|size| (odd_points(&mut rng, *size), rng.trits(*size))).collect();
        if let Some(point) = families.last_mut().and_then(|(points, _)| points.last_mut()) {
            *point = outside; // rows are sums of points of the curve
        }
        let batches: Vec<Vec<BatchPoint>> =
            families.iter().map(|(points, trits)| batch(points, trits)).collect();
        let found = row_sums(&batches.iter().map(Vec::as_slice).collect::<Vec<_>>());
        assert_eq!(found.len(), sizes.len());
        for ((points, trits), found) in families.iter().zip(found) {
            assert_eq!(found.map(G1::from), slow_rows(points, trits), "{} points", points.len());
            widths.push(width(points.len()));
        }
    }
    widths.sort();
    widths.dedup();
    assert!(widths.len() > 4, "as many ways as there are: {widths:?}");
}

#[test]
fn sums_are_those_of_the_coefficients() {
    let mut rng = Rng(2);
    for sizes in [vec![1], vec![3, 100], vec![0, 64, 0, 300, 5]] {
        let families: Vec<(Vec<G1Affine>, Vec<Trits>)> = sizes
            .iter()
            .map(|size| {
                let mut points = odd_points(&mut rng, *size);
                points.iter_mut().step_by(3).for_each(|point| *point = rng.point());
                (points, rng.trits(*size))
            })
            .collect();
        let batches: Vec<Vec<BatchPoint>> =
            families.iter().map(|(points, trits)| batch(points, trits)).collect();
        let views: Vec<&[BatchPoint]> = batches.iter().map(Vec::as_slice).collect();
        let expected: Vec<G1> = families
            .iter()
            .map(|(points, trits)| {
                msm_signed(points, &trits.iter().map(Trits::value).collect::<Vec<Signed>>())
            })
            .collect();
        let found = subgroup::tested(&views).expect("all are in G1");
        assert_eq!(subgroup::totals(&found.iter().collect::<Vec<_>>()), expected);
    }
}

/// A point outside G1 is refused wherever it stands, alone and among thousands, with its opposite, doubled, and
/// with defects that cancel for equal coefficients.
#[test]
fn planted_torsion_is_refused() {
    let mut rng = Rng(3);
    let good = points(&mut rng, 3000);
    let mut planted: Vec<Vec<G1Affine>> = outside_g1(3).iter().map(|(point, _)| vec![*point]).collect();
    for point in all_torsion() {
        let added = g1::normalize(&[rng.point() + point, rng.point() - point]);
        planted.extend([
            vec![point],
            vec![point, -point],
            vec![point, point],
            vec![point; 3],
            vec![point; 9],
            added,
        ]);
    }
    for bad in &planted {
        for count in [0, 90] {
            let mut all = good[..count].to_vec();
            bad.iter().for_each(|point| all.insert(rng.below(all.len() + 1), *point));
            let trits = rng.trits(all.len());
            assert!(!passes(&all, &trits));
            // Split over families that are tested as one.
            let (left, right) = all.split_at(all.len() / 2);
            let (of_left, of_right) = trits.split_at(left.len());
            let families = [batch(left, of_left), batch(right, of_right)];
            assert!(subgroup::tested(&[&families[0], &families[1]]).is_none());
        }
    }
    for bad in planted.iter().step_by(4) {
        let mut all = good.clone();
        bad.iter().for_each(|point| all[rng.below(3000)] = *point);
        assert!(!passes(&all, &rng.trits(3000)));
    }
    assert!(passes(&good, &rng.trits(3000)));
}

/// No place of any family goes untested, the last ones least of all.
#[test]
fn every_place_is_tested() {
    let mut rng = Rng(7);
    let good = points(&mut rng, 9);
    let bad = torsion(11);
    for sizes in [[9, 0], [4, 5]] {
        for at in 0..9 {
            let mut all = good.clone();
            all[at] = bad;
            let all = batch(&all, &rng.trits(9));
            let (left, right) = all.split_at(sizes[0]);
            assert!(subgroup::tested(&[left, right]).is_none(), "{at} of {sizes:?}");
        }
    }
}

/// Rows that a batch does not have were never tested: asked for, they do not pass.
#[test]
fn rows_that_are_not_there_do_not_pass() {
    let mut rng = Rng(8);
    let all = batch(&points(&mut rng, 3), &rng.trits(3));
    let (rows, _) = subgroup::untested(&[&all]);
    let fours = subgroup::JOINED;
    assert!(rows.are_in_subgroup(0..fours));
    for beyond in [fours..fours + 1, fours + 1..fours + 2, 1000..1001] {
        assert!(!rows.are_in_subgroup(beyond.clone()), "{beyond:?}");
    }
    // A part of the test to which no rows fall has nothing to say against the batch.
    assert!(rows.are_in_subgroup(3..3) && rows.are_in_subgroup(fours..fours));
}

/// A row alone: theorem 2 of docs/subgroup.md bounds the share of rows that a defect passes by 1/3, and defects
/// of order 3 reach it. It is the number of rows that makes the test sound.
#[test]
fn a_row_passes_a_third_of_the_time() {
    let mut rng = Rng(4);
    let good = points(&mut rng, 5);
    let (three, eleven) = (torsion(3), torsion(11));
    for (bad, share) in [
        (vec![three], 1.0 / 3.0),
        (vec![three, three], 1.0 / 3.0),
        (vec![three, -three], 1.0 / 3.0),
        (vec![eleven], 1.0 / 3.0),
        (vec![eleven, eleven], 1.0 / 3.0), // t + u = 0
        (vec![eleven; 3], 7.0 / 27.0),     // t + u + v = 0
        (vec![three, eleven], 1.0 / 9.0),
    ] {
        const TRIALS: usize = 8;
        let mut passed = 0;
        for _ in 0..TRIALS {
            let points: Vec<G1Affine> = good.iter().chain(&bad).copied().collect();
            let trits = rng.trits(points.len());
            let rows = row_sums(&[&batch(&points, &trits)]);
            passed += subgroup::are_in_subgroup(&rows[0].map(CurvePoint::from))
                .iter()
                .filter(|inside| **inside)
                .count();
        }
        let count = (TRIALS * ROWS) as f64;
        let deviation = (count * share * (1.0 - share)).sqrt();
        assert!((passed as f64 - count * share).abs() < 6.0 * deviation, "{passed} of {count}, not {share}");
    }
}

/// Four rows: a defect passes one time in 81, and no more. One of order 3 has to pass four residues, and without them would pass one
/// time in three; four trits give 81 digits of Z\[φ\] that differ modulo each prime of Z\[φ\] over the other orders, also where φ does no
/// more than multiply the defect.
#[test]
fn four_rows_pass_one_time_in_81() {
    let mut rng = Rng(6);
    let good = points(&mut rng, 3);
    for bad in all_torsion() {
        const TRIALS: usize = 24;
        let fours = subgroup::JOINED - 1; // the last row is alone
        let points: Vec<G1Affine> = good.iter().copied().chain([bad]).collect();
        let mut passed = 0;
        for _ in 0..TRIALS {
            let (rows, _) = subgroup::untested(&[&batch(&points, &rng.trits(points.len()))]);
            passed += (0..fours).filter(|four| rows.are_in_subgroup(*four..four + 1)).count();
        }
        let expected = (TRIALS * fours) as f64 / 81.0;
        // One time in 27 would be three times as often.
        assert!((passed as f64 - expected).abs() < 4.0 * expected.sqrt(), "{passed}, not {expected}");
    }
}

/// Why the families of a batch need coefficients of their own.
#[test]
fn shared_coefficients_are_unsound() {
    let mut rng = Rng(5);
    let bad = torsion(3);
    let trits = rng.trits(1);
    let (left, right) = (batch(&[bad], &trits), batch(&[-bad], &trits));
    assert!(subgroup::tested(&[&left, &right]).is_some());
    let others = rng.trits(1);
    let right = batch(&[-bad], &others);
    assert!(subgroup::tested(&[&left, &right]).is_none());
}

/// The costs grow, and cross somewhere near a hundred points.
#[test]
fn costs() {
    let sums = |sizes: &[usize]| cost_of_rows() + cost_of_totals(sizes);
    let all = [0, 1, 2, 10, 64, 128, 1000, 8192, 100_000].map(|size| sums(&[size]));
    assert!(all.is_sorted() && all.iter().all(|cost| cost.is_finite()), "{all:?}");
    assert!(sums(&[40, 0]) > cost_of_each(40));
    assert!(sums(&[200, 0]) < cost_of_each(200));
}
