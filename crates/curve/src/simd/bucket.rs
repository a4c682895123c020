//! Many sums of points at once, as in [`crate::bucket`], two additions at a time.
//!
//! A point is a pair (x, y), and stays one through all rounds. Two additions change places lane by lane: (x₁, x₃) and
//! (y₁, y₃) of two left points, and back. The identity is no term: what would be it is left out.

use super::fp::{each, FpPair};
use super::fp_kernels::LIMBS;
use super::vector::F64x2;
use crate::backend::Fq;
use crate::bucket_entry::BucketEntry;
use crate::g1::G1Affine;
use crate::point_table::SignedIndex;
use ark_ff::{AdditiveGroup, Field};

/// (x, y); zeros for the identity, which is no point of the curve's equation.
pub(crate) type Point = FpPair<1>;

/// Whether a point out of words is the identity: zero exactly if it is zero.
pub(crate) fn is_identity(point: &Point) -> bool {
    point.is_zero_once_reduced() == [true; 2]
}

/// A point as terms have it.
pub(crate) fn point_of(point: &G1Affine) -> Point {
    FpPair::of(&point.x, &point.y)
}

/// A term: a point of a sum, or its opposite.
struct Term<'a> {
    sum: u32,
    /// Where the point lies.
    at: u32,
    point: &'a Point,
    negative: bool,
}

impl Term<'_> {
    /// What x and y are to be multiplied by.
    #[inline(always)]
    fn sign(&self) -> F64x2 {
        F64x2::new(1.0, sign(self.negative))
    }

    /// The point that is meant.
    #[inline(always)]
    fn signed(&self) -> Point {
        FpPair(each(&self.point.0, &[self.sign(); LIMBS], |limb, sign| limb * sign))
    }
}

/// Terms, sorted by the numbers of their sums.
trait Terms {
    /// How many neighbours can be added, if no two of them share a term.
    fn pairs(&self) -> usize;
    fn count(&self) -> usize;
    fn get(&self, at: usize) -> Option<Term<'_>>;
    /// Where all points lie.
    fn points(&self) -> &[Point];
}

/// Points of a table, of which each may stand for its opposite.
struct SignedPoints<'a> {
    indices: &'a [SignedIndex],
    points: &'a [Point],
}

impl Terms for SignedPoints<'_> {
    fn pairs(&self) -> usize {
        self.indices.chunk_by(|a, b| a.sum == b.sum).map(|sum| sum.len() / 2).sum()
    }

    fn count(&self) -> usize {
        self.indices.len()
    }

    #[inline(always)]
    fn get(&self, at: usize) -> Option<Term<'_>> {
        let SignedIndex { sum, point, negative } = *self.indices.get(at)?;
        Some(Term { sum, at: point, point: self.points.get(point as usize)?, negative })
    }

    fn points(&self) -> &[Point] {
        self.points
    }
}

/// Adds signed points of a table up in pairs within their sums, until a round would have fewer additions than `least`. The terms are sorted
/// by their sums, each a point of the table that is not the identity. The first round reads the points where they lie.
pub(crate) fn reduce_signed(points: &[Point], indices: &[SignedIndex], least: usize) -> Vec<BucketEntry> {
    let terms = SignedPoints { indices, points };
    match halve(&terms, least) {
        Some(sums) => sums.reduce(least),
        None => (0..).map_while(|at| terms.get(at)).map(|term| (term.sum, affine(&term.signed()))).collect(),
    }
}

/// Terms with points of their own.
#[derive(Default)]
pub(crate) struct BucketEntries {
    numbers: Vec<u32>,
    points: Vec<Point>,
}

impl Terms for BucketEntries {
    fn pairs(&self) -> usize {
        self.numbers.chunk_by(|a, b| a == b).map(|sum| sum.len() / 2).sum()
    }

    fn count(&self) -> usize {
        self.numbers.len()
    }

    #[inline(always)]
    fn get(&self, at: usize) -> Option<Term<'_>> {
        Some(Term {
            sum: *self.numbers.get(at)?,
            at: at as u32,
            point: self.points.get(at)?,
            negative: false,
        })
    }

    fn points(&self) -> &[Point] {
        &self.points
    }
}

impl BucketEntries {
    /// None yet, and room for so many.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self { numbers: Vec::with_capacity(count), points: Vec::with_capacity(count) }
    }

    /// Appends a term out of words, unless it is the identity. Numbers ascend.
    pub(crate) fn push(&mut self, number: u32, point: &Point) {
        if !is_identity(point) {
            self.append(number, *point);
        }
    }

    /// Adds terms up in pairs within their sums, until a round would have fewer additions than `least`.
    pub(crate) fn reduce(self, least: usize) -> Vec<BucketEntry> {
        let mut all = self;
        while let Some(sums) = halve(&all, least) {
            all = sums;
        }
        all.numbers.iter().copied().zip(all.points.iter().map(affine)).collect()
    }

    fn append(&mut self, number: u32, point: Point) {
        self.numbers.push(number);
        self.points.push(point);
    }
}

