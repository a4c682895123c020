//! The subgroup test of G1: exact, point by point, or of a batch with the sums that the batch needs.
//!
//! With the curve's parameter x (|x| = 0xd201000000010000) and the endomorphism φ(X, Y) = (βX, Y), β³ = 1, a
//! point S of the curve lies in G1 exactly if φ(S) = −x²S (Scott, eprint 2021/1130).
//!
//! *Exact:* φ² + φ + 1 = 0 holds on the whole curve, so that φ(S) = −x²S gives (x⁴ − x² + 1)·S = 0, and x⁴ −
//! x² + 1 = r. Conversely φ acts on the cyclic group G1 as one of the two primitive cube roots of unity
//! modulo r; β is chosen so that it is −x².
//!
//! The multiples of S are formed by plain doubling and addition. A GLV multiplication would be wrong here: it
//! assumes what is to be tested.
//!
//! *A batch* has one coefficient rᵢ = Σ 3ʲ·t_ij for each point, in balanced ternary. If a point is outside G1, then
//! the 81 row sums Q_j = Σᵢ t_ij·Pᵢ are all in G1 with probability at most 3⁻⁸¹ < 2⁻¹²⁸: whatever the other points
//! and trits are, of three values of a trit at most one lets its row pass. The sum of the batch is Σ 3ʲ·Q_j.
//!
//! The rows need no exact test each. A defect of order 3 shows in a cubic residue; what is left of the cofactor has
//! primes from 11 on, for which four rows can be joined, since their 81 digits are all different modulo each prime of
//! Z\[φ\] over them. Proofs, and what must not be done, are in `docs/subgroup.md`.

use crate::batch_point::BatchPoint;
use crate::bucket_entry::{BucketEntry, SignedIndex};
use crate::cubic_residue;
use crate::curve_point::CurvePoint;
use crate::endomorphism::BETA;
use crate::engine::{self, Summing};
use crate::features::SIMD;
use crate::g1::{add, add_affine, double, identity, is_identity, normalize, G1Affine, G1};
use crate::point_table::PointTable;
use crate::row_sums::row_sums;
use crate::trits::ROWS;
use crate::uncompressed::{from_uncompressed, to_uncompressed};
use core::ops::Range;

pub use crate::cost::{cost_of_each, cost_of_forming, cost_of_rows, cost_of_totals};
pub use crate::trits::JOINED;

/// Each point as a point of G1, by the exact test; `None` for a point outside. The identity lies in G1.
pub fn tested_each(points: &[CurvePoint]) -> Vec<Option<G1Affine>> {
    let mut inside = are_in_subgroup(points).into_iter();
    let mut tested = Vec::with_capacity(points.len());
    for point in points {
        tested.push((inside.next() == Some(true)).then_some(point.assume_in_subgroup()));
    }
    tested
}

/// For each point of the curve, whether it lies in G1. The identity does.
pub fn are_in_subgroup(points: &[CurvePoint]) -> Vec<bool> {
    engine::are_in_subgroup::<Summing>(points)
}

/// The rows of each family of points if all points are in G1, else `None`: a caller that gets rows may take the points for points
/// of G1 ([`CurvePoint::assume_in_subgroup`]). A family is what is summed up together.
///
/// A point outside G1 is overlooked with probability 3⁻⁸¹(1 + 2⁻²⁸) < 2⁻¹²⁸, if the trits of **all** families are
/// independent of each other and drawn after all points are fixed. Never give two families the same trits.
pub fn tested(families: &[&[BatchPoint]]) -> Option<Vec<FamilyRows>> {
    let (rows, of_families) = untested(families);
    rows.are_in_subgroup(0..JOINED).then_some(of_families)
}

/// [`tested`] without the test: nothing may be concluded from the sums before all of the rows have been tested, together with
/// those of every batch that goes with this one ([`Rows::merge`]).
#[inline(never)]
pub fn untested(families: &[&[BatchPoint]]) -> (Rows, Vec<FamilyRows>) {
    let of_families = row_sums(families);
    let mut entries: Vec<BucketEntry> = Vec::with_capacity(families.len() * ROWS);
    for rows in &of_families {
        entries.extend((0..).zip(rows.iter().copied()));
    }
    (Rows::of(&entries), of_families.into_iter().map(FamilyRows).collect())
}

/// The rows of one family, which have its sum in them.
#[derive(Clone, Debug)]
pub struct FamilyRows([G1Affine; ROWS]);

/// The sum of each family, Σ rᵢ·Pᵢ = Σ 3ʲ·Q_j.
pub fn totals(families: &[&FamilyRows]) -> Vec<G1> {
    let rows: Vec<&[G1Affine; ROWS]> = families.iter().map(|FamilyRows(rows)| rows).collect();
    // In packed numbers this gains 0 to 2.5 % of 8 columns × 21, where it gains 8 % in doubles, and it is 0.6 kB of a page.
    let mut totals = if SIMD { engine::totals::<Summing>(&rows) } else { vec![identity(); rows.len()] };
    for (total, rows) in totals.iter_mut().zip(rows) {
        // Not known: a row is the identity, as it may be where points are few, or an addition met an exception.
        if is_identity(total) {
            *total = complete_total(rows);
        }
    }
    totals
}

