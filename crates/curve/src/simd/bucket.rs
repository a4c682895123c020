//! Many sums of points at once, as in [`crate::bucket`], two additions at a time.
//!
//! A point is a pair (x, y), and stays one through all rounds. Two additions change places lane by lane: (x₁, x₃) and
//! (y₁, y₃) of two left points, and back. The identity is no term: what would be it is left out.

use super::fp::FpPair;
use crate::backend::Fq;
use crate::bucket_entry::BucketEntry;
use crate::g1::G1Affine;
use ark_ff::{AdditiveGroup, Field};

/// (x, y); zeros for the identity, which is no point of the curve's equation.
pub(crate) type Point = FpPair<1>;

/// Terms, sorted by the numbers of their sums.
#[derive(Default)]
pub(crate) struct BucketEntries {
    numbers: Vec<u32>,
    points: Vec<Point>,
}

/// An addition along a line.
struct Line {
    /// Where the left one of two neighbours stands, and where their sum will.
    left: usize,
    sum: usize,
    /// The line's slope is the second over the first, which is not zero.
    slope: FpPair<1>,
}

/// A point as terms have it.
pub(crate) fn point_of(point: &G1Affine) -> Point {
    FpPair::of(&point.x, &point.y)
}

impl BucketEntries {
    /// None yet, and room for so many.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self { numbers: Vec::with_capacity(count), points: Vec::with_capacity(count) }
    }

    /// Appends a term, or its opposite, unless it is the identity. Numbers ascend.
    pub(crate) fn push_signed(&mut self, number: u32, point: &Point, negative: bool) {
        // Out of words: zero exactly if it is zero.
        if point.is_zero_once_reduced() != [true; 2] {
            self.push(number, if negative { point.conjugate() } else { *point });
        }
    }

    /// Adds terms up in pairs within their sums, until a round would have fewer additions than `least`.
    pub(crate) fn reduce(self, least: usize) -> Vec<BucketEntry> {
        let mut all = self;
        loop {
            let pairs = all.pairs();
            if pairs < least.max(1) {
                break;
            }
            all = all.halve(pairs);
        }
        let point = |point: &Point| {
            let [x, y] = point.numbers();
            G1Affine::new_unchecked(x, y)
        };
        all.numbers.iter().copied().zip(all.points.iter().map(point)).collect()
    }

    fn push(&mut self, number: u32, point: Point) {
        self.numbers.push(number);
        self.points.push(point);
    }

    /// How many pairs of neighbours there are in all sums.
    fn pairs(&self) -> usize {
        self.numbers.chunk_by(|a, b| a == b).map(|sum| sum.len() / 2).sum()
    }

    /// Neighbours of the same sum, so many pairs, added. The terms stay sorted.
    #[inline(never)]
    fn halve(&self, pairs: usize) -> Self {
        let mut out = Self::with_capacity(self.points.len().saturating_sub(pairs));
        let mut lines = Vec::with_capacity(pairs);
        let mut at = 0;
        while let (Some(number), Some(point)) = (self.numbers.get(at), self.points.get(at)) {
            let next = self.points.get(at + 1).filter(|_| self.numbers.get(at + 1) == Some(number));
            let Some(next) = next else {
                out.push(*number, *point);
                at += 1;
                continue;
            };
            if let Some(slope) = slope(point, next) {
                lines.push(Line { left: at, sum: out.points.len(), slope });
                // Its place, until the sum is known.
                out.push(*number, *point);
            }
            at += 2;
        }
        self.add_along(&lines, &mut out.points);
        out
    }

    /// The sums along `lines`, with one inversion for all of them.
    fn add_along(&self, lines: &[Line], sums: &mut [Point]) {
        let mut product = FpPair::of(&Fq::ONE, &Fq::ONE);
        let mut before = Vec::with_capacity(lines.len() / 2 + 1);
        for [a, b] in lines.chunks(2).filter_map(two) {
            before.push(product);
            product = product.mul(&a.slope.firsts(&b.slope));
        }
        let mut inverse = invert(&product);
        for ([a, b], before) in lines.chunks(2).filter_map(two).rev().zip(before.iter().rev()) {
            let slope = a.slope.seconds(&b.slope).mul(&inverse.mul(before));
            inverse = inverse.mul(&a.slope.firsts(&b.slope));
            let ([p, q], [r, s]) = (self.ends(a), self.ends(b));
            let (x1, y1, x2) = (p.firsts(r), p.seconds(r), q.firsts(s));
            // x = λ² − x₁ − x₂; y by the line through the points, turned over.
            let x = (slope.square() - x1 - x2).reduce();
            let y = (slope.mul(&(x1 - x)) - y1).reduce();
            for (line, sum) in [(a, x.firsts(&y)), (b, x.seconds(&y))] {
                if let Some(slot) = sums.get_mut(line.sum) {
                    *slot = sum;
                }
            }
        }
    }

    /// The points that a line goes through, or twice the one that it touches.
    fn ends<'a>(&'a self, line: &'a Line) -> [&'a Point; 2] {
        match self.points.get(line.left..) {
            Some([left, right, ..]) => [left, right],
            // A line has two ends.
            _ => [&line.slope; 2],
        }
    }
}

/// A line and the next one, or the last one twice.
fn two(lines: &[Line]) -> Option<[&Line; 2]> {
    Some([lines.first()?, lines.last()?])
}

/// (x₂ − x₁, y₂ − y₁), or (2y, 3x²) for a point twice; `None` for P − P. Points of the curve with one x have y and −y,
/// and y = 0 for none.
fn slope(left: &Point, right: &Point) -> Option<FpPair<1>> {
    let slope = (*right - *left).reduce();
    match slope.is_zero_once_reduced() {
        [false, _] => Some(slope),
        [true, false] => None,
        [true, true] => {
            let [x, y] = left.numbers();
            let square = x.square();
            Some(FpPair::of(&y.double(), &(square.double() + square)))
        }
    }
}

/// The inverses of two numbers that are not zero.
pub(super) fn invert(numbers: &FpPair<1>) -> FpPair<1> {
    let [a, b] = numbers.numbers();
    let inverse = (a * b).inverse().unwrap_or(Fq::ZERO);
    FpPair::of(&(inverse * b), &(inverse * a))
}
