//! Many sums of points at once, as in [`crate::bucket`], two additions at a time.
//!
//! A point is a pair (x, y), and stays one through all rounds. Two additions change places lane by lane: (x₁, x₃) and
//! (y₁, y₃) of two left points, and back. The identity is no term: what would be it is left out.

use super::fp::{each, FpPair};
use super::fp_kernels::LIMBS;
use super::vector::F64x2;
use crate::backend::Fq;
use crate::bucket_entry::SignedIndex;
use crate::g1::G1Affine;
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
    index: SignedIndex,
    point: &'a Point,
}

impl Term<'_> {
    /// What x and y are to be multiplied by.
    #[inline(always)]
    fn sign(&self) -> F64x2 {
        F64x2::new(1.0, sign(self.index.negative))
    }

    /// The point that is meant.
    #[inline(always)]
    fn signed(&self) -> Point {
        FpPair(each(&self.point.0, &[self.sign(); LIMBS], |limb, sign| limb * sign))
    }
}

/// Terms, sorted by the numbers of their sums, and the points that they name, of which none is the identity.
#[derive(Clone, Copy)]
struct Terms<'a> {
    indices: &'a [SignedIndex],
    points: &'a [Point],
}

impl<'a> Terms<'a> {
    #[inline(always)]
    fn get(&self, at: usize) -> Option<Term<'a>> {
        let index = *self.indices.get(at)?;
        Some(Term { index, point: self.points.get(index.point as usize)? })
    }
}

/// Adds signed points of a table up in pairs within their sums, until a round would have fewer additions than `least`. The terms are sorted
/// by their sums, each a point of the table that is not the identity, and so are those that are returned, with points of their own. The
/// first round reads the points where they lie.
pub(crate) fn reduce_signed(
    points: &[Point],
    indices: &[SignedIndex],
    least: usize,
) -> (Vec<SignedIndex>, Vec<Point>) {
    let mut all = halve(Terms { indices, points }, least);
    while pairs(&all.indices) >= least.max(1) {
        all = halve(all.terms(), least);
    }
    (all.indices, all.points)
}

/// Sums of some of the terms: terms that name points of their own, in their order.
#[derive(Default)]
struct Sums {
    indices: Vec<SignedIndex>,
    points: Vec<Point>,
}

impl Sums {
    fn append(&mut self, sum: u32, point: Point) {
        self.indices.push(SignedIndex::of(sum, self.points.len() as u32));
        self.points.push(point);
    }

    fn terms(&self) -> Terms<'_> {
        Terms { indices: &self.indices, points: &self.points }
    }
}

/// The point in words.
pub(crate) fn affine(point: &Point) -> G1Affine {
    let [x, y] = point.numbers();
    G1Affine::new_unchecked(x, y)
}

/// An addition along a line.
struct Line {
    /// The left one of the line's two points.
    left: SignedIndex,
    /// Where the right one lies: in the left one's place where the line is a tangent.
    right: u32,
    /// Where the line's slope is kept until their sum takes its place: the second over the first, which is not zero.
    sum: usize,
}

/// Neighbours of the same sum, added, unless there are fewer than `least` pairs: then the terms as they are. They stay sorted.
#[inline(never)]
fn halve(terms: Terms<'_>, least: usize) -> Sums {
    let pairs = pairs(terms.indices);
    let adds = pairs >= least.max(1);
    let count = terms.indices.len().saturating_sub(pairs);
    let mut out = Sums { indices: Vec::with_capacity(count), points: Vec::with_capacity(count) };
    let mut lines = Vec::with_capacity(pairs);
    let mut at = 0;
    while let Some(term) = terms.get(at) {
        let sum = term.index.sum;
        let Some(next) = terms.get(at + 1).filter(|next| adds && next.index.sum == sum) else {
            out.append(sum, term.signed());
            at += 1;
            continue;
        };
        if let Some(slope) = slope(&term, &next) {
            lines.push(Line { left: term.index, right: next.index.point, sum: out.points.len() });
            out.append(sum, slope);
        }
        at += 2;
    }
    if adds {
        add_along(&lines, terms.points, &mut out.points);
    }
    out
}

/// How many pairs of neighbours there are in all sums.
fn pairs(terms: &[SignedIndex]) -> usize {
    terms.chunk_by(|a, b| a.sum == b.sum).map(|sum| sum.len() / 2).sum()
}

/// The sums along `lines` through some of `points`, with one inversion for all of them, in the places of their slopes.
#[inline(never)]
fn add_along(lines: &[Line], points: &[Point], sums: &mut [Point]) {
    let mut product = FpPair::of(&Fq::ONE, &Fq::ONE);
    let mut before = Vec::with_capacity(lines.len() / 2 + 1);
    for [a, b] in lines.chunks(2).filter_map(two) {
        before.push(product);
        product = product.mul(&sums[a.sum].firsts(&sums[b.sum]));
    }
    let mut inverse = invert(&product);
    for ([a, b], before) in lines.chunks(2).filter_map(two).rev().zip(before.iter().rev()) {
        let (of_a, of_b) = (a.sum, b.sum);
        let (run, rise) = (sums[of_a].firsts(&sums[of_b]), sums[of_a].seconds(&sums[of_b]));
        let slope = rise.mul(&inverse.mul(before));
        inverse = inverse.mul(&run);
        let (p, r) = (&points[a.left.point as usize], &points[b.left.point as usize]);
        let x1 = p.firsts(r);
        let x2 = points[a.right as usize].firsts(&points[b.right as usize]);
        let signs = F64x2::new(sign(a.left.negative), sign(b.left.negative));
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
