//! The functions of the KZG specifications, and batches of units, against c-kzg.
//!
//! Claims are of polynomials of few terms, whose commitments and proofs are sums of few of the ceremony's powers, so that an input costs
//! milliseconds and no prover is wanted.

use crate::draw::{alter, array, below, rng, scalar};
use crate::points::{compress, draw_bytes, draw_on_curve};
use arbitrary::{Result, Unstructured};
use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ec::CurveGroup;
use ark_ff::{AdditiveGroup, BigInteger, Field, PrimeField};
use ark_serialize::CanonicalDeserialize;
use blobcheck_kzg::shared::{close_part, GroupSums};
use blobcheck_kzg::{api, batch, BareBlob, FreshSeed, Outcome, Setup, Unit, Verdict, ETHEREUM};
use c_kzg::KzgSettings;
use std::sync::OnceLock;

type Bytes48 = [u8; 48];

/// Exponents that polynomials have: below 64, a cell's remainder; from 64 on, its quotient too.
const EXPONENTS: [usize; 7] = [0, 1, 2, 63, 64, 65, 127];

/// What is made once.
struct World {
    ours: Setup,
    theirs: &'static KzgSettings,
    /// \[τ^i\] for i < 128.
    powers: Vec<G1Affine>,
    /// ω^i for i < 8,192.
    roots: Vec<Fr>,
}

fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        let theirs = c_kzg::ethereum_kzg_settings(0);
        let ours = Setup::from_bytes(ETHEREUM).unwrap_or_else(|error| panic!("{error:?}"));
        let omega = Fr::from(7).pow((-Fr::ONE / Fr::from(8192)).into_bigint());
        let roots: Vec<Fr> =
            core::iter::successors(Some(Fr::ONE), |root| Some(*root * omega)).take(8192).collect();
        let read =
            |bytes: &[u8]| G1Affine::deserialize_compressed(bytes).unwrap_or_else(|error| panic!("{error}"));
        let mut powers: Vec<G1Affine> = (0..64).map(|i| read(ours.g1_bytes(i))).collect();
        // The others are commitments.
        for exponent in 64..128 {
            let needed = EXPONENTS.contains(&exponent);
            let blob = needed.then(|| blob_of(&roots, &[(exponent, Fr::ONE)]));
            powers.push(blob.map_or(G1Affine::identity(), |blob| {
                let commitment = theirs.blob_to_kzg_commitment(&ckzg_blob(&blob[..131_072]));
                read(&commitment.map(|point| point.to_bytes().into_inner()).unwrap_or([0; 48]))
            }));
        }
        World { ours, theirs, powers, roots }
    })
}

fn ckzg_blob(bytes: &[u8]) -> c_kzg::Blob {
    c_kzg::Blob::from_bytes(bytes).unwrap_or_else(|error| panic!("{error:?}"))
}

/// The place of the k-th value among powers of ω.
fn reversed(k: usize) -> usize {
    k.reverse_bits() >> (usize::BITS - 13)
}

fn be(value: Fr) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes.copy_from_slice(&value.into_bigint().to_bytes_be());
    bytes
}

/// The 8,192 values of a polynomial of these terms.
fn blob_of(roots: &[Fr], terms: &[(usize, Fr)]) -> Vec<u8> {
    let value =
        |k| terms.iter().map(|(exponent, factor)| roots[reversed(k) * exponent % 8192] * factor).sum();
    (0..8192).flat_map(|k| be(value(k))).collect()
}

/// A polynomial of up to three terms.
struct Polynomial {
    terms: Vec<(usize, Fr)>,
    extended: Vec<u8>,
    commitment: Bytes48,
}

impl Polynomial {
    /// Exponents among the first `most` of [`EXPONENTS`].
    fn draw(input: &mut Unstructured<'_>, most: usize) -> Result<Self> {
        let terms = (0..below(input, 4)?)
            .map(|_| Ok((EXPONENTS[below(input, most)?], Fr::from_be_bytes_mod_order(&scalar(input)?))))
            .collect::<Result<Vec<_>>>()?;
        let commitment: G1Projective =
            terms.iter().map(|(exponent, factor)| world().powers[*exponent] * factor).sum();
        let extended = blob_of(&world().roots, &terms);
        Ok(Self { terms, extended, commitment: compress(&commitment.into_affine()) })
    }

    fn blob(&self) -> &[u8] {
        &self.extended[..131_072]
    }

