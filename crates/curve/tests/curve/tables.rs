//! Products point by point, and sums from tables, against doubling and adding.

use crate::support::{times, Draw, Rng};
use ark_ff::{BigInteger, Field, PrimeField};
use blobcheck_curve::fixed_base_table::{FixedBaseTable, TableShape};
use blobcheck_curve::multiply_each;
use blobcheck_curve::raw::Raw;
use blobcheck_curve::scalar::{self, from_u128, pow, root_of_unity, scalar_to_be, Scalar};
use blobcheck_curve::shifted_points::ShiftedPoints;
use blobcheck_curve::{g1, msm, uncompressed, G1Affine, G1};

fn slow(point: &G1Affine, scalar: &Scalar) -> G1 {
    let bytes = scalar_to_be(scalar);
    let limbs: Vec<u64> = bytes
        .rchunks(8)
        .map(|chunk| chunk.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)))
        .collect();
    times(&G1::from(*point), &limbs)
}

/// Where the halves, their signs and their forms are at their limits: 0, ±1, around x² and r/2, roots of unity.
fn extremes() -> Vec<Scalar> {
    let x = from_u128(0xd201_0000_0001_0000);
    let half = {
        let mut two = [from_u128(2)];
        scalar::invert_all(&mut two);
        two[0]
    };
    let mut all = vec![scalar::ZERO, scalar::ONE, x, x * x, x * x * x, x * x - scalar::ONE, half];
    all.extend([from_u128(u128::MAX), from_u128(1 << 127), half - scalar::ONE]);
    all.extend((1..=7).map(root_of_unity));
    all.extend((0..7).map(|i| pow(root_of_unity(7), 1 << i) * x));
    let opposites: Vec<Scalar> = all.iter().map(|scalar| -*scalar).collect();
    all.into_iter().chain(opposites).collect()
}

fn scalars(rng: &mut Rng, count: usize) -> Vec<Scalar> {
    let extremes = extremes();
    let some =
        (0..count).map(|i| if i % 3 == 0 { rng.scalar() } else { extremes[rng.below(extremes.len())] });
    some.collect()
}

/// Some are repeated, opposite, or the identity.
fn points(rng: &mut Rng, count: usize) -> Vec<G1Affine> {
    let identity = g1::normalize(&[g1::identity()])[0];
    let base = rng.point();
    (0..count)
        .map(|_| match rng.below(6) {
            0 => base,
            1 => -base,
            2 => identity,
            _ => rng.point(),
        })
        .collect()
}

#[test]
fn products() {
    let mut rng = Rng(1);
    let extremes = extremes();
    let base = points(&mut rng, extremes.len());
    for (scalars, points) in [(extremes, base), (scalars(&mut rng, 100), points(&mut rng, 100))] {
        let products = multiply_each(&points, &scalars);
        assert_eq!(products.len(), points.len());
        for ((point, scalar), product) in points.iter().zip(&scalars).zip(products) {
            assert_eq!(product, slow(point, scalar), "{scalar}");
        }
    }
    assert!(multiply_each(&[], &[]).is_empty());
    assert_eq!(multiply_each(&[g1::generator(); 2], &[scalar::ONE]).len(), 1);
}

#[test]
fn shapes() {
    for (rows, width) in [(0, 4), (130, 4), (1, 1), (1, 13), (u32::MAX, u32::MAX)] {
        assert_eq!(TableShape::new(rows, width), None);
    }
    assert_eq!(TableShape::new(2, 6).map(|shape| shape.bytes(10)), Some(10 * 2 * 16 * size_of::<G1Affine>()));
}

/// Every shape has the same sums as no table at all.
#[test]
fn sums() {
    let mut rng = Rng(2);
    for (rows, width) in [(1, 2), (1, 5), (1, 8), (2, 3), (3, 4), (7, 2), (43, 2), (128, 2), (129, 3)] {
        let shape = TableShape::new(rows, width).unwrap();
        for (count, size) in [(1, 1), (5, 2), (64, 64), (200, 64), (130, 1000)] {
            let (points, scalars) = (points(&mut rng, count), scalars(&mut rng, count));
            let table = FixedBaseTable::new(&points, shape);
            assert_eq!(table.len(), count);
            let sums = table.sums(&scalars, size);
            let expected: Vec<G1> = points
                .chunks(size)
                .zip(scalars.chunks(size))
                .map(|(points, scalars)| msm(points, scalars))
                .collect();
            assert_eq!(sums, expected, "{shape:?}, {count} points by {size}");
        }
    }
}

