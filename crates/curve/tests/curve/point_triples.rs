//! Three points in four numbers, against square roots: of the eight triples that three x have, those whose y have the sum.

use crate::support::{outside_g1, Draw, Rng, P};
use ark_bls12_381::Fq;
use ark_ff::{BigInteger, Field, PrimeField};
use blobcheck_curve::point_triples::{read_each, write, BYTES};
use blobcheck_curve::{g1, g1_encoding, uncompressed, CurvePoint, G1Affine};

type Triple = [G1Affine; 3];

fn number(bytes: &[u8]) -> Fq {
    Fq::from_be_bytes_mod_order(bytes)
}

fn bytes(number: Fq) -> [u8; 48] {
    number.into_bigint().to_bytes_be().try_into().expect("48 bytes")
}

/// x and y.
fn coordinates(point: &G1Affine) -> (Fq, Fq) {
    let bytes = uncompressed::to_uncompressed(point);
    (number(&bytes[..48]), number(&bytes[48..]))
}

fn point(x: Fq, y: Fq) -> Option<G1Affine> {
    let bytes = [bytes(x), bytes(y)].concat().try_into().expect("96 bytes");
    // The tests are about the curve, whatever its subgroups.
    uncompressed::from_uncompressed(&bytes).map(CurvePoint::assume_in_subgroup)
}

/// The four numbers, without asking whether they can be read back.
fn slow_write(points: &Triple) -> [u8; BYTES] {
    let [(x1, y1), (x2, y2), (x3, y3)] = points.each_ref().map(coordinates);
    [x1, x2, x3, y1 + y2 + y3].map(bytes).concat().try_into().expect("192 bytes")
}

/// The points with this x.
fn with_x(x: &[u8; 48]) -> Vec<G1Affine> {
    let encodings = [0x80, 0xa0].map(|flags| {
        let mut bytes = *x;
        bytes[0] |= flags;
        bytes
    });
    let points = if x[0] < 0x20 { g1_encoding::decompress_on_curve(&encodings) } else { vec![] };
    points.into_iter().filter_map(|point| Some(point.ok()?.assume_in_subgroup())).collect()
}

/// All triples with these four numbers.
fn solutions(bytes: &[u8; BYTES]) -> Vec<Triple> {
    let [x1, x2, x3, _] = bytes.as_chunks().0 else { unreachable!("four numbers") };
    let mut found = Vec::new();
    for p1 in with_x(x1) {
        for p2 in with_x(x2) {
            found.extend(with_x(x3).into_iter().map(|p3| [p1, p2, p3]));
        }
    }
    found.retain(|points| slow_write(points) == *bytes);
    found
}

fn read(bytes: &[u8; BYTES]) -> Option<Triple> {
    let [points] = read_each(&[*bytes]).try_into().expect("one triple");
    points.map(|points| points.map(CurvePoint::assume_in_subgroup))
}

/// Holds the reader against the roots; how many triples these have.
fn check(bytes: &[u8; BYTES]) -> usize {
    let solutions = solutions(bytes);
    let only = if let [points] = &solutions[..] { Some(*points) } else { None };
    assert_eq!(read(bytes), only, "{bytes:02x?}");
    solutions.len()
}

/// Holds the writer against the roots; whether it writes these points.
fn check_points(points: &Triple) -> bool {
    let bytes = slow_write(points);
    let count = check(&bytes);
    assert!(count > 0);
    assert_eq!(write(points), (count == 1).then_some(bytes), "{points:?}");
    count == 1
}

/// Three points with y₁ + y₂ + y₃ = 0, of which two are random.
fn with_sum_zero(rng: &mut Rng) -> Triple {
    // ⌊p/27⌋. Since p = 27k + 10, the power 2k + 1 of the ninth part of all numbers is a cube root.
    let mut k = [0; 6];
    let mut rest = 0;
    for (byte, at) in P.iter().zip((0..48).rev()) {
        let value = rest << 8 | u64::from(*byte);
        k[at / 8] |= (value / 27) << (at % 8 * 8);
        rest = value % 27;
    }
    assert_eq!(rest, 10);
    loop {
        let (p1, p2) = (rng.point(), rng.point());
        let y = -(coordinates(&p1).1 + coordinates(&p2).1);
        let cube = y * y - Fq::from(4u8);
        let power = cube.pow(k);
        if let Some(p3) = point(power * power * cube, y) {
            return [p1, p2, p3];
        }
    }
}

#[test]
fn random_points() {
    let mut rng = Rng(1);
    for _ in 0..200 {
        assert!(check_points(&[rng.point(), rng.point(), rng.point()]));
    }
}

