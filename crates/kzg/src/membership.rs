//! Whether all points of a batch lie in G1, asked of sums that the batch needs anyway.
//!
//! The proofs of a scheme are a family of [`subgroup::tested`], whose total is the scheme's Σ rπ; or those of each column
//! are, since cells need Σ h⁶⁴·Σ rπ over the columns as well. The distinct commitments are one more family, with
//! coefficients of its own that serve the test alone: in the equation a commitment has the sum of its proofs'
//! coefficients, which are not independent of theirs.
//!
//! That this is as good as a test of each point is proved in `docs/subgroup.md`.

use crate::cell_sums::{self, CellSums};
use crate::constants::CELLS_PER_EXT_BLOB;
use crate::points::{mark, Candidate, Point};
use crate::randomness::trits;
use crate::unit::Unit;
use blobcheck_curve::subgroup::Rows;
use blobcheck_curve::subgroup::{self, cost_of_each, cost_of_forming, cost_of_rows, cost_of_totals};
use blobcheck_curve::{msm, BatchPoint, Signed, Trits, G1};

/// The sums of weighted proofs that came with the test.
pub(crate) struct ProofSums {
    pub(crate) openings: G1,
    pub(crate) cells: CellSums,
}

/// Where a unit's row belongs: nowhere for openings, else to a column.
fn column_of(unit: &Unit<'_>, row: usize) -> Option<usize> {
    match unit {
        Unit::Blob { .. } => None,
        Unit::Column { index, .. } => Some(usize::from(*index)),
        Unit::ExtendedBlob { .. } => Some(row),
    }
}

/// When the rows of a bulk test are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    /// By whoever collects.
    Now,
    /// By whoever closes so many groups together, whose rows are added up.
    Later { groups: usize },
}

/// What a bulk test gave.
pub(crate) struct Bulk {
    /// The coefficients of all rows of the units, in order.
    pub(crate) weights: Vec<Signed>,
    pub(crate) sums: ProofSums,
    /// What is still to be tested before anything is concluded.
    pub(crate) untested: Option<Rows>,
}

/// How many points a batch has, by what they are.
struct Counts {
    openings: usize,
    columns: [usize; CELLS_PER_EXT_BLOB],
    commitments: usize,
}

impl Counts {
    fn of(units: &[&Candidate<'_>], commitments: usize) -> Self {
        let mut counts = Self { openings: 0, columns: [0; CELLS_PER_EXT_BLOB], commitments };
        for unit in units.iter().map(|candidate| &candidate.unit) {
            for row in 0..unit.rows() {
                match column_of(unit, row) {
                    None => counts.openings += 1,
                    Some(column) => {
                        if let Some(count) = counts.columns.get_mut(column) {
                            *count += 1;
                        }
                    }
                }
            }
        }
        counts
    }

    /// The cheapest way by a count of multiplications: `None`, one by one; else in bulk, the cells' proofs in one
    /// family (`false`) or in one for each column (`true`).
    ///
    /// Bulk pays from 32 blobs on, or 52 cells with one commitment (`docs/subgroup.md`), and sooner where groups share the
    /// test.
    fn cheapest(&self, test: Test) -> Option<bool> {
        let rows = match test {
            Test::Now => cost_of_rows(),
            Test::Later { groups } => cost_of_rows() / groups.max(1) as f32,
        };
        let cells: usize = self.columns.iter().sum();
        // Nobody needs the total of the commitments.
        let others = cost_of_totals(&[self.openings]) + cost_of_forming(&[self.commitments]);
        let each = cost_of_each(self.openings + cells + self.commitments)
            + msm::cost(self.openings, cell_sums::WEIGHT_BITS)
            + cell_sums::cost(&self.columns);
        let together = others + cost_of_totals(&[cells]) + cell_sums::cost_after(&self.columns, false);
        let by_column = others + cost_of_totals(&self.columns) + cell_sums::cost_after(&self.columns, true);
        (rows + together.min(by_column) < each).then_some(by_column < together)
    }
}

/// The coefficients of all rows of `units`, and the sums that came with the test. `None` where a point is found to be
/// outside G1, or where testing them one by one is cheaper.
///
/// All points of `units` are points of the curve. `seed` was drawn when they were fixed.
pub(crate) fn in_bulk(
    table: &[Point],
    units: &[&Candidate<'_>],
    seed: &[u8; 32],
    test: Test,
) -> Option<Bulk> {
    let mut named = vec![false; table.len()];
    units.iter().for_each(|unit| mark(&mut named, &unit.positions));
    let count = named.iter().filter(|named| **named).count();
    let by_column = Counts::of(units, count).cheapest(test)?;

    // Openings, commitments, and the cells' families.
    let (openings, commitments, cells) = (0, 1, 2);
    let mut families = vec![Vec::<BatchPoint>::new(); cells + if by_column { CELLS_PER_EXT_BLOB } else { 1 }];
    let rows: usize = units.iter().map(|candidate| candidate.unit.rows()).sum();
    let trits = trits(seed, rows + count);
    let mut next = trits.iter();
    for candidate in units {
        for (row, proof) in candidate.proofs.iter().enumerate() {
            let family = match column_of(&candidate.unit, row) {
                None => openings,
                Some(column) => cells + if by_column { column } else { 0 },
            };
            families.get_mut(family)?.push(BatchPoint { point: (*proof).ok()?, coefficient: *next.next()? });
        }
    }
    for (point, named) in table.iter().zip(named) {
        if named {
            families
                .get_mut(commitments)?
                .push(BatchPoint { point: (*point).ok()?, coefficient: *next.next()? });
        }
    }

    let views: Vec<&[BatchPoint]> = families.iter().map(Vec::as_slice).collect();
    let (untested, rows_of) = match test {
        Test::Now => (None, subgroup::tested(&views)?),
        Test::Later { .. } => {
            let (rows, rows_of) = subgroup::untested(&views);
            (Some(rows), rows_of)
        }
    };
    let cell_sums = if by_column {
        let mut occupied = Vec::new();
        for (column, (family, rows)) in families.iter().zip(&rows_of).skip(cells).enumerate() {
            if !family.is_empty() {
                occupied.push((column, rows.total()));
            }
        }
        CellSums::ByColumn(occupied)
    } else {
        CellSums::Together(rows_of.get(cells)?.total())
    };
    let weights = trits.iter().take(rows).map(Trits::value).collect();
    Some(Bulk {
        weights,
        sums: ProofSums { openings: rows_of.get(openings)?.total(), cells: cell_sums },
        untested,
    })
}
