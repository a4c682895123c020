//! Which points of a batch lie in G1: one by one, or all at once, asked of sums that the batch needs anyway.
//!
//! The proofs of a scheme are a family of [`subgroup::tested`], whose total is the scheme's Σ rπ; or those of each column
//! are, since cells need Σ h⁶⁴·Σ rπ over the columns as well. The distinct commitments are one more family, with
//! coefficients of its own that serve the test alone: in the equation a commitment has the sum of its proofs'
//! coefficients, which are not independent of theirs.
//!
//! That this is as good as a test of each point is proved in `docs/subgroup.md`.

use crate::cell_sums::{self, CellSums, ColumnSum, ProofSums};
use crate::constants::CELLS_PER_EXT_BLOB;
use crate::decompression::{Batch, Candidate, Point, Row};
use crate::randomness::{coefficients, trits};
use crate::unit::Unit;
use blobcheck_curve::subgroup::{
    self, cost_of_each, cost_of_forming, cost_of_rows, cost_of_totals, FamilyRows, Rows,
};
use blobcheck_curve::{g1, msm, BatchPoint, CurvePoint, PointError, Signed};

/// Where a unit's row belongs: nowhere for openings, else to a column.
fn column_of(unit: &Unit<'_>, row: usize) -> Option<usize> {
    match unit {
        Unit::Blob { .. } => None,
        Unit::Column { index, .. } => Some(usize::from(*index)),
        Unit::ExtendedBlob { .. } => Some(row),
    }
}

/// When the rows of a bulk test ([`subgroup::Rows`]) are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    /// By whoever collects.
    Now,
    /// By whoever closes so many groups together, whose rows are added up.
    Later { groups: usize },
}

/// What the test of a batch gave, beside what it wrote into the batch.
#[derive(Debug, Default)]
pub(crate) struct Tested {
    /// The sums of the proofs, if they came with the test.
    pub(crate) sums: Option<ProofSums>,
    /// What is still to be tested before anything is concluded.
    pub(crate) untested: Option<Rows>,
}

