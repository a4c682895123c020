//! Claims, ready to be summed up: units with their points in G1, their coefficients drawn, their challenges known.

use crate::cell::{ColumnClaim, Columns, ExtendedClaim};
use crate::cell_sums::ProofSums;
use crate::equation::Equation;
use crate::opening::{Opening, Openings};
use crate::weighted_points::WeightedPoints;
use blobcheck_curve::scalar::ZERO;
use blobcheck_curve::G1Affine;

/// What is left to ask of a unit: whether its proofs are true.
#[derive(Clone, Debug)]
pub(crate) enum Claim<'a> {
    Opening(Opening),
    Column(ColumnClaim<'a>),
    Extended(ExtendedClaim<'a>),
}

/// Claims, with the table of their distinct commitments (claims name them by position).
#[derive(Clone, Debug, Default)]
pub(crate) struct Claims<'a> {
    pub(crate) commitments: Vec<G1Affine>,
    pub(crate) claims: Vec<Claim<'a>>,
}

/// Σ over `claims`, whose commitments are in `table`. `known`: the sums of **these** claims' proofs, where they were formed before.
pub(crate) fn sum(table: &[G1Affine], claims: &[Claim<'_>], known: Option<&ProofSums>) -> Equation {
    let mut rest = WeightedPoints::over(table);
    let (mut openings, mut columns) = (Openings::new(), Columns::new());
    for claim in claims {
        match claim {
            Claim::Opening(opening) => openings.add(opening, &mut rest),
            Claim::Column(column) => columns.add_column(column, &mut rest),
            Claim::Extended(extended) => columns.add_extended(extended, &mut rest),
        }
    }
    let mut interpolation = [ZERO; 64];
    let tau = openings.sum(known.map(|sums| sums.openings), &mut rest);
    let tau64 = columns.sum(known.map(|sums| &sums.cells), &mut rest, &mut interpolation);
    Equation { tau, tau64, rest: rest.sum(), interpolation }
}
