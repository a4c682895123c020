//! Many sums over fixed points, Σ sᵢ·Pᵢ for chunk after chunk of the points, from tables of their multiples.
//!
//! A table holds, for each point P and each of `rows` rows r, the odd multiples d·2^(rL)·P with d below 2^(width − 1),
//! L = ⌈129 / rows⌉. A scalar becomes two halves of 128 bits by the endomorphism, a half a non-adjacent form of 129
//! places with one digit in `width` + 1, and a digit at place rL + j one term of the chunk's j-th sum of this half, j < L. These sums
//! are formed in affine coordinates, for some chunks at once, and the endomorphism is applied to those of the upper halves. L
//! doublings, of all chunks at once, then put each chunk together.
//!
//! A wider form has fewer terms; more rows have fewer doublings. The costs, in multiplications, for a chunk of 64 points:
//! some 7 · 64 · 258/(width + 1) for the terms, and 16·L for the doublings and what is left to add.

use crate::bucket_entry::SignedIndex;
use crate::digits::non_adjacent;
use crate::endomorphism;
use crate::g1::{double, normalize, G1Affine, G1};
use crate::montgomery_bytes;
use crate::point_table::{pairs, PointTable};
use crate::scalar::Scalar;
use ark_ff::PrimeField;

/// Places of a half's non-adjacent form.
const PLACES: u32 = 129;

/// Bits of a half.
const BITS: u32 = PLACES - 1;

/// Terms that are formed before they are summed: some 4 MB with what summing them takes.
const MAX_ENTRIES: usize = 16_384;

/// How many multiples of a point a table holds: `rows` · 2^(width − 2), 96 bytes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableShape {
    rows: u32,
    width: u32,
}

impl TableShape {
    /// What pays for sums that are asked for once: eight multiples of each point, worked out on the way.
    pub const ONCE: Self = Self { rows: 1, width: 5 };

    /// `None` unless 1 ≤ `rows` ≤ 129 and 2 ≤ `width` ≤ 12.
    pub fn new(rows: u32, width: u32) -> Option<Self> {
        ((1..=PLACES).contains(&rows) && (2..=12).contains(&width)).then_some(Self { rows, width })
    }

    /// The bytes that a table of this shape takes for `points` points.
    pub fn bytes(&self, points: usize) -> usize {
        points.saturating_mul(self.multiples() * size_of::<G1Affine>())
    }

    /// Multiples of one point.
    fn multiples(&self) -> usize {
        self.rows as usize * self.odd()
    }

    /// Multiples of one point in one row.
    fn odd(&self) -> usize {
        1 << (self.width - 2)
    }

    /// L.
    fn row_places(&self) -> u32 {
        PLACES.div_ceil(self.rows)
    }
}

/// The multiples of a list of points.
#[derive(Clone, Debug)]
pub struct FixedBaseTable {
    shape: TableShape,
    /// By point, then row, then multiple.
    multiples: Vec<G1Affine>,
}

impl FixedBaseTable {
    /// Works out the table of `points`, which are **of G1**: 7 multiplications an entry, and 7 · 129 a point more where
    /// there are rows.
    pub fn new(points: &[G1Affine], shape: TableShape) -> Self {
        let mut multiples = Vec::with_capacity(points.len() * shape.multiples());
        // So many at a time that what is not kept of them stays small.
        for points in points.chunks((MAX_ENTRIES / shape.multiples()).clamp(64, 1024)) {
            let rows = rows(points, shape).into_iter();
            let rows = rows.map(|row| odd_multiples(&row, shape).into_points());
            // By factor, then point.
            let rows: Vec<Vec<G1Affine>> = rows.collect();
            for i in 0..points.len() {
                multiples.extend(rows.iter().flat_map(|row| row.iter().skip(i).step_by(points.len())));
            }
        }
        Self { shape, multiples }
    }

    /// The table as bytes, for [`Self::from_bytes`]: 96 for each multiple, the same in every build.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.multiples.len() * montgomery_bytes::BYTES);
        self.multiples.iter().for_each(|multiple| bytes.extend(montgomery_bytes::write(multiple)));
        bytes
    }

    /// A table out of its bytes: `None` for what is none of this shape by its length, or by a coordinate that is not below p.
    /// That the points are what they should be, on the curve even, is **taken on trust**: the caller knows the bytes by their hash.
    pub fn from_bytes(bytes: &[u8], shape: TableShape) -> Option<Self> {
        let (points, rest) = bytes.as_chunks();
        if !rest.is_empty() || points.len() % shape.multiples() != 0 {
            return None;
        }
        let mut multiples = Vec::with_capacity(points.len());
        for point in points {
            multiples.push(montgomery_bytes::read(point)?);
        }
        Some(Self { shape, multiples })
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.multiples.len() / self.shape.multiples()
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.multiples.is_empty()
    }

    /// Σ sᵢ·Pᵢ over each chunk of `size` points, with the scalars' chunk in the same place; the last may be shorter.
    /// Where scalars and points differ in number, what is beyond the fewer is ignored. Running time depends on the
    /// scalars, which are public.
    pub fn sums(&self, scalars: &[Scalar], size: usize) -> Vec<G1> {
        let mut sums = FixedBaseSums::new(self.shape, size);
        sums.add(self, scalars);
        sums.finish()
    }
}

