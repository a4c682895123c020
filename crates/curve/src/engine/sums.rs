//! Many sums of points at once, in affine coordinates, as many additions at a time as the kernel has lanes.
//!
//! An affine addition costs 6 multiplications beside an inversion; n inversions cost one and 3n multiplications
//! (Montgomery's trick, counted in the 6). A mixed addition costs 11. So points are added in pairs within their
//! sum, in rounds that halve them, with one inversion a round for all sums together.
//!
//! The chord's formula does not hold for every pair, and whoever wrote the proofs may choose the exceptions: P + P
//! takes the tangent, and P − P is left out. The identity is no term. No pair ever puts a zero among the inverted.
//!
//! A point is a pair (x, y), and stays one through all rounds. Additions change places lane by lane: the coordinates x of
//! some left points are lanes, and so are their y.

use super::kernel::{Bounded, Kernel, LanesOf, PairOf};
use crate::backend::Fq;
use crate::bucket_entry::SignedIndex;
use crate::g1::G1Affine;
use ark_ff::{AdditiveGroup, Field};

/// (x, y); zeros for the identity, which is no point of the curve's equation.
pub(crate) type Point<K> = PairOf<K, 1>;

/// Whether a point out of words is the identity: zero exactly if it is zero.
pub(crate) fn is_identity<K: Kernel>(point: &Point<K>) -> bool {
    point.is_zero_once_reduced() == [true; 2]
}

/// A point as terms have it.
pub(crate) fn point_of<K: Kernel>(point: &G1Affine) -> Point<K> {
    Bounded::of(&point.x, &point.y)
}

/// The point in words.
pub(crate) fn affine<K: Kernel>(point: &Point<K>) -> G1Affine {
    let [x, y] = point.numbers();
    G1Affine::new_unchecked(x, y)
}

/// A term: a point of a sum, or its opposite.
struct Term<'a, K: Kernel> {
    index: SignedIndex,
    point: &'a Point<K>,
}

impl<K: Kernel> Term<'_, K> {
    /// The point that is meant.
    #[inline(always)]
    fn signed(&self) -> Point<K> {
        self.point.second_negative_if(self.index.negative)
    }
}

/// Terms, sorted by the numbers of their sums, and the points that they name, of which none is the identity.
#[derive(Clone, Copy)]
struct Terms<'a, K: Kernel> {
    indices: &'a [SignedIndex],
    points: &'a [Point<K>],
}

impl<'a, K: Kernel> Terms<'a, K> {
    #[inline(always)]
    fn get(&self, at: usize) -> Option<Term<'a, K>> {
        let index = *self.indices.get(at)?;
        Some(Term { index, point: self.points.get(index.point as usize)? })
    }
}

/// Adds signed points of a table up in pairs within their sums, until a round would have fewer additions than `least`. The terms are sorted
/// by their sums, each a point of the table that is not the identity, and so are those that are returned, with points of their own. The
/// first round reads the points where they lie.
pub(crate) fn reduce_signed<K: Kernel>(
    points: &[Point<K>],
    indices: &[SignedIndex],
    least: usize,
) -> (Vec<SignedIndex>, Vec<Point<K>>) {
    let mut all = halve::<K>(Terms { indices, points }, least);
    while pairs(&all.indices) >= least.max(1) {
        all = halve::<K>(all.terms(), least);
    }
    (all.indices, all.points)
}

/// Sums of some of the terms: terms that name points of their own, in their order.
struct Sums<K: Kernel> {
    indices: Vec<SignedIndex>,
    points: Vec<Point<K>>,
}

impl<K: Kernel> Sums<K> {
    fn append(&mut self, sum: u32, point: Point<K>) {
        self.indices.push(SignedIndex::of(sum, self.points.len() as u32));
        self.points.push(point);
    }

    fn terms(&self) -> Terms<'_, K> {
        Terms { indices: &self.indices, points: &self.points }
    }
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
fn halve<K: Kernel>(terms: Terms<'_, K>, least: usize) -> Sums<K> {
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
        if let Some(slope) = slope::<K>(&term, &next) {
            lines.push(Line { left: term.index, right: next.index.point, sum: out.points.len() });
            out.append(sum, slope);
        }
        at += 2;
    }
    if adds {
        add_along::<K>(&lines, terms.points, &mut out.points);
    }
    out
}

/// How many pairs of neighbours there are in all sums.
fn pairs(terms: &[SignedIndex]) -> usize {
    terms.chunk_by(|a, b| a.sum == b.sum).map(|sum| sum.len() / 2).sum()
}

/// The sums along `lines` through some of `points`, with one inversion for all of them, in the places of their slopes.
#[inline(never)]
fn add_along<K: Kernel>(lines: &[Line], points: &[Point<K>], sums: &mut [Point<K>]) {
    let mut product: LanesOf<K, 1> = Bounded::of_each(&[Fq::ONE]);
    let mut before = Vec::with_capacity(lines.len() / K::LANES + 1);
    for some in lines.chunks(K::LANES) {
        before.push(product);
        let [run, _] = K::split(|at| &sums[nth(some, at).sum]);
        product = product.mul(&run);
    }
    let mut inverse = invert::<K>(&product);
    for (some, before) in lines.chunks(K::LANES).rev().zip(before.iter().rev()) {
        let [run, rise] = K::split(|at| &sums[nth(some, at).sum]);
        let slope = rise.mul(&inverse.mul(before));
        inverse = inverse.mul(&run);
        let [x1, y1] = K::split_signed(|at| {
            let SignedIndex { point, negative, .. } = nth(some, at).left;
            (&points[point as usize], negative)
        });
        let [x2, _] = K::split(|at| &points[nth(some, at).right as usize]);
        // x = λ² − x₁ − x₂; y by the line through the points, turned over.
        let x = (slope.square() - x1 - x2).reduce();
        let y = (slope.mul(&(x1 - x)) - y1).reduce();
        K::join(&[x, y], |at, sum| {
            if let Some(line) = some.get(at) {
                sums[line.sum] = sum;
            }
        });
    }
}

/// One of some lines, of which the last stands for those that lack.
#[inline(always)]
fn nth(lines: &[Line], at: usize) -> &Line {
    &lines[at.min(lines.len() - 1)]
}

/// (x₂ − x₁, y₂ − y₁), or (2y, 3x²) for a point twice; `None` for P − P. Points of the curve with one x have y and −y,
/// and y = 0 for none.
#[inline(always)]
fn slope<K: Kernel>(left: &Term<'_, K>, right: &Term<'_, K>) -> Option<Point<K>> {
    let slope = right.point.minus_signed(right.index.negative, left.point, left.index.negative).reduce();
    match slope.is_zero_once_reduced() {
        [false, _] => Some(slope),
        [true, false] => None,
        [true, true] => Some(tangent::<K>(&left.signed())),
    }
}

#[cold]
#[inline(never)]
fn tangent<K: Kernel>(point: &Point<K>) -> Point<K> {
    let [x, y] = point.numbers();
    let square = x.square();
    Bounded::of(&y.double(), &(square.double() + square))
}

/// The inverses of numbers that are not zero, with one inversion.
pub(super) fn invert<K: Kernel>(numbers: &LanesOf<K, 1>) -> LanesOf<K, 1> {
    let mut inverses = Vec::with_capacity(K::LANES);
    numbers.give_numbers(|_, number| inverses.push(number));
    ark_ff::batch_inversion(&mut inverses);
    Bounded::of_each(&inverses)
}
