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

/// The points, those in the places `at` doubled, of which none is the identity, with one inversion for all of them: each is added to itself,
/// along its tangent.
pub(crate) fn double_each<K: Kernel>(points: &[Point<K>], at: &[usize]) -> Vec<Point<K>> {
    let mut sums = points.to_vec();
    for some in at.chunks(K::LANES) {
        let [x, y] = K::split(|lane| &points[some[lane.min(some.len() - 1)]]);
        let square = x.square();
        let slope = [(y + y).reduce(), (square + square + square).reduce()];
        K::join(&slope, |lane, slope| {
            if let Some(at) = some.get(lane) {
                sums[*at] = slope;
            }
        });
    }
    let line = |at: &usize| Line { left: SignedIndex::of(0, *at as u32), right: *at as u32, sum: *at };
    add_along::<K>(&at.iter().map(line).collect::<Vec<_>>(), points, &mut sums);
    sums
}

/// The inverses of numbers that are not zero, with one inversion.
pub(super) fn invert<K: Kernel>(numbers: &LanesOf<K, 1>) -> LanesOf<K, 1> {
    let mut inverses = Vec::with_capacity(K::LANES);
    numbers.give_numbers(|_, number| inverses.push(number));
    ark_ff::batch_inversion(&mut inverses);
    Bounded::of_each(&inverses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::g1::{generator, identity, times, G1};
    use crate::g1_encoding::decompress_on_curve;
    use blobcheck_testing::torsion;

    /// Chains of signed points that meet the exceptions of the chord's formula, in the first round or in a later one: 1, 2, … are
    /// points, and −1, −2, … their opposites. Points 4 and 5 have the orders 3 and 11, point 6 is twice point 1, and 7 the sum of 1 and 2.
    fn chains() -> Vec<Vec<i32>> {
        let mut chains: Vec<Vec<i32>> = [
            &[][..],
            &[1],
            &[-1],
            // P + P, P − P, and what follows where the sum is nothing.
            &[1, 1],
            &[1, -1],
            &[1, -1, 1],
            &[1, -1, -2],
            &[1, -1, 2, -2],
            &[1, -1, 2, -2, 3],
            // The same in the second round and in the third.
            &[1, 2, 1, 2],
            &[1, 2, -1, -2],
            &[1, 2, 2, 1],
            &[1, 2, -7, 3],
            &[1, 1, 6, 3],
            &[1, 1, -6, 3],
            &[1, 1, -1, -1],
            &[1, 1, 6, -6],
            &[1, 2, 3, -2, 1, 2, 3, -2],
            &[1, 2, 3, -2, -1, -2, -3, 2],
            // T + T = −T, and T + T + T is nothing.
            &[4, 4],
            &[4, 4, 4],
            &[4, 4, 4, 4],
            &[4, 4, -4, -4],
            &[4, -4, 4, 1],
            &[1, 4, 1, -4],
        ]
        .map(<[i32]>::to_vec)
        .to_vec();
        // One point alone, and a point with its opposites, in every number: the same x in all entries.
        for point in [1, -2, 4, 5] {
            for count in (0..40).chain([64, 65, 127]) {
                chains.push(vec![point; count]);
                chains.push((0..count).map(|at| if at % 3 == 0 { -point } else { point }).collect());
                chains.push((0..count).map(|at| if at % 2 == 0 { -point } else { point }).collect());
            }
        }
        chains
    }

    /// Each chain by itself, and all at once, so that an exception has ordinary pairs for its neighbours: against the group's own addition.
    fn exceptions_over<K: Kernel>() {
        let outside = decompress_on_curve(&[torsion::of_order(3), torsion::of_order(11)]);
        let outside = outside.into_iter().map(|point| G1::from(*point.expect("a point").affine()));
        let [one, two, three] = [1, 5, 77].map(|n| times(generator().into(), &[n]));
        let mut points = vec![one, two, three];
        points.extend(outside);
        points.extend([one + one, one + two]);
        let table: Vec<Point<K>> = points.iter().map(|point| point_of::<K>(&(*point).into())).collect();
        let chains = chains();
        let mut together = Vec::new();
        for (sum, chain) in chains.iter().enumerate() {
            let term = |sum: usize, point: &i32| SignedIndex {
                sum: sum as u32,
                point: point.unsigned_abs() - 1,
                negative: *point < 0,
            };
            together.extend(chain.iter().map(|point| term(sum, point)));
            let alone: Vec<SignedIndex> = chain.iter().map(|point| term(0, point)).collect();
            assert_eq!(summed::<K>(&table, &alone, 1, 1), [expected(&points, chain)], "{chain:?}");
        }
        let all: Vec<G1> = chains.iter().map(|chain| expected(&points, chain)).collect();
        for least in [1, 20, 1_000_000] {
            assert!(summed::<K>(&table, &together, least, chains.len()) == all, "rounds of at least {least}");
        }
        // To the end there is one term for each sum, or none where nothing is left.
        let (indices, _) = reduce_signed::<K>(&table, &together, 1);
        assert!(indices.windows(2).all(|pair| pair[0].sum < pair[1].sum));
        assert_eq!(indices.len(), all.iter().filter(|sum| **sum != identity()).count());
    }

    fn expected(points: &[G1], chain: &[i32]) -> G1 {
        chain.iter().fold(identity(), |sum, point| {
            let term = points[point.unsigned_abs() as usize - 1];
            if *point < 0 {
                sum - term
            } else {
                sum + term
            }
        })
    }

    /// What is left of the terms, added up by the group's own addition.
    fn summed<K: Kernel>(table: &[Point<K>], terms: &[SignedIndex], least: usize, sums: usize) -> Vec<G1> {
        let (indices, points) = reduce_signed::<K>(table, terms, least);
        let mut found = vec![identity(); sums];
        for index in indices {
            let point = G1::from(affine::<K>(&points[index.point as usize]));
            found[index.sum as usize] += if index.negative { -point } else { point };
        }
        found
    }

    over_each_kernel!(exceptions: exceptions_over);
}
