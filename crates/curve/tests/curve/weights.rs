//! Sums of many points, and random weights, by doubling and adding.

use crate::support::{multiple, outside_g1, Draw, Rng};
use blobcheck_curve::weight::{times_each, weighted_sum, Weight};
use blobcheck_curve::{g1, g2, hash_to_g2, sum, G1Affine, G2Affine, G1, G2};

const X: u64 = 0xd201_0000_0001_0000;

/// a + b·x² as limbs.
fn number(weight: u128) -> [u64; 3] {
    let (a, b) = (weight as u64, (weight >> 64) as u64);
    let square = u128::from(X) * u128::from(X);
    let low = u128::from(square as u64) * u128::from(b) + u128::from(a);
    let high = (square >> 64) * u128::from(b) + (low >> 64);
    [low as u64, high as u64, (high >> 64) as u64]
}

fn weights(rng: &mut Rng, count: usize) -> Vec<u128> {
    let extreme = [0, 1, 1 << 63, 1 << 64, u128::MAX, u128::from(u64::MAX), u128::MAX << 64, 1 << 127];
    (0..count).map(|i| if i % 3 == 1 { extreme[rng.below(extreme.len())] } else { rng.u128() }).collect()
}

#[test]
fn multiples_in_g1() {
    let mut rng = Rng(61);
    let mut points: Vec<G1Affine> = (0..30).map(|_| rng.point()).collect();
    points.extend(g1::normalize(&[g1::identity(); 3]));
    let weights = weights(&mut rng, points.len());
    let found = times_each(&points, &weights.iter().map(|w| Weight::from(*w)).collect::<Vec<_>>());
    assert_eq!(found.len(), points.len());
    for ((point, weight), found) in points.iter().zip(&weights).zip(found) {
        assert_eq!(G1::from(found), multiple(&G1::from(*point), &number(*weight)));
    }
}

#[test]
fn sums_in_g2() {
    let mut rng = Rng(62);
    for count in [0usize, 1, 2, 3, 7, 46] {
        let messages: Vec<[u8; 1]> = (0..count as u8).map(|i| [i / 2]).collect();
        let mut points = hash_to_g2(&messages.iter().map(|m| &m[..]).collect::<Vec<_>>(), b"pairs");
        // Equal pairs, opposite pairs, and the identity among them.
        points.iter_mut().skip(1).step_by(4).for_each(|point| *point = -*point);
        if let Some(point) = points.get_mut(6) {
            *point = g2::normalize(&[g2::identity()])[0];
        }
        let mut weights = weights(&mut rng, count);
        if let [first, second, ..] = &mut weights[..] {
            *second = *first;
        }
        let expected = sum_g2(&points, &weights);
        let weights: Vec<Weight> = weights.into_iter().map(Weight::from).collect();
        assert_eq!(weighted_sum(&points, &weights), expected, "{count}");
    }
}

fn sum_g2(points: &[G2Affine], weights: &[u128]) -> G2 {
    let term = |(point, weight): (&G2Affine, &u128)| multiple(&G2::from(*point), &number(*weight));
    points.iter().zip(weights).map(term).fold(g2::identity(), |total, term| total + term)
}

/// The same point, its opposite, the identity and points outside G1, in every proportion.
#[test]
fn sums_in_g1() {
    let mut rng = Rng(63);
    let mut pool: Vec<G1Affine> = (0..3).map(|_| rng.point()).collect();
    pool.extend(pool.clone().iter().map(|point| -*point));
    pool.extend(g1::normalize(&[g1::identity()]));
    pool.extend(outside_g1(2).iter().map(|(point, _)| *point));
    for count in [0usize, 1, 2, 3, 150, 151, 512, 1000] {
        for choice in [1, 2, pool.len()] {
            let points: Vec<G1Affine> = (0..count).map(|_| pool[rng.below(choice)]).collect();
            let expected = points.iter().fold(g1::identity(), |total, point| total + point);
            assert_eq!(sum(&points), expected, "{count} {choice}");
        }
    }
}
