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
    pub(crate) fn sum(self) -> G1 {
        let (points, scalars) = self.terms();
        msm(&points, &scalars)
    }

    /// The terms, without commitments that nobody named: after a batch has failed its claims may be summed one by one, each over the
    /// table of all.
    fn terms(self) -> (Vec<G1Affine>, Vec<Scalar>) {
        let Self { table, commitments, mut points, mut scalars } = self;
        for (point, scalar) in table.iter().zip(commitments).filter(|(_, scalar)| *scalar != ZERO) {
            points.push(*point);
            scalars.push(scalar);
        }
        (points, scalars)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blobcheck_curve::g1;
    use blobcheck_curve::scalar::ONE;

    /// 4,096 false cells of as many commitments are judged by 4,096 sums, of which none may be as long as the table.
    #[test]
    fn a_claim_has_the_terms_that_it_names() {
        let table = vec![g1::generator(); 4096];
        let mut rest = WeightedPoints::over(&table);
        rest.add_commitment(4095, ONE);
        rest.add(g1::generator(), ONE);
        rest.add_commitment(7, ONE);
        rest.add_commitment(7, ONE);
        let (points, scalars) = rest.terms();
        assert_eq!((points.len(), scalars), (3, vec![ONE, ONE + ONE, ONE]));
    }
}
