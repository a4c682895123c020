//! Many points, each times a scalar of its own: the twiddles of a transform over points.
//!
//! A scalar is split by the endomorphism into two halves of 128 bits, and both walk down one row of doublings, with the
//! odd multiples of the point in affine coordinates; those of all points share their inversions. Of s and r − s the
//! one below r/2 is taken, with the point's sign: so a short scalar is short whatever its sign, and x³, which is a fourth
//! root of unity (r = x⁴ − x² + 1), becomes x·x² with the 64 sparse bits of x, a third of the work.

use crate::digits::non_adjacent;
use crate::endomorphism;
use crate::g1::{add_affine, double, identity, G1Affine, G1};
use crate::limbs;
use crate::odd_multiples::odd_multiples;
use crate::scalar::{Scalar, MODULUS};
use ark_ff::PrimeField;

/// Width of the non-adjacent form: eight odd multiples.
const WIDTH: u32 = 5;

/// `points[i]` times `scalars[i]` for each i, for points **of G1**. Where the lists differ in length, what is beyond the
/// shorter one is ignored. Running time depends on the scalars, which are public.
pub fn multiply_each(points: &[G1Affine], scalars: &[Scalar]) -> Vec<G1> {
    let factors: Vec<Factor> = scalars.iter().map(Factor::of).collect();
    let multiples = odd_multiples(points, WIDTH);
    let zipped = points.iter().zip(&factors).enumerate();
    zipped.map(|(i, (point, factor))| factor.times(i, point, &multiples)).collect()
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

    /// The product with the point whose odd multiples are `multiples[..][i]`.
    fn times(&self, i: usize, point: &G1Affine, multiples: &[Vec<G1Affine>]) -> G1 {
        let product = match self.halves {
            [0, 0] => identity(),
            [1, 0] => (*point).into(),
            _ => self.walk(i, multiples),
        };
        if self.negative {
            -product
        } else {
            product
        }
    }

    fn walk(&self, i: usize, multiples: &[Vec<G1Affine>]) -> G1 {
        let [low, high] = self.halves;
        let bits = 128 - (low | high).leading_zeros();
        // Digits of both halves by place; at most one each.
        let mut digits = [[0i8; 2]; 129];
        for (which, half) in self.halves.into_iter().enumerate() {
            non_adjacent(half, bits, WIDTH, |at, digit| {
                if let Some(place) = digits.get_mut(at as usize) {
                    place[which] = digit as i8; // odd and below 2⁴ in size
                }
            });
        }
        let mut total = identity();
        for place in digits.iter().take(bits as usize + 1).rev() {
            double(&mut total);
            for (which, digit) in place.iter().enumerate().filter(|(_, digit)| **digit != 0) {
                let multiple = multiples.get(usize::from(digit.unsigned_abs()) / 2);
                let Some(multiple) = multiple.and_then(|all| all.get(i)) else { continue };
                let term = if which == 1 { endomorphism::times_x_squared(multiple) } else { *multiple };
                add_affine(&mut total, &if *digit < 0 { -term } else { term });
            }
        }
        total
    }
}
