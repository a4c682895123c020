//! Terms of a sum of points: points with their scalars, and commitments by their position in the table.

use blobcheck_curve::scalar::{Scalar, ZERO};
use blobcheck_curve::{msm, G1Affine, Signed, G1};

/// A proof with its coefficient in the batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WeightedProof {
    pub(crate) proof: G1Affine,
    pub(crate) weight: Signed,
}

/// The terms of `rest` in the batch equation.
pub(crate) struct WeightedPoints<'t> {
    table: &'t [G1Affine],
    /// The scalar of each commitment of the table: what claims of one commitment add is added up before the point is touched.
    /// As long as the table, even for a sum of few claims: 32 bytes a commitment are nothing beside a pairing.
    commitments: Vec<Scalar>,
    points: Vec<G1Affine>,
    scalars: Vec<Scalar>,
}

impl<'t> WeightedPoints<'t> {
    /// No terms yet, over a table of distinct commitments.
    pub(crate) fn over(table: &'t [G1Affine]) -> Self {
        Self { table, commitments: vec![ZERO; table.len()], points: Vec::new(), scalars: Vec::new() }
    }

    /// Adds `scalar` times the commitment at `position`.
    ///
    /// # Panics
    /// For a position outside of the table, of which `crate::prepare` makes none: a term that is left out would make another
    /// equation, which may hold where this one does not.
    pub(crate) fn add_commitment(&mut self, position: usize, scalar: Scalar) {
        self.commitments[position] += scalar;
    }

    /// Adds `scalar` times `point`.
    pub(crate) fn add(&mut self, point: G1Affine, scalar: Scalar) {
        self.points.push(point);
        self.scalars.push(scalar);
    }

    /// Σ scalar · point over all terms.
    pub(crate) fn sum(mut self) -> G1 {
        self.points.extend_from_slice(self.table);
        self.scalars.append(&mut self.commitments);
        msm(&self.points, &self.scalars)
    }
}