    fn at(&self, x: Fr) -> Fr {
        self.terms.iter().map(|(exponent, factor)| x.pow([*exponent as u64]) * factor).sum()
    }

    /// The proof of the value at z: (X^e − z^e)/(X − z) = Σ z^(e−1−j)·X^j.
    fn opening(&self, z: Fr) -> Bytes48 {
        let mut proof = G1Projective::ZERO;
        for (exponent, factor) in &self.terms {
            for j in 0..*exponent {
                proof += world().powers[j] * (z.pow([(exponent - 1 - j) as u64]) * factor);
            }
        }
        compress(&proof.into_affine())
    }

    fn blob_proof(&self) -> Bytes48 {
        let z = api::compute_challenge(self.blob(), &self.commitment);
        self.opening(Fr::from_be_bytes_mod_order(&z.unwrap_or_else(|error| panic!("{error}"))))
    }

    fn cell(&self, k: usize) -> &[u8] {
        &self.extended[2048 * k..2048 * (k + 1)]
    }

    /// X^(64 + j) is X^j·(X⁶⁴ − h⁶⁴) and a remainder, whatever the cell.
    fn cell_proof(&self) -> Bytes48 {
        let high = self.terms.iter().filter(|(exponent, _)| *exponent >= 64);
        let proof: G1Projective = high.map(|(exponent, factor)| world().powers[exponent - 64] * factor).sum();
        compress(&proof.into_affine())
    }
}

/// What c-kzg answers: whether a claim is true, or that it is none.
fn answer(result: std::result::Result<bool, c_kzg::Error>) -> Option<bool> {
    result.ok()
}

fn ckzg48(bytes: &Bytes48) -> c_kzg::Bytes48 {
    c_kzg::Bytes48::new(*bytes)
}

/// c-kzg's answer about one cell; where the proof is infinity, held against the commitment worked out by hand.
///
/// c-kzg before its commit 57963c66 (4.1.0 of Node.js has it not, 2.1.8 of Rust has it) added points by a formula that is wrong for equal
/// ones: it accepted a cell where the commitment is the opposite of the interpolation's, and the proof is infinity. With infinity for
/// a proof the claim is that the commitment is that of the interpolation.
fn cell_answer(commitment: &Bytes48, index: u64, cell: &[u8], proof: &Bytes48) -> Option<bool> {
    let one = c_kzg::Cell::from_bytes(cell).unwrap_or_else(|error| panic!("{error:?}"));
    let theirs = answer(world().theirs.verify_cell_kzg_proof_batch(
        &[ckzg48(commitment)],
        &[index],
        &[one],
        &[ckzg48(proof)],
    ))?;
    if proof[0] == 0xc0 {
        assert_eq!(theirs, compress::<48>(&interpolated(index as usize, cell)) == *commitment);
    }
    Some(theirs)
}

/// The commitment of the polynomial of degree below 64 with a cell's values.
fn interpolated(index: usize, cell: &[u8]) -> G1Affine {
    let World { powers, roots, .. } = world();
    let values: Vec<Fr> = cell.chunks(32).map(Fr::from_be_bytes_mod_order).collect();
    let coefficient = |i: usize| -> Fr {
        let terms = values.iter().enumerate().map(|(j, value)| {
            let place = reversed(64 * index + j);
            *value * roots[(8192 - place * i % 8192) % 8192]
        });
        terms.sum::<Fr>() / Fr::from(64)
    };
    (0..64).map(|i| powers[i] * coefficient(i)).sum::<G1Projective>().into_affine()
}

/// Another point in the place of one: any bytes, the opposite, infinity, or with a defect.
fn spoil_point(input: &mut Unstructured<'_>, point: &mut Bytes48) -> Result<()> {
    match below(input, 5)? {
        0 => *point = draw_bytes(input)?,
        1 => point[0] ^= 0x20,
        2 => *point = compress(&G1Affine::identity()),
        3 => {
            if let Ok(read) = G1Affine::deserialize_compressed(&point[..]) {
                let defect = draw_on_curve(input)?;
                *point = compress(&(read + defect.point()).into_affine());
            }
        }
        _ => point[below(input, 48)?] ^= 1 << below(input, 8)?,
    }
    Ok(())
}

/// Another field element in the place of one.
fn spoil_data(input: &mut Unstructured<'_>, data: &mut [u8]) -> Result<()> {
    let at = below(input, data.len() / 32)? * 32;
    data[at..at + 32].copy_from_slice(&scalar(input)?);
    Ok(())
}

