//! Multi-scalar multiplication against doubling and adding.

use crate::support::{outside_g1, times, Draw, Rng};
use blobcheck_curve::raw::Raw;
use blobcheck_curve::scalar::{self, from_u128, scalar_to_be, Scalar, MODULUS};
use blobcheck_curve::{g1, msm, msm_raw, msm_signed, msm_u128, FixedBase, G1Affine, Signed, G1};

fn limbs(scalar: &Scalar) -> Vec<u64> {
    let bytes = scalar_to_be(scalar);
    bytes.rchunks(8).map(|chunk| chunk.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))).collect()
}

fn slow(points: &[G1Affine], scalars: &[Scalar]) -> G1 {
    points
        .iter()
        .zip(scalars)
        .fold(g1::identity(), |sum, (point, scalar)| sum + times(&G1::from(*point), &limbs(scalar)))
}

/// Points that an attacker might send: repeated, opposite, the identity.
fn hostile_points(rng: &mut Rng, count: usize) -> Vec<G1Affine> {
    let base = rng.point();
    let identity = g1::normalize(&[g1::identity()])[0];
    (0..count)
        .map(|_| match rng.below(5) {
            0 => base,
            1 => -base,
            2 => identity,
            3 => g1::generator(),
            _ => rng.point(),
        })
        .collect()
}

fn hostile_scalars(rng: &mut Rng, count: usize) -> Vec<Scalar> {
    (0..count)
        .map(|_| match rng.below(6) {
            0 => scalar::ZERO,
            1 => scalar::ONE,
            2 => -scalar::ONE,
            3 => from_u128(u128::MAX),
            4 => from_u128(1 << rng.below(128)),
            _ => rng.scalar(),
        })
        .collect()
}

#[test]
fn sums_of_every_size() {
    let mut rng = Rng(1);
    for count in (0..40).chain([64, 100, 129, 300, 700]) {
        let points = hostile_points(&mut rng, count);
        let scalars = hostile_scalars(&mut rng, count);
        let expected = slow(&points, &scalars);
        assert_eq!(msm(&points, &scalars), expected, "{count} points");
        let raws: Option<Vec<Raw>> =
            scalars.iter().map(|scalar| Raw::from_be(&scalar_to_be(scalar))).collect();
        assert_eq!(raws.map(|raws| msm_raw(&points, &raws)), Some(expected), "{count} points");
    }
}

#[test]
fn short_scalars() {
    let mut rng = Rng(2);
    for bits in [1, 2, 3, 7, 8, 63, 64, 65, 127, 128] {
        // The twin adds one by one: the longest sums with three of the lengths.
        let longest = if [2, 64, 128].contains(&bits) { 900 } else { 40 };
        for count in [1, 2, 5, 12, 40, 200, 900].into_iter().filter(|count| *count <= longest) {
            let points = hostile_points(&mut rng, count);
            let top = u128::MAX >> (128 - bits);
            let scalars: Vec<u128> =
                (0..count).map(|_| if rng.below(3) == 0 { top } else { rng.u128() & top }).collect();
            let wide: Vec<Scalar> = scalars.iter().map(|scalar| from_u128(*scalar)).collect();
            assert_eq!(msm_u128(&points, &scalars), slow(&points, &wide), "{count} points, {bits} bits");
        }
    }
}

/// The same point everywhere with the same scalar: every bucket addition is a doubling.
#[test]
fn one_point_many_times() {
    let mut rng = Rng(3);
    let (point, scalar) = (rng.point(), rng.scalar());
    for count in [2, 17, 150] {
        let expected = times(&times(&point.into(), &limbs(&scalar)), &[count as u64]);
        assert_eq!(msm(&vec![point; count], &vec![scalar; count]), expected);
    }
}

/// Plain integers act on points outside G1 as they should: nothing in the sums assumes the order r.
#[test]
fn points_outside_g1() {
    for (point, _) in outside_g1(2) {
        for count in [1, 50] {
            let sum = msm_u128(&vec![point; count], &vec![u128::MAX; count]);
            assert_eq!(sum, times(&times(&point.into(), &[u64::MAX, u64::MAX]), &[count as u64]));
        }
    }
}

#[test]
fn the_order_of_the_group() {
    assert!(g1::is_identity(&times(&g1::generator().into(), &MODULUS)));
    assert!(g1::is_identity(&(msm(&[g1::generator()], &[-scalar::ONE]) + g1::generator())));
}

#[test]
fn lists_of_unequal_length() {
    let points = [g1::generator(), g1::generator()];
    assert_eq!(msm(&points, &[scalar::ONE]), g1::generator());
    assert_eq!(msm(&points[..1], &[scalar::ONE, scalar::ONE]), g1::generator());
}

#[test]
fn fixed_points() {
    let mut rng = Rng(4);
    for count in [0, 1, 2, 64] {
        let points = hostile_points(&mut rng, count);
        let table = FixedBase::new(&points);
        for _ in 0..3 {
            let scalars = hostile_scalars(&mut rng, count);
            assert_eq!(table.msm(&scalars), slow(&points, &scalars), "{count} points");
        }
        assert_eq!(table.msm(&vec![-scalar::ONE; count + 1]), slow(&points, &vec![-scalar::ONE; count]));
        assert!(g1::is_identity(&table.msm(&vec![scalar::ZERO; count])));
        assert!(g1::is_identity(&table.msm(&[])));
    }
}

/// Signs of coefficients are put on the points, also outside G1.
#[test]
fn signed_scalars() {
    let mut rng = Rng(5);
    for count in [1, 7, 90, 400] {
        let mut points = hostile_points(&mut rng, count);
        points[count / 2] = outside_g1(1)[0].0;
        let scalars: Vec<Signed> = (0..count)
            .map(|i| Signed {
                negative: rng.below(2) == 0,
                magnitude: if i % 5 == 0 { u128::MAX } else { rng.u128() },
            })
            .collect();
        let expected = points.iter().zip(&scalars).fold(g1::identity(), |sum, (point, scalar)| {
            let part = times(&G1::from(*point), &[scalar.magnitude as u64, (scalar.magnitude >> 64) as u64]);
            if scalar.negative {
                sum - part
            } else {
                sum + part
            }
        });
        assert_eq!(msm_signed(&points, &scalars), expected);
        // In the field: a sum over points of G1.
        points[count / 2] = g1::generator();
        let in_field: Vec<Scalar> = scalars.iter().map(|scalar| scalar.to_scalar()).collect();
        assert_eq!(msm(&points, &in_field), msm_signed(&points, &scalars));
    }
}

/// Costs end, and grow with what is asked for.
#[test]
fn costs() {
    for bits in [1, 64, 128, 255] {
        let counts = [0, 1, 2, 21, 64, 168, 1000, 8192, 100_000];
        let costs = counts.map(|count| msm::cost(count, bits));
        assert!(costs.iter().all(|cost| cost.is_finite()), "{costs:?}");
        assert!(costs.is_sorted(), "{costs:?}");
    }
}
