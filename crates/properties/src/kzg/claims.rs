//! Proofs, units of them, and batches.

use super::polynomials::{be, ckzg48, ckzg_blob, reversed, world, Bytes48, Polynomial, World, EXPONENTS};
use super::spoil::{spoil_data, spoil_point};
use crate::draw::{array, below, scalar};
use crate::points::compress;
use arbitrary::{Result, Unstructured};
use ark_bls12_381::{Fr, G1Affine, G1Projective};
use ark_ec::CurveGroup;
use ark_ff::PrimeField;
use blobcheck_kzg::shared::{close_part, GroupSums};
use blobcheck_kzg::{api, batch, FreshSeed, Outcome, Unit, Verdict};

/// What c-kzg answers: whether a claim is true, or that it is none.
fn answer(result: std::result::Result<bool, c_kzg::Error>) -> Option<bool> {
    result.ok()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kzg::polynomials::blob_of;

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
