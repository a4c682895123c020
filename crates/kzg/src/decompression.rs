//! All points of a batch, decompressed together: each distinct commitment once.

use crate::constants::Bytes48;
use crate::reason::{InputError, Reason};
use crate::unit::Unit;
use blobcheck_curve::{g1_encoding, CurvePoint, G1Affine, PointError, Scalar, Signed};

/// What is known of a point that a unit brings.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Point {
    /// It lies on the curve; whether in G1 is not known yet.
    OnCurve(CurvePoint),
    /// It lies in G1: it was tested, or it is in rows without whose test nothing is concluded.
    InSubgroup(G1Affine),
    /// It is none.
    Refused(PointError),
}

impl Point {
    /// Why it is none.
    pub(crate) fn error(&self) -> Option<PointError> {
        match self {
            Self::Refused(error) => Some(*error),
            Self::OnCurve(_) | Self::InSubgroup(_) => None,
        }
    }

    /// The point of the curve, for a test.
    pub(crate) fn on_curve(&self) -> Option<CurvePoint> {
        match self {
            Self::OnCurve(point) => Some(*point),
            Self::InSubgroup(point) => Some((*point).into()),
            Self::Refused(_) => None,
        }
    }

    /// The point of G1. What was not tested is not known to be one.
    pub(crate) fn in_subgroup(&self) -> Result<G1Affine, PointError> {
        match self {
            Self::InSubgroup(point) => Ok(*point),
            Self::OnCurve(_) => Err(PointError::NotInSubgroup),
            Self::Refused(error) => Err(*error),
        }
    }
}

impl From<Result<CurvePoint, PointError>> for Point {
    fn from(decompressed: Result<CurvePoint, PointError>) -> Self {
        decompressed.map_or_else(Self::Refused, Self::OnCurve)
    }
}

/// A proof, and what is claimed of it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Position of the commitment in [`Batch::commitments`].
    pub(crate) commitment: usize,
    pub(crate) proof: Point,
    /// The coefficient in the batch, once it is drawn.
    pub(crate) weight: Option<Signed>,
}

/// A well-formed unit with its rows.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) unit: Unit<'a>,
    pub(crate) rows: Vec<Row>,
    /// Where a blob is opened, once it is derived.
    pub(crate) challenge: Option<Scalar>,
}

/// The units of a batch, or why they are none, with the table of their distinct commitments.
#[derive(Clone, Debug)]
pub(crate) struct Batch<'a> {
    pub(crate) commitments: Vec<Point>,
    pub(crate) units: Vec<Result<Candidate<'a>, InputError>>,
}

/// Decompresses all points **on the curve**: the table of distinct commitments, and each well-formed unit's proofs.
pub(crate) fn decompress<'a>(units: Vec<Result<Unit<'a>, InputError>>) -> Batch<'a> {
    let named = units.iter().flatten().flat_map(|unit| unit.commitments());
    let table = distinct(&named.collect::<Vec<_>>());
    let mut encodings = table.clone();
    for unit in units.iter().flatten() {
        encodings.extend(unit.proofs());
    }
    let mut points = g1_encoding::decompress_on_curve(&encodings).into_iter().map(Point::from);
    let commitments: Vec<Point> = points.by_ref().take(table.len()).collect();
    let mut candidate = |unit: Unit<'a>| {
        let mut rows = Vec::with_capacity(unit.rows());
        for (i, commitment) in unit.commitment_of_rows().enumerate() {
            let at = |reason| InputError::at(reason, i);
            rows.push(Row {
                commitment: table.binary_search(commitment).map_err(|_| at(Reason::CommitmentIndex))?,
                proof: points.next().ok_or(at(Reason::ArrayLengths))?,
                weight: None,
            });
        }
        Ok(Candidate { unit, rows, challenge: None })
    };
    let units = units.into_iter().map(|unit| unit.and_then(&mut candidate)).collect();
    Batch { commitments, units }
}

impl Candidate<'_> {
    /// The first point that is known to be none: commitments come before proofs.
    pub(crate) fn error(&self, commitments: &[Point]) -> Option<InputError> {
        let of_commitment = |(i, row): (usize, &Row)| match commitments.get(row.commitment) {
            Some(point) => point.error().map(|error| InputError::at(Reason::of_commitment(error), i)),
            // Every commitment is in the table; were one missing, its unit would be refused.
            None => Some(InputError::at(Reason::CommitmentIndex, i)),
        };
        let of_proof =
            |(i, row): (usize, &Row)| Some(InputError::at(Reason::of_proof(row.proof.error()?), i));
        let rows = || self.rows.iter().enumerate();
        rows().find_map(of_commitment).or_else(|| rows().find_map(of_proof))
    }

    /// Marks the entries of the table that the unit names.
    pub(crate) fn mark(&self, named: &mut [bool]) {
        for row in &self.rows {
            named[row.commitment] = true;
        }
    }
}

impl<'a> Batch<'a> {
    /// The units of which no fault is known by now.
    pub(crate) fn sound_mut(&mut self) -> impl Iterator<Item = &mut Candidate<'a>> {
        let Self { commitments, units } = self;
        units.iter_mut().flatten().filter(|candidate| candidate.error(commitments).is_none())
    }

    /// For each unit whether something is wrong with it that is known by now.
    pub(crate) fn refused(&self) -> Vec<bool> {
        let refused = |unit: &Result<Candidate<'_>, _>| {
            unit.as_ref().map_or(true, |unit| unit.error(&self.commitments).is_some())
        };
        self.units.iter().map(refused).collect()
    }
}

/// The distinct ones of `keys`, in ascending order.
///
/// By merging sorted runs: no choice of keys makes it quadratic, and maps and sorts of the standard library, for speed that
/// is nothing beside a decompression, are some kilobytes of the module.
fn distinct(keys: &[&Bytes48]) -> Vec<Bytes48> {
    let mut sorted = keys.to_vec();
    let mut run = 1;
    while run < sorted.len() {
        let mut merged = Vec::with_capacity(sorted.len());
        for pair in sorted.chunks(2 * run) {
            let (mut left, mut right) = pair.split_at(run.min(pair.len()));
            while let (Some((l, others_left)), Some((r, others_right))) =
                (left.split_first(), right.split_first())
            {
                if r < l {
                    merged.push(*r);
                    right = others_right;
                } else {
                    merged.push(*l);
                    left = others_left;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        sorted = merged;
        run *= 2;
    }
    sorted.dedup();
    sorted.into_iter().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::distinct;
    use crate::constants::Bytes48;
    use blobcheck_testing::Rng;
    use std::collections::BTreeSet;

    /// Against a set: many equal keys and few, keys in order and backwards, and every small number of them.
    #[test]
    fn distinct_keys() {
        let mut rng = Rng(48);
        for count in (0..40).chain([500, 1024, 1025]) {
            for kinds in [1, 2, 7, 1 << 40] {
                let mut keys: Vec<Bytes48> = (0..count)
                    .map(|_| {
                        let mut key = [7; 48];
                        key[40..].copy_from_slice(&rng.below::<u64>(kinds).to_be_bytes());
                        key
                    })
                    .collect();
                for order in 0..3 {
                    match order {
                        1 => keys.sort(),
                        2 => keys.reverse(),
                        _ => {}
                    }
                    let found = distinct(&keys.iter().collect::<Vec<_>>());
                    let expected: BTreeSet<Bytes48> = keys.iter().copied().collect();
                    assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
                }
            }
        }
    }
}