/// `verify_kzg_proof` says what c-kzg says, with z in the domain and elsewhere, and points and scalars of every kind.
pub fn proofs(input: &mut Unstructured<'_>) -> Result<()> {
    let polynomial = Polynomial::draw(input, 3)?;
    let z = match below(input, 3)? {
        0 => world().roots[2 * below(input, 4096)?],
        _ => Fr::from_be_bytes_mod_order(&scalar(input)?),
    };
    let (mut commitment, mut proof) = (polynomial.commitment, polynomial.opening(z));
    let (mut z, mut y) = (be(z), be(polynomial.at(z)));
    match below(input, 6)? {
        0 => spoil_point(input, &mut commitment)?,
        1 => spoil_point(input, &mut proof)?,
        2 => z = scalar(input)?,
        3 => y = scalar(input)?,
        _ => {}
    }
    let theirs = world().theirs.verify_kzg_proof(
        &ckzg48(&commitment),
        &c_kzg::Bytes32::new(z),
        &c_kzg::Bytes32::new(y),
        &ckzg48(&proof),
    );
    assert_eq!(api::verify_kzg_proof(&world().ours, &commitment, &z, &y, &proof).ok(), answer(theirs));
    Ok(())
}

/// A unit and what c-kzg says of it: true, false, or none.
fn draw_unit(input: &mut Unstructured<'_>) -> Result<(Vec<u8>, Option<bool>)> {
    let is_spoiled = below(input, 3)? == 0;
    if input.arbitrary()? {
        let polynomial = Polynomial::draw(input, 3)?;
        let (mut commitment, mut proof) = (polynomial.commitment, polynomial.blob_proof());
        let mut blob = polynomial.blob().to_vec();
        if is_spoiled {
            match below(input, 3)? {
                0 => spoil_point(input, &mut commitment)?,
                1 => spoil_point(input, &mut proof)?,
                _ => spoil_data(input, &mut blob)?,
            }
        }
        let theirs =
            world().theirs.verify_blob_kzg_proof(&ckzg_blob(&blob), &ckzg48(&commitment), &ckzg48(&proof));
        let unit = Unit::blob(&commitment, &proof, &blob).unwrap_or_else(|error| panic!("{error}"));
        return Ok((unit.to_bytes(), answer(theirs)));
    }
    let rows = 1 + below(input, 3)?;
    let mut index = below(input, 128)?;
    let (mut commitments, mut proofs, mut cells) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rows {
        let polynomial = Polynomial::draw(input, EXPONENTS.len())?;
        commitments.push(polynomial.commitment);
        proofs.push(polynomial.cell_proof());
        let mut cell = [0; 2048];
        cell.copy_from_slice(polynomial.cell(index));
        cells.push(cell);
    }
    if is_spoiled {
        let row = below(input, rows)?;
        match below(input, 5)? {
            0 => spoil_point(input, &mut commitments[row])?,
            1 => spoil_point(input, &mut proofs[row])?,
            2 => spoil_data(input, &mut cells[row])?,
            3 => index = below(input, 128)?,
            _ => proofs.swap(0, row),
        }
    }
    let index = index as u64;
    let answers: Option<Vec<bool>> =
        (0..rows).map(|row| cell_answer(&commitments[row], index, &cells[row], &proofs[row])).collect();
    let unit = Unit::column(index, &commitments, &proofs, &cells).unwrap_or_else(|error| panic!("{error}"));
    Ok((unit.to_bytes(), answers.map(|rows| rows.into_iter().all(|row| row))))
}

fn verdict_of(verdict: &Verdict) -> Option<bool> {
    match verdict {
        Verdict::Valid => Some(true),
        Verdict::Invalid => Some(false),
        Verdict::Malformed(_) => None,
    }
}

