//! Blobs without proofs, against commitments that follow from a known τ: alone, in batches, and in batches that several workers share.

use crate::support::known_tau::{compress, off_curve, outside_g1, random, views, KnownTau, Polynomial};
use crate::support::naive::{self, scalar};
use crate::support::torsion::{all_torsion, plus};
use crate::support::{fresh, Rng};
use ark_bls12_381::{Fr, G1Projective};
use ark_ec::PrimeGroup;
use ark_ff::Field;
use blobcheck_execution::versioned_hash::kzg_to_versioned_hash;
use blobcheck_kzg::bare_batch::{close, collect, commit_part, verify, BareSums, BARE_SUMS_BYTES};
use blobcheck_kzg::constants::Bytes48;
use blobcheck_kzg::randomness::coefficients;
use blobcheck_kzg::{BareBlob, CommitmentSetup, InputError, Reason, Verdict};
use core::slice::from_ref;
use std::sync::OnceLock;

const SEED: [u8; 32] = [7; 32];
/// Where the parts of a unit with a commitment are.
const COMMITMENT: usize = 1;
const BLOB: usize = 49;

fn known_tau() -> &'static (KnownTau, CommitmentSetup) {
    static KNOWN: OnceLock<(KnownTau, CommitmentSetup)> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let known_tau = KnownTau::new(71);
        let setup = known_tau.commitment_setup();
        (known_tau, setup)
    })
}

fn polynomials(rng: &mut Rng, counts: &[usize]) -> Vec<Polynomial> {
    counts.iter().map(|count| known_tau().0.polynomial(rng, *count)).collect()
}

fn units(polynomials: &[Polynomial]) -> Vec<Vec<u8>> {
    polynomials.iter().map(|p| known_tau().0.bare_unit(p)).collect()
}

/// Verdicts of a batch with random coefficients.
fn together(units: &[Vec<u8>]) -> Vec<Verdict> {
    verify(&known_tau().1, &views(units), Some(fresh(SEED)))
}

/// The same with coefficients that follow from the batch, and of each unit alone.
fn verdicts(units: &[Vec<u8>]) -> Vec<Verdict> {
    let found = together(units);
    assert_eq!(verify(&known_tau().1, &views(units), None), found);
    let alone = units.iter().flat_map(|unit| verify(&known_tau().1, &[unit], Some(fresh(SEED))));
    assert_eq!(alone.collect::<Vec<_>>(), found);
    found
}

/// The obvious twin: p(τ) by the barycentric formula, times the generator.
fn naive_commitment(blob: &[u8]) -> Bytes48 {
    let values: Vec<Fr> = blob.chunks(32).map(|bytes| scalar(bytes).expect("canonical")).collect();
    compress(G1Projective::generator() * naive::evaluate(&values, known_tau().0.tau))
}

/// A blob with `delta` added to one of its elements.
fn moved(unit: &[u8], element: usize, delta: Fr) -> Vec<u8> {
    let mut unit = unit.to_vec();
    let bytes = &mut unit[BLOB + 32 * element..BLOB + 32 * (element + 1)];
    let value = scalar(bytes).expect("canonical") + delta;
    bytes.copy_from_slice(&naive::bytes(value));
    unit
}

fn malformed(reason: Reason) -> Verdict {
    Verdict::Malformed(InputError { reason, index: 0 })
}

/// Errors that cancel for the coefficients of a seed that somebody could know: without a seed of its own a batch has one that follows from all of it.
#[test]
fn errors_that_cancel_for_known_seeds_are_found() {
    let mut rng = Rng(77);
    let polynomials = polynomials(&mut rng, &[3, 2, 5]);
    for seed in [[0; 32], [1; 32], SEED] {
        let weights: Vec<Fr> = coefficients(&seed, 3).into_iter().map(Fr::from).collect();
        let (second, third) = (random(&mut rng), random(&mut rng));
        let first = -(weights[1] * second + weights[2] * third) / weights[0];
        let units: Vec<Vec<u8>> = polynomials
            .iter()
            .zip([first, second, third])
            .map(|(p, error)| {
                let commitment = naive::point(&p.commitment).expect("of G1");
                let commitment = compress(commitment + G1Projective::generator() * error);
                BareBlob::of_commitment(&commitment, p.blob()).expect("a unit").to_bytes()
            })
            .collect();
        let found = verify(&known_tau().1, &views(&units), None);
        assert_eq!(found, [Verdict::Invalid; 3]);
        // They do cancel, for who uses that seed.
        let (errors, sums) = collect(&views(&units), fresh(seed));
        assert_eq!(errors, [None; 3]);
        let part = commit_part(&known_tau().1, from_ref(&sums), 0, 1).expect("the one part");
        assert!(close(&[sums], &[part]));
    }
}

