//! Tables of odd multiples, for non-adjacent forms ([`crate::digits::non_adjacent`]).

use crate::bucket::add_each;
use crate::g1::G1Affine;

/// P, 3P, 5P … (2^(width−1) − 1)·P for each point P: a list by factor, each by point.
pub(crate) fn odd_multiples(points: &[G1Affine], width: u32) -> Vec<Vec<G1Affine>> {
    let mut by_factor = vec![points.to_vec()];
    if width > 2 {
        let twice = add_each(points, points);
        let mut last = points.to_vec();
        for _ in 1..1 << (width - 2) {
            last = add_each(&last, &twice);
            by_factor.push(last.clone());
        }
    }
    by_factor
}
