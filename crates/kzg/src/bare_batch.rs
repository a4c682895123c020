//! Many blobs and their commitments, without proofs, to one verdict each.
//!
//! C_i is the commitment of p_i for all i, but for an error of 2⁻¹²⁸, if Σ rᵢ·Cᵢ = \[(Σ rᵢ·pᵢ)(τ)\]₁, with random coefficients rᵢ of 128 bits
//! that are drawn when blobs and commitments are fixed: the differences Cᵢ − \[pᵢ(τ)\]₁ are points of G1, whose order is the prime r, so
//! that a sum of theirs with a difference that is not zero vanishes for one value of its coefficient at most. Each Cᵢ is tested to
//! be in G1. The right side is **one** sum of 4,096 points, however many blobs there are; and no pairing is wanted, since both
//! sides are known points.
//!
//! Groups of a batch may be collected by several workers, each with a fresh seed; the sum of 4,096 points is then divided among
//! them by its cells ([`commit_part`]).

use crate::bare_blob::{BareBlob, Named};
use crate::batch::Verdict;
use crate::bisect::{false_claims, Discrepancy};
use crate::commit::{commit_cells, field_elements, to_rows};
use crate::commitment_setup::CommitmentSetup;
use crate::constants::{
    elements, Blob, Bytes48, CELLS_PER_BLOB, FIELD_ELEMENTS_PER_BLOB, FIELD_ELEMENTS_PER_CELL,
};
use crate::randomness::{coefficients, FreshSeed};
use crate::reason::{InputError, Reason};
use blobcheck_curve::raw::Raw;
use blobcheck_curve::scalar::from_u128;
use blobcheck_curve::uncompressed::{from_uncompressed, to_uncompressed};
use blobcheck_curve::{g1, g1_encoding, msm, scalar, G1Affine, G1};
use blobcheck_execution::versioned_hash::kzg_to_versioned_hash;
use blobcheck_sha256::Sha256;
use core::ops::Range;

/// "`blob` is what `commitment`, a point of G1, commits to", with its coefficient.
struct Claim<'a> {
    commitment: G1Affine,
    blob: &'a Blob,
    weight: u128,
}

/// Σ rᵢ·Cᵢ, and the values of Σ rᵢ·pᵢ on the domain.
#[derive(Clone, Debug)]
pub struct BareSums {
    commitments: G1,
    values: Vec<Raw>,
}

/// Bytes of [`BareSums`] on their way between workers.
pub const BARE_SUMS_BYTES: usize = 96 + 32 * FIELD_ELEMENTS_PER_BLOB;

impl BareSums {
    /// The sums of claims.
    fn of(claims: &[Claim<'_>]) -> Self {
        let (mut points, mut weights) = (Vec::new(), Vec::new());
        let mut values = vec![Raw::ZERO; FIELD_ELEMENTS_PER_BLOB];
        for claim in claims {
            let weight = from_u128(claim.weight);
            points.push(claim.commitment);
            weights.push(weight);
            for (sum, element) in values.iter_mut().zip(elements(claim.blob)) {
                // Canonical: `check` has read them all.
                *sum += Raw::from_be_reduced(element) * weight;
            }
        }
        Self { commitments: msm(&points, &weights), values }
    }

    /// The commitments' point, uncompressed, ‖ the 4,096 values, all big-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(BARE_SUMS_BYTES);
        bytes.extend_from_slice(&point_to_bytes(&self.commitments));
        for value in &self.values {
            bytes.extend_from_slice(&value.to_be());
        }
        bytes
    }

    /// Reads what [`Self::to_bytes`] wrote; `None` for anything else. The bytes come from our own workers, who sum up with fresh
    /// seeds what travels: bytes from elsewhere prove nothing, whatever is checked.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (point, values) = bytes.split_first_chunk()?;
        let values = field_elements(values.try_into().ok()?).ok()?;
        Some(Self { commitments: point_from_bytes(point)?, values })
    }
}

/// Checks blobs with their commitments (kind 5 of [`crate::bare_blob`]) and sums them up, as one of the groups of a batch: for each an
/// error, or none where it is in the sums. A malformed unit is left out and spoils nothing.
pub fn collect(units: &[&[u8]], seed: FreshSeed) -> (Vec<Option<InputError>>, BareSums) {
    let (claims, errors) = read_claims(units, Some(seed));
    (errors, BareSums::of(&claims))
}

/// What part `part` of `parts` (from 0) adds to \[(Σ rᵢ·pᵢ)(τ)\]₁ over all groups: 96 bytes, uncompressed. `None` for a part that there is
/// not.
pub fn commit_part(
    setup: &CommitmentSetup,
    groups: &[BareSums],
    part: usize,
    parts: usize,
) -> Option<[u8; 96]> {
    (part < parts).then(|| {
        let cell = |part: usize| CELLS_PER_BLOB * part / parts;
        point_to_bytes(&commit_sums(setup, groups, cell(part)..cell(part + 1)))
    })
}

/// Whether all claims in the groups' sums are true: whether the commitments' sum is that of all parts of [`commit_part`]. False for no
/// groups, no parts, and parts that are no points: where nothing was summed, nothing is shown.
pub fn close(groups: &[BareSums], parts: &[[u8; 96]]) -> bool {
    let mut difference = g1::identity();
    for part in parts {
        match point_from_bytes(part) {
            Some(point) => difference += point,
            None => return false,
        }
    }
    for group in groups {
        difference -= group.commitments;
    }
    !groups.is_empty() && !parts.is_empty() && g1::is_identity(&difference)
}

