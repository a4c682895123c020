//! Encodings, the subgroup test, and pairings.

use crate::support::{all_torsion, outside_g1, times, Draw, Rng, P, PRIMES};
use blobcheck_curve::scalar::MODULUS;
use blobcheck_curve::{
    g1, g1_encoding, g2, g2_encoding, msm, product_is_one, subgroup, uncompressed, CurvePoint, G1Affine,
    PairingProduct, PointError, PreparedG2, G1,
};
use blobcheck_testing::torsion;

fn infinity() -> [u8; 48] {
    let mut bytes = [0; 48];
    bytes[0] = 0xc0;
    bytes
}

#[test]
fn compression_round_trips() {
    let mut rng = Rng(1);
    let points: Vec<G1Affine> =
        (0..40).map(|_| rng.point()).chain([g1::generator(), g1::normalize(&[g1::identity()])[0]]).collect();
    let bytes: Vec<[u8; 48]> = points.iter().map(g1_encoding::compress).collect();
    let read: Vec<G1Affine> =
        g1_encoding::decompress(&bytes).into_iter().map(|point| point.expect("of G1")).collect();
    assert_eq!(read, points);
    for point in &points {
        assert_eq!(
            uncompressed::from_uncompressed(&uncompressed::to_uncompressed(point)),
            Some(CurvePoint::from(*point))
        );
    }
    // The sign bit chooses the other root.
    let mut other = bytes[0];
    other[0] ^= 0x20;
    assert_eq!(g1_encoding::decompress(&[other])[0], Ok(-points[0]));
}

#[test]
fn flags() {
    let generator = g1_encoding::compress(&g1::generator());
    for flags in 0..8u8 {
        let mut bytes = generator;
        bytes[0] = bytes[0] & 0x1f | flags << 5;
        let good = flags == 0b100 || flags == 0b101;
        assert_eq!(g1_encoding::check_encoding(&bytes).is_ok(), good, "{flags:03b}");
        assert_eq!(g1_encoding::decompress(&[bytes])[0].is_ok(), good, "{flags:03b}");
        let mut bytes = [0; 48];
        bytes[0] = flags << 5;
        let infinite = flags == 0b110;
        assert_eq!(g1_encoding::check_encoding(&bytes).is_ok(), good || infinite, "{flags:03b}");
        // x = 0 is on the curve
    }
    assert!(g1_encoding::decompress(&[infinity()])[0].is_ok());
    for bit in 0..384 {
        let mut bytes = infinity();
        bytes[bit / 8] ^= 0x80 >> (bit % 8);
        if bit > 1 {
            assert_eq!(g1_encoding::decompress(&[bytes])[0], Err(PointError::Encoding), "bit {bit}");
        }
    }
}

#[test]
fn x_must_be_below_p() {
    for (delta, good) in [(-1i8, true), (0, false), (1, false)] {
        let mut bytes = P;
        bytes[47] = bytes[47].wrapping_add_signed(delta);
        bytes[0] |= 0x80;
        assert_eq!(g1_encoding::check_encoding(&bytes).is_ok(), good);
        assert_eq!(g1_encoding::decompress(&[bytes])[0] == Err(PointError::Encoding), !good);
    }
    assert_eq!(g1_encoding::check_encoding(&[0xff; 48]), Err(PointError::Encoding));
    assert_eq!(g1_encoding::check_encoding(&[0x9f; 48]), Err(PointError::Encoding));
}

#[test]
fn errors_stay_with_their_points() {
    let good = g1_encoding::compress(&g1::generator());
    let (_, outside) = outside_g1(1)[0];
    let mut off = [0; 48];
    off[0] = 0x80;
    off[47] = (1..)
        .find(|x| {
            let mut bytes = off;
            bytes[47] = *x;
            g1_encoding::decompress_on_curve(&[bytes])[0].is_err()
        })
        .expect("half of all x");
    let read = g1_encoding::decompress(&[good, outside, infinity(), off, [0; 48], good]);
    assert_eq!(read[0], Ok(g1::generator()));
    assert_eq!(read[1], Err(PointError::NotInSubgroup));
    assert!(read[2].is_ok());
    assert_eq!(read[3], Err(PointError::NotOnCurve));
    assert_eq!(read[4], Err(PointError::Encoding));
    assert_eq!(read[5], Ok(g1::generator()));
}

#[test]
fn uncompressed_points_are_checked() {
    let good = uncompressed::to_uncompressed(&g1::generator());
    let mut off = good;
    off[95] ^= 1;
    assert_eq!(uncompressed::from_uncompressed(&off), None);
    assert_eq!(uncompressed::from_uncompressed(&[0xff; 96]), None);
    let mut one = [0; 96];
    one[95] = 1;
    assert_eq!(uncompressed::from_uncompressed(&one), None);
}

