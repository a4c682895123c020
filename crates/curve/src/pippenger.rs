//! Sums of many points (Pippenger): signed windows of the scalars, a bucket for each digit, and the buckets' sums.

use crate::bucket::MAX_ENTRIES;
use crate::bucket_entry::SignedIndex;
use crate::digits::window_digit;
use crate::g1::{add_affine, double, identity, G1Affine, G1};
use crate::point_table::PointTable;

/// Buckets that are kept before they are folded, unless one window has more: some 2 MB with what folding them takes.
const BUCKETS: u32 = 4096;

/// Windows whose terms are summed together.
pub(crate) fn windows_together(count: usize, width: u32) -> u32 {
    (MAX_ENTRIES / count.max(1 << (width - 1)).max(1)).clamp(1, 128) as u32
}

/// Windows whose buckets are folded together.
pub(crate) fn windows_folded(width: u32) -> u32 {
    (BUCKETS >> (width - 1)).clamp(1, 128)
}

/// Σ sᵢ·Pᵢ for scalars of `bits` bits, in windows of `width` bits, 3 ≤ `width` ≤ 14.
pub(crate) fn sum(points: Vec<G1Affine>, scalars: &[u128], bits: u32, width: u32) -> G1 {
    let buckets = 1u32 << (width - 1);
    // The last window reaches past bit `bits`, which is zero, so that its top bit is zero and nothing is left
    // over.
    let windows: Vec<u32> = (0..=bits / width).collect();
    let table = PointTable::of(&points);
    let mut sums = Vec::with_capacity(windows.len() * width as usize);
    for folded in windows.chunks(windows_folded(width) as usize) {
        let mut filled = PointTable::default();
        for together in folded.chunks(windows_together(scalars.len(), width) as usize) {
            let mut indices = Vec::with_capacity(together.len() * scalars.len());
            for (window, first) in together.iter().zip((0..).step_by(buckets as usize)) {
                for (point, scalar) in (0..).zip(scalars) {
                    // −2^(width−1) ≤ digit ≤ 2^(width−1)
                    let digit = window_digit(*scalar, window * width, width);
                    if digit != 0 {
                        let sum = first + digit.unsigned_abs() as u32 - 1;
                        indices.push(SignedIndex { sum, point, negative: digit < 0 });
                    }
                }
            }
            filled.append(table.sum_each(&indices, together.len() * buckets as usize));
        }
        sums.extend(fold(filled, folded.len() as u32, width));
    }
    join(&sums)
}

/// Σ 2ⁱ·Sᵢ.
pub(crate) fn join(sums: &[G1Affine]) -> G1 {
    let mut total = identity();
    for sum in sums.iter().rev() {
        double(&mut total);
        add_affine(&mut total, sum);
    }
    total
}

/// Σ d·B_d of each window as `width` sums Oⱼ, one for each bit of d: Σ d·B_d = Σ 2ʲ·Oⱼ.
///
/// With d = 2e + b, Σ d·B_d = Σ B_d over the odd d, and 2·Σ e·(B_2e + B_2e+1): two affine additions for each bucket in all, in
/// place of the two of sums of sums, which cannot share an inversion.
pub(crate) fn fold(mut buckets: PointTable, windows: u32, width: u32) -> Vec<G1Affine> {
    let (mut odd, mut odd_terms) = (PointTable::default(), Vec::with_capacity(buckets.len()));
    for bit in 0..width {
        // Digits from 1 to a power of two, in each window.
        let largest = 1u32 << (width - 1 - bit);
        let half = largest / 2;
        let mut pairs = Vec::with_capacity(buckets.len());
        for point in 0..buckets.len() as u32 {
            let (window, digit) = (point / largest, point % largest + 1);
            if digit % 2 == 1 {
                odd_terms.push(SignedIndex::of(window * width + bit, odd.len() as u32));
                odd.push_from(&buckets, point as usize);
            }
            if digit > 1 {
                pairs.push(SignedIndex::of(window * half + digit / 2 - 1, point));
            }
        }
        buckets = buckets.sum_each(&pairs, (windows * half) as usize);
    }
    odd.sum_each(&odd_terms, (windows * width) as usize).into_points()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::BUCKET_WIDTHS;
    use crate::g1::{generator, normalize};

    /// Every width against doubling and adding, where points repeat, are each other's opposites, or the identity: the wide
    /// ones fold their windows a few at a time.
    #[test]
    fn buckets_of_every_width() {
        let mut multiples = vec![G1::from(generator())];
        for at in 0..3 {
            multiples.push(multiples[at] + multiples[at] + generator());
        }
        let some = normalize(&multiples);
        let points: Vec<G1Affine> = (0..10)
            .map(|at| match at {
                7 => G1Affine::identity(),
                odd if odd % 2 == 1 => -some[at % 4],
                _ => some[at % 3],
            })
            .collect();
        let mut state = 1u128;
        for bits in [2, 64, 127, 128] {
            let scalars: Vec<u128> = (0..points.len())
                .map(|at| {
                    state = state.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(11);
                    let all = u128::MAX >> (128 - bits);
                    [all, 1, all / 2 + 1, state & all][at % 4]
                })
                .collect();
            let mut expected = identity();
            for bit in (0..bits).rev() {
                double(&mut expected);
                for (point, scalar) in points.iter().zip(&scalars) {
                    if scalar >> bit & 1 == 1 {
                        add_affine(&mut expected, point);
                    }
                }
            }
            for width in BUCKET_WIDTHS {
                assert_eq!(sum(points.clone(), &scalars, bits, width), expected, "{bits} {width}");
            }
        }
    }
}