/// Points outside G1, those with x = 0, and triples in which a point, its opposite, or its y occurs again.
#[test]
fn points_that_have_to_do_with_each_other() {
    let mut rng = Rng(2);
    // A third root of one: times x, it gives another point with the same y.
    let root = (Fq::from(-3i8).sqrt().expect("p ≡ 1 modulo 3") - Fq::from(1u8)) / Fq::from(2u8);
    let same_y = |p: &G1Affine| {
        let (x, y) = coordinates(p);
        point(x * root, y).expect("a point")
    };
    let at_zero = point(Fq::from(0u8), Fq::from(2u8)).expect("a point");
    let mut pool = vec![at_zero, rng.point(), outside_g1(1)[0].0];
    pool.extend(pool.clone().iter().map(same_y));
    pool.extend(pool.clone().iter().map(|point| -*point));
    let mut written = 0;
    for p1 in &pool {
        for p2 in &pool {
            for p3 in &pool {
                written += usize::from(check_points(&[*p1, *p2, *p3]));
            }
        }
    }
    // Of the six different y, each of two points, the second must not be the first one's opposite, nor the third that of either.
    assert_eq!(written, 8 * 6 * (5 + 4 * 4));
}

#[test]
fn a_sum_of_zero() {
    let mut rng = Rng(3);
    for _ in 0..5 {
        let points = with_sum_zero(&mut rng);
        assert_eq!(slow_write(&points)[144..], [0; 48]);
        assert!(!check_points(&points));
        let [p1, p2, p3] = points;
        assert!(check_points(&[p1, p2, -p3]));
    }
}

#[test]
fn the_identity_is_not_written() {
    let mut rng = Rng(4);
    let identity = g1::normalize(&[g1::identity()])[0];
    for at in 0..3 {
        let mut points = [rng.point(), rng.point(), rng.point()];
        points[at] = identity;
        assert_eq!(write(&points), None);
    }
}

#[test]
fn wrong_bytes() {
    let mut rng = Rng(5);
    let points = [rng.point(), rng.point(), rng.point()];
    let good = slow_write(&points);
    for at in 0..BYTES {
        let mut bytes = good;
        bytes[at] ^= 1 << rng.below(8u32);
        assert_ne!(read(&bytes), Some(points), "byte {at}");
        check(&bytes);
    }
    for at in 0..4 {
        // The same number modulo p, and p itself for zero.
        let mut bytes = good;
        add(&mut bytes[48 * at..48 * (at + 1)], &P);
        assert_eq!((check(&bytes), read(&bytes)), (0, None));
        bytes[48 * at..48 * (at + 1)].copy_from_slice(&P);
        assert_eq!((check(&bytes), read(&bytes)), (0, None));
        bytes[48 * at..48 * (at + 1)].fill(0xff);
        assert_eq!((check(&bytes), read(&bytes)), (0, None));
        bytes[48 * at..48 * (at + 1)].fill(0);
        check(&bytes);
    }
    assert_eq!((check(&[0; BYTES]), read(&[0; BYTES])), (0, None));
    for _ in 0..100 {
        // Three x of points, and a sum that their y do not have.
        let mut bytes = slow_write(&[rng.point(), rng.point(), rng.point()]);
        bytes[144..].copy_from_slice(&self::bytes(number(&rng.bytes::<48>())));
        assert_eq!(check(&bytes), 0);
    }
}

/// What cannot be read leaves the triples beside it as they are.
#[test]
fn triples_do_not_depend_on_each_other() {
    let mut rng = Rng(6);
    assert!(read_each(&[]).is_empty());
    let kinds: [[u8; BYTES]; 5] = [
        [0xff; BYTES],
        [0; BYTES],
        slow_write(&with_sum_zero(&mut rng)),
        slow_write(&[g1::generator(), -g1::generator(), rng.point()]),
        slow_write(&[g1::generator(), rng.point(), rng.point()]),
    ];
    let triples: Vec<[u8; BYTES]> = (0..100)
        .map(|_| match rng.below(8usize) {
            kind if kind < kinds.len() => kinds[kind],
            _ => slow_write(&[rng.point(), rng.point(), rng.point()]),
        })
        .collect();
    let alone: Vec<_> = triples.iter().flat_map(|triple| read_each(&[*triple])).collect();
    assert!(alone.iter().any(Option::is_none) && alone.iter().any(Option::is_some));
    assert_eq!(read_each(&triples), alone);
}

/// A sum of numbers as bytes, below 2³⁸⁴.
fn add(sum: &mut [u8], other: &[u8]) {
    let mut carry = 0;
    for (byte, other) in sum.iter_mut().zip(other).rev() {
        let value = u16::from(*byte) + u16::from(*other) + carry;
        (*byte, carry) = (value as u8, value >> 8);
    }
    assert_eq!(carry, 0);
}
