//! Many sums over fixed points, Σ sᵢ·Pᵢ for chunk after chunk of the points, from tables of their multiples.
//!
//! A table holds, for each point P and each of `rows` rows r, the odd multiples d·2^(rL)·P with d below 2^(width − 1),
//! L = ⌈129 / rows⌉. A scalar becomes two halves of 128 bits by the endomorphism, a half a non-adjacent form of 129
//! places with one digit in `width` + 1, and a digit at place rL + j one term of the chunk's j-th sum, j < L. These sums are
//! formed in affine coordinates, for many chunks at once (`bucket`); L doublings then put a chunk together.
//!
//! A wider form has fewer terms; more rows have fewer doublings. The costs, in multiplications, for a chunk of 64 points:
//! some 7 · 64 · 258/(width + 1) for the terms, and 18·L for the doublings and what is left to add.

use crate::bucket;
use crate::bucket_entry::BucketEntry;
use crate::digits::non_adjacent;
use crate::endomorphism;
use crate::g1::{add_affine, double, identity, normalize, G1Affine, G1};
use crate::montgomery_bytes;
use crate::odd_multiples::odd_multiples;
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
            let rows: Vec<Vec<Vec<G1Affine>>> =
                rows(points, shape).iter().map(|row| odd_multiples(row, shape.width)).collect();
            for i in 0..points.len() {
                multiples.extend(rows.iter().flatten().filter_map(|multiple| multiple.get(i)));
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
        let size = size.clamp(1, self.len().max(1));
        let digits = size * (2 * PLACES / (self.shape.width + 1) + 1) as usize;
        let together = size * (MAX_ENTRIES / digits).max(1);
        let points = self.multiples.chunks(together * self.shape.multiples());
        let groups = points.zip(scalars.chunks(together));
        groups.flat_map(|(multiples, scalars)| self.group(multiples, scalars, size)).collect()
    }

    /// Chunks whose terms are summed together.
    fn group(&self, multiples: &[G1Affine], scalars: &[Scalar], size: usize) -> Vec<G1> {
        let places = self.shape.row_places();
        let points = multiples.chunks_exact(self.shape.multiples());
        let mut terms: Vec<BucketEntry> = Vec::new();
        for (i, (multiples, scalar)) in points.zip(scalars).enumerate() {
            // Below MAX_ENTRIES chunks of 129 places.
            let chunk = (i / size) as u32;
            self.terms(multiples, scalar, |place, term| terms.push((chunk * places + place, term)));
        }
        let chunks = scalars.len().min(multiples.len() / self.shape.multiples()).div_ceil(size) as u32;
        let terms = bucket::reduce(&terms, (chunks * places) as usize);
        let mut terms = terms.iter().peekable();
        let mut sums = Vec::with_capacity(chunks as usize);
        for chunk in 0..chunks {
            let mut total = identity();
            for place in 0..places {
                double(&mut total);
                while let Some((_, term)) = terms.next_if(|(at, _)| *at == chunk * places + place) {
                    add_affine(&mut total, term);
                }
            }
            sums.push(total);
        }
        sums
    }

    /// One point's terms, with their places counted from the top of the row.
    fn terms(&self, multiples: &[G1Affine], scalar: &Scalar, mut each: impl FnMut(u32, G1Affine)) {
        let (low, high) = endomorphism::split(&scalar.into_bigint().0);
        let places = self.shape.row_places();
        for (is_high, half) in [(false, low), (true, high)] {
            non_adjacent(half, BITS, self.shape.width, |at, digit| {
                let row = (at / places) as usize * self.shape.odd();
                let Some(multiple) = multiples.get(row + digit.unsigned_abs() as usize / 2) else { return };
                let term = if is_high { endomorphism::times_x_squared(multiple) } else { *multiple };
                each(places - 1 - at % places, if digit < 0 { -term } else { term });
            });
        }
    }
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
