//! Points times one number, as many at a time as the kernel has lanes.
//!
//! All lanes take the same doublings and additions, and so none has a branch of its own. The sums that `jacobian` gets wrong come out
//! as Z = 0, which is the answer of no product of a point of G1 with a number that is not zero: whoever meets it has to
//! multiply otherwise.

use super::jacobian::{Addend, Jacobian};
use super::kernel::{Bounded, Kernel};
use super::sums::Point;
use crate::backend::Fq;
use crate::endomorphism::BETA;
use ark_ff::Field;

/// What is added, and how often the sum is doubled after that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// Which of the point's multiples.
    pub(crate) multiple: usize,
    /// Whether its opposite is meant.
    pub(crate) negative: bool,
    /// Whether its product with x² is meant.
    pub(crate) image: bool,
    pub(crate) doublings: u32,
}

/// The points that steps lead to, for the points in the places `at`, of which there are as many as lanes at most: X, Y and Z for each.
/// Each list of `multiples` has a multiple of all points, and none of them is the identity.
pub(crate) fn walk<K: Kernel>(steps: &[Step], multiples: &[Vec<Point<K>>], at: &[usize]) -> Vec<[Fq; 3]> {
    let beta = Bounded::of_each(&[BETA]);
    let mut total: Option<Jacobian<K>> = None;
    for step in steps {
        // The last point stands for those that lack. −x²·(x, y) is (βx, y).
        let negative = step.negative != step.image;
        let list = &multiples[step.multiple];
        let [x, y] = K::split_signed(|lane| (&list[at[lane.min(at.len() - 1)]], negative));
        let x = if step.image { x.mul(&beta) } else { x };
        let mut sum = match &total {
            None => Jacobian { x, y, z: Bounded::of_each(&[Fq::ONE]) },
            Some(total) => total.add(&Addend::affine(x, y)),
        };
        for _ in 0..step.doublings {
            sum = sum.double();
        }
        total = Some(sum);
    }
    let mut points = vec![[Fq::ONE, Fq::ONE, Fq::default()]; at.len()];
    if let Some(Jacobian { x, y, z }) = total {
        for (which, coordinate) in [x, y, z].into_iter().enumerate() {
            coordinate.give_numbers(|lane, number| {
                if let Some(point) = points.get_mut(lane) {
                    point[which] = number;
                }
            });
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::super::sums::point_of;
    use super::*;
    use crate::endomorphism::times_x_squared;
    use crate::g1::{generator, is_identity, normalize, times, G1};

    /// Against the group's own operations; and an addition that the formulas get wrong, which must not go unseen.
    fn steps_over<K: Kernel>() {
        let points = normalize(&[1, 2, 99].map(|n| times(generator().into(), &[n])));
        let tripled = normalize(&points.iter().map(|point| times((*point).into(), &[3])).collect::<Vec<_>>());
        let multiples = [&points, &tripled].map(|list| list.iter().map(point_of::<K>).collect::<Vec<_>>());
        let step = |multiple, negative, image, doublings| Step { multiple, negative, image, doublings };
        let ordinary = [step(1, true, false, 2), step(0, false, true, 1), step(1, true, true, 0)];
        let doubled_by_addition =
            [step(0, false, true, 0), step(0, false, true, 3), step(1, false, false, 0)];
        let cancelled = [step(1, false, false, 0), step(1, true, false, 0), step(0, false, false, 0)];
        for at in [&[0][..], &[2, 1], &[0, 1], &[1, 1]].map(|at| &at[..at.len().min(K::LANES)]) {
            let found: Vec<G1> = walk::<K>(&ordinary, &multiples, at)
                .into_iter()
                .map(|[x, y, z]| G1::new_unchecked(x, y, z))
                .collect();
            let expected = at.iter().map(|at| {
                let [one, three] = [&points, &tripled].map(|list| list[*at]);
                let sum = -(G1::from(three) + three + three + three) + times_x_squared(&one);
                sum + sum - times_x_squared(&three)
            });
            assert_eq!(found, expected.collect::<Vec<G1>>());
            for exceptional in [&doubled_by_addition, &cancelled] {
                for [x, y, z] in walk::<K>(exceptional, &multiples, at) {
                    assert!(is_identity(&G1::new_unchecked(x, y, z)));
                }
            }
            assert_eq!(walk::<K>(&[], &multiples, at).len(), at.len());
        }
    }

    over_each_kernel!(steps: steps_over);
}