/// The endomorphism test against the definition, r·P = 0, on every kind of torsion.
#[test]
fn the_subgroup_test_is_exact() {
    let mut rng = Rng(2);
    let mut points: Vec<G1> = vec![g1::identity(), g1::generator().into()];
    for (point, _) in outside_g1(3) {
        let torsion = times(&point.into(), &MODULUS); // r-part removed
        points.push(point.into());
        points.push(torsion);
        for kept in PRIMES {
            // Multiply by the cofactor without one prime: what is left is torsion of that prime's power.
            let mut part = torsion;
            for other in PRIMES.into_iter().filter(|prime| *prime != kept) {
                part = times(&times(&part, &[other]), &[other]);
            }
            if kept != 3 {
                points.push(times(&part, &[kept]));
            }
            points.push(part);
            points.push(part + rng.point());
        }
    }
    let affine: Vec<CurvePoint> = g1::normalize(&points).into_iter().map(CurvePoint::from).collect();
    let mut outside = 0;
    for (point, found) in points.iter().zip(subgroup::tested_each(&affine)) {
        let expected = g1::is_identity(&times(point, &MODULUS));
        assert_eq!(found.map(G1::from), expected.then_some(*point));
        outside += usize::from(!expected);
    }
    assert!(outside > 20, "the test meets torsion: {outside}");
}

/// The points that all tests plant have the orders that they are said to have, each prime of the cofactor.
#[test]
fn torsion_points_have_their_orders() {
    let all = torsion::of_g1();
    let number = |order: &[u8]| order.iter().fold(0, |n, byte| n << 8 | u64::from(*byte));
    let orders: Vec<u64> = all.iter().map(|found| number(&found.order)).collect();
    assert_eq!(orders, [3, 11, 11, 10_177, 10_177, 859_267, 859_267, 52_437_899, 52_437_899]);
    let points = all_torsion();
    for ((point, order), found) in points.iter().zip(&orders).zip(&all) {
        assert!(g1::is_identity(&times(&G1::from(*point), &[*order])) && !g1::is_identity(&G1::from(*point)));
        assert_eq!(g1_encoding::decompress(&[found.point]), [Err(PointError::NotInSubgroup)]);
        assert_eq!(found.opposite(), g1_encoding::compress(&-*point));
    }
    for (pair, order) in points[1..].chunks(2).zip(orders[1..].iter().step_by(2)) {
        let [one, other] = [pair[0], pair[1]];
        // φ and φ² keep y. On what they multiply, they are the roots of w² + w + 1 modulo the order.
        match (0..*order).find(|w| (u128::from(*w) * u128::from(w + 1) + 1) % u128::from(*order) == 0) {
            // None: then a point and its image are independent.
            None => assert!(one.y == other.y && one.x != other.x, "{order}"),
            Some(w) => {
                let [of_one, of_other] = [one, other].map(|point| G1Affine::from(times(&point.into(), &[w])));
                assert!(of_one.y == one.y && of_other.y == other.y, "{order}");
                // Not by the same one of both, so that they are independent.
                assert_ne!(of_one.x * other.x, of_other.x * one.x, "{order}");
            }
        }
    }
}

#[test]
fn pairings_are_bilinear() {
    let mut rng = Rng(3);
    let prepared = PreparedG2::new(g2::generator());
    let (a, b) = (rng.scalar(), rng.scalar());
    let times = |scalar| g1::normalize(&[msm(&[g1::generator()], &[scalar])])[0];
    let identity = g1::normalize(&[g1::identity()])[0];
    assert!(product_is_one(&[]));
    assert!(product_is_one(&[(identity, &prepared)]));
    assert!(!product_is_one(&[(g1::generator(), &prepared)]));
    assert!(product_is_one(&[
        (times(a), &prepared),
        (identity, &prepared),
        (times(b), &prepared),
        (times(-a - b), &prepared)
    ]));
    assert!(!product_is_one(&[(times(a), &prepared), (times(b), &prepared)]));

    let all = [a, b, -a].map(|scalar| (times(scalar), &prepared));
    let of = |pairs: &[_]| PairingProduct::of(pairs).expect("a product");
    assert!(of(&all).without(&of(&all[1..2])).is_one());
    assert!(of(&all).without(&of(&all)).is_one());
    assert!(!of(&all).without(&of(&all[..1])).is_one());
    assert!(!of(&all).without(&of(&[])).is_one());
}

#[test]
fn g2_decompression() {
    let generator: Vec<u8> =
        (0..96).map(|i| u8::from_str_radix(&G2_GENERATOR[2 * i..2 * i + 2], 16).expect("hex")).collect();
    let bytes: [u8; 96] = generator.try_into().expect("96 bytes");
    assert_eq!(g2_encoding::decompress_on_curve(&bytes), Ok(g2::generator()));
    let mut other = bytes;
    other[0] ^= 0x20;
    assert_eq!(g2_encoding::decompress_on_curve(&other), Ok(-g2::generator()));
    other[0] = 0xc0;
    assert_eq!(g2_encoding::decompress_on_curve(&other), Err(PointError::Encoding));
    assert_eq!(g2_encoding::decompress_on_curve(&[0x9f; 96]), Err(PointError::Encoding));
}

/// The generator of G2, compressed (EIP-2537 gives its coordinates).
const G2_GENERATOR: &str =
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e\
024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8";
