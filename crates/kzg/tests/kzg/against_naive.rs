//! The crate's verdicts against the specification's steps (`support/naive.rs`), on true, false and odd
//! claims.

use crate::support::known_tau::{compress, horner, random, KnownTau, Polynomial};
use crate::support::Rng;
use crate::support::{fresh, naive};
use ark_bls12_381::{Fr, G1Projective};
use ark_ec::PrimeGroup;
use ark_ff::Field;
use blobcheck_kzg::api;

fn elements(bytes: &[u8]) -> Vec<Fr> {
    bytes.chunks(32).map(|bytes| naive::scalar(bytes).expect("canonical")).collect()
}

/// The cell's proof, sometimes another point; the cell, sometimes with another element.
fn odd_cell(known_tau: &KnownTau, rng: &mut Rng, p: &Polynomial, k: usize) -> (Vec<u8>, [u8; 48]) {
    let (mut cell, mut proof) = (p.cell(k).to_vec(), known_tau.cell_proof(p, k));
    match rng.below(6) {
        0 => proof = compress(G1Projective::generator() * random(rng)),
        1 => proof = known_tau.cell_proof(p, (k + 1) % 128),
        2 => cell[32 * rng.below(64)..][..32].copy_from_slice(&naive::bytes(random(rng))),
        _ => {}
    }
    (cell, proof)
}

#[test]
fn cells() {
    let (known_tau, mut rng) = (KnownTau::new(21), Rng(21));
    let polynomials: Vec<Polynomial> =
        [4096, 65, 64, 0].iter().map(|n| known_tau.polynomial(&mut rng, *n)).collect();
    let mut verdicts = [0; 2];
    for _ in 0..30 {
        let p = &polynomials[rng.below(4)];
        let k = rng.below(128);
        let (cell, proof) = odd_cell(&known_tau, &mut rng, p, k);
        let [c, w] = [p.commitment, proof].map(|bytes| naive::point(&bytes).expect("of G1"));
        let expected = known_tau.naive.cell(c, k, &elements(&cell), w);
        let found = api::verify_cell_kzg_proof_batch(
            &known_tau.setup,
            &[&p.commitment],
            &[k as u64],
            &[&cell],
            &[&proof],
            fresh(rng.bytes::<32>()),
        );
        assert_eq!(found, Ok(expected));
        verdicts[usize::from(expected)] += 1;
    }
    assert!(verdicts.iter().all(|count| *count > 5), "{verdicts:?}");
}

#[test]
fn batches_of_cells() {
    let (known_tau, mut rng) = (KnownTau::new(22), Rng(22));
    let polynomials: Vec<Polynomial> = (0..3).map(|_| known_tau.polynomial(&mut rng, 200)).collect();
    for count in [2, 3, 7, 30] {
        for spoil in [false, false, true] {
            let mut rows = Vec::new();
            for i in 0..count {
                let p = &polynomials[rng.below(3)];
                let k = if count > 5 { rng.below(4) } else { rng.below(128) }; // columns repeat, and do not
                let (cell, proof) = (p.cell(k).to_vec(), known_tau.cell_proof(p, k));
                let (cell, proof) = if spoil && i == count / 2 {
                    (cell, compress(G1Projective::generator()))
                } else {
                    (cell, proof)
                };
                rows.push((p.commitment, k as u64, cell, proof));
            }
            let expected = rows.iter().all(|(commitment, k, cell, proof)| {
                let [c, w] = [commitment, proof].map(|bytes| naive::point(bytes).expect("of G1"));
                known_tau.naive.cell(c, *k as usize, &elements(cell), w)
            });
            let commitments: Vec<&[u8]> = rows.iter().map(|row| row.0.as_slice()).collect();
            let indices: Vec<u64> = rows.iter().map(|row| row.1).collect();
            let cells: Vec<&[u8]> = rows.iter().map(|row| row.2.as_slice()).collect();
            let proofs: Vec<&[u8]> = rows.iter().map(|row| row.3.as_slice()).collect();
            let found = api::verify_cell_kzg_proof_batch(
                &known_tau.setup,
                &commitments,
                &indices,
                &cells,
                &proofs,
                fresh(rng.bytes::<32>()),
            );
            assert_eq!(found, Ok(expected));
            assert_eq!(expected, !spoil);
        }
    }
}

#[test]
fn openings() {
    let (known_tau, mut rng) = (KnownTau::new(23), Rng(23));
    let p = known_tau.polynomial(&mut rng, 4096);
    for i in 0..20 {
        let z = match i % 4 {
            0 => naive::root(rng.below(4096)),
            1 => Fr::from(0),
            _ => random(&mut rng),
        };
        let true_y = horner(&p.coefficients, z);
        let y = if i % 3 == 0 { true_y + Fr::ONE } else { true_y };
        let proof = compress(G1Projective::generator() * ((p.at_tau - true_y) / (known_tau.tau - z)));
        let [c, w] = [p.commitment, proof].map(|bytes| naive::point(&bytes).expect("of G1"));
        let expected = known_tau.naive.opening(c, z, y, w);
        let found = api::verify_kzg_proof(
            &known_tau.setup,
            &p.commitment,
            &naive::bytes(z),
            &naive::bytes(y),
            &proof,
        );
        assert_eq!(found, Ok(expected));
        assert_eq!(expected, i % 3 != 0);
    }
}
