//! Batches in parts answer as batches in one piece.

use crate::support::known_tau::{KnownTau, Polynomial};
use crate::support::{fresh, Rng};
use blobcheck_kzg::parts::{check_blob_batch, check_cell_batch, collect_blobs, collect_cells};
use blobcheck_kzg::{api, Accumulator, InputError, Setup};

/// The lists of a batch: commitments, indices, data (blobs or cells), proofs.
#[derive(Clone)]
struct Lists {
    commitments: Vec<Vec<u8>>,
    indices: Vec<u64>,
    data: Vec<Vec<u8>>,
    proofs: Vec<Vec<u8>>,
}

fn views(list: &[Vec<u8>]) -> Vec<&[u8]> {
    list.iter().map(Vec::as_slice).collect()
}

fn lengths(list: &[Vec<u8>]) -> Vec<u32> {
    list.iter().map(|bytes| bytes.len() as u32).collect()
}

impl Lists {
    /// Column units say what cells are; blob units what blobs are.
    fn of(known_tau: &KnownTau, all: &[Polynomial], of_cells: bool) -> Self {
        let mut lists = Self { commitments: vec![], indices: vec![], data: vec![], proofs: vec![] };
        for (i, p) in all.iter().enumerate() {
            let index = 17 * i % 128;
            let unit = if of_cells { known_tau.column_unit(&[p], index) } else { known_tau.blob_unit(p) };
            let (proof, data) = if of_cells { (52, 100..2148) } else { (1, 81..131_153) };
            lists.commitments.push(p.commitment.to_vec());
            lists.indices.push(index as u64);
            lists.proofs.push(unit[proof..proof + 48].to_vec());
            lists.data.push(unit[data].to_vec());
        }
        lists
    }

    fn whole(&self, setup: &Setup, of_cells: bool) -> Result<bool, InputError> {
        let (c, d, p) = (views(&self.commitments), views(&self.data), views(&self.proofs));
        match of_cells {
            true => api::verify_cell_kzg_proof_batch(setup, &c, &self.indices, &d, &p, fresh([1; 32])),
            false => api::verify_blob_kzg_proof_batch(setup, &d, &c, &p, fresh([1; 32])),
        }
    }

    fn in_parts(&self, setup: &Setup, of_cells: bool, size: usize) -> Result<bool, InputError> {
        let (c, d, p) = (lengths(&self.commitments), lengths(&self.data), lengths(&self.proofs));
        match of_cells {
            true => check_cell_batch(&c, &self.indices, &d, &p)?,
            false => check_blob_batch(&d, &c, &p)?,
        }
        let (c, d, p) = (views(&self.commitments), views(&self.data), views(&self.proofs));
        let mut sum = Accumulator::empty();
        for from in (0..d.len()).step_by(size) {
            let part = from..d.len().min(from + size);
            let (c, d, p) = (&c[part.clone()], &d[part.clone()], &p[part.clone()]);
            let collected = match of_cells {
                true => collect_cells(c, &self.indices[part], d, p, fresh([from as u8; 32])),
                false => collect_blobs(d, c, p, &[], fresh([from as u8; 32])),
            };
            let within = |error: InputError| InputError::at(error.reason, error.index + from);
            sum = sum.merge(&collected.map_err(within)?);
        }
        Ok(sum.close(setup))
    }
}

/// SHA-256 of what `compute_challenge` hashes, which is a unit without its kind and proof.
fn hash(unit: &[u8]) -> [u8; 32] {
    blobcheck_kzg::body_hashes(&[unit])[0]
}

#[test]
fn hashes_that_are_known_are_believed_and_others_computed() {
    let (known_tau, mut rng) = (KnownTau::new(42), Rng(42));
    let setup = &known_tau.setup;
    let all: Vec<Polynomial> = (0..3).map(|_| known_tau.polynomial(&mut rng, 70)).collect();
    let lists = Lists::of(&known_tau, &all, false);
    let (d, c, p) = (views(&lists.data), views(&lists.commitments), views(&lists.proofs));
    let right: Vec<[u8; 32]> = all.iter().map(|p| hash(&known_tau.blob_unit(p))).collect();
    let mut wrong = right.clone();
    wrong[1][31] ^= 1;

    let one = |hash| api::verify_blob_kzg_proof_hashed(setup, d[1], c[1], p[1], hash);
    assert_eq!([one(None), one(Some(right[1])), one(Some(wrong[1]))], [Ok(true), Ok(true), Ok(false)]);
    let many =
        |hashes: &[_]| api::verify_blob_kzg_proof_batch_hashed(setup, &d, &c, &p, hashes, fresh([3; 32]));
    assert_eq!([many(&[]), many(&right), many(&wrong)], [Ok(true), Ok(true), Ok(false)]);
    // Not one for each: whose they are is not known.
    assert_eq!([many(&wrong[1..]), many(&[wrong[1]; 4])], [Ok(true); 2]);
    let part = |hashes: &[_]| collect_blobs(&d, &c, &p, hashes, fresh([3; 32])).map(|sum| sum.close(setup));
    assert_eq!([part(&[]), part(&right), part(&wrong)], [Ok(true), Ok(true), Ok(false)]);
}

#[test]
fn parts_answer_as_the_whole() {
    let (known_tau, mut rng) = (KnownTau::new(41), Rng(41));
    let all: Vec<Polynomial> = (0..7).map(|_| known_tau.polynomial(&mut rng, 70)).collect();
    for of_cells in [false, true] {
        let good = Lists::of(&known_tau, &all, of_cells);
        let mut cases = vec![good.clone()];
        let mut with = |change: &dyn Fn(&mut Lists)| {
            let mut lists = good.clone();
            change(&mut lists);
            cases.push(lists);
        };
        for at in [0, 2, 3, 6] {
            // A false proof; then faults of every kind, alone and with one of a higher rank in a later part.
            with(&|l| l.proofs[at] = l.proofs[(at + 1) % 7].clone());
            with(&|l| l.data[at][..32].fill(0xff));
            with(&|l| l.commitments[at][0] = 0);
            with(&|l| l.proofs[at] = crate::support::known_tau::outside_g1().to_vec());
            with(&|l| l.data[at].truncate(5));
            with(&|l| l.commitments[at].push(0));
            with(&|l| l.indices[at] = 128);
            with(&|l| {
                l.proofs[at][0] = 0;
                l.data[6].truncate(2047);
            });
            with(&|l| {
                l.data[at][..32].fill(0xff);
                l.indices[6] = 1 << 40;
            });
        }
        with(&|l| l.proofs.truncate(6));
        with(&|l| l.commitments.push(vec![0; 48]));
        with(&|l| *l = Lists { commitments: vec![], indices: vec![], data: vec![], proofs: vec![] });
        for (which, lists) in cases.iter().enumerate() {
            let expected = lists.whole(&known_tau.setup, of_cells);
            for size in [1, 2, 3, 7, 100] {
                let answer = lists.in_parts(&known_tau.setup, of_cells, size);
                assert_eq!(answer, expected, "case {which}, parts of {size}, cells: {of_cells}");
            }
        }
        assert_eq!(good.whole(&known_tau.setup, of_cells), Ok(true));
    }
}