/// Batches of blobs and columns: each unit has c-kzg's verdict, in one batch and in groups, with and without a random seed.
pub fn units(input: &mut Unstructured<'_>) -> Result<()> {
    let drawn = (0..1 + below(input, 6)?).map(|_| draw_unit(input)).collect::<Result<Vec<_>>>()?;
    let units: Vec<&[u8]> = drawn.iter().map(|(unit, _)| unit.as_slice()).collect();
    let expected: Vec<Option<bool>> = drawn.iter().map(|(_, answer)| *answer).collect();
    let seed: [u8; 32] = array(input)?;
    let random = input.arbitrary::<bool>()?.then(|| FreshSeed::from_csprng(seed));
    let verdicts = batch::verify(&world().ours, &units, random);
    assert_eq!(verdicts.iter().map(verdict_of).collect::<Vec<_>>(), expected);

    let (first, second) = units.split_at(below(input, units.len() + 1)?);
    let mut outcomes = Vec::new();
    let mut groups = Vec::new();
    for (number, group) in [first, second].into_iter().enumerate().filter(|(_, group)| !group.is_empty()) {
        let unhashed: Vec<_> = group.iter().map(|unit| (*unit, None)).collect();
        let mut seed = seed;
        seed[0] = seed[0].wrapping_add(1 + number as u8);
        let (some, sums) = batch::collect_group(&unhashed, FreshSeed::from_csprng(seed), 2);
        outcomes.extend(some);
        let bytes = sums.to_bytes();
        let read = GroupSums::from_bytes(&bytes).unwrap_or_else(|| panic!("what was written is read"));
        assert_eq!(read.to_bytes(), bytes);
        groups.push(read);
    }
    for (outcome, expected) in outcomes.iter().zip(&expected) {
        assert!(*outcome == Outcome::Pending || expected.is_none(), "what can be judged is in the sums");
    }
    let parts = 1 + below(input, 3)?;
    let closes = (0..parts).all(|part| close_part(&world().ours, &groups, part, parts));
    // Points outside G1 show when the sums are closed, where their test is left for then.
    assert_eq!(
        closes
            && outcomes
                .iter()
                .zip(&expected)
                .all(|(outcome, expected)| (*outcome == Outcome::Pending) == expected.is_some()),
        expected.iter().zip(&outcomes).all(|(expected, outcome)| *expected == Some(true)
            || (expected.is_none() && *outcome != Outcome::Pending))
    );
    Ok(())
}

/// The specification's batch functions: one answer for all, and none where c-kzg has none.
pub fn batches(input: &mut Unstructured<'_>) -> Result<()> {
    let drawn = (0..below(input, 4)?).map(|_| draw_unit(input)).collect::<Result<Vec<_>>>()?;
    let seed = input.arbitrary::<Option<[u8; 32]>>()?.map(FreshSeed::from_csprng);
    let (mut blobs, mut cells) = (Vec::new(), Vec::new());
    for (bytes, answer) in &drawn {
        match Unit::parse(bytes) {
            Ok(Unit::Blob { commitment, proof, blob, .. }) => blobs.push((commitment, proof, blob, *answer)),
            Ok(Unit::Column { index, commitments, proofs, cells: rows }) => {
                for ((commitment, proof), cell) in commitments.iter().zip(proofs).zip(rows) {
                    let answer = cell_answer(commitment, index.into(), cell, proof);
                    cells.push((commitment, proof, cell, u64::from(index), answer));
                }
            }
            other => panic!("{other:?}"),
        }
    }
    let all = |answers: Vec<Option<bool>>| {
        answers.into_iter().collect::<Option<Vec<_>>>().map(|all| all.into_iter().all(|one| one))
    };
    let found = api::verify_blob_kzg_proof_batch(
        &world().ours,
        &blobs.iter().map(|blob| &blob.2[..]).collect::<Vec<_>>(),
        &blobs.iter().map(|blob| &blob.0[..]).collect::<Vec<_>>(),
        &blobs.iter().map(|blob| &blob.1[..]).collect::<Vec<_>>(),
        seed,
    );
    assert_eq!(found.ok(), all(blobs.iter().map(|blob| blob.3).collect()));
    let found = api::verify_cell_kzg_proof_batch(
        &world().ours,
        &cells.iter().map(|cell| &cell.0[..]).collect::<Vec<_>>(),
        &cells.iter().map(|cell| cell.3).collect::<Vec<_>>(),
        &cells.iter().map(|cell| &cell.2[..]).collect::<Vec<_>>(),
        &cells.iter().map(|cell| &cell.1[..]).collect::<Vec<_>>(),
        FreshSeed::from_csprng([9; 32]),
    );
    assert_eq!(found.ok(), all(cells.iter().map(|cell| cell.4).collect()));
    Ok(())
}

