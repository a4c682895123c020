//! Points of G2: encodings, and the subgroup test on every kind of torsion.

use crate::support::{multiple, Rng, P};
use ark_bls12_381::g2::Config as ArkworksConfig;
use ark_ec::CurveConfig;
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use blobcheck_curve::scalar::MODULUS;
use blobcheck_curve::{g2, g2_encoding, g2_subgroup, hash_to_g2, G2Affine, PointError, G2};
use blobcheck_testing::torsion;

fn infinity() -> [u8; 96] {
    let mut bytes = [0; 96];
    bytes[0] = 0xc0;
    bytes
}

fn one(bytes: [u8; 96]) -> Result<G2Affine, PointError> {
    g2_encoding::decompress(&[bytes])[0]
}

fn is_identity(point: &G2) -> bool {
    *point == g2::identity()
}

/// Points of the curve, hardly any in G2: x = n + u.
fn on_curve(count: usize) -> Vec<(G2Affine, [u8; 96])> {
    let encodings = (1u64..).map(|n| {
        let mut bytes = [0; 96];
        (bytes[0], bytes[47]) = (0x80, 1);
        bytes[88..].copy_from_slice(&n.to_be_bytes());
        bytes
    });
    encodings
        .filter_map(|bytes| Some((g2_encoding::decompress_on_curve(&bytes).ok()?, bytes)))
        .take(count)
        .collect()
}

/// n/d, where that is a whole number.
fn divided(mut n: Vec<u64>, d: u64) -> Vec<u64> {
    let mut rest = 0u128;
    for limb in n.iter_mut().rev() {
        let value = rest << 64 | u128::from(*limb);
        (*limb, rest) = ((value / u128::from(d)) as u64, value % u128::from(d));
    }
    assert_eq!(rest, 0);
    n
}

#[test]
fn compression_round_trips() {
    let mut rng = Rng(51);
    let messages: Vec<[u8; 32]> = (0..20).map(|_| rng.bytes::<32>()).collect();
    let mut points = hash_to_g2(&messages.iter().map(|m| &m[..]).collect::<Vec<_>>(), b"points");
    points.extend(g2::normalize(&[g2::identity(), g2::generator().into(), -G2::from(g2::generator())]));
    let bytes: Vec<[u8; 96]> = points.iter().map(g2_encoding::compress).collect();
    let read: Vec<G2Affine> =
        g2_encoding::decompress(&bytes).into_iter().map(|point| point.expect("of G2")).collect();
    assert_eq!(read, points);
    assert_eq!(bytes[20], infinity());
    let mut other = bytes[0];
    other[0] ^= 0x20;
    assert_eq!(one(other), Ok(-points[0]));
}

#[test]
fn flags() {
    for flags in 0..8u8 {
        let mut bytes = g2_encoding::compress(&g2::generator());
        bytes[0] = bytes[0] & 0x1f | flags << 5;
        assert_eq!(one(bytes).is_ok(), flags == 0b100 || flags == 0b101, "{flags:03b}");
        assert_eq!(g2_encoding::decompress_on_curve(&bytes), one(bytes), "{flags:03b}");
    }
    assert_eq!(one(infinity()).map(G2::from), Ok(g2::identity()));
    assert_eq!(g2_encoding::decompress_on_curve(&infinity()), Err(PointError::Encoding));
    for bit in 0..768 {
        let mut bytes = infinity();
        bytes[bit / 8] ^= 0x80 >> (bit % 8);
        // Without the flag it is x = 0, which may be on the curve, but is not in G2.
        assert!(one(bytes).is_err(), "bit {bit}");
        assert!(bit == 1 || one(bytes) == Err(PointError::Encoding), "bit {bit}");
    }
}

#[test]
fn halves_must_be_below_p() {
    for half in [0, 48] {
        for (delta, good) in [(-1i8, true), (0, false), (1, false)] {
            let mut bytes = [0; 96];
            bytes[half..half + 48].copy_from_slice(&P);
            bytes[half + 47] = bytes[half + 47].wrapping_add_signed(delta);
            bytes[0] |= 0x80;
            assert_eq!(one(bytes) == Err(PointError::Encoding), !good, "{half} {delta}");
        }
        // The second half has no flags.
        let mut bytes = g2_encoding::compress(&g2::generator());
        bytes[48] |= 0x20;
        assert_eq!(one(bytes), Err(PointError::Encoding));
    }
    assert_eq!(one([0x9f; 96]), Err(PointError::Encoding));
    assert_eq!(one([0xff; 96]), Err(PointError::Encoding));
}

#[test]
fn points_off_the_curve() {
    let mut bytes = g2_encoding::compress(&g2::generator());
    let off = (0..=255).filter(|last| {
        bytes[95] = *last;
        one(bytes) == Err(PointError::NotOnCurve)
    });
    assert!((64..192).contains(&off.count()));
}