/// A verdict for each unit of [`crate::bare_blob`]. Those with commitments cost one sum of 4,096 points where all are true, and a bisection
/// where not; those with versioned hashes one such sum each. Without a seed the coefficients follow from all inputs (Fiat–Shamir).
pub fn verify(setup: &CommitmentSetup, units: &[&[u8]], seed: Option<FreshSeed>) -> Vec<Verdict> {
    let (claims, errors) = read_claims(units, seed);
    // In bounds: a claim that is left out of its sum would be acquitted.
    let of = |range: Range<usize>| discrepancy(setup, &claims[range]);
    let mut is_false = false_claims(claims.len(), &discrepancy(setup, &claims), &of).into_iter();
    let mut verdicts = Vec::with_capacity(units.len());
    for (unit, error) in units.iter().zip(errors) {
        verdicts.push(match (error, BareBlob::parse(unit)) {
            (None, _) => verdict(is_false.next() == Some(false)),
            (_, Ok(BareBlob { named: Named::VersionedHashes(hashes), blob })) => {
                has_hash(setup, blob, hashes)
            }
            (Some(error), _) => Verdict::Malformed(error),
        });
    }
    verdicts
}

fn verdict(is_true: bool) -> Verdict {
    if is_true {
        Verdict::Valid
    } else {
        Verdict::Invalid
    }
}

/// Whether the versioned hash of the blob's commitment is in the list.
fn has_hash(setup: &CommitmentSetup, blob: &Blob, hashes: &[[u8; 32]]) -> Verdict {
    let values = match field_elements(blob) {
        Err(error) => return Verdict::Malformed(error),
        Ok(values) => values,
    };
    let sums = BareSums { commitments: g1::identity(), values };
    let commitment = commit_sums(setup, &[sums], 0..CELLS_PER_BLOB);
    verdict(hashes.contains(&kzg_to_versioned_hash(&g1_encoding::compress(&commitment.into()))))
}

/// The claims of the well-formed units with commitments, and for each unit why it is no claim.
fn read_claims<'a>(units: &[&'a [u8]], seed: Option<FreshSeed>) -> (Vec<Claim<'a>>, Vec<Option<InputError>>) {
    let mut errors = Vec::with_capacity(units.len());
    let (mut encodings, mut blobs) = (Vec::new(), Vec::new());
    for unit in units {
        errors.push(match commitment_and_blob(unit) {
            Ok((commitment, blob)) => {
                encodings.push(*commitment);
                blobs.push(blob);
                None
            }
            Err(error) => Some(error),
        });
    }
    let points = g1_encoding::decompress(&encodings);
    let seed = match seed {
        Some(seed) => seed.into_bytes(),
        None => transcript(&encodings, &blobs),
    };
    let weights = coefficients(&seed, blobs.len());
    let mut candidates = points.into_iter().zip(weights).zip(blobs);
    let mut claims = Vec::with_capacity(units.len());
    for error in errors.iter_mut().filter(|error| error.is_none()) {
        match candidates.next() {
            Some(((Ok(commitment), weight), blob)) => claims.push(Claim { commitment, blob, weight }),
            Some(((Err(cause), _), _)) => *error = Some(InputError::at(Reason::of_commitment(cause), 0)),
            // There is one for each: what lacks one is no claim, and refused.
            None => *error = Some(InputError::at(Reason::ArrayLengths, 0)),
        }
    }
    (claims, errors)
}

/// The parts of a unit with a commitment, checked. The others are judged one by one, by whoever judges them.
fn commitment_and_blob(unit: &[u8]) -> Result<(&Bytes48, &Blob), InputError> {
    let unit = BareBlob::parse(unit)?;
    unit.check()?;
    match unit.named {
        Named::Commitment(commitment) => Ok((commitment, unit.blob)),
        Named::VersionedHashes(_) => Err(InputError::at(Reason::UnitLayout, 0)),
    }
}

/// SHA-256 over everything that is claimed, its number included.
fn transcript(commitments: &[Bytes48], blobs: &[&Blob]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(b"blobcheck/bare-transcript/1");
    hasher.update(&(commitments.len() as u64).to_be_bytes());
    hasher.update(commitments.as_flattened());
    for blob in blobs {
        hasher.update(*blob);
    }
    hasher.finish()
}

/// What some of the cells add to \[(Σ rᵢ·pᵢ)(τ)\]₁ over all groups.
fn commit_sums(setup: &CommitmentSetup, groups: &[BareSums], cells: Range<usize>) -> G1 {
    let range = cells.start * FIELD_ELEMENTS_PER_CELL..cells.end * FIELD_ELEMENTS_PER_CELL;
    let mut rows = vec![Raw::ZERO; range.len()];
    for group in groups {
        // In bounds: sums have 4,096 values, however they were made.
        for (sum, value) in rows.iter_mut().zip(&group.values[range.clone()]) {
            *sum += *value;
        }
    }
    to_rows(&mut rows, cells.start);
    commit_cells(setup, &rows, scalar::two_to_minus(6), cells)
}

/// Σ rᵢ·(Cᵢ − \[pᵢ(τ)\]₁).
fn discrepancy(setup: &CommitmentSetup, claims: &[Claim<'_>]) -> G1 {
    if claims.is_empty() {
        return g1::identity();
    }
    let sums = BareSums::of(claims);
    let commitments = sums.commitments;
    commitments - commit_sums(setup, &[sums], 0..CELLS_PER_BLOB)
}

impl Discrepancy for G1 {
    fn is_neutral(&self) -> bool {
        g1::is_identity(self)
    }

    fn without(&self, part: &Self) -> Self {
        *self - *part
    }
}

fn point_to_bytes(point: &G1) -> [u8; 96] {
    to_uncompressed(&(*point).into())
}

/// A point of our own workers' making, of the curve at least.
fn point_from_bytes(bytes: &[u8; 96]) -> Option<G1> {
    Some(from_uncompressed(bytes)?.assume_in_subgroup().into())
}
