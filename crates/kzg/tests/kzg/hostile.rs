//! Batches that are made to pass: errors that cancel where somebody could know the coefficients, points outside G1 about every number of units
//! from which on they are tested in bulk, and claims whose sums meet the exceptions of additions.

use crate::support::known_tau::{compress, horner, outside_g1, random, views, KnownTau, Polynomial};
use crate::support::naive::{self, theirs};
use crate::support::torsion::{all_torsion, plus};
use crate::support::{fresh, Rng};
use ark_bls12_381::{Fr, G1Projective};
use ark_ec::PrimeGroup;
use ark_ff::{AdditiveGroup, Field};
use blobcheck_curve::subgroup::JOINED;
use blobcheck_kzg::api::{compute_verify_cell_kzg_proof_batch_challenge, verify_kzg_proof};
use blobcheck_kzg::challenge::compute_challenges;
use blobcheck_kzg::constants::Bytes48;
use blobcheck_kzg::randomness::{coefficients, FiatShamir};
use blobcheck_kzg::shared::{close_part, GroupSums, Membership};
use blobcheck_kzg::{collect, collect_group, verify, FreshSeed, InputError, Outcome, Reason, Unit, Verdict};

/// Known coefficients of a batch: r_i by i.
type Coefficients = fn(usize) -> Fr;

/// What a careless verifier might have: no coefficients, the powers of a number that everybody knows (0 or 1 first), pairs that are
/// equal, and those of a seed that does not follow from the batch.
const KNOWN: [(&str, Coefficients); 7] = [
    ("1", |_| Fr::ONE),
    ("2^i", |i| Fr::from(2).pow([i as u64])),
    ("7^(i + 1)", |i| Fr::from(7).pow([i as u64 + 1])),
    ("i + 1", |i| Fr::from(i as u64 + 1)),
    ("3^(i/2)", |i| Fr::from(3).pow([i as u64 / 2])),
    ("of the seed 0", |i| Fr::from(coefficients(&[0; 32], i + 1)[i])),
    ("of the seed 1", |i| Fr::from(coefficients(&[1; 32], i + 1)[i])),
];

/// Errors of as many claims as there are weights, with Σ rᵢ·dᵢ = 0: all but the first are drawn.
fn cancelling(rng: &mut Rng, weights: &[Fr]) -> Vec<Fr> {
    let mut errors: Vec<Fr> = weights.iter().map(|_| random(rng)).collect();
    errors[0] = -weighted(&errors[1..], &weights[1..]) / weights[0];
    assert_eq!(weighted(&errors, weights), Fr::ZERO);
    errors
}

/// The same with Σ rᵢ·tᵢ·dᵢ = 0 besides: the first two are what they must be.
fn cancelling_twice(rng: &mut Rng, weights: &[Fr], factors: &[Fr]) -> Vec<Fr> {
    let twisted: Vec<Fr> = weights.iter().zip(factors).map(|(weight, factor)| *weight * factor).collect();
    let mut errors: Vec<Fr> = weights.iter().map(|_| random(rng)).collect();
    let [plain, other] = [weights, &twisted].map(|weights| weighted(&errors[2..], &weights[2..]));
    // a + b = −plain and t₀·a + t₁·b = −other, for a = r₀d₀ and b = r₁d₁.
    let b = (plain * factors[0] - other) / (factors[1] - factors[0]);
    (errors[0], errors[1]) = ((-plain - b) / weights[0], b / weights[1]);
    assert_eq!([weighted(&errors, weights), weighted(&errors, &twisted)], [Fr::ZERO; 2]);
    errors
}

fn weighted(errors: &[Fr], weights: &[Fr]) -> Fr {
    errors.iter().zip(weights).map(|(error, weight)| *error * weight).sum()
}

/// A point with a multiple of the generator added.
fn shifted(point: &Bytes48, by: Fr) -> Bytes48 {
    compress(naive::point(point).expect("of G1") + G1Projective::generator() * by)
}

