//! From a failed batch to the guilty claims, by halves.
//!
//! What the claims of a range are off by, together, is neutral exactly where all of them are true (but for an error of
//! 2⁻¹²⁸). Where it is not, it is computed anew for the left half; what the right half is off by is the rest. So k
//! culprits among n claims cost about k·log₂ (n/k) computations, and n − 1 at most, however many there are: no more than judging
//! each claim by itself. Only the sums over halves come on top.

use core::ops::Range;

/// What claims are off by, together.
pub(crate) trait Discrepancy {
    /// Whether all claims are true.
    fn is_neutral(&self) -> bool;

    /// What the other claims are off by, where `part` is of some of them.
    #[must_use]
    fn without(&self, part: &Self) -> Self;
}

/// Whether each of `count` claims is false. `total` is what all of them are off by, and `of` computes it for those in a
/// range.
pub(crate) fn false_claims<D: Discrepancy>(
    count: usize,
    total: &D,
    of: &dyn Fn(Range<usize>) -> D,
) -> Vec<bool> {
    let mut found = vec![false; count];
    halve(&mut found, 0, total, of);
    found
}

/// `found` is of the claims from `start` on, and `total` is what these are off by. The recursion is log₂ n deep.
fn halve<D: Discrepancy>(found: &mut [bool], start: usize, total: &D, of: &dyn Fn(Range<usize>) -> D) {
    if total.is_neutral() {
        return;
    }
    match found {
        [] => {}
        [only] => *only = true,
        several => {
            let (left, right) = several.split_at_mut(several.len() / 2);
            let middle = start + left.len();
            let of_left = of(start..middle);
            halve(left, start, &of_left, of);
            halve(right, middle, &total.without(&of_left), of);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{false_claims, Discrepancy};
    use core::cell::Cell;

    impl Discrepancy for u32 {
        fn is_neutral(&self) -> bool {
            *self == 0
        }

        fn without(&self, part: &Self) -> Self {
            self - part
        }
    }

    /// All sets of up to ten claims, by what each is off by, and some larger ones.
    #[test]
    fn finds_each_culprit_with_a_computation_for_each_claim_at_most() {
        let small =
            (0..=10u32).flat_map(|count| (0..1 << count).map(move |set| (count, u128::from(set as u32))));
        let large =
            [(100, 1 << 37), (100, u128::MAX >> 28), (100, 0x9_0000_0000_0000_0007), (128, u128::MAX)];
        for (count, set) in small.chain(large) {
            let off_by: Vec<u32> = (0..count).map(|at| (set >> at & 1) as u32 * (at + 1)).collect();
            let computed = Cell::new(0);
            let of = |range: core::ops::Range<usize>| {
                computed.set(computed.get() + 1);
                off_by[range].iter().sum::<u32>()
            };
            let found = false_claims(count as usize, &off_by.iter().sum(), &of);
            assert_eq!(found, off_by.iter().map(|by| *by != 0).collect::<Vec<_>>());
            // A path of halves for each culprit, and no more than all halves that there are.
            let depth = count.max(1).next_power_of_two().ilog2();
            assert!(computed.get() <= (set.count_ones() * depth).min(count.saturating_sub(1)));
        }
    }
}
