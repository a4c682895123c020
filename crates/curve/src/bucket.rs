//! What sums of many points have in common: how many terms at a time, and how they are sorted.

/// Terms that are formed before they are summed: some 2 MB with what summing them takes.
pub(crate) const MAX_ENTRIES: usize = 8192;

/// Fewer pairs than these do not pay for an inversion.
pub(crate) const MIN_PAIRS: usize = 20;

/// The places of `numbers`, which are below `sums`, in ascending order: by counting.
#[inline(never)]
pub(crate) fn order(numbers: &[u32], sums: usize) -> Vec<u32> {
    let mut order = vec![0; numbers.len()];
    let mut starts = vec![0usize; sums + 1];
    for number in numbers {
        if let Some(count) = starts.get_mut(*number as usize + 1) {
            *count += 1;
        }
    }
    let mut total = 0;
    for start in &mut starts {
        total += *start;
        *start = total;
    }
    for (at, number) in (0..).zip(numbers) {
        let Some(place) = starts.get_mut(*number as usize) else { continue };
        if let Some(slot) = order.get_mut(*place) {
            *slot = at;
            *place += 1;
        }
    }
    order
}