/// All units are false, and are found so: in one batch, in one whose coefficients follow from it, and in groups.
fn all_are_false(known_tau: &KnownTau, units: &[Vec<u8>], name: &str) {
    let mut rng = Rng(units.len() as u64);
    let invalid = vec![Verdict::Invalid; units.len()];
    assert_eq!(verify(&known_tau.setup, &views(units), fresh(rng.bytes::<32>())), invalid, "{name}");
    assert!(!collect(&views(units), FiatShamir).accumulator.close(&known_tau.setup), "{name}");
    let seedless = collect(&views(units), None::<FreshSeed>);
    assert!(!seedless.accumulator.close(&known_tau.setup), "{name}, without a seed");
    let seeds = || (Rng(1).bytes::<32>(), Rng(2).bytes::<32>());
    let (one, other) = units.split_at(units.len() / 2);
    let groups = [group(one, seeds().0, 2), group(other, seeds().1, 2)];
    assert!(!closes(known_tau, &groups), "{name} in two groups");
}

fn group(units: &[Vec<u8>], seed: [u8; 32], groups: usize) -> GroupSums {
    let units: Vec<_> = units.iter().map(|unit| (&unit[..], None)).collect();
    let (outcomes, sums) = collect_group(&units, fresh(seed), groups);
    assert!(outcomes.iter().all(|outcome| *outcome == Outcome::Pending));
    sums
}

fn closes(known_tau: &KnownTau, groups: &[GroupSums]) -> bool {
    close_part(&known_tau.setup, groups, 0, 1)
}

/// Blobs whose commitments are wrong, each with a proof that is right for its own challenge: the errors cancel in the sum
/// Σ rᵢ(Cᵢ − \[yᵢ\]₁ + zᵢπᵢ) − τ·Σ rᵢπᵢ for known rᵢ, which is shown with the point τ itself.
#[test]
fn errors_of_blobs_that_cancel_for_known_coefficients() {
    let (known_tau, mut rng) = (KnownTau::new(81), Rng(81));
    let polynomials: Vec<Polynomial> = (0..5).map(|_| known_tau.polynomial(&mut rng, 3)).collect();
    // 40 have more than 64 points, and are tested in bulk.
    for (count, known) in [(2, &KNOWN[..]), (5, &KNOWN[..]), (40, &KNOWN[..2])] {
        for (name, coefficient) in known {
            let weights: Vec<Fr> = (0..count).map(coefficient).collect();
            let errors = cancelling(&mut rng, &weights);
            let mut sum = G1Projective::ZERO;
            let mut units = Vec::new();
            for (i, (error, weight)) in errors.iter().zip(&weights).enumerate() {
                let p = &polynomials[i % 5];
                let commitment = shifted(&p.commitment, *error);
                let z = theirs(compute_challenges(&[(p.blob(), &commitment)])[0]);
                let y = horner(&p.coefficients, z);
                let proof = compress(G1Projective::generator() * ((p.at_tau - y) / (known_tau.tau - z)));
                let [c, w] = [commitment, proof].map(|bytes| naive::point(&bytes).expect("of G1"));
                sum += (c - G1Projective::generator() * y - w * (known_tau.tau - z)) * weight;
                units.push(Unit::blob(&commitment, &proof, p.blob()).expect("a unit").to_bytes());
            }
            assert_eq!(sum, G1Projective::ZERO, "the attack works on the coefficients {name}");
            all_are_false(&known_tau, &units, &format!("{count} blobs, {name}"));
        }
    }
}

/// Cells whose proofs are wrong: the errors cancel in both sums over proofs, Σ rᵢπᵢ and Σ rᵢh⁶⁴πᵢ, for known rᵢ, with no knowledge of τ.
#[test]
fn errors_of_proofs_that_cancel_for_known_coefficients() {
    let (known_tau, mut rng) = (KnownTau::new(82), Rng(82));
    let p = known_tau.polynomial(&mut rng, 70);
    for (count, known) in [(3, &KNOWN[..]), (16, &KNOWN[..]), (60, &KNOWN[..])] {
        for (name, coefficient) in known {
            let weights: Vec<Fr> = (0..count).map(coefficient).collect();
            let factors: Vec<Fr> = (0..count).map(|k| naive::root(64 * k).pow([64])).collect();
            let errors = cancelling_twice(&mut rng, &weights, &factors);
            let units: Vec<Vec<u8>> = (0..count)
                .map(|k| {
                    let proof = shifted(&known_tau.cell_proof(&p, k), errors[k]);
                    Unit::cell(k as u64, &p.commitment, &proof, p.cell(k)).expect("a unit").to_bytes()
                })
                .collect();
            all_are_false(&known_tau, &units, &format!("{count} cells, {name}"));
        }
    }
}