/// Draws the seed of the coefficients once the points are known. `None` where there is a single row that is closed by itself: it needs no
/// random coefficient. Boxed, so that the code above it is compiled once.
pub(crate) type DrawSeed<'s, 'a> = Box<dyn FnOnce(&[Unit<'a>]) -> Option<[u8; 32]> + 's>;

/// Finds out which points lie in G1, in bulk or one by one, and gives each row of the units that are not refused its
/// coefficient. `seed` is asked once, when the points are known; it gives none where the one row there is will be closed by
/// itself, which needs no random coefficient.
pub(crate) fn test_subgroups<'a>(batch: &mut Batch<'a>, seed: DrawSeed<'_, 'a>, test: Test) -> Tested {
    let first = batch.refused();
    // Which of a refused unit's points is the first bad one, only the exact test can say.
    test_units(batch, &first);
    // A bad commitment refuses all units that name it: then their points, too, are to be tested singly.
    let spread = batch.refused() != first;
    let seed = seed(&batch.sound_mut().map(|candidate| candidate.unit).collect::<Vec<_>>());
    if let Some(tested) = seed.filter(|_| !spread).and_then(|seed| in_bulk(batch, &seed, test)) {
        return tested;
    }
    let others: Vec<bool> = first.iter().map(|refused| !refused).collect();
    test_units(batch, &others);
    draw_weights(batch, seed.as_ref());
    Tested::default()
}

/// Tests the points of the chosen units one by one, and refuses those outside G1.
fn test_units(batch: &mut Batch<'_>, chosen: &[bool]) {
    let Batch { commitments, units } = batch;
    let mut named = vec![false; commitments.len()];
    let mut points: Vec<&mut Point> = Vec::new();
    for (unit, chosen) in units.iter_mut().zip(chosen) {
        if let (Ok(candidate), true) = (unit, chosen) {
            candidate.mark(&mut named);
            points.extend(candidate.rows.iter_mut().map(|row| &mut row.proof));
        }
    }
    points.extend(commitments.iter_mut().zip(named).filter_map(|(point, named)| named.then_some(point)));
    points.retain(|point| matches!(point, Point::OnCurve(_)));
    let on_curve: Vec<CurvePoint> = points.iter().filter_map(|point| point.on_curve()).collect();
    // A point without an answer stays untested, and so in no claim.
    for (point, tested) in points.into_iter().zip(subgroup::tested_each(&on_curve)) {
        *point = tested.map_or(Point::Refused(PointError::NotInSubgroup), Point::InSubgroup);
    }
}

/// The coefficients of units that are not tested in bulk: of the seed, or 1 where the one row there is needs no random one.
/// A row that gets none has no claim.
fn draw_weights(batch: &mut Batch<'_>, seed: Option<&[u8; 32]>) {
    let rows: Vec<&mut Row> = batch.sound_mut().flat_map(|candidate| &mut candidate.rows).collect();
    let drawn: Vec<Signed> = match seed {
        Some(seed) => coefficients(seed, rows.len()).into_iter().map(Signed::from).collect(),
        None => vec![Signed::ONE],
    };
    let mut drawn = drawn.into_iter();
    for row in rows {
        row.weight = drawn.next();
    }
}

/// How many points a batch has, by what they are.
struct Counts {
    openings: usize,
    columns: [usize; CELLS_PER_EXT_BLOB],
    commitments: usize,
}

impl Counts {
    fn of<'c, 'a: 'c>(units: impl Iterator<Item = &'c Candidate<'a>>, commitments: usize) -> Self {
        let mut counts = Self { openings: 0, columns: [0; CELLS_PER_EXT_BLOB], commitments };
        for candidate in units {
            for row in 0..candidate.rows.len() {
                match column_of(&candidate.unit, row) {
                    None => counts.openings += 1,
                    Some(column) => counts.columns[column] += 1,
                }
            }
        }
        counts
    }

    /// The cheapest way by a count of multiplications: `None`, one by one; else in bulk, the cells' proofs in one
    /// family (`false`) or in one for each column (`true`).
    ///
    /// On the baseline bulk pays from 18 blobs on, or 28 cells with one commitment (`docs/subgroup.md`), and sooner where groups
    /// share the test.
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

/// Tests all points of the units that are not refused in one, gives each of their rows its coefficient, and answers with the
/// sums that came with the test. `None` where a point is found to be outside G1, or where testing them one by one is cheaper.
///
/// `seed` was drawn when the points were fixed.
fn in_bulk(batch: &mut Batch<'_>, seed: &[u8; 32], test: Test) -> Option<Tested> {
    let mut members = Members::of(batch);
    let by_column = members.counts().cheapest(test)?;
    let families = members.in_families(by_column, seed)?;
    let (rows, untested) = families.test(test)?;
    let sums = families.sums(&rows);
    // The test has passed, or is left to whoever closes, who concludes nothing without its rows. Nothing fails from here on: a
    // point that is marked is in the rows that are handed over.
    members.assume_in_subgroup();
    Some(Tested { sums: Some(sums), untested })
}

/// The points of a bulk test: the proofs of all units that are not refused, and the commitments that these name.
struct Members<'b, 'a> {
    units: Vec<&'b mut Candidate<'a>>,
    commitments: Vec<&'b mut Point>,
}

impl<'b, 'a> Members<'b, 'a> {
    fn of(Batch { commitments, units }: &'b mut Batch<'a>) -> Self {
        let units: Vec<_> =
            units.iter_mut().flatten().filter(|candidate| candidate.error(commitments).is_none()).collect();
        let mut named = vec![false; commitments.len()];
        units.iter().for_each(|candidate| candidate.mark(&mut named));
        let named =
            commitments.iter_mut().zip(named).filter_map(|(point, named)| named.then_some(point)).collect();
        Self { units, commitments: named }
    }

    fn counts(&self) -> Counts {
        Counts::of(self.units.iter().map(|candidate| &**candidate), self.commitments.len())
    }

    /// Gives each member a coefficient. Those of the proofs are their rows' in the equation, too.
    fn in_families(&mut self, by_column: bool, seed: &[u8; 32]) -> Option<Families> {
        let mut families = Families::new(by_column);
        let proofs: usize = self.units.iter().map(|candidate| candidate.rows.len()).sum();
        let mut trits = trits(seed, proofs + self.commitments.len()).into_iter();
        for candidate in &mut self.units {
            let Candidate { unit, rows, .. } = &mut **candidate;
            for (at, row) in rows.iter_mut().enumerate() {
                let coefficient = trits.next()?;
                row.weight = Some(coefficient.value());
                let family = families.of_proof(column_of(unit, at))?;
                family.push(BatchPoint { point: row.proof.on_curve()?, coefficient });
            }
        }
        let commitments = families.lists.get_mut(Families::COMMITMENTS)?;
        for point in &self.commitments {
            commitments.push(BatchPoint { point: point.on_curve()?, coefficient: trits.next()? });
        }
        Some(families)
    }

    /// Marks all of them as points of G1.
    fn assume_in_subgroup(self) {
        let rows = self.units.into_iter().flat_map(|candidate| &mut candidate.rows);
        for point in self.commitments.into_iter().chain(rows.map(|row| &mut row.proof)) {
            if let Some(on_curve) = point.on_curve() {
                *point = Point::InSubgroup(on_curve.assume_in_subgroup());
            }
        }
    }
}

/// The members with their coefficients: the proofs of openings, the commitments, and the proofs of cells, in one family or in one
/// for each column.
struct Families {
    lists: Vec<Vec<BatchPoint>>,
    by_column: bool,
}

impl Families {
    const OPENINGS: usize = 0;
    const COMMITMENTS: usize = 1;
    const CELLS: usize = 2;

    fn new(by_column: bool) -> Self {
        let of_cells = if by_column { CELLS_PER_EXT_BLOB } else { 1 };
        Self { lists: vec![Vec::new(); Self::CELLS + of_cells], by_column }
    }

    /// The family of a proof: of an opening, or of a cell of a column.
    fn of_proof(&mut self, column: Option<usize>) -> Option<&mut Vec<BatchPoint>> {
        self.lists.get_mut(match column {
            None => Self::OPENINGS,
            Some(column) => Self::CELLS + if self.by_column { column } else { 0 },
        })
    }

    /// The rows of each family, and all of them together where somebody else is to test them. `None` where a member is outside G1.
    fn test(&self, test: Test) -> Option<(Vec<FamilyRows>, Option<Rows>)> {
        let views: Vec<&[BatchPoint]> = self.lists.iter().map(Vec::as_slice).collect();
        Some(match test {
            Test::Now => (subgroup::tested(&views)?, None),
            Test::Later { .. } => {
                let (untested, rows) = subgroup::untested(&views);
                (rows, Some(untested))
            }
        })
    }

    /// The sums of the proofs, out of the rows of each family.
    fn sums(&self, rows: &[FamilyRows]) -> ProofSums {
        let (mut places, mut summed) = (Vec::new(), Vec::new());
        for (place, (family, rows)) in self.lists.iter().zip(rows).enumerate() {
            // Nobody needs the total of the commitments.
            if place != Self::COMMITMENTS && !family.is_empty() {
                places.push(place);
                summed.push(rows);
            }
        }
        let cells =
            if self.by_column { CellSums::ByColumn(Vec::new()) } else { CellSums::Together(g1::identity()) };
        let mut sums = ProofSums { openings: g1::identity(), cells };
        for (place, sum) in places.into_iter().zip(subgroup::totals(&summed)) {
            match &mut sums.cells {
                _ if place == Self::OPENINGS => sums.openings = sum,
                CellSums::Together(total) => *total = sum,
                CellSums::ByColumn(columns) => columns.push(ColumnSum { index: place - Self::CELLS, sum }),
            }
        }
        sums
    }
}
