//! Blobs that come without a proof.

use super::polynomials::{ckzg_blob, world, Bytes48, Polynomial, EXPONENTS};
use super::prover::setup;
use super::spoil::{spoil_data, spoil_point};
use crate::draw::{array, below};
use crate::points::compress;
use arbitrary::{Result, Unstructured};
use ark_bls12_381::G1Affine;
use ark_serialize::CanonicalDeserialize;
use blobcheck_kzg::bare_batch::{close, collect, commit_part, verify, BareSums};
use blobcheck_kzg::{BareBlob, FreshSeed, Verdict};
use sha2::{Digest, Sha256};

/// A unit, and whether it is true; none where it is no claim.
struct Drawn {
    unit: Vec<u8>,
    answer: Option<bool>,
    is_of_commitment: bool,
}

fn draw(input: &mut Unstructured<'_>) -> Result<Drawn> {
    let polynomial = Polynomial::draw(input, EXPONENTS.len())?;
    let (mut blob, mut commitment) = (polynomial.blob().to_vec(), polynomial.commitment);
    match below(input, 4)? {
        0 => spoil_data(input, &mut blob)?,
        1 => spoil_point(input, &mut commitment)?,
        _ => {}
    }
    let theirs = world().theirs.blob_to_kzg_commitment(&ckzg_blob(&blob)).ok();
    let theirs = theirs.map(|commitment| commitment.to_bytes().into_inner());
    if input.arbitrary()? {
        let unit = BareBlob::of_commitment(&commitment, &blob).unwrap_or_else(|error| panic!("{error}"));
        // arkworks reads points of G1, and no others.
        let is_point = G1Affine::deserialize_compressed(&commitment[..])
            .is_ok_and(|point| compress::<48>(&point) == commitment);
        let answer = theirs.filter(|_| is_point).map(|theirs| theirs == commitment);
        return Ok(Drawn { unit: unit.to_bytes(), answer, is_of_commitment: true });
    }
    let mut hashes: Vec<[u8; 32]> =
        (0..below(input, 3)?).map(|_| array(input)).collect::<Result<Vec<_>>>()?;
    hashes.insert(below(input, hashes.len() + 1)?, versioned_hash(&commitment));
    let unit = BareBlob::of_versioned_hashes(hashes.as_flattened(), &blob)
        .unwrap_or_else(|error| panic!("{error}"))
        .to_bytes();
    let answer = theirs.map(|theirs| hashes.contains(&versioned_hash(&theirs)));
    Ok(Drawn { unit, answer, is_of_commitment: false })
}

/// EIP-4844's `kzg_to_versioned_hash`.
fn versioned_hash(commitment: &Bytes48) -> [u8; 32] {
    let mut hash: [u8; 32] = Sha256::digest(commitment).into();
    hash[0] = 1;
    hash
}

/// Each blob without a proof has the verdict that its commitment by c-kzg gives it, in one batch, with and without a random seed; and groups of
/// a batch that several workers sum up and commit to come to one exactly where all that is in them is true.
pub fn bare_blobs(input: &mut Unstructured<'_>) -> Result<()> {
    let drawn = (0..1 + below(input, 5)?).map(|_| draw(input)).collect::<Result<Vec<_>>>()?;
    let units: Vec<&[u8]> = drawn.iter().map(|one| &one.unit[..]).collect();
    let seed: [u8; 32] = array(input)?;
    let random = input.arbitrary::<bool>()?.then(|| FreshSeed::from_csprng(seed));
    for (verdict, Drawn { answer, .. }) in verify(setup().blob(), &units, random).iter().zip(&drawn) {
        let found = match verdict {
            Verdict::Valid => Some(true),
            Verdict::Invalid => Some(false),
            Verdict::Malformed(_) => None,
        };
        assert_eq!(found, *answer);
    }

    let middle = below(input, units.len() + 1)?;
    let mut groups = Vec::new();
    for (number, range) in [0..middle, middle..units.len()].into_iter().enumerate() {
        let mut seed = seed;
        seed[0] = seed[0].wrapping_add(1 + number as u8);
        let (errors, sums) = collect(&units[range.clone()], FreshSeed::from_csprng(seed));
        // Those of versioned hashes are judged one by one.
        for (error, one) in errors.iter().zip(&drawn[range]) {
            assert_eq!(error.is_none(), one.is_of_commitment && one.answer.is_some());
        }
        let bytes = sums.to_bytes();
        let read = BareSums::from_bytes(&bytes).unwrap_or_else(|| panic!("what was written is read"));
        assert_eq!(read.to_bytes(), bytes);
        groups.push(read);
    }
    let parts = 1 + below(input, 3)?;
    let sums: Vec<[u8; 96]> =
        (0..parts).filter_map(|part| commit_part(setup().blob(), &groups, part, parts)).collect();
    assert_eq!(sums.len(), parts);
    let is_false = |one: &Drawn| one.is_of_commitment && one.answer == Some(false);
    assert_eq!(close(&groups, &sums), !drawn.iter().any(is_false));
    Ok(())
}
