//! Many points, each times a scalar of its own: the twiddles of a transform over points.
//!
//! A scalar is split by the endomorphism into two halves of 128 bits, and both walk down one row of doublings, with the
//! odd multiples of the point in affine coordinates; those of all points share their inversions. Of s and r − s the
//! one below r/2 is taken, with the point's sign: so a short scalar is short whatever its sign, and x³, which is a fourth
//! root of unity (r = x⁴ − x² + 1), becomes x·x² with the 64 sparse bits of x, a third of the work. Points that have the same
//! factor, but for its sign, walk side by side in the kernel's lanes.

use crate::digits::non_adjacent;
use crate::endomorphism::{self, times_x_squared};
use crate::engine::{walk, Kernel, Multiplying, Step};
use crate::g1::{add_affine, double, identity, is_identity, G1Affine, G1};
use crate::limbs;
use crate::point_table::PointTable;
use crate::scalar::{Scalar, MODULUS};
use ark_ec::AffineRepr;
use ark_ff::PrimeField;

/// Width of the non-adjacent form: eight odd multiples.
const WIDTH: u32 = 5;

/// `points[i]` times `scalars[i]` for each i, for points **of G1**. Where the lists differ in length, what is beyond the
/// shorter one is ignored. Running time depends on the scalars, which are public.
pub fn multiply_each(points: &[G1Affine], scalars: &[Scalar]) -> Vec<G1> {
    let factors: Vec<Factor> = points.iter().zip(scalars).map(|(_, scalar)| Factor::of(scalar)).collect();
    let mut products: Vec<G1> = points.iter().zip(&factors).map(|(point, _)| (*point).into()).collect();
    // What takes multiplications, side by side with the same factor. No sorting: 64 points, and few factors.
    let is_long = |at: &usize| factors[*at].halves != [1, 0] && !points[*at].is_zero();
    let long: Vec<usize> = (0..products.len()).filter(is_long).collect();
    let bases = PointTable::of(&long.iter().map(|at| points[*at]).collect::<Vec<_>>());
    let twice = bases.doubled();
    let multiples = bases.odd_multiples(&twice, WIDTH).into_lists(long.len());
    let mut places: Vec<usize> = (0..long.len()).collect();
    while let Some(first) = places.first() {
        let halves = factors[long[*first]].halves;
        let steps = factors[long[*first]].steps();
        let (alike, others): (Vec<usize>, Vec<usize>) =
            places.iter().partition(|place| factors[long[**place]].halves == halves);
        for places in alike.chunks(Multiplying::LANES) {
            for (place, [x, y, z]) in places.iter().zip(walk::<Multiplying>(&steps, &multiples, places)) {
                let product = G1::new_unchecked(x, y, z);
                let at = long[*place];
                // No product of a point of order r is the identity, unless the factor is zero.
                products[at] = if is_identity(&product) { factors[at].times(&points[at]) } else { product };
            }
        }
        places = others;
    }
    for (product, factor) in products.iter_mut().zip(&factors) {
        if factor.negative {
            *product = -*product;
        }
    }
    products
}

/// ±(low + high·x²).
struct Factor {
    negative: bool,
    halves: [u128; 2],
}

impl Factor {
    fn of(scalar: &Scalar) -> Self {
        let value = scalar.into_bigint().0;
        let opposite = limbs::minus(&MODULUS, &value);
        let negative = limbs::less(&opposite, &value);
        let (low, high) = endomorphism::split(if negative { &opposite } else { &value });
        Self { negative, halves: [low, high] }
    }

    /// From the top bit of both halves down.
    fn steps(&self) -> Vec<Step> {
        let [low, high] = self.halves;
        let bits = 128 - (low | high).leading_zeros();
        // Digits of both halves by place; at most one each.
        let mut digits = [[0i64; 2]; 129];
        for (which, half) in self.halves.into_iter().enumerate() {
            non_adjacent(half, bits, WIDTH, |at, digit| {
                if let Some(place) = digits.get_mut(at as usize) {
                    place[which] = digit;
                }
            });
        }
        let mut steps: Vec<Step> = Vec::new();
        for place in digits.iter().take(bits as usize + 1).rev() {
            if let Some(last) = steps.last_mut() {
                last.doublings += 1;
            }
            for (image, digit) in [false, true].into_iter().zip(place).filter(|(_, digit)| **digit != 0) {
                let multiple = digit.unsigned_abs() as usize / 2;
                steps.push(Step { multiple, negative: *digit < 0, image, doublings: 0 });
            }
        }
        steps
    }

    /// The product but for the sign, by additions that are right for all points: for what a walk cannot do.
    #[cold]
    fn times(&self, point: &G1Affine) -> G1 {
        let image = times_x_squared(point);
        let mut total = identity();
        for bit in (0..128).rev() {
            double(&mut total);
            for (half, term) in self.halves.iter().zip([point, &image]) {
                if half >> bit & 1 == 1 {
                    add_affine(&mut total, term);
                }
            }
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::g1::{generator, times};
    use crate::scalar::{from_u128, ONE};

    /// What stands in for a walk has the same products.
    #[test]
    fn products_by_complete_additions() {
        let x = from_u128(endomorphism::X.into());
        for scalar in [x * x * x, from_u128(7) - x, ONE, -ONE, from_u128(u128::MAX) * x] {
            let factor = Factor::of(&scalar);
            let product = factor.times(&generator());
            let expected = times(generator().into(), &scalar.into_bigint().0);
            assert_eq!(if factor.negative { -product } else { product }, expected);
        }
    }
}
