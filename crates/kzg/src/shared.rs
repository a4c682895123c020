//! A batch in groups: each is collected by some worker, and what is left, one product of pairings and one test of rows, is
//! shared among them.
//!
//! The rows of all groups are added up before they are tested (`docs/subgroup.md`), so that the groups of a batch cost one
//! test together, as one group would.

use crate::accumulator::{Accumulator, ACCUMULATOR_BYTES};
use crate::randomness::FreshSeed;
use crate::setup::Setup;
use blobcheck_curve::subgroup::{Rows, JOINED};
use core::ops::Range;

/// What is left to decide of a group.
#[derive(Clone, Debug)]
pub struct GroupSums {
    /// The batch equation of the group. It says nothing before the group's points are known to lie in G1.
    pub accumulator: Accumulator<FreshSeed>,
    /// Whether they are known to.
    pub membership: Membership,
}

/// Whether the points of a group are known to lie in G1.
#[derive(Clone, Debug)]
pub enum Membership {
    /// Whoever collected the group tested them.
    Tested,
    /// These rows are still to be tested, with those of the other groups of the batch.
    Untested(Rows),
}

/// The first byte of a group's sums says what they hold. Zero is neither: memory that nobody wrote to is no group.
const TESTED: u8 = 1;
const UNTESTED: u8 = 2;

impl GroupSums {
    /// One byte for [`Membership`] (1 tested, 2 untested) ‖ the accumulator ‖ the rows, if they are untested.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (kind, rows) = match &self.membership {
            Membership::Tested => (TESTED, Vec::new()),
            Membership::Untested(rows) => (UNTESTED, rows.to_bytes()),
        };
        [&[kind], &self.accumulator.to_bytes()[..], &rows].concat()
    }

    /// Reads what [`Self::to_bytes`] wrote; `None` for anything else. See [`Accumulator::from_bytes`] for whom to believe.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (kind, sums) = bytes.split_first()?;
        let (accumulator, rows) = sums.split_at_checked(ACCUMULATOR_BYTES)?;
        let membership = match *kind {
            TESTED if rows.is_empty() => Membership::Tested,
            UNTESTED => Membership::Untested(Rows::from_bytes(rows)?),
            _ => return None,
        };
        Some(Self { accumulator: Accumulator::from_bytes(accumulator)?, membership })
    }
}

/// Whether these bytes of [`GroupSums::to_bytes`] say that the group's points are tested, so that only the pairings are left.
/// A look at the first byte: whether the bytes are sums at all, [`GroupSums::from_bytes`] tells.
pub fn is_tested(group_sums: &[u8]) -> bool {
    group_sums.first() == Some(&TESTED)
}

/// Whether all pending units of all groups are valid, as far as part `part` of `parts` (from 0) tells: they are if every part
/// says so. Part 0 has the pairings; the rows are split so that all parts take about the same time.
///
/// False for a part that there is not, and for no groups at all: where nothing was asked, nothing is shown.
pub fn close_part(setup: &Setup, groups: &[GroupSums], part: usize, parts: usize) -> bool {
    if groups.is_empty() || part >= parts {
        return false;
    }
    let mut sum = Accumulator::empty();
    let mut untested = Vec::new();
    for group in groups {
        sum = sum.merge(&group.accumulator);
        match &group.membership {
            Membership::Tested => {}
            Membership::Untested(rows) => untested.push(rows),
        }
    }
    (part > 0 || sum.close(setup))
        && (untested.is_empty() || Rows::merge(&untested).are_in_subgroup(fours(part, parts)))
}

/// What a product of pairings costs, in tests of four rows.
const PAIRINGS: usize = 10;

/// Which fours of rows a part tests.
fn fours(part: usize, parts: usize) -> Range<usize> {
    let others = parts.saturating_sub(1);
    let first = if others == 0 { JOINED } else { ((JOINED + PAIRINGS) / parts).saturating_sub(PAIRINGS) };
    let up_to = |part: usize| match part {
        0 => 0,
        _ if others == 0 => JOINED,
        _ => first + (JOINED - first) * (part - 1).min(others) / others,
    };
    up_to(part)..up_to(part + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_four_is_in_one_part() {
        for parts in 1..40 {
            let all: Vec<usize> = (0..parts).flat_map(|part| fours(part, parts)).collect();
            assert_eq!(all, (0..JOINED).collect::<Vec<_>>());
            assert!(fours(parts, parts).is_empty());
        }
        assert_eq!((fours(0, 2), fours(1, 2)), (0..5, 5..21));
    }
}
