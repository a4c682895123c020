//! Many claims at once: as each alone, whatever is wrong with one, or with two in ways that cancel.

use crate::support::{claim, public, secret, Rng};
use blobcheck_bls::{decompress_keys, verify, verify_many, Claim, FreshSeed};
use blobcheck_curve::{g1_encoding, g2, g2_encoding, subgroup, G1, G2};
use blobcheck_testing::torsion;

fn claims(rng: &mut Rng, count: usize) -> Vec<Claim> {
    (0..count).map(|_| claim(rng)).collect()
}

fn signature(claim: &Claim) -> G2 {
    g2_encoding::decompress(&[claim.signature])[0].expect("a point").into()
}

fn shifted(claim: &Claim, by: G2) -> Claim {
    Claim { signature: g2_encoding::compress(&(signature(claim) + by).into()), ..*claim }
}

/// Makes a true claim a false one.
type Falsify<'a> = &'a dyn Fn(&Claim) -> Claim;

/// Points outside G2, of each order that there is.
fn all_torsion() -> Vec<G2> {
    let points = torsion::of_g2().into_iter().map(|found| g2_encoding::decompress_on_curve(&found.point));
    points.map(|point| point.expect("a point").into()).collect()
}

/// A seed of known bytes, so that cases can be run again; and none.
fn fresh(rng: &mut Rng) -> Option<FreshSeed> {
    (rng.below(3) > 0).then(|| FreshSeed::from_csprng(rng.bytes::<32>()))
}

#[test]
fn true_claims() {
    let mut rng = Rng(11);
    let claims = claims(&mut rng, 9);
    for count in 0..=claims.len() {
        assert!(verify_many(&claims[..count], fresh(&mut rng)), "{count}");
    }
    // The same one, and one signer's two messages.
    assert!(verify_many(&[claims[0], claims[0], claims[1]], fresh(&mut rng)));
    assert!(claims.iter().all(verify));
}

#[test]
fn a_false_claim_in_any_place() {
    let mut rng = Rng(12);
    let claims = claims(&mut rng, 5);
    assert!(claims.iter().all(verify));
    let other = claim(&mut rng);
    let falsify: [(&str, Falsify<'_>); 8] = [
        ("message", &|c| Claim { message: other.message, ..*c }),
        ("signer", &|c| Claim { key: other.key, ..*c }),
        ("signature", &|c| Claim { signature: other.signature, ..*c }),
        ("opposite", &|c| shifted(c, -signature(c) - signature(c))),
        ("infinity", &|c| shifted(c, -signature(c))),
        ("a generator more", &|c| shifted(c, g2::generator().into())),
        ("no point", &|c| Claim { signature: [0; 96], ..*c }),
        ("not canonical", &|c| Claim { signature: [0xff; 96], ..*c }),
    ];
    for (name, falsify) in falsify {
        for place in 0..claims.len() {
            let mut claims = claims.clone();
            claims[place] = falsify(&claims[place]);
            assert!(!verify_many(&claims, fresh(&mut rng)), "{name} at {place}");
            assert!(!verify(&claims[place]), "{name}");
            assert!(!verify_many(&claims[place..=place], fresh(&mut rng)), "{name} alone");
        }
    }
}

/// What a sum without weights would let pass, and one in which the two places have the same weight.
#[test]
fn errors_that_cancel() {
    let mut rng = Rng(13);
    let claims = claims(&mut rng, 5);
    for other in 0..claims.len() {
        for one in 0..other {
            let signatures = [one, other].map(|at| signature(&claims[at]));
            let exchange = signatures[1] - signatures[0];
            for by in [g2::generator().into(), signatures[0], exchange] {
                let mut claims = claims.clone();
                claims[one] = shifted(&claims[one], by);
                claims[other] = shifted(&claims[other], -by);
                assert!(!verify_many(&claims, fresh(&mut rng)), "{one} and {other}");
                assert!(
                    !verify_many(&[claims[one], claims[other]], fresh(&mut rng)),
                    "{one} and {other} alone"
                );
            }
        }
    }
}

/// A true signature with a defect of each order: alone, beside a true one, with the opposite defect and with the same one. It is decompression
/// that refuses them; the Miller loop, which runs over such a point, would mostly give another value, too.
#[test]
fn signatures_outside_g2() {
    let mut rng = Rng(14);
    let all = claims(&mut rng, 3);
    for torsion in all_torsion() {
        let bad = shifted(&all[0], torsion);
        assert!(!verify(&bad));
        for other in [shifted(&all[1], -torsion), shifted(&all[1], torsion), all[1]] {
            for seed in [fresh(&mut rng), None] {
                assert!(!verify_many(&[all[2], bad, other], seed));
            }
        }
        // Nothing else than the defect.
        let defect = Claim { signature: g2_encoding::compress(&torsion.into()), ..all[0] };
        assert!(!verify(&defect) && !verify_many(&[defect, all[1]], fresh(&mut rng)));
    }
    assert!(verify_many(&all, fresh(&mut rng)));
}

/// Where the test of keys goes over from one by one to all in one: a key outside G1 of each order, by itself, and with its opposite or its
/// double elsewhere, in batches just below that number of keys, at it and above.
#[test]
fn keys_outside_g1_at_the_threshold() {
    let mut rng = Rng(15);
    let forming = |count| subgroup::cost_of_rows() + subgroup::cost_of_forming(&[count]);
    let threshold = (1..512).find(|count| forming(*count) < subgroup::cost_of_each(*count)).expect("some");
    let keys: Vec<[u8; 48]> = (0..=threshold).map(|_| public(&secret(&mut rng))).collect();
    for found in torsion::of_g1() {
        for count in threshold - 1..=threshold + 1 {
            let at = [rng.below(count - 1), count - 1];
            for bad in [
                vec![(at[0], found.point)],
                vec![(at[0], found.point), (at[1], found.opposite())],
                vec![(at[1], found.point)],
            ] {
                let mut keys = keys[..count].to_vec();
                bad.iter().for_each(|(place, point)| keys[*place] = plus(&keys[*place], point));
                let refused: Vec<usize> = (0..)
                    .zip(decompress_keys(&keys))
                    .filter(|(_, key)| key.is_err())
                    .map(|(at, _)| at)
                    .collect();
                assert_eq!(refused, bad.iter().map(|(place, _)| *place).collect::<Vec<_>>(), "{count} keys");
            }
        }
    }
}

/// The sum of two points of the curve.
fn plus(one: &[u8; 48], other: &[u8; 48]) -> [u8; 48] {
    let points = g1_encoding::decompress_on_curve(&[*one, *other]);
    let sum =
        points.into_iter().map(|point| G1::from(point.expect("a point").assume_in_subgroup())).sum::<G1>();
    g1_encoding::compress(&sum.into())
}
