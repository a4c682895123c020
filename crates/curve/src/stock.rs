//! Points that are terms of many sums, of windows or rows.
//!
//! What sums are formed in, limbs in lanes or words, a point becomes once; and terms name it by its place and sign, so that
//! they are cheap to make and to sort.

use crate::backend::LANES;
use crate::bucket::{order, rounds, Term, FEW};
use crate::g1::G1Affine;
use crate::lanes;

/// Points, in the form that sums are formed in.
pub(crate) struct Stock {
    integers: Vec<G1Affine>,
    lanes: Vec<lanes::Point>,
}

/// A term by its point's place in a stock.
#[derive(Clone, Copy)]
pub(crate) struct Pick {
    pub(crate) sum: u32,
    pub(crate) point: u32,
    /// Whether the point's opposite is meant.
    pub(crate) negative: bool,
}

impl Stock {
    pub(crate) fn of(points: Vec<G1Affine>) -> Self {
        if LANES {
            return Self { integers: Vec::new(), lanes: points.iter().map(lanes::point_of).collect() };
        }
        Self { integers: points, lanes: Vec::new() }
    }

    /// As [`reduce`]; picks of what is not there are nothing.
    pub(crate) fn reduce(&self, picks: &[Pick], sums: usize) -> Vec<Term> {
        let order = order(&picks.iter().map(|pick| pick.sum).collect::<Vec<_>>(), sums);
        let sorted = order.iter().filter_map(|at| picks.get(*at as usize));
        if LANES {
            let mut all = lanes::Terms::with_room(picks.len());
            for pick in sorted {
                if let Some(point) = self.lanes.get(pick.point as usize) {
                    all.add_term(pick.sum, point, pick.negative);
                }
            }
            return all.reduce(FEW);
        }
        let term = |pick: &Pick| {
            let point = *self.integers.get(pick.point as usize)?;
            Some((pick.sum, if pick.negative { -point } else { point }))
        };
        rounds(sorted.filter_map(term).collect(), FEW)
    }
}