/// A blob's error against a cell's: they are in one sum, with coefficients of one seed.
#[test]
fn errors_that_cancel_between_the_schemes() {
    let (known_tau, mut rng) = (KnownTau::new(83), Rng(83));
    let p = known_tau.polynomial(&mut rng, 9);
    let error = random(&mut rng);
    for (name, coefficient) in KNOWN {
        let mut blob = known_tau.polynomial(&mut rng, 9);
        blob.commitment = shifted(&blob.commitment, error);
        let cell_commitment = shifted(&p.commitment, -error * coefficient(0) / coefficient(1));
        let proof = known_tau.cell_proof(&p, 5);
        let cell = Unit::cell(5, &cell_commitment, &proof, p.cell(5)).expect("a unit");
        let units = [known_tau.blob_unit(&blob), cell.to_bytes()];
        // `blob_unit` proves what the polynomial is at the challenge of the shifted commitment.
        all_are_false(&known_tau, &units, name);
    }
}

/// Opposite errors in two proofs of one cell cancel where their coefficients are equal, as they would be if those began anew after so many
/// places. With a point outside G1 behind them, each point is tested, and the coefficients are of the other kind.
#[test]
fn errors_that_cancel_where_coefficients_repeat() {
    let (known_tau, mut rng) = (KnownTau::new(88), Rng(88));
    let p = known_tau.polynomial(&mut rng, 70);
    let unit = |proof: &Bytes48| Unit::cell(5, &p.commitment, proof, p.cell(5)).expect("a unit").to_bytes();
    let (proof, error) = (known_tau.cell_proof(&p, 5), random(&mut rng));
    let [plus, minus] = [error, -error].map(|by| unit(&shifted(&proof, by)));
    for apart in [0, 1, 2, 64, 128, 256] {
        for last in [unit(&proof), unit(&outside_g1())] {
            let mut units = vec![unit(&proof); 300];
            let first = rng.below(299 - apart);
            if apart > 0 {
                (units[first], units[first + apart]) = (plus.clone(), minus.clone());
            }
            units[299] = last;
            let collected = collect(&views(&units), fresh(rng.bytes::<32>()));
            assert_eq!(collected.accumulator.close(&known_tau.setup), apart == 0, "{apart} places apart");
        }
    }
}

/// What a seed that is used twice would come to: the errors of two groups cancel at equal places. So a seed can be used once.
#[test]
fn groups_with_one_seed_would_be_unsound() {
    let (known_tau, mut rng) = (KnownTau::new(84), Rng(84));
    let p = known_tau.polynomial(&mut rng, 70);
    let outside = all_torsion();
    // Of one cell the points are tested one by one; of 60 in bulk.
    for (count, defect) in [(1, None), (60, None), (60, Some(outside[0])), (60, Some(outside[3]))] {
        let error = random(&mut rng);
        let units = |sign: Fr, defect| -> Vec<Vec<u8>> {
            let cell = |k| {
                let proof = known_tau.cell_proof(&p, k);
                let proof = match (k, defect) {
                    (0, None) => shifted(&proof, sign * error),
                    (0, Some(defect)) => plus(&proof, defect),
                    _ => proof,
                };
                Unit::cell(k as u64, &p.commitment, &proof, p.cell(k)).expect("a unit").to_bytes()
            };
            (0..count).map(cell).collect()
        };
        let (one, other) = (units(Fr::ONE, defect), units(-Fr::ONE, defect.map(|point| -point)));
        let seeds = [rng.bytes::<32>(), rng.bytes::<32>()];
        assert!(closes(&known_tau, &[group(&one, seeds[0], 2), group(&other, seeds[0], 2)]));
        let groups = [group(&one, seeds[0], 2), group(&other, seeds[1], 2)];
        assert_eq!(matches!(groups[0].membership, Membership::Untested(_)), count > 1);
        assert!(!closes(&known_tau, &groups));
        // It is the errors that are refused, wherever they are: the equation's by the pairings, the defect by the rows.
        let says = |part| close_part(&known_tau.setup, &groups, part, JOINED + 1);
        assert_eq!(says(0), defect.is_some(), "{count} {defect:?}");
    }
}