/// The longest sums that one group can have, and none at all.
#[test]
fn sums_at_the_limits() {
    let shape = TableShape::new(1, 2).unwrap();
    let points = vec![g1::generator(); 700];
    let scalars = vec![-scalar::ONE; 700];
    let sums = FixedBaseTable::new(&points, shape).sums(&scalars, 64);
    assert_eq!(sums.len(), 11);
    for (sum, points) in sums.iter().zip(points.chunks(64)) {
        assert_eq!(-*sum, times(&g1::generator().into(), &[points.len() as u64]));
    }
    let empty = FixedBaseTable::new(&[], shape);
    assert!(empty.is_empty() && empty.sums(&scalars, 0).is_empty());
    assert_eq!(FixedBaseTable::new(&points[..5], shape).sums(&scalars[..3], 2).len(), 2);
    assert_eq!(FixedBaseTable::new(&points[..2], shape).sums(&scalars, 0).len(), 2);
}

/// A point as a table's bytes have it, by way of big-endian numbers: (2³⁸⁴·x mod p) ‖ (2³⁸⁴·y mod p), little-endian.
fn form(point: &G1Affine) -> Vec<u8> {
    let two = ark_bls12_381::Fq::from(2u8);
    let form = |bytes: &[u8]| {
        let number = ark_bls12_381::Fq::from_be_bytes_mod_order(bytes) * two.pow([384]);
        number.into_bigint().to_bytes_le()
    };
    let bytes = uncompressed::to_uncompressed(point);
    [form(&bytes[..48]), form(&bytes[48..])].concat()
}

/// Bytes are the multiples in the order of the definition, and give the table back.
#[test]
fn bytes() {
    let mut rng = Rng(3);
    for (rows, width) in [(1u32, 2u32), (1, 5), (3, 3), (4, 2), (129, 2)] {
        let shape = TableShape::new(rows, width).unwrap();
        let (points, scalars) = (points(&mut rng, 9), scalars(&mut rng, 9));
        let table = FixedBaseTable::new(&points, shape);
        let bytes = table.to_bytes();
        let mut expected = Vec::new();
        for point in &points {
            let mut base = G1::from(*point);
            for _ in 0..rows {
                let twice = base + base;
                let mut multiple = base;
                for _ in 0..1 << (width - 2) {
                    expected.extend(form(&g1::normalize(&[multiple])[0]));
                    multiple += twice;
                }
                for _ in 0..129u32.div_ceil(rows) {
                    base += base;
                }
            }
        }
        assert!(bytes == expected, "{shape:?}");
        let read = FixedBaseTable::from_bytes(&bytes, shape).expect("a table");
        assert_eq!(read.len(), 9);
        assert_eq!(read.sums(&scalars, 4), table.sums(&scalars, 4));
        // What is no whole number of points' multiples is no table of this shape.
        assert!(FixedBaseTable::from_bytes(&bytes[1..], shape).is_none());
        assert_eq!(FixedBaseTable::from_bytes(&bytes[96..], shape).is_none(), rows > 1 || width > 2);
    }
    assert!(FixedBaseTable::from_bytes(&[], TableShape::ONCE).is_some_and(|table| table.is_empty()));
}

/// A coordinate of p or more is refused wherever it stands: the arithmetic relies on its being less.
#[test]
fn bytes_not_below_p() {
    let shape = TableShape::new(1, 2).unwrap();
    let modulus = ark_bls12_381::Fq::MODULUS.to_bytes_le();
    let mut below = modulus.clone();
    below[0] -= 1;
    let good = FixedBaseTable::new(&[g1::generator(); 3], shape).to_bytes();
    for at in (0..good.len()).step_by(48) {
        for (number, is_read) in [(&modulus, false), (&vec![0xff; 48], false), (&below, true)] {
            let mut bytes = good.clone();
            bytes[at..at + 48].copy_from_slice(number);
            assert_eq!(FixedBaseTable::from_bytes(&bytes, shape).is_some(), is_read, "{at}");
        }
    }
}

/// Shared buckets have the same sums as none, where points are repeated, opposite or the identity, scalars at their limits, and lists of
/// different lengths.
#[test]
fn sums_of_shifted_points() {
    let mut rng = Rng(4);
    for (count, given) in [(0, 0), (1, 1), (40, 40), (300, 300), (9, 5), (5, 9)] {
        let (points, scalars) = (points(&mut rng, count), scalars(&mut rng, given));
        let raw: Vec<Raw> =
            scalars.iter().map(|scalar| Raw::from_be_reduced(&scalar_to_be(scalar))).collect();
        let expected = points.iter().zip(&scalars).fold(g1::identity(), |sum, (p, s)| sum + slow(p, s));
        assert_eq!(ShiftedPoints::new(&points).msm(&raw), expected, "{count} points, {given} scalars");
    }
    // Each bucket of one size, which doubles and cancels.
    let base = rng.point();
    for scalar in [scalar::ONE, -scalar::ONE, from_u128(4096), from_u128(1 << 12 | 1 << 25 | 1 << 127)] {
        let points: Vec<G1Affine> = (0..64).map(|i| if i % 4 == 3 { -base } else { base }).collect();
        let raw = vec![Raw::from_be_reduced(&scalar_to_be(&scalar)); 64];
        let expected = times(&slow(&base, &scalar), &[32]);
        assert_eq!(ShiftedPoints::new(&points).msm(&raw), expected);
    }
}
