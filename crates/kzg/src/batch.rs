//! Many units to one verdict each.

use crate::accumulator::Accumulator;
use crate::bisect;
use crate::check::check;
use crate::claim::{prepare, sum, Claims, DrawSeed, Prepared};
use crate::membership::Test;
use crate::randomness::SeedSource;
use crate::reason::InputError;
use crate::setup::Setup;
use crate::shared::{GroupSums, Membership};
use crate::unit::Unit;
use blobcheck_curve::subgroup::Rows;
use blobcheck_sha256::Sha256;

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

/// A batch, summed up but not yet decided.
#[derive(Clone, Debug)]
pub struct Collected<'a> {
    /// One for each unit, in order.
    pub outcomes: Vec<Outcome>,
    /// The sum of the pending units.
    pub accumulator: Accumulator,
    claims: Claims<'a>,
}

/// Parses, checks and sums up units ([`crate::unit`]). A malformed unit is left out and spoils nothing.
///
/// The pending units are all valid if the accumulator closes, or any sum that it is merged into; merged it may be
/// only if the seed is random ([`Accumulator`]). Where it does not close, [`Collected::settle`] names the culprits.
pub fn collect<'a>(units: &[&'a [u8]], seed: impl SeedSource) -> Collected<'a> {
    let unhashed: Vec<_> = units.iter().map(|bytes| (*bytes, None)).collect();
    collect_hashed(&unhashed, seed)
}

/// A group of a batch that is collected in several, to be decided with the others ([`crate::shared::close_part`]). Hashes as in
/// [`collect_hashed`]. The seed must be random, and of this group alone.
pub fn collect_group(
    units: &[(&[u8], Option<[u8; 32]>)],
    seed: [u8; 32],
    groups: usize,
) -> (Vec<Outcome>, GroupSums) {
    let (collected, rows) = collect_tested(parse(units), Box::new(|_| Some(seed)), Test::Later { groups });
    let membership = rows.map_or(Membership::Tested, Membership::Untested);
    (collected.outcomes, GroupSums { accumulator: collected.accumulator, membership })
}

/// [`collect`] for units of whose bodies the hash may be known already ([`crate::unit::body_hashes`]). It must be
/// that of these very bytes: see [`Unit::with_body_hash`].
pub fn collect_hashed<'a>(units: &[(&'a [u8], Option<[u8; 32]>)], seed: impl SeedSource) -> Collected<'a> {
    collect_units(parse(units), Box::new(|units| Some(draw(seed, units))))
}

fn parse<'a>(units: &[(&'a [u8], Option<[u8; 32]>)]) -> Vec<Result<Unit<'a>, InputError>> {
    units.iter().map(|(bytes, hash)| Unit::parse(bytes).map(|unit| unit.with_body_hash(*hash))).collect()
}

/// The seed of a batch's coefficients.
pub(crate) fn draw(seed: impl SeedSource, units: &[Unit<'_>]) -> [u8; 32] {
    seed.seed(|| transcript(units))
}

/// Checks and sums up units that are parsed already; `seed` gives the seed of the coefficients, if they are to be
/// random.
pub(crate) fn collect_units<'a>(
    units: Vec<Result<Unit<'a>, InputError>>,
    seed: DrawSeed<'_, 'a>,
) -> Collected<'a> {
    collect_tested(units, seed, Test::Now).0
}

/// And the rows that are left to be tested. Out of line: it is half of the crate, and has two callers.
#[inline(never)]
fn collect_tested<'a>(
    units: Vec<Result<Unit<'a>, InputError>>,
    seed: DrawSeed<'_, 'a>,
    test: Test,
) -> (Collected<'a>, Option<Rows>) {
    let checked = units.into_iter().map(|unit| unit.and_then(|unit| check(&unit).map(|()| unit))).collect();
    let Prepared { claims, errors, sums, untested } = prepare(checked, seed, test);
    let outcomes =
        errors.into_iter().map(|error| error.map_or(Outcome::Pending, Outcome::Malformed)).collect();
    let accumulator = sum(&claims.commitments, &claims.claims, sums.as_ref());
    (Collected { outcomes, accumulator, claims }, untested)
}

impl Collected<'_> {
    /// Decides each unit: one pairing product where all are valid, a bisection where not.
    pub fn settle(&self, setup: &Setup) -> Vec<Verdict> {
        let guilty = match self.accumulator.close(setup) {
            true => vec![false; self.claims.claims.len()],
            false => bisect::false_claims(setup, &self.claims, &self.accumulator),
        };
        let mut guilty = guilty.into_iter();
        let decide = |outcome: &Outcome| match outcome {
            Outcome::Malformed(error) => Verdict::Malformed(*error),
            // Claims stand in the order of the pending units.
            Outcome::Pending => match guilty.next() {
                Some(false) => Verdict::Valid,
                Some(true) | None => Verdict::Invalid,
            },
        };
        self.outcomes.iter().map(decide).collect()
    }
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