#[test]
fn commitments_are_those_of_the_twin() {
    let mut rng = Rng(72);
    let mut units = units(&polynomials(&mut rng, &[4096, 64, 1, 0]));
    // Extreme elements, in extreme places.
    for (element, value) in [(0, -Fr::ONE), (4095, -Fr::ONE), (63, Fr::ONE), (64, random(&mut rng))] {
        units.push(moved(&units[3], element, value));
    }
    units.push([&units[3][..BLOB], &naive::bytes(-Fr::ONE).repeat(4096)].concat());
    let before = verdicts(&units);
    assert_eq!(before[..4], [Verdict::Valid; 4]);
    assert_eq!(before[4..], [Verdict::Invalid; 5]);
    for unit in &mut units {
        let commitment = naive_commitment(&unit[BLOB..]);
        unit[COMMITMENT..BLOB].copy_from_slice(&commitment);
    }
    assert_eq!(verdicts(&units), [Verdict::Valid; 9]);
}

#[test]
fn culprits_are_found_whatever_their_number() {
    let mut rng = Rng(73);
    let good = units(&polynomials(&mut rng, &[4096, 4096, 5, 1, 0, 700, 4096]));
    for culprits in [&[][..], &[0], &[6], &[2, 3], &[0, 1, 2, 3, 4, 5, 6]] {
        let mut units = good.clone();
        for at in culprits {
            units[*at] = moved(&units[*at], 17 * at, random(&mut rng));
        }
        let expected = |at: usize| if culprits.contains(&at) { Verdict::Invalid } else { Verdict::Valid };
        assert_eq!(together(&units), (0..units.len()).map(expected).collect::<Vec<_>>());
    }
}

/// Blobs, and commitments, whose errors cancel in a plain sum.
#[test]
fn pairs_that_cancel_are_false() {
    let mut rng = Rng(74);
    let polynomials = polynomials(&mut rng, &[4096, 4096, 9]);
    let good = units(&polynomials);
    let delta = random(&mut rng);
    let blobs = [moved(&good[0], 5, delta), moved(&good[1], 5, -delta), good[2].clone()];
    assert_eq!(verdicts(&blobs), [Verdict::Invalid, Verdict::Invalid, Verdict::Valid]);

    let mut commitments = good.clone();
    let by = |p: &Polynomial, delta: Fr| compress(G1Projective::generator() * (p.at_tau + delta));
    commitments[0][COMMITMENT..BLOB].copy_from_slice(&by(&polynomials[0], delta));
    commitments[1][COMMITMENT..BLOB].copy_from_slice(&by(&polynomials[1], -delta));
    assert_eq!(verdicts(&commitments), [Verdict::Invalid, Verdict::Invalid, Verdict::Valid]);

    let mut swapped = good.clone();
    swapped[0][COMMITMENT..BLOB].copy_from_slice(&polynomials[1].commitment);
    swapped[1][COMMITMENT..BLOB].copy_from_slice(&polynomials[0].commitment);
    assert_eq!(verdicts(&swapped), [Verdict::Invalid, Verdict::Invalid, Verdict::Valid]);
}

/// Points outside G1 are no commitments, pairs of equal and of opposite defects included.
#[test]
fn commitments_outside_the_subgroup_are_malformed() {
    let mut rng = Rng(75);
    let good = units(&polynomials(&mut rng, &[4096, 64, 64, 3]));
    for defect in all_torsion() {
        let mut units = good.clone();
        for (at, defect) in [(0, defect), (1, -defect), (2, defect)] {
            let commitment: Bytes48 = units[at][COMMITMENT..BLOB].try_into().expect("48 bytes");
            units[at][COMMITMENT..BLOB].copy_from_slice(&plus(&commitment, defect));
        }
        let outside = malformed(Reason::CommitmentNotInSubgroup);
        assert_eq!(verdicts(&units), [outside, outside, outside, Verdict::Valid]);
    }
}

#[test]
fn bad_units_spoil_nothing() {
    let mut rng = Rng(76);
    let mut units = units(&polynomials(&mut rng, &[4096, 64, 64, 64, 1]));
    units[0][COMMITMENT..BLOB].copy_from_slice(&outside_g1());
    units[1][COMMITMENT..BLOB].copy_from_slice(&off_curve());
    units[2][COMMITMENT..BLOB].copy_from_slice(&[0xff; 48]);
    units[3][BLOB + 32 * 4095..].copy_from_slice(&[0xff; 32]);
    let mut expected = vec![
        malformed(Reason::CommitmentNotInSubgroup),
        malformed(Reason::CommitmentNotOnCurve),
        malformed(Reason::CommitmentEncoding),
        malformed(Reason::ScalarNotCanonical),
        Verdict::Valid,
    ];
    // Bytes that are no unit: none, another kind, too short, too long, no hash, a part of one, too many.
    let sound = units[4].clone();
    units.extend([vec![], vec![5], sound[..sound.len() - 1].to_vec(), [&sound[..], &[0]].concat()]);
    units.extend([[&[1], &sound[1..]].concat(), [&[6], &sound[BLOB..]].concat()]);
    units.extend([31, 32 * 4097].map(|more| [&[6][..], &vec![1; more], &sound[BLOB..]].concat()));
    expected.extend([malformed(Reason::UnitLayout); 8]);
    assert_eq!(verdicts(&units), expected);
}

