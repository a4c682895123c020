//! A batch in groups: each is collected by some worker, and what is left, one product of pairings and one test of rows, is
//! shared among them.
//!
//! The rows of all groups are added up before they are tested (`docs/subgroup.md`), so that the groups of a batch cost one
//! test together, as one group would.

use crate::accumulator::{Accumulator, ACCUMULATOR_BYTES};
use crate::setup::Setup;
use blobcheck_curve::subgroup::{Rows, JOINED};
use core::ops::Range;

/// What is left to decide of a group.
#[derive(Clone, Debug)]
pub struct GroupSums {
    /// The equation. Where there are rows it says nothing without them.
    pub accumulator: Accumulator,
    /// Rows that are to be tested, if the group's points have not been tested one by one.
    pub rows: Option<Rows>,
}

impl GroupSums {
    /// The accumulator, and the rows if there are any.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.accumulator.to_bytes().to_vec();
        if let Some(rows) = &self.rows {
            bytes.append(&mut rows.to_bytes());
        }
        bytes
    }

    /// Reads what [`Self::to_bytes`] wrote; `None` for anything else. See [`Accumulator::from_bytes`] for whom to believe.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (accumulator, rows) = bytes.split_at_checked(ACCUMULATOR_BYTES)?;
        let rows = if rows.is_empty() { None } else { Some(Rows::from_bytes(rows)?) };
        Some(Self { accumulator: Accumulator::from_bytes(accumulator)?, rows })
    }
}

/// Whether all pending units of all groups are valid, as far as part `part` of `parts` (from 0) tells: they are if every part
/// says so. Part 0 has the pairings; the rows are split so that all parts take about the same time.
///
/// Coefficients of the groups must come from random seeds of their own.
pub fn close_part(setup: &Setup, groups: &[GroupSums], part: usize, parts: usize) -> bool {
    let mut sum = Accumulator::empty();
    let mut rows = Vec::new();
    for group in groups {
        sum = sum.merge(&group.accumulator);
        rows.extend(group.rows.as_ref());
    }
    (part > 0 || sum.close(setup))
        && (rows.is_empty() || Rows::merge(&rows).are_in_subgroup(fours(part, parts)))
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