/// Units are written as they were read, of whatever bytes, and checked as each of their elements is by blst and by comparison with r.
pub fn unit_bytes(input: &mut Unstructured<'_>) -> Result<()> {
    let mut random = rng(input)?;
    let kind = [1u8, 2, 3, 5, 6, 0, 4, 7][below(input, 8)?];
    let mut bytes = vec![kind];
    let blob = |input: &mut Unstructured<'_>| -> Result<Vec<u8>> {
        let mut blob = [0, 0, 0, 5].repeat(32_768);
        if input.arbitrary()? {
            spoil_data(input, &mut blob)?;
        }
        Ok(blob)
    };
    match kind {
        1 => {
            bytes.extend(draw_bytes(input)?);
            bytes.extend(b"FSBLOBVERIFY_V1_");
            bytes.extend(4096u128.to_be_bytes());
            bytes.extend(blob(input)?);
            bytes.extend(draw_bytes(input)?);
        }
        2 => {
            let rows = below(input, 4)?;
            bytes.extend([below(input, 140)? as u8, rows as u8, 0]);
            for _ in 0..2 * rows {
                bytes.extend(draw_bytes(input)?);
            }
            let mut cells = vec![0; 2048 * rows];
            if rows > 0 && input.arbitrary()? {
                spoil_data(input, &mut cells)?;
            }
            bytes.extend(cells);
        }
        3 => {
            for _ in 0..2 {
                bytes.extend(draw_bytes(input)?);
            }
            bytes.extend([0xc0].iter().chain(&[0; 47]).copied().collect::<Vec<u8>>().repeat(127));
            bytes.extend(blob(input)?);
        }
        5 => {
            bytes.extend(draw_bytes(input)?);
            bytes.extend(blob(input)?);
        }
        6 => {
            bytes.extend(random.vec(32 * below(input, 4)?));
            bytes.extend(blob(input)?);
        }
        _ => bytes.extend(random.vec(200)),
    }
    alter(input, &mut bytes)?;

    let encodings = |points: &[Bytes48]| {
        points.iter().all(|point| {
            let read = blst::min_sig::Signature::uncompress(point);
            use blst::BLST_ERROR::{BLST_POINT_NOT_IN_GROUP, BLST_POINT_NOT_ON_CURVE};
            matches!(read, Ok(_) | Err(BLST_POINT_NOT_ON_CURVE | BLST_POINT_NOT_IN_GROUP))
        })
    };
    // The layouts, by their lengths.
    let rest = bytes.len().saturating_sub(1);
    let named = rest.checked_sub(131_072);
    let has_layout = match bytes.first() {
        Some(1) => {
            rest == 48 + 32 + 131_072 + 48
                && bytes[49..].starts_with(b"FSBLOBVERIFY_V1_")
                && bytes[65..81] == 4096u128.to_be_bytes()
        }
        Some(2) => {
            rest >= 3
                && rest - 3 == usize::from(bytes[2]) * 2144 + usize::from(bytes[3]) * 256 * 2144
                && rest > 3
        }
        Some(3) => rest == 129 * 48 + 131_072,
        _ => false,
    };
    assert_eq!(Unit::parse(&bytes).is_ok(), has_layout);
    let has_layout = match bytes.first() {
        Some(5) => named == Some(48),
        Some(6) => named.is_some_and(|named| named % 32 == 0 && (1..=4096).contains(&(named / 32))),
        _ => false,
    };
    assert_eq!(BareBlob::parse(&bytes).is_ok(), has_layout);
    let elements = |data: &[u8]| data.chunks(32).all(|element| element < &crate::draw::R[..]);
    if let Ok(unit) = Unit::parse(&bytes) {
        assert_eq!(unit.to_bytes(), bytes);
        let (data, index) = match unit {
            Unit::Blob { blob, .. } | Unit::ExtendedBlob { blob, .. } => (&blob[..], 0),
            Unit::Column { cells, index, .. } => (cells.as_flattened(), index),
        };
        let is_good =
            encodings(unit.commitments()) && encodings(unit.proofs()) && elements(data) && index < 128;
        assert_eq!(blobcheck_kzg::check::check(&unit).is_ok(), is_good);
        assert!(BareBlob::parse(&bytes).is_err());
    }
    if let Ok(bare) = BareBlob::parse(&bytes) {
        assert_eq!(bare.to_bytes(), bytes);
        let named = match bare.named {
            blobcheck_kzg::bare_blob::Named::Commitment(point) => encodings(&[*point]),
            blobcheck_kzg::bare_blob::Named::VersionedHashes(_) => true,
        };
        assert_eq!(bare.check().is_ok(), named && elements(bare.blob));
    }
    // Sums of a worker's, altered on the way: they are none, or others.
    let seed = FreshSeed::from_csprng([1; 32]);
    let (_, sums) = batch::collect_group(&[], seed, 1 + below(input, 2)?);
    let mut sums = sums.to_bytes();
    alter(input, &mut sums)?;
    if let Some(read) = GroupSums::from_bytes(&sums) {
        assert_eq!(read.to_bytes(), sums);
    }
    Ok(())
}