/// arkworks' own reader, on bytes that are points of the curve half of the time, hardly ever of G2.
#[test]
fn any_bytes_are_read_as_by_arkworks() {
    let mut rng = Rng(52);
    let mut on_curve = 0;
    for i in 0..300 {
        let mut bytes = [0; 96];
        bytes.chunks_exact_mut(32).for_each(|chunk| chunk.copy_from_slice(&rng.bytes::<32>()));
        bytes[0] = [0x80, 0xa0, 0x80 | bytes[0] & 0x3f, bytes[0]][i % 4];
        bytes[48] &= if i % 5 == 0 { 0xff } else { 0x1f };
        if i % 7 == 0 {
            bytes[1..48].fill(0);
        }
        if i % 11 == 0 {
            bytes[48..].fill(0);
        }
        let trusted = ark_bls12_381::G2Affine::deserialize_compressed_unchecked(&bytes[..]);
        let found = g2_encoding::decompress_on_curve(&bytes);
        assert_eq!(found.is_ok(), trusted.is_ok(), "{bytes:02x?}");
        if let (Ok(found), Ok(trusted)) = (found, trusted) {
            let mut again = Vec::new();
            trusted.serialize_compressed(&mut again).expect("bytes");
            assert_eq!(again, g2_encoding::compress(&found));
            assert_eq!(again, bytes);
            on_curve += 1;
        }
        let checked = ark_bls12_381::G2Affine::deserialize_compressed(&bytes[..]);
        assert_eq!(one(bytes).is_ok(), checked.is_ok());
    }
    assert!(on_curve > 50, "{on_curve}");
}

/// The test by ψ against the definition, r·P = 0.
#[test]
fn the_subgroup_test_is_exact() {
    // The cofactor is these primes', the first two of them squared, and a prime of 136 digits.
    let primes = [13u64, 23, 2713, 11_953, 262_069];
    let cofactor = ArkworksConfig::COFACTOR.to_vec();
    let mut points: Vec<G2> = vec![g2::identity(), g2::generator().into()];
    for (point, bytes) in on_curve(4) {
        assert_eq!(one(bytes), Err(PointError::NotInSubgroup));
        let torsion = multiple(&G2::from(point), &MODULUS);
        assert!(!is_identity(&torsion));
        points.push(point.into());
        points.push(torsion);
        points.push(multiple(&G2::from(point), &cofactor));
        for prime in primes {
            let part = multiple(&torsion, &divided(cofactor.clone(), prime));
            assert!(is_identity(&multiple(&part, &[prime])));
            points.push(part);
            points.push(part + g2::generator());
            points.push(part + part);
        }
    }
    let (mut inside, mut outside) = (0, 0);
    for (point, found) in points.iter().zip(g2_subgroup::are_in_subgroup(&g2::normalize(&points))) {
        let expected = is_identity(&multiple(point, &MODULUS));
        assert_eq!(found, expected);
        let read = one(g2_encoding::compress(&g2::normalize(&[*point])[0]));
        assert_eq!(read.is_ok(), expected);
        assert!(expected || read == Err(PointError::NotInSubgroup));
        *(if expected { &mut inside } else { &mut outside }) += 1;
    }
    assert!(inside >= 6 && outside > 40, "{inside} {outside}");
}

/// The points that all tests plant have the orders that they are said to have: together with a square each, the cofactor.
#[test]
fn torsion_points_have_their_orders() {
    let all = torsion::of_g2();
    let mut rest = ArkworksConfig::COFACTOR.to_vec();
    let mut orders = Vec::new();
    for found in &all {
        let order: Vec<u64> =
            found.order.rchunks(8).map(|bytes| bytes.iter().fold(0, |n, b| n << 8 | u64::from(*b))).collect();
        let point = G2::from(g2_encoding::decompress_on_curve(&found.point).expect("a point"));
        assert!(!is_identity(&point) && is_identity(&multiple(&point, &order)), "{order:?}");
        assert_eq!(one(found.point), Err(PointError::NotInSubgroup));
        assert_eq!(found.opposite(), g2_encoding::compress(&(-point).into()));
        if let [prime] = order[..] {
            rest = divided(rest, prime);
        }
        orders.push(order);
    }
    let small: Vec<u64> = orders.iter().filter(|order| order.len() == 1).map(|order| order[0]).collect();
    assert_eq!(small, [13, 13, 23, 23, 2_713, 11_953, 262_069]);
    let length = orders[7].len();
    assert_eq!((orders.len(), &orders[7][..]), (8, &rest[..length]));
    assert!(rest[length..].iter().all(|limb| *limb == 0));
}
