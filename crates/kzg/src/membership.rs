//! Whether all points of a batch lie in G1, asked of sums that the batch needs anyway.
//!
//! The proofs of a scheme are a family of [`subgroup::sums`], whose sum is the scheme's Σ rπ; or those of each column
//! are, since cells need Σ h⁶⁴·Σ rπ over the columns as well. The distinct commitments are one more family, with
//! coefficients of its own that serve the test alone: in the equation a commitment has the sum of its proofs'
//! coefficients, which are not independent of theirs.
//!
//! That this is as good as a test of each point is proved in `docs/subgroup.md`.

use crate::cell_sums::{self, CellSums};
use crate::constants::CELLS_PER_EXT_BLOB;
use crate::points::{Candidate, Point};
use crate::randomness::trits;
use crate::unit::Unit;
use blobcheck_curve::subgroup::{self, cost_of_each, cost_of_sums, Family};
use blobcheck_curve::{msm, G1Affine, Signed, Trits, G1};
use std::collections::BTreeSet;

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
                        counts.columns.get_mut(column).into_iter().for_each(|count| *count += 1);
                    }
                }
            }
        }
        counts
    }

    /// The cheapest way by a count of multiplications: `None`, one by one; else in bulk, the cells' proofs in one
    /// family (`false`) or in one for each column (`true`).
    ///
    /// With nothing but proofs in one family, bulk pays from 93 points on (`docs/subgroup.md` has measured figures).
    fn cheapest(&self) -> Option<bool> {
        let cells: usize = self.columns.iter().sum();
        let others = [self.openings, self.commitments].into_iter();
        let each = cost_of_each(self.openings + cells + self.commitments)
            + msm::cost(self.openings, cell_sums::WEIGHT_BITS)
            + cell_sums::cost(&self.columns);
        let together =
            cost_of_sums(others.clone().chain([cells])) + cell_sums::cost_after(&self.columns, false);
        let by_column = cost_of_sums(others.chain(self.columns)) + cell_sums::cost_after(&self.columns, true);
        (together.min(by_column) < each).then_some(by_column < together)
    }
}

/// Members of a family, as they are gathered.
#[derive(Clone, Default)]
struct Members {
    points: Vec<G1Affine>,
    trits: Vec<Trits>,
}

impl Members {
    fn push(&mut self, point: G1Affine, trits: Trits) {
        self.points.push(point);
        self.trits.push(trits);
    }
}

/// The coefficients of all rows of `units`, in order, and the sums that came with the test. `None` where a point is
/// outside G1, or where testing them one by one is cheaper.
///
/// All points of `units` are points of the curve. `seed` was drawn when they were fixed.
pub(crate) fn in_bulk(
    table: &[Point],
    units: &[&Candidate<'_>],
    seed: &[u8; 32],
) -> Option<(Vec<Signed>, ProofSums)> {
    let named: BTreeSet<usize> = units.iter().flat_map(|unit| unit.positions.iter().copied()).collect();
    let by_column = Counts::of(units, named.len()).cheapest()?;

    let rows = units.iter().map(|candidate| candidate.unit.rows()).sum::<usize>();
    let trits = trits(seed, rows + named.len());
    let (of_rows, of_commitments) = trits.split_at(rows);

    let (mut openings, mut commitments) = (Members::default(), Members::default());
    let mut cells = vec![Members::default(); if by_column { CELLS_PER_EXT_BLOB } else { 1 }];
    for (position, trits) in named.into_iter().zip(of_commitments) {
        commitments.push((*table.get(position)?).ok()?, *trits);
    }
    let mut next = of_rows.iter();
    for candidate in units {
        for (row, proof) in candidate.proofs.iter().enumerate() {
            let family = match column_of(&candidate.unit, row) {
                None => &mut openings,
                Some(column) => cells.get_mut(if by_column { column } else { 0 })?,
            };
            family.push((*proof).ok()?, *next.next()?);
        }
    }

    let families = [&openings, &commitments].into_iter().chain(&cells);
    let families: Vec<Family<'_>> =
        families.map(|family| Family { points: &family.points, trits: &family.trits }).collect();
    let mut sums = subgroup::sums(&families)?.into_iter();
    let (openings, _) = (sums.next()?, sums.next()?);
    let cells = if by_column {
        let occupied = (0..).zip(&cells).zip(sums).filter(|((_, family), _)| !family.points.is_empty());
        CellSums::ByColumn(occupied.map(|((column, _), sum)| (column, sum)).collect())
    } else {
        CellSums::Together(sums.next()?)
    };
    Some((of_rows.iter().map(Trits::value).collect(), ProofSums { openings, cells }))
}
