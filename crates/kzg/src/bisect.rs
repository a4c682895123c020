//! From a failed batch to the guilty units.
//!
//! A range whose sum does not close is halved; the left half is summed anew, the right half is what is left.
//! k culprits among n cost about k·log₂ n pairing products. Whoever sends many culprits would make that
//! dearer than judging each claim by itself: after a few of them, the rest is judged singly, n products at
//! most.

use crate::claim::{sum, Claims};
use crate::equation::Equation;
use crate::setup::Setup;
use core::ops::Range;

/// Culprits found by halving before the rest is judged singly.
const MAX_BISECTED: usize = 6;

/// Whether each claim is false. `total` is the sum of all, and does not close.
pub(crate) fn false_claims(setup: &Setup, claims: &Claims<'_>, total: &Equation) -> Vec<bool> {
    let mut search = Search { setup, claims, found: vec![false; claims.claims.len()], false_count: 0 };
    search.halve(0..claims.claims.len(), total);
    search.found
}

struct Search<'s, 'a> {
    setup: &'s Setup,
    claims: &'s Claims<'a>,
    found: Vec<bool>,
    false_count: usize,
}

impl Search<'_, '_> {
    /// `range` is known to hold a culprit; `total` is its sum. The recursion is log₂ n deep.
    fn halve(&mut self, range: Range<usize>, total: &Equation) {
        if range.len() <= 1 {
            self.mark_false(range.start);
            return;
        }
        if self.false_count >= MAX_BISECTED {
            range.for_each(|i| self.check_one(i));
            return;
        }
        let middle = range.start + range.len() / 2;
        let left = self.sum(range.start..middle);
        let right = total.without(&left);
        let left_holds = left.holds(self.setup);
        // Where the left half holds, the culprit is in the right one.
        let right_holds = !left_holds && right.holds(self.setup);
        if !left_holds {
            self.halve(range.start..middle, &left);
        }
        if !right_holds {
            self.halve(middle..range.end, &right);
        }
    }

    fn check_one(&mut self, i: usize) {
        if !self.sum(i..i + 1).holds(self.setup) {
            self.mark_false(i);
        }
    }

    fn mark_false(&mut self, i: usize) {
        self.false_count += 1;
        if let Some(slot) = self.found.get_mut(i) {
            *slot = true;
        }
    }

    fn sum(&self, range: Range<usize>) -> Equation {
        // In bounds: a claim that is left out of its sum would be acquitted.
        sum(&self.claims.commitments, &self.claims.claims[range], None)
    }
}
