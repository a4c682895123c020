//! The row sums of the batch subgroup test: Q_j = Σᵢ t_ij·Pᵢ for 81 rows j, t_ij being the trits of the
//! coefficients.
//!
//! Some trits at a time make a window: a point goes into the bucket of its digits there, and its opposite into
//! that of the opposite digits, so that a window of c trits has (3ᶜ − 1)/2 buckets, numbered by value. The digits
//! of a number are folded away from the top. With m = (3ᶜ⁻¹ − 1)/2 the numbers above m are those whose top digit
//! is 1, namely 3ᶜ⁻¹ + u for |u| ≤ m, and
//!
//! Q_top = Σ_{u > m} B_u,  B′_u = B_u + B_{3ᶜ⁻¹+u} − B_{3ᶜ⁻¹−u} for 1 ≤ u ≤ m,
//!
//! where the B′ are buckets of c − 1 trits: 3ᶜ − 1 − 2c additions in all.
//!
//! No step assumes G1: points are added, by formulas that are complete, and negated.

use crate::batch_point::BatchPoint;
use crate::bucket;
use crate::bucket_entry::SignedIndex;
use crate::g1::G1Affine;
use crate::point_table::{PointTable, TermList};
use crate::trits::{CHUNKS, ROWS};
use core::mem;

/// Trits of a window; the width 6 leaves a poor rest of the chunks.
const WIDTHS: [u32; 6] = [1, 2, 3, 4, 5, 7];

/// Buckets that are kept before they are folded: some 2 MB with what folding them takes.
const BUCKETS: u32 = 4096;

/// Trits `place..place + width` of a chunk of the coefficients of a family.
struct Window {
    family: usize,
    chunk: usize,
    place: u32,
    width: u32,
    /// Its lowest row.
    row: usize,
}

impl Window {
    fn buckets(&self) -> u32 {
        3u32.pow(self.width) / 2
    }
}

/// Q_j of each family of points.
pub fn row_sums(families: &[&[BatchPoint]]) -> Vec<[G1Affine; ROWS]> {
    let mut rows = vec![[G1Affine::identity(); ROWS]; families.len()];
    let points: Vec<G1Affine> =
        families.iter().copied().flatten().map(|member| *member.point.affine()).collect();
    let mut pending = Pending::of(PointTable::of(&points));
    let mut first = 0;
    for (number, family) in families.iter().enumerate() {
        let (step, mut row) = (width(family.len()), 0);
        for (chunk, digits) in CHUNKS.into_iter().enumerate() {
            let mut place = 0;
            while place < digits {
                let width = step.min(digits - place);
                let window = Window { family: number, chunk, place, width, row };
                pending.collect(&window, family, first);
                pending.windows.push(window);
                (place, row) = (place + width, row + width as usize);
                if pending.buckets >= BUCKETS {
                    pending.fold(&mut rows);
                }
            }
        }
        first += family.len() as u32;
    }
    pending.fold(&mut rows);
    rows
}

/// Windows that are not folded yet.
struct Pending {
    /// The points of all families, one after the other.
    table: PointTable,
    windows: Vec<Window>,
    /// Buckets of all windows, one after the other.
    buckets: u32,
    /// What the buckets hold: as it came, and reduced.
    fresh: Vec<SignedIndex>,
    reduced: TermList,
}

impl Pending {
    fn of(table: PointTable) -> Self {
        Self { table, windows: Vec::new(), buckets: 0, fresh: Vec::new(), reduced: TermList::default() }
    }

    /// `at`: where the family's points begin in the table.
    fn collect(&mut self, window: &Window, family: &[BatchPoint], at: u32) {
        let first = self.buckets;
        self.buckets += window.buckets();
        for (point, member) in (at..).zip(family) {
            let value = member.coefficient.digit(window.chunk, window.place, window.width);
            // Zero, or from 1 to the number of buckets in size.
            if value != 0 {
                let sum = first + value.unsigned_abs() as u32 - 1;
                self.fresh.push(SignedIndex { sum, point, negative: value < 0 });
            }
            if self.fresh.len() >= bucket::MAX_ENTRIES {
                self.reduce();
            }
        }
    }

    fn reduce(&mut self) {
        self.reduced.append(self.table.reduce(&self.fresh, self.buckets as usize));
        self.fresh.clear();
    }

    /// Writes the rows of the windows, and forgets them.
    fn fold(&mut self, rows: &mut [[G1Affine; ROWS]]) {
        self.reduce();
        let mut buckets = mem::take(&mut self.reduced).sum_each(self.buckets as usize);
        self.buckets = 0;
        while !self.windows.is_empty() {
            buckets = self.fold_top(&buckets, rows);
        }
    }

    /// Writes the top row of each window, and returns the buckets of what is left of them.
    fn fold_top(&mut self, buckets: &PointTable, rows: &mut [[G1Affine; ROWS]]) -> PointTable {
        let (mut terms, mut point) = (Vec::with_capacity(2 * buckets.len()), 0);
        let mut number = self.windows.len() as u32;
        for (top, window) in (0..).zip(&self.windows) {
            let power = 3i64.pow(window.width - 1);
            let m = power / 2;
            for value in 1..=i64::from(window.buckets()) {
                if value > m {
                    terms.push(SignedIndex::of(top, point));
                }
                // What is left of the value once the top digit is gone.
                match if value > m { value - power } else { value } {
                    0 => {}
                    rest => {
                        let sum = number + rest.unsigned_abs() as u32 - 1;
                        terms.push(SignedIndex { sum, point, negative: rest < 0 });
                    }
                }
                point += 1;
            }
            number += m as u32;
        }
        let mut sums = buckets.sum_each(&terms, number as usize);
        let lower = sums.split_off(self.windows.len());
        for (window, sum) in self.windows.iter_mut().zip(sums.into_points()) {
            window.width -= 1;
            let row = rows.get_mut(window.family);
            if let Some(slot) = row.and_then(|row| row.get_mut(window.row + window.width as usize)) {
                *slot = sum;
            }
        }
        self.windows.retain(|window| window.width > 0);
        lower
    }
}

/// Trits of the windows of a family of `count` points.
pub fn width(count: usize) -> u32 {
    let cost = |width: &u32| additions(count, *width);
    WIDTHS.into_iter().min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap_or(1)
}

/// Additions that the rows of `count` points take with windows of `width` trits.
pub(crate) fn additions(count: usize, width: u32) -> f32 {
    let values = 3f32.powi(width as i32);
    let windows: u32 = CHUNKS.iter().map(|digits| digits.div_ceil(width)).sum();
    windows as f32 * (count as f32 * (1.0 - 1.0 / values) + values - 1.0 - 2.0 * width as f32)
}