/// Sums over chunks of fixed points that are not put together yet. Those of many chunks together share their inversions.
pub struct FixedBaseSums {
    shape: TableShape,
    /// Points of a chunk.
    size: usize,
    /// For each chunk and place the sum of the terms.
    places: PointTable,
}

impl FixedBaseSums {
    /// No sums yet. Chunks have `size` points, or one where that is zero.
    pub fn new(shape: TableShape, size: usize) -> Self {
        Self { shape, size: size.max(1), places: PointTable::default() }
    }

    /// Adds the sums over the chunks of a table of the same shape ([`FixedBaseTable::sums`]).
    pub fn add(&mut self, table: &FixedBaseTable, scalars: &[Scalar]) {
        let each = self.shape.multiples();
        let together = self.points_together();
        for (multiples, scalars) in
            table.multiples.chunks(together.saturating_mul(each)).zip(scalars.chunks(together))
        {
            // A multiple becomes what sums are formed in when it is used first.
            let (mut used, mut places) = (PointTable::default(), vec![None; multiples.len()]);
            let place_of = |point: usize, multiple: usize| {
                let at = point * each + multiple;
                let (place, multiple) = (places.get_mut(at)?, multiples.get(at)?);
                Some(*place.get_or_insert_with(|| used.push(multiple)))
            };
            let scalars = scalars.get(..multiples.len() / each).unwrap_or(scalars);
            let sums = self.sums_of(scalars.len());
            let terms = self.terms(scalars, sums, place_of);
            self.places.append(used.sum_halves(&terms, sums));
        }
    }

    /// Adds the sums over the chunks of `points`, which are **of G1** and whose multiples are worked out on the way. The shape has one row.
    pub fn add_points(&mut self, points: &[G1Affine], scalars: &[Scalar]) {
        let together = self.points_together();
        for (points, scalars) in points.chunks(together).zip(scalars.chunks(together)) {
            let table = odd_multiples(points, self.shape);
            let scalars = scalars.get(..points.len()).unwrap_or(scalars);
            let sums = self.sums_of(scalars.len());
            let place_of = |point, multiple| Some((multiple * points.len() + point) as u32);
            self.places.append(table.sum_halves(&self.terms(scalars, sums, place_of), sums));
        }
    }

    /// The points of as many whole chunks as have some [`MAX_ENTRIES`] terms.
    fn points_together(&self) -> usize {
        let digits = self.size.saturating_mul((2 * PLACES / (self.shape.width + 1) + 1) as usize);
        self.size.saturating_mul((MAX_ENTRIES / digits).max(1))
    }

    /// One for each place of each chunk.
    fn sums_of(&self, scalars: usize) -> usize {
        scalars.div_ceil(self.size) * self.shape.row_places() as usize
    }

    /// The terms of some chunks, whose multiples are named by the point and their place among all of the point's. Those of the upper
    /// halves belong to `sums` sums of their own, behind the others'.
    fn terms(
        &self,
        scalars: &[Scalar],
        sums: usize,
        mut place_of: impl FnMut(usize, usize) -> Option<u32>,
    ) -> Vec<SignedIndex> {
        let row_places = self.shape.row_places();
        let mut terms = Vec::with_capacity(MAX_ENTRIES);
        for (i, scalar) in scalars.iter().enumerate() {
            let (low, high) = endomorphism::split(&scalar.into_bigint().0);
            for (first, half) in [(0, low), (sums as u32, high)] {
                non_adjacent(half, BITS, self.shape.width, |at, digit| {
                    let multiple =
                        (at / row_places) as usize * self.shape.odd() + digit.unsigned_abs() as usize / 2;
                    if let Some(point) = place_of(i, multiple) {
                        let sum = first + (i / self.size) as u32 * row_places + at % row_places;
                        terms.push(SignedIndex { sum, point, negative: digit < 0 });
                    }
                });
            }
        }
        terms
    }

    /// The sums, chunk by chunk: from the highest place down, twice what there is and the place's terms.
    pub fn finish(self) -> Vec<G1> {
        let row_places = self.shape.row_places() as usize;
        let chunks = self.places.len() / row_places;
        let terms = pairs(chunks);
        let mut totals = PointTable::identities(chunks);
        for place in (0..row_places).rev() {
            totals = totals.doubled();
            for chunk in 0..chunks {
                totals.push_from(&self.places, chunk * row_places + place);
            }
            totals = totals.sum_each(&terms, chunks);
        }
        totals.into_points().into_iter().map(G1::from).collect()
    }
}

fn odd_multiples(points: &[G1Affine], shape: TableShape) -> PointTable {
    let points = PointTable::of(points);
    let twice = points.doubled();
    points.odd_multiples(&twice, shape.width)
}

/// The points, 2^L times the points, 2^(2L) times …
fn rows(points: &[G1Affine], shape: TableShape) -> Vec<Vec<G1Affine>> {
    let mut rows = vec![points.to_vec()];
    let mut last: Vec<G1> = points.iter().map(|point| (*point).into()).collect();
    for _ in 1..shape.rows {
        for point in &mut last {
            for _ in 0..shape.row_places() {
                double(point);
            }
        }
        rows.push(normalize(&last));
    }
    rows
}
