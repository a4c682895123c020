//! Many units to one verdict each.

use crate::accumulator::Accumulator;
use crate::bisect::false_claims;
use crate::claim::{sum, Claims};
use crate::equation::Equation;
use crate::prepare::{prepare, Prepared};
use crate::randomness::{FreshSeed, SeedSource};
use crate::reason::InputError;
use crate::setup::Setup;
use crate::shared::{GroupSums, Membership};
use crate::subgroups::{DrawSeed, Test};
use crate::unit::Unit;
use blobcheck_curve::subgroup::Rows;
use blobcheck_sha256::Sha256;
use core::ops::Range;

/// What collecting found out about a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Well-formed, and part of the accumulator.
    Pending,
    /// Cannot be judged, and is no part of the accumulator.
    Malformed(InputError),
}

/// What is known about a unit in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All its proofs are true.
    Valid,
    /// A proof is false ([`crate::Reason::ProofMismatch`]).
    Invalid,
    /// Cannot be judged.
    Malformed(InputError),
}

/// A batch, summed up with a seed of the source `S`, but not yet decided.
#[derive(Clone, Debug)]
pub struct Collected<'a, S> {
    /// One for each unit, in order.
    pub outcomes: Vec<Outcome>,
    /// The sum of the pending units.
    pub accumulator: Accumulator<S>,
    claims: Claims<'a>,
}

/// Parses, checks and sums up units ([`crate::unit`]). A malformed unit is left out and spoils nothing.
///
/// The pending units are all valid if the accumulator closes, or any sum that it is merged into; merged it may be
/// only if the seed is fresh ([`Accumulator`]). Where it does not close, [`Collected::settle`] names the culprits.
pub fn collect<'a, S: SeedSource>(units: &[&'a [u8]], seed: S) -> Collected<'a, S> {
    let unhashed: Vec<_> = units.iter().map(|bytes| (*bytes, None)).collect();
    collect_hashed(&unhashed, seed)
}

/// A group of a batch that is collected in several, to be decided with the others ([`crate::shared::close_part`]). Hashes as in
/// [`collect_hashed`]. The seed is of this group alone.
pub fn collect_group(
    units: &[(&[u8], Option<[u8; 32]>)],
    seed: FreshSeed,
    groups: usize,
) -> (Vec<Outcome>, GroupSums) {
    let Summed { outcomes, equation, untested, .. } =
        sum_up(parse(units), Box::new(|_| Some(seed.into_bytes())), Test::Later { groups });
    let membership = untested.map_or(Membership::Tested, Membership::Untested);
    (outcomes, GroupSums { accumulator: Accumulator::of(equation), membership })
}

/// [`collect`] for units of whose bodies the hash may be known already ([`crate::unit::body_hashes`]). It must be
/// that of these very bytes: see [`Unit::with_body_hash`].
pub fn collect_hashed<'a, S: SeedSource>(
    units: &[(&'a [u8], Option<[u8; 32]>)],
    seed: S,
) -> Collected<'a, S> {
    collect_units(parse(units), seed, |_| true)
}

fn parse<'a>(units: &[(&'a [u8], Option<[u8; 32]>)]) -> Vec<Result<Unit<'a>, InputError>> {
    units.iter().map(|(bytes, hash)| Unit::parse(bytes).map(|unit| unit.with_body_hash(*hash))).collect()
}

/// Checks and sums up units that are parsed already. `is_random`: whether these units, all of them well-formed, need random
/// coefficients; where they do not, the seed is not asked for.
pub(crate) fn collect_units<'a, S: SeedSource>(
    units: Vec<Result<Unit<'a>, InputError>>,
    seed: S,
    is_random: impl FnOnce(&[Unit<'a>]) -> bool,
) -> Collected<'a, S> {
    let draw: DrawSeed<'_, 'a> = Box::new(|units| is_random(units).then(|| seed.seed(|| transcript(units))));
    let Summed { outcomes, equation, claims, .. } = sum_up(units, draw, Test::Now);
    Collected { outcomes, accumulator: Accumulator::of(equation), claims }
}

/// What [`sum_up`] made of units.
struct Summed<'a> {
    outcomes: Vec<Outcome>,
    equation: Equation,
    claims: Claims<'a>,
    /// The rows that are still to be tested. `None`: the points were tested here.
    untested: Option<Rows>,
}

