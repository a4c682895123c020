//! Batches in groups, decided in parts: the answer is that of the whole batch, however it was cut.

use crate::support::known_tau::{falsify, off_curve, outside_g1, views, KnownTau, Polynomial};
use crate::support::torsion::{all_torsion, plus};
use crate::support::{fresh, Rng};
use blobcheck_kzg::batch::Outcome;
use blobcheck_kzg::shared::{close_part, is_tested, GroupSums, Membership};
use blobcheck_kzg::{collect_group, verify, Accumulator, InputError, Reason, Verdict};

/// Where a cell's proof is in its unit.
const PROOF: usize = 4 + 48;

fn patched(unit: &[u8], bytes: &[u8; 48]) -> Vec<u8> {
    let mut unit = unit.to_vec();
    unit[PROOF..PROOF + 48].copy_from_slice(bytes);
    unit
}

/// Cells and blobs, with points enough for the rows of a bulk test where three groups share it, and for none in one of four.
fn units(known_tau: &KnownTau, rng: &mut Rng) -> Vec<Vec<u8>> {
    let polynomials: Vec<Polynomial> = [4096, 64, 1].iter().map(|n| known_tau.polynomial(rng, *n)).collect();
    let mut units: Vec<Vec<u8>> =
        (0..128).map(|k| known_tau.column_unit(&[&polynomials[k % 3]], k)).collect();
    units.extend(polynomials.iter().map(|p| known_tau.blob_unit(p)));
    units
}

/// Whether whoever collected the group left the test of its points to others.
fn is_untested(group: &GroupSums) -> bool {
    matches!(group.membership, Membership::Untested(_))
}

/// Groups as workers collect them, each with a seed of its own, over the wire.
fn collected(units: &[Vec<u8>], cuts: &[usize], rng: &mut Rng) -> (Vec<Outcome>, Vec<GroupSums>) {
    let (mut outcomes, mut sums, mut from) = (Vec::new(), Vec::new(), 0);
    for to in cuts.iter().copied().chain([units.len()]) {
        let group: Vec<_> = units[from..to].iter().map(|unit| (&unit[..], None)).collect();
        let (of_group, group_sums) = collect_group(&group, fresh(rng.bytes::<32>()), cuts.len() + 1);
        outcomes.extend(of_group);
        sums.push(GroupSums::from_bytes(&group_sums.to_bytes()).expect("sums"));
        from = to;
    }
    (outcomes, sums)
}

/// What all parts say together, which is the same whatever their number.
fn closes(known_tau: &KnownTau, groups: &[GroupSums]) -> bool {
    let answers: Vec<bool> = [1, 2, 3, 4, 30]
        .into_iter()
        .map(|parts| (0..parts).all(|part| close_part(&known_tau.setup, groups, part, parts)))
        .collect();
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
    answers[0]
}

const CUTS: [&[usize]; 4] = [&[], &[66], &[44, 88], &[10, 50, 90, 130]];

#[test]
fn true_groups_close() {
    let (known_tau, mut rng) = (KnownTau::new(51), Rng(51));
    let units = units(&known_tau, &mut rng);
    for cuts in CUTS {
        let (outcomes, sums) = collected(&units, cuts, &mut rng);
        assert!(outcomes.iter().all(|outcome| *outcome == Outcome::Pending));
        assert!(sums.iter().any(is_untested), "cut at {cuts:?}: nobody left the test to others");
        assert!(closes(&known_tau, &sums));
        assert!(sums.iter().all(|group| closes(&known_tau, std::slice::from_ref(group))));
    }
    // A group of a cell is tested by whoever collects it, and goes with those that are not.
    let (_, sums) = collected(&units, &[1], &mut rng);
    assert_eq!(sums.iter().map(is_untested).collect::<Vec<_>>(), [false, true]);
    assert!(closes(&known_tau, &sums));
}

#[test]
fn a_false_unit_opens_its_own_group_alone() {
    let (known_tau, mut rng) = (KnownTau::new(52), Rng(52));
    let mut units = units(&known_tau, &mut rng);
    units[60] = falsify(&units[60], 0, &mut rng);
    let (outcomes, sums) = collected(&units, &[44, 88], &mut rng);
    assert!(outcomes.iter().all(|outcome| *outcome == Outcome::Pending));
    assert!(!closes(&known_tau, &sums));
    let alone = sums.iter().map(|group| closes(&known_tau, std::slice::from_ref(group))).collect::<Vec<_>>();
    assert_eq!(alone, [true, false, true]);
}