/// Units of a shape, as many as wanted, each with the place of a proof in it.
struct Shape {
    name: &'static str,
    units: Vec<Vec<u8>>,
    /// Where the proof of its last row lies.
    proof: usize,
    /// Where the first commitment lies.
    commitment: usize,
    /// The last row.
    row: usize,
}

fn shapes(known_tau: &KnownTau, rng: &mut Rng) -> Vec<Shape> {
    let p: Vec<Polynomial> = (0..6).map(|_| known_tau.polynomial(rng, 2)).collect();
    let all: Vec<&Polynomial> = p.iter().collect();
    let blob = |i: usize| {
        // Another commitment for each, since distinct ones are what is tested.
        let (a, b) = (Fr::from(i as u64 + 1), Fr::from(3));
        let coefficients = [vec![a, b], vec![Fr::ZERO; 4094]].concat();
        let values = (0..4096).flat_map(|at| naive::bytes(a + b * naive_root(at)));
        let at_tau = a + b * known_tau.tau;
        let commitment = compress(G1Projective::generator() * at_tau);
        known_tau.blob_unit(&Polynomial { coefficients, at_tau, extended: values.collect(), commitment })
    };
    vec![
        Shape {
            name: "blobs",
            units: (0..70).map(blob).collect(),
            proof: 1,
            commitment: 1 + 48 + 32 + 131_072,
            row: 0,
        },
        Shape {
            name: "cells of one blob",
            units: (0..128).map(|k| known_tau.column_unit(&all[..1], k)).collect(),
            proof: 4 + 48,
            commitment: 4,
            row: 0,
        },
        Shape {
            name: "columns of six blobs",
            units: (0..64).map(|k| known_tau.column_unit(&all, 2 * k)).collect(),
            proof: 4 + 48 * 11,
            commitment: 4,
            row: 5,
        },
    ]
}

/// [`naive::root`], which takes a power each time, from a table.
fn naive_root(i: usize) -> Fr {
    static ROOTS: std::sync::OnceLock<Vec<Fr>> = std::sync::OnceLock::new();
    ROOTS.get_or_init(|| (0..4096).map(naive::root).collect())[i]
}