/// Checks and sums up units. Out of line: it is half of the crate, and has two callers.
#[inline(never)]
fn sum_up<'a>(units: Vec<Result<Unit<'a>, InputError>>, seed: DrawSeed<'_, 'a>, test: Test) -> Summed<'a> {
    let Prepared { claims, errors, sums, untested } = prepare(units, seed, test);
    let outcomes =
        errors.into_iter().map(|error| error.map_or(Outcome::Pending, Outcome::Malformed)).collect();
    let equation = sum(&claims.commitments, &claims.claims, sums.as_ref());
    Summed { outcomes, equation, claims, untested }
}

impl<S> Collected<'_, S> {
    /// Decides each unit: one pairing product where all are valid, a bisection where not.
    pub fn settle(&self, setup: &Setup) -> Vec<Verdict> {
        settle(setup, &self.outcomes, &self.claims, &self.accumulator.equation)
    }
}

fn settle(setup: &Setup, outcomes: &[Outcome], claims: &Claims<'_>, equation: &Equation) -> Vec<Verdict> {
    // In bounds: a claim that is left out of its sum would be acquitted.
    let sides = |range: Range<usize>| sum(&claims.commitments, &claims.claims[range], None).sides(setup);
    let mut is_false = false_claims(claims.claims.len(), &equation.sides(setup), &sides).into_iter();
    let decide = |outcome: &Outcome| match outcome {
        Outcome::Malformed(error) => Verdict::Malformed(*error),
        // Claims stand in the order of the pending units. A unit without one is not shown to be valid.
        Outcome::Pending => match is_false.next() {
            Some(false) => Verdict::Valid,
            Some(true) | None => Verdict::Invalid,
        },
    };
    outcomes.iter().map(decide).collect()
}

/// [`collect`] and [`Collected::settle`].
pub fn verify(setup: &Setup, units: &[&[u8]], seed: impl SeedSource) -> Vec<Verdict> {
    collect(units, seed).settle(setup)
}

/// SHA-256 over everything that is claimed, lengths included.
fn transcript(units: &[Unit<'_>]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(b"blobcheck/transcript/1");
    hasher.update(&(units.len() as u64).to_be_bytes());
    for unit in units {
        let (kind, data): (u8, &[u8]) = match unit {
            Unit::Blob { blob, .. } => (128, *blob),
            Unit::ExtendedBlob { blob, .. } => (129, *blob),
            // An index is below 128 once it is checked, so that it serves as its own kind.
            Unit::Column { index, cells, .. } => (*index, cells.as_flattened()),
        };
        hasher.update(&[kind]);
        hasher.update(&(unit.rows() as u64).to_be_bytes());
        hasher.update(unit.commitments().as_flattened());
        hasher.update(unit.proofs().as_flattened());
        hasher.update(data);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of these numbers of rows, cut out of one string: index ‖ commitments ‖ proofs ‖ cells for each.
    fn cut<'a>(mut bytes: &'a [u8], rows: &[usize]) -> Vec<Unit<'a>> {
        fn take<'a, const N: usize>(bytes: &mut &'a [u8], count: usize) -> &'a [[u8; N]] {
            let (taken, rest) = bytes.split_at(N * count);
            *bytes = rest;
            taken.as_chunks().0
        }
        let column = |rows: &usize| Unit::Column {
            index: take::<1>(&mut bytes, 1).as_flattened()[0],
            commitments: take(&mut bytes, *rows),
            proofs: take(&mut bytes, *rows),
            cells: take(&mut bytes, *rows),
        };
        rows.iter().map(column).collect()
    }

    /// The same bytes, cut into units in other ways, have another transcript, and so other coefficients: it binds how many units there are,
    /// and how many rows each has.
    #[test]
    fn transcripts_bind_all_lengths() {
        // As long as 2,145 columns of a row, which have 2,144 indices more than one column of a row more.
        let bytes: Vec<u8> = (0..2145 * 2145u32).map(|at| (at % 127) as u8).collect();
        let several = [&[2, 1][..], &[1, 2]].map(|rows| transcript(&cut(&bytes, rows)));
        assert_ne!(several[0], several[1]);
        let all = [&[2146][..], &[1; 2145]].map(|rows| {
            let units = cut(&bytes, rows);
            let length = |unit: &Unit<'_>| 1 + unit.rows() * (48 + 48 + 2048);
            assert_eq!(units.iter().map(length).sum::<usize>(), bytes.len());
            transcript(&units)
        });
        assert_ne!(all[0], all[1]);
    }
}
