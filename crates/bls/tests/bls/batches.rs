//! Many claims at once: as each alone, whatever is wrong with one, or with two in ways that cancel.

use crate::support::{claim, times_g2, Rng};
use blobcheck_bls::{verify, verify_many, Claim, FreshSeed};
use blobcheck_curve::scalar::MODULUS;
use blobcheck_curve::{g2, g2_encoding, G2};

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

/// Of an order that divides the cofactor of G2.
fn torsion() -> G2 {
    let order: Vec<u8> = MODULUS.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect();
    let points = (1u8..).filter_map(|n| {
        let mut bytes = [0; 96];
        (bytes[0], bytes[95]) = (0x80, n);
        g2_encoding::decompress_on_curve(&bytes).ok()
    });
    let mut multiples = points.map(|point| times_g2(&point.into(), &order));
    multiples.find(|point| *point != g2::identity()).expect("torsion")
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
    let other = claim(&mut rng);
    let torsion = torsion();
    let falsify: [(&str, Falsify<'_>); 9] = [
        ("message", &|c| Claim { message: other.message, ..*c }),
        ("signer", &|c| Claim { key: other.key, ..*c }),
        ("signature", &|c| Claim { signature: other.signature, ..*c }),
        ("opposite", &|c| shifted(c, -signature(c) - signature(c))),
        ("infinity", &|c| shifted(c, -signature(c))),
        ("a generator more", &|c| shifted(c, g2::generator().into())),
        ("torsion", &|c| shifted(c, torsion)),
        ("no point", &|c| Claim { signature: [0; 96], ..*c }),
        ("not canonical", &|c| Claim { signature: [0xff; 96], ..*c }),
    ];
    for (name, falsify) in falsify {
        for place in 0..claims.len() {
            let mut claims = claims.clone();
            claims[place] = falsify(&claims[place]);
            assert!(!verify_many(&claims, fresh(&mut rng)), "{name} at {place}");
            let found: Vec<bool> = claims.iter().map(verify).collect();
            assert_eq!(found.iter().position(|good| !good), Some(place), "{name}");
            assert!(!verify_many(&claims[place..=place], fresh(&mut rng)), "{name} alone");
        }
    }
}

/// What a sum without weights would let pass.
#[test]
fn errors_that_cancel() {
    let mut rng = Rng(13);
    let pair = claims(&mut rng, 2);
    let torsion = torsion();
    for by in [g2::generator().into(), signature(&pair[0]), torsion] {
        let shifted = [shifted(&pair[0], by), shifted(&pair[1], -by)];
        assert!(!verify_many(&shifted, fresh(&mut rng)));
    }
    let exchanged = [
        Claim { signature: pair[1].signature, ..pair[0] },
        Claim { signature: pair[0].signature, ..pair[1] },
    ];
    assert!(!verify_many(&exchanged, fresh(&mut rng)));
}