/// Where points are no longer tested one by one, but in bulk: just below that number of units, at it and above,
/// each order of points outside G1, in a proof, in the proofs of two units with opposite signs, and in a commitment.
#[test]
fn points_outside_g1_at_each_threshold() {
    let (known_tau, mut rng) = (KnownTau::new(85), Rng(85));
    let mut thresholds = Vec::new();
    for Shape { name, units, proof, commitment, row } in shapes(&known_tau, &mut rng) {
        for groups in [1, 2, 4] {
            let is_bulk = |count: usize| {
                let sums = group(&units[..count], [1; 32], groups);
                matches!(sums.membership, Membership::Untested(_))
            };
            let counts: Vec<usize> = (0..=units.len()).collect();
            let threshold = counts.partition_point(|count| !is_bulk(*count));
            assert!(threshold < units.len() && !is_bulk(threshold - 1) && is_bulk(threshold));
            thresholds.push((name, groups, threshold));
            for (at, defect) in all_torsion().into_iter().enumerate() {
                // Two at least, since there are pairs.
                for count in (threshold - 1).max(2)..=threshold + 1 {
                    let mut batch: Vec<Vec<u8>> = units[..count].to_vec();
                    let mut plant = |unit: usize, place: usize, defect| {
                        let bytes = batch[unit][place..place + 48].try_into().expect("48 bytes");
                        batch[unit][place..place + 48].copy_from_slice(&plus(&bytes, defect));
                    };
                    // In turns, so that all orders meet all three: alone, in a pair, in a commitment.
                    let (first, last) = (rng.below(count - 1), count - 1);
                    let guilty = match (at + count) % 3 {
                        0 => vec![(first, Reason::ProofNotInSubgroup, row)],
                        1 => vec![
                            (first, Reason::ProofNotInSubgroup, row),
                            (last, Reason::ProofNotInSubgroup, row),
                        ],
                        _ => vec![(last, Reason::CommitmentNotInSubgroup, 0)],
                    };
                    for (nth, (unit, reason, _)) in guilty.iter().enumerate() {
                        let place = if *reason == Reason::ProofNotInSubgroup { proof } else { commitment };
                        plant(*unit, place, if nth == 0 { defect } else { -defect });
                    }
                    let case = format!("{count} {name}, {groups} groups, point {at}, {guilty:?}");
                    is_refused(&known_tau, &batch, &guilty, groups, &case);
                }
            }
        }
    }
    // Bulk pays sooner where groups share the test.
    for of_shape in thresholds.chunks(3) {
        assert!(of_shape.is_sorted_by(|one, next| one.2 > next.2), "{thresholds:?}");
    }
}

/// What the collector, or whoever closes the groups, says to a batch in which these units, and these alone, have a point outside G1.
fn is_refused(
    known_tau: &KnownTau,
    batch: &[Vec<u8>],
    guilty: &[(usize, Reason, usize)],
    groups: usize,
    case: &str,
) {
    let mut expected = vec![Outcome::Pending; batch.len()];
    for (unit, reason, index) in guilty {
        expected[*unit] = Outcome::Malformed(InputError { reason: *reason, index: *index });
    }
    let seed = [batch.len() as u8; 32];
    if groups == 1 {
        assert_eq!(collect(&views(batch), fresh(seed)).outcomes, expected, "{case}");
    }
    let hashed: Vec<_> = batch.iter().map(|unit| (&unit[..], None)).collect();
    let (outcomes, sums) = collect_group(&hashed, fresh(seed), groups);
    if matches!(sums.membership, Membership::Untested(_)) {
        assert!(outcomes.iter().all(|outcome| *outcome == Outcome::Pending), "{case}");
        // The rows alone, without the pairings: some part of the test of theirs fails.
        let parts = JOINED + 1;
        let sums = [sums];
        assert!(!(1..parts).all(|part| close_part(&known_tau.setup, &sums, part, parts)), "{case}");
    } else {
        assert_eq!(outcomes, expected, "{case}");
    }
}

/// Two ways to cut the same bytes into commitments and cells: the challenge binds how many there are of each. A cell with its indices and
/// its proof is as long as 44 commitments.
#[test]
fn the_challenge_of_cells_binds_their_numbers() {
    let mut rng = Rng(86);
    let commitments: Vec<[u8; 48]> = (0..45).map(|_| rng.bytes()).collect();
    // What follows the first commitment, read as a cell with its two indices.
    let mut bytes = commitments[1..].concat();
    bytes[..16].fill(0);
    let first = [&commitments[0][..], &bytes].concat();
    let many: Vec<&[u8]> = first.chunks(48).collect();
    let (cell, proof) = (rng.vec(2048), rng.vec(48));
    let challenge = |commitments: &[&[u8]], cells: &[&[u8]], proofs: &[&[u8]]| {
        let zeros = vec![0; cells.len()];
        compute_verify_cell_kzg_proof_batch_challenge(commitments, &zeros, &zeros, cells, proofs)
            .expect("a challenge")
    };
    let as_commitments = challenge(&many, &[&cell], &[&proof]);
    let as_cells = challenge(&many[..1], &[&bytes[16..2064], &cell], &[&bytes[2064..], &proof]);
    assert_ne!(as_commitments, as_cells);
}