/// Cells of a blob are c-kzg's, and any 64 give the others back; what no blob has is refused.
pub fn cells(input: &mut Unstructured<'_>) -> Result<()> {
    let mut random = rng(input)?;
    let mut blob: Vec<u8> = match input.arbitrary()? {
        true => Polynomial::draw(input, EXPONENTS.len())?.blob().to_vec(),
        false => (0..4096)
            .flat_map(|_| {
                let mut element: [u8; 32] = random.bytes();
                element[0] &= 0x3f;
                element
            })
            .collect(),
    };
    if below(input, 4)? == 0 {
        spoil_data(input, &mut blob)?;
    }
    let ours = api::compute_cells(&blob).ok();
    let theirs = world().theirs.compute_cells(&ckzg_blob(&blob)).ok();
    let theirs: Option<Vec<u8>> = theirs.map(|cells| cells.iter().flat_map(|cell| cell.to_bytes()).collect());
    assert!(ours == theirs, "the cells of a blob");
    let Some(all) = ours else { return Ok(()) };

    // So many cells, in an order of the generator's.
    let mut order: Vec<u64> = (0..128).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, random.below(at + 1));
    }
    order.truncate(if input.arbitrary()? { 64 } else { 60 + below(input, 69)? });
    if below(input, 8)? > 0 {
        order.sort_unstable();
    }
    // One of them twice.
    if below(input, 8)? == 0 {
        let at = below(input, order.len())?;
        order.insert(at, order[at]);
    }
    let mut given: Vec<Vec<u8>> =
        order.iter().map(|k| all[2048 * *k as usize..2048 * (*k as usize + 1)].to_vec()).collect();
    let is_spoiled = below(input, 3)? == 0;
    let before = given.clone();
    if is_spoiled {
        let at = below(input, given.len())?;
        spoil_data(input, &mut given[at])?;
    }
    let is_canonical = given.iter().all(|cell| cell.chunks(32).all(|element| element < &crate::draw::R[..]));
    let may = (64..=128).contains(&order.len()) && order.is_sorted_by(|a, b| a < b) && is_canonical;
    let views: Vec<&[u8]> = given.iter().map(Vec::as_slice).collect();
    let recovered = api::recover_cells(&order, &views);
    let rebuilt = api::rebuild_blob(&order, &given.concat());
    assert_eq!(recovered.is_ok(), rebuilt.is_ok());
    match recovered {
        // Of 64 cells there is always a blob; of more, where they agree.
        Ok(cells) => {
            assert!(may && (given == before || order.len() == 64), "what no blob has, or in no order");
            assert_eq!(cells == all, given == before);
            for (k, cell) in order.iter().zip(&given) {
                assert_eq!(cells[2048 * *k as usize..2048 * (*k as usize + 1)], cell[..]);
            }
            assert!(rebuilt.as_deref() == Ok(&cells[..131_072]));
            assert!(api::compute_cells(&cells[..131_072]) == Ok(cells));
        }
        Err(error) => assert!(!may || given != before, "{error}"),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What c-kzg 4.1.0 of Node.js accepts: the opposite commitment, with infinity for a proof.
    #[test]
    fn the_opposite_commitment_is_refused() {
        let extended = blob_of(&world().roots, &[(0, Fr::from(5))]);
        let cell = &extended[..2048];
        let commitment = |factor: Fr| compress::<48>(&(world().powers[0] * factor).into_affine());
        let infinity = compress::<48>(&G1Affine::identity());
        for (commitment, is_right) in [(commitment(Fr::from(5)), true), (commitment(-Fr::from(5)), false)] {
            let seed = FreshSeed::from_csprng([1; 32]);
            let ours = api::verify_cell_kzg_proof_batch(
                &world().ours,
                &[&commitment],
                &[0],
                &[cell],
                &[&infinity],
                seed,
            );
            assert_eq!(ours, Ok(is_right));
            assert_eq!(cell_answer(&commitment, 0, cell, &infinity), Some(is_right));
        }
    }
}