#[test]
fn blobs_of_versioned_hashes() {
    let mut rng = Rng(77);
    let polynomials = polynomials(&mut rng, &[4096, 64, 1, 0]);
    let hashes: Vec<[u8; 32]> = polynomials.iter().map(|p| kzg_to_versioned_hash(&p.commitment)).collect();
    let unit = |hashes: &[[u8; 32]], p: &Polynomial| {
        BareBlob::of_versioned_hashes(hashes.as_flattened(), p.blob()).expect("a unit").to_bytes()
    };
    let mut units: Vec<Vec<u8>> = polynomials.iter().map(|p| unit(&hashes[..2], p)).collect();
    units.push(unit(&[hashes[2]], &polynomials[2]));
    // Beside blobs of commitments, one of them false.
    units.extend(polynomials[..2].iter().map(|p| known_tau().0.bare_unit(p)));
    units[6] = moved(&units[6], 0, Fr::ONE);
    // A hash with another version is another hash.
    let mut versioned = hashes[0];
    versioned[0] = 2;
    units.push(unit(&[versioned], &polynomials[0]));
    units.push([&units[0][..units[0].len() - 32], &[0xff; 32]].concat());
    use Verdict::{Invalid, Valid};
    let expected = [Valid, Valid, Invalid, Invalid, Valid, Valid, Invalid, Invalid];
    assert_eq!(verdicts(&units), [&expected[..], &[malformed(Reason::ScalarNotCanonical)]].concat());
}

/// Groups as workers collect them, over the wire, and whether they close with any of these numbers of parts.
fn closes(units: &[Vec<u8>], cuts: &[usize], parts: &[usize]) -> bool {
    let setup = &known_tau().1;
    let (mut rng, mut from, mut groups) = (Rng(79), 0, Vec::new());
    for to in cuts.iter().copied().chain([units.len()]) {
        let (errors, sums) = collect(&views(&units[from..to]), fresh(rng.bytes::<32>()));
        assert!(errors.iter().all(Option::is_none));
        let bytes = sums.to_bytes();
        assert_eq!(bytes.len(), BARE_SUMS_BYTES);
        groups.push(BareSums::from_bytes(&bytes).expect("sums"));
        from = to;
    }
    let answers: Vec<bool> = parts
        .iter()
        .map(|&parts| {
            let points: Vec<[u8; 96]> =
                (0..parts).map(|part| commit_part(setup, &groups, part, parts).expect("a part")).collect();
            assert!(commit_part(setup, &groups, parts, parts).is_none());
            close(&groups, &points)
        })
        .collect();
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
    answers[0]
}

#[test]
fn groups_are_decided_together() {
    let mut rng = Rng(78);
    let good = units(&polynomials(&mut rng, &[4096, 64, 4096, 1, 0]));
    for (cuts, parts) in [(&[][..], &[1, 2][..]), (&[2], &[3, 64, 100]), (&[1, 2, 3], &[2])] {
        assert!(closes(&good, cuts, parts));
    }
    // A pair that cancels, in one group and in two: each group has coefficients of its own.
    let mut bad = good.clone();
    bad[1] = moved(&good[1], 9, Fr::ONE);
    bad[2] = moved(&good[2], 9, -Fr::ONE);
    for (cuts, parts) in [(&[][..], &[1, 2][..]), (&[2], &[3, 64]), (&[1, 2, 3], &[2])] {
        assert!(!closes(&bad, cuts, parts));
    }
}

#[test]
fn nothing_is_shown_by_nothing() {
    let mut rng = Rng(80);
    let (errors, sums) = collect(&views(&units(&polynomials(&mut rng, &[4096]))), fresh(SEED));
    assert_eq!(errors, [None]);
    let sums = [sums];
    let part = commit_part(&known_tau().1, &sums, 0, 1).expect("a part");
    assert!(close(&sums, &[part]));
    assert!(!close(&[], &[part]) && !close(&sums, &[]) && !close(&[], &[]));
    assert!(!close(&sums, &[part, part]) && !close(&sums, &[[1; 96]]));
    // Nor by sums that are zero, as those of no units are.
    let (_, zero) = collect(&[], fresh(SEED));
    let part = commit_part(&known_tau().1, from_ref(&zero), 0, 1).expect("a part");
    assert!(close(from_ref(&zero), &[part]) && !close(from_ref(&zero), &[]) && !close(&[], &[part]));
    let bytes = sums[0].to_bytes();
    assert!(BareSums::from_bytes(&bytes[1..]).is_none() && BareSums::from_bytes(&[]).is_none());
    let last = [&bytes[..BARE_SUMS_BYTES - 32], &[0xff; 32]].concat();
    assert!(BareSums::from_bytes(&last).is_none());
}