/// Where z is in the domain, whose points the barycentric formula divides by, and where it is τ itself, so that the proof counts for nothing:
/// the answers are those of the specification's equation.
#[test]
fn openings_at_points_of_the_domain_and_at_tau() {
    let (known_tau, mut rng) = (KnownTau::new(87), Rng(87));
    let p = known_tau.polynomial(&mut rng, 4096);
    let zs = [0, 1, 2, 63, 64, 4095, 4096, 8191].map(naive::root);
    for z in zs.into_iter().chain([Fr::ZERO, -Fr::ONE, known_tau.tau, random(&mut rng)]) {
        let y = horner(&p.coefficients, z);
        let quotient = (known_tau.tau - z).inverse().map_or(Fr::ZERO, |inverse| (p.at_tau - y) * inverse);
        for (y, by, expected) in [
            (y, Fr::ZERO, true),
            (y + Fr::ONE, Fr::ZERO, false),
            (y, Fr::ONE, z == known_tau.tau),
            (-y, -quotient - quotient, false),
        ] {
            let proof = compress(G1Projective::generator() * (quotient + by));
            let found =
                verify_kzg_proof(&known_tau.setup, &p.commitment, &naive::bytes(z), &naive::bytes(y), &proof);
            assert_eq!(found, Ok(expected), "{z} {y}");
            let [c, w] = [p.commitment, proof].map(|bytes| naive::point(&bytes).expect("of G1"));
            assert_eq!(known_tau.naive.opening(c, z, y, w), expected);
        }
    }
    // The value of a blob at a point of the domain is the element there.
    for at in [0, 1, 63, 64, 2048, 4095] {
        let value = blobcheck_kzg::evaluate::evaluate(p.blob(), naive::ours(naive::root(at)));
        assert_eq!(naive::bytes(theirs(value)), p.blob()[32 * at..32 * (at + 1)]);
    }
}

/// A commitment that is a small multiple of the true one, or its opposite, and a proof at infinity: in the sum C − \[I(τ)\]₁ a doubling
/// and a difference of equal points stand where others have two different points. (c-kzg 4.1.0 takes the opposite for true.)
#[test]
fn sums_that_meet_the_exceptions_of_additions() {
    let (known_tau, mut rng) = (KnownTau::new(88), Rng(88));
    let infinity = compress(G1Projective::ZERO);
    // The interpolation of a cell is the polynomial itself, so that the true proof is infinity; of the blob, it must be constant.
    let (of_cells, of_blobs) = (known_tau.polynomial(&mut rng, 64), known_tau.polynomial(&mut rng, 1));
    let half = Fr::from(2).inverse().expect("not zero");
    for factor in [Fr::ONE, -Fr::ONE, Fr::from(2), -Fr::from(2), half, Fr::ZERO] {
        let commitment = |p: &Polynomial| compress(G1Projective::generator() * (p.at_tau * factor));
        let cell = |k| {
            Unit::cell(k, &commitment(&of_cells), &infinity, of_cells.cell(k as usize))
                .expect("a unit")
                .to_bytes()
        };
        let blob = Unit::blob(&commitment(&of_blobs), &infinity, of_blobs.blob()).expect("a unit").to_bytes();
        let expected = if factor == Fr::ONE { Verdict::Valid } else { Verdict::Invalid };
        // Alone, where the coefficient is 1; twice; and in bulk.
        for units in [
            vec![cell(3)],
            vec![blob.clone()],
            vec![cell(3), cell(3)],
            vec![blob.clone(), blob.clone(), cell(0)],
            (0..60).map(|k| cell(k % 50)).collect(),
        ] {
            let verdicts = verify(&known_tau.setup, &views(&units), fresh(rng.bytes::<32>()));
            assert_eq!(verdicts, vec![expected; units.len()], "{factor}");
        }
        let found = verify_kzg_proof(
            &known_tau.setup,
            &commitment(&of_blobs),
            &rng.bytes::<32>().map(|byte| byte & 0x3f),
            &of_blobs.blob()[..32],
            &infinity,
        );
        assert_eq!(found, Ok(expected == Verdict::Valid));
    }
}