/// The sum of any family, by formulas without exceptions.
fn complete_total(rows: &[G1Affine; ROWS]) -> G1 {
    let mut sum = identity();
    for row in rows.iter().rev() {
        let once = sum;
        double(&mut sum);
        add(&mut sum, &once);
        add_affine(&mut sum, row);
    }
    sum
}

/// The 81 sums of a batch whose points are to be tested.
#[derive(Clone, Debug)]
pub struct Rows(Vec<CurvePoint>);

impl Rows {
    /// Bytes of rows on their way between workers.
    pub const BYTES: usize = ROWS * 96;

    /// The sums of what belongs to each row.
    fn of(entries: &[BucketEntry]) -> Self {
        let (mut points, mut terms) = (Vec::with_capacity(entries.len()), Vec::with_capacity(entries.len()));
        for (at, (row, point)) in (0..).zip(entries) {
            points.push(*point);
            terms.push(SignedIndex::of(*row, at));
        }
        let rows = PointTable::of(&points).sum_each(&terms, ROWS).into_points();
        Self(rows.into_iter().map(CurvePoint::from).collect())
    }

    /// The rows of all batches together. They are rows of one larger batch if each batch has trits from a random seed of
    /// its own.
    #[must_use]
    pub fn merge(batches: &[&Self]) -> Self {
        let mut entries: Vec<BucketEntry> = Vec::with_capacity(batches.len() * ROWS);
        for Self(rows) in batches {
            entries.extend((0..).zip(rows.iter().map(|row| *row.affine())));
        }
        Self::of(&entries)
    }

    /// Whether the points are in G1, as far as these of the [`JOINED`] fours of rows tell: they are if all fours do.
    pub fn are_in_subgroup(&self, fours: Range<usize>) -> bool {
        let Some(rows) = self.0.get(4 * fours.start..(4 * fours.end).min(ROWS)) else {
            // Behind the last four there is nothing to test, and rows that are not there have not passed.
            return fours.is_empty();
        };
        // The first of the joined rows shows any defect but those of order 3 alone, and the first few residues show these:
        // a batch that fails does not wait for the rest.
        joined(rows).chunks(2).all(|pair| are_in_subgroup(pair).into_iter().all(|inside| inside))
            && cubic_residue::are_trivial(rows)
    }

    /// The rows, uncompressed.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::BYTES);
        for row in &self.0 {
            bytes.extend_from_slice(&to_uncompressed(row.affine()));
        }
        bytes
    }

    /// Reads what [`Self::to_bytes`] wrote: from our own workers, since rows of others prove nothing. `None` for anything
    /// that is not 81 points of the curve.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != Self::BYTES {
            return None;
        }
        let mut rows = Vec::with_capacity(ROWS);
        for point in bytes.as_chunks().0 {
            rows.push(from_uncompressed(point)?);
        }
        Some(Self(rows))
    }
}

/// Rows joined by four: (Q₀ + 3Q₁) + φ(Q₂ + 3Q₃), and so on. The last one is alone.
fn joined(rows: &[CurvePoint]) -> Vec<CurvePoint> {
    let both = |rows: &[CurvePoint]| {
        let mut sum = identity();
        if let Some(second) = rows.get(1) {
            add_affine(&mut sum, second.affine());
            double(&mut sum);
            add_affine(&mut sum, second.affine());
        }
        if let Some(first) = rows.first() {
            add_affine(&mut sum, first.affine());
        }
        sum
    };
    let mut sums = Vec::with_capacity(JOINED);
    for rows in rows.chunks(4) {
        let mut sum = both(rows.get(2..).unwrap_or(&[]));
        sum.x *= BETA;
        add(&mut sum, &both(rows));
        sums.push(sum);
    }
    let mut joined = Vec::with_capacity(JOINED);
    for sum in normalize(&sums) {
        joined.push(sum.into());
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::g1::{generator, times};

    /// Rows that meet the exceptions of additions, beside others.
    #[test]
    fn totals_are_right_for_all_rows() {
        let multiples = |of: &dyn Fn(usize) -> u64| {
            let rows: Vec<G1> = (0..ROWS).map(|j| times(generator().into(), &[of(j)])).collect();
            FamilyRows(normalize(&rows).try_into().unwrap())
        };
        let families = [
            multiples(&|j| j as u64 * j as u64 + 1),
            multiples(&|_| 0),
            multiples(&|j| u64::from(j == 0)),
            // 3·2 and 6.
            multiples(&|j| if j == ROWS - 1 { 2 } else { 6 }),
            multiples(&|j| j as u64 + 1),
            multiples(&|j| u64::from(j % 2 == 0)),
        ];
        let expected: Vec<G1> = families.iter().map(|FamilyRows(rows)| complete_total(rows)).collect();
        assert_eq!(totals(&families.iter().collect::<Vec<_>>()), expected);
        let [_, zero, one, ..] = expected[..] else { panic!("six families") };
        assert_eq!([zero, one], [identity(), generator().into()]);
    }
}