fn affine(point: &Point) -> G1Affine {
    let [x, y] = point.numbers();
    G1Affine::new_unchecked(x, y)
}

/// An addition along a line.
struct Line {
    /// Where the line's two points lie, which are one where it is a tangent.
    left: u32,
    right: u32,
    /// Whether the left one stands for its opposite.
    negative: bool,
    /// Where the line's slope is kept until their sum takes its place: the second over the first, which is not zero.
    sum: u32,
}

/// Neighbours of the same sum, added, unless there are fewer than `least` pairs. The terms stay sorted.
#[inline(never)]
fn halve<T: Terms>(terms: &T, least: usize) -> Option<BucketEntries> {
    let pairs = terms.pairs();
    if pairs < least.max(1) {
        return None;
    }
    let mut out = BucketEntries::with_capacity(terms.count().saturating_sub(pairs));
    let mut lines = Vec::with_capacity(pairs);
    let mut at = 0;
    while let Some(term) = terms.get(at) {
        let Some(next) = terms.get(at + 1).filter(|next| next.sum == term.sum) else {
            out.append(term.sum, term.signed());
            at += 1;
            continue;
        };
        if let Some(slope) = slope(&term, &next) {
            let sum = out.points.len() as u32;
            lines.push(Line { left: term.at, right: next.at, negative: term.negative, sum });
            out.append(term.sum, slope);
        }
        at += 2;
    }
    add_along(&lines, terms.points(), &mut out.points);
    Some(out)
}

/// The sums along `lines` through some of `points`, with one inversion for all of them, in the places of their slopes.
#[inline(never)]
fn add_along(lines: &[Line], points: &[Point], sums: &mut [Point]) {
    let mut product = FpPair::of(&Fq::ONE, &Fq::ONE);
    let mut before = Vec::with_capacity(lines.len() / 2 + 1);
    for [a, b] in lines.chunks(2).filter_map(two) {
        before.push(product);
        product = product.mul(&sums[a.sum as usize].firsts(&sums[b.sum as usize]));
    }
    let mut inverse = invert(&product);
    for ([a, b], before) in lines.chunks(2).filter_map(two).rev().zip(before.iter().rev()) {
        let (of_a, of_b) = (a.sum as usize, b.sum as usize);
        let (run, rise) = (sums[of_a].firsts(&sums[of_b]), sums[of_a].seconds(&sums[of_b]));
        let slope = rise.mul(&inverse.mul(before));
        inverse = inverse.mul(&run);
        let (p, r) = (&points[a.left as usize], &points[b.left as usize]);
        let x1 = p.firsts(r);
        let x2 = points[a.right as usize].firsts(&points[b.right as usize]);
        let signs = F64x2::new(sign(a.negative), sign(b.negative));
        let y1: FpPair<1> = FpPair(each(&p.0, &r.0, |p, r| p.seconds(r) * signs));
        // x = λ² − x₁ − x₂; y by the line through the points, turned over.
        let x = (slope.square() - x1 - x2).reduce();
        let y = (slope.mul(&(x1 - x)) - y1).reduce();
        sums[of_a] = x.firsts(&y);
        sums[of_b] = x.seconds(&y);
    }
}

fn sign(negative: bool) -> f64 {
    if negative {
        -1.0
    } else {
        1.0
    }
}

/// A line and the next one, or the last one twice.
fn two(lines: &[Line]) -> Option<[&Line; 2]> {
    Some([lines.first()?, lines.last()?])
}

/// (x₂ − x₁, y₂ − y₁), or (2y, 3x²) for a point twice; `None` for P − P. Points of the curve with one x have y and −y,
/// and y = 0 for none.
#[inline(always)]
fn slope(left: &Term<'_>, right: &Term<'_>) -> Option<FpPair<1>> {
    let (from, to) = (left.sign(), right.sign());
    let slope =
        FpPair::<2>(each(&right.point.0, &left.point.0, |right, left| right * to - left * from)).reduce();
    match slope.is_zero_once_reduced() {
        [false, _] => Some(slope),
        [true, false] => None,
        [true, true] => Some(tangent(&left.signed())),
    }
}

#[cold]
#[inline(never)]
fn tangent(point: &Point) -> FpPair<1> {
    let [x, y] = point.numbers();
    let square = x.square();
    FpPair::of(&y.double(), &(square.double() + square))
}

/// The inverses of two numbers that are not zero.
pub(super) fn invert(numbers: &FpPair<1>) -> FpPair<1> {
    let [a, b] = numbers.numbers();
    let inverse = (a * b).inverse().unwrap_or(Fq::ZERO);
    FpPair::of(&(inverse * b), &(inverse * a))
}