#[test]
fn planted_torsion_opens_its_own_group_alone() {
    let (known_tau, mut rng) = (KnownTau::new(53), Rng(53));
    let units = units(&known_tau, &mut rng);
    let proof = |at: usize| units[at][PROOF..PROOF + 48].try_into().expect("a point");
    for torsion in all_torsion() {
        // One; two that cancel within a group; two that cancel over groups, which share a test and no coefficients.
        for (places, guilty) in [(vec![60], vec![1]), (vec![60, 61], vec![1]), (vec![5, 90], vec![0, 2])] {
            let mut units = units.clone();
            let mut defect = torsion;
            for at in places {
                units[at] = patched(&units[at], &plus(&proof(at), defect));
                defect = -defect;
            }
            let (outcomes, sums) = collected(&units, &[44, 88], &mut rng);
            assert!(sums.iter().all(is_untested));
            assert!(outcomes.iter().all(|outcome| *outcome == Outcome::Pending));
            assert!(!closes(&known_tau, &sums));
            for (which, group) in sums.iter().enumerate() {
                assert_eq!(closes(&known_tau, std::slice::from_ref(group)), !guilty.contains(&which));
            }
            // Whoever then looks at the group by itself finds it.
            let verdicts = verify(&known_tau.setup, &views(&units[44..88]), fresh(rng.bytes::<32>()));
            let expected = Verdict::Malformed(InputError { reason: Reason::ProofNotInSubgroup, index: 0 });
            assert_eq!(verdicts.contains(&expected), guilty.contains(&1));
        }
    }
    let mut bad = units.clone();
    bad[40] = patched(&bad[40], &outside_g1());
    let (_, sums) = collected(&bad, &[44, 88], &mut rng);
    assert!(!closes(&known_tau, &sums));
}

/// What cannot be a point is known at once, and is in no sum.
#[test]
fn points_off_the_curve_are_left_out() {
    let (known_tau, mut rng) = (KnownTau::new(54), Rng(54));
    let mut units = units(&known_tau, &mut rng);
    units[12] = patched(&units[12], &off_curve());
    let (outcomes, sums) = collected(&units, &[44, 88], &mut rng);
    let pending = outcomes.iter().filter(|outcome| **outcome == Outcome::Pending).count();
    assert_eq!(pending, units.len() - 1);
    assert!(matches!(outcomes[12], Outcome::Malformed(InputError { reason: Reason::ProofNotOnCurve, .. })));
    assert!(closes(&known_tau, &sums));
}

#[test]
fn bytes_that_are_no_sums_are_refused() {
    let (known_tau, mut rng) = (KnownTau::new(55), Rng(55));
    let units = units(&known_tau, &mut rng);
    let (_, sums) = collected(&units, &[66], &mut rng);
    let good = sums[0].to_bytes();
    assert!(GroupSums::from_bytes(&good).is_some_and(|group| is_untested(&group)));
    assert!(!is_tested(&good));
    let accumulator = Accumulator::empty().to_bytes();
    let tested = [&[1], &accumulator[..]].concat();
    assert!(GroupSums::from_bytes(&tested).is_some_and(|group| !is_untested(&group)));
    assert!(is_tested(&tested));
    // Sums that lost their rows are not sums of tested points, wherever they were cut.
    for length in [0, 1, tested.len() - 1, tested.len(), tested.len() + 1, good.len() - 96, good.len() - 1] {
        assert!(GroupSums::from_bytes(&good[..length]).is_none(), "{length} bytes");
    }
    assert!(GroupSums::from_bytes(&[&good[..], &[0]].concat()).is_none());
    for kind in (0..=255).filter(|kind| *kind != 1) {
        assert!(GroupSums::from_bytes(&[&[kind], &tested[1..]].concat()).is_none(), "kind {kind}");
    }
    for kind in (0..=255).filter(|kind| *kind != 2) {
        assert!(GroupSums::from_bytes(&[&[kind], &good[1..]].concat()).is_none(), "kind {kind}");
    }
    // A row that is no point of the curve.
    let mut off = good.clone();
    off[tested.len() + 95] ^= 1;
    assert!(GroupSums::from_bytes(&off).is_none());
}

/// Only parts that there are have something to say, and only about groups that there are.
#[test]
fn parts_that_there_are_not_do_not_close() {
    let (known_tau, mut rng) = (KnownTau::new(56), Rng(56));
    let units = units(&known_tau, &mut rng);
    let (_, sums) = collected(&units, &[66], &mut rng);
    for (part, parts) in [(0, 0), (1, 1), (1, 0), (2, 2), (usize::MAX, 2), (usize::MAX, usize::MAX)] {
        assert!(!close_part(&known_tau.setup, &sums, part, parts), "part {part} of {parts}");
    }
    for parts in 1..4 {
        for part in 0..parts {
            assert!(close_part(&known_tau.setup, &sums, part, parts));
            assert!(!close_part(&known_tau.setup, &[], part, parts));
        }
    }
}
