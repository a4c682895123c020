//! Commitments and proofs of random and extreme blobs: against the quotients at a known τ, and through the verifier.

use crate::known_tau_setup::setup;
use crate::support::known_tau::{compress, horner, random, KnownTau, Polynomial};
use crate::support::naive::{self, ours, theirs};
use crate::support::Rng;
use ark_bls12_381::{Fr, G1Projective};
use ark_ec::PrimeGroup;
use ark_ff::{AdditiveGroup, Field};
use blobcheck_curve::fixed_base_table::TableShape;
use blobcheck_curve::scalar::scalar_to_be;
use blobcheck_curve::Scalar;
use blobcheck_kzg::{api as verifier, fft, roots, FreshSeed};
use blobcheck_prover::cell_proofs::{self, Half};
use blobcheck_prover::cell_sums::CellPolynomials;
use blobcheck_prover::{api, Tables};

/// From a blob's elements, by the definitions.
fn polynomial(known_tau: &KnownTau, elements: &[Fr]) -> Polynomial {
    let mut coefficients: Vec<Scalar> = elements.iter().map(|value| ours(*value)).collect();
    fft::interpolate(&mut coefficients, 0); // checked against Horner's rule in crates/kzg
    let inverse = Fr::from(4096).inverse().unwrap();
    let coefficients: Vec<Fr> = coefficients.iter().map(|c| theirs(*c) * inverse).collect();
    let at_tau = horner(&coefficients, known_tau.tau);
    let mut values: Vec<Scalar> = coefficients.iter().map(|c| ours(*c)).collect();
    values.resize(8192, ours(Fr::ZERO));
    fft::evaluate(&mut values, 0);
    Polynomial {
        extended: values.iter().flat_map(scalar_to_be).collect(),
        commitment: compress(G1Projective::generator() * at_tau),
        coefficients,
        at_tau,
    }
}

/// Random; zero; constant; one element; as large as can be; of degree 63 and 64, where cells' quotients vanish or nearly.
fn polynomials(known_tau: &KnownTau) -> Vec<Polynomial> {
    let mut rng = Rng(1);
    let spike = |at: usize| {
        let mut elements = vec![Fr::ZERO; 4096];
        elements[at] = Fr::ONE;
        elements
    };
    let mut all = vec![polynomial(known_tau, &(0..4096).map(|_| random(&mut rng)).collect::<Vec<_>>())];
    for elements in
        [vec![Fr::ZERO; 4096], vec![Fr::from(7); 4096], spike(0), spike(4095), vec![-Fr::ONE; 4096]]
    {
        all.push(polynomial(known_tau, &elements));
    }
    all.extend([1, 2, 64, 65, 4095].map(|count| known_tau.polynomial(&mut rng, count)));
    all
}

#[test]
fn commitments_and_openings() {
    let (known_tau, setup) = setup();
    let setup = setup.blob();
    let mut rng = Rng(2);
    for p in polynomials(known_tau) {
        let commitment = api::blob_to_kzg_commitment(setup, None, p.blob()).unwrap();
        assert_eq!(commitment, p.commitment);
        for z in [
            random(&mut rng),
            Fr::ZERO,
            Fr::ONE,
            -Fr::ONE,
            naive::root(1),
            naive::root(4095),
            naive::root(5000),
        ] {
            let (proof, y) = api::compute_kzg_proof(setup, None, p.blob(), &naive::bytes(z)).unwrap();
            let expected = horner(&p.coefficients, z);
            assert_eq!(y, naive::bytes(expected));
            assert_eq!(
                proof,
                compress(G1Projective::generator() * ((p.at_tau - expected) / (known_tau.tau - z)))
            );
            let verdict =
                verifier::verify_kzg_proof(&known_tau.setup, &commitment, &naive::bytes(z), &y, &proof);
            assert_eq!(verdict, Ok(true));
        }
        let proof = api::compute_blob_kzg_proof(setup, None, p.blob(), &commitment).unwrap();
        assert_eq!(proof, known_tau.blob_proof(&p));
        assert_eq!(
            verifier::verify_blob_kzg_proof(&known_tau.setup, p.blob(), &commitment, &proof),
            Ok(true)
        );
    }
}

#[test]
fn cells() {
    let (known_tau, setup) = setup();
    for p in polynomials(known_tau) {
        let (cells, proofs) = api::compute_cells_and_kzg_proofs(setup, None, p.blob()).unwrap();
        assert_eq!(cells, p.extended);
        assert_eq!(proofs.len(), 128);
        for (k, proof) in proofs.iter().enumerate() {
            assert_eq!(*proof, known_tau.cell_proof(&p, k), "{k}");
        }
        let commitments: Vec<&[u8]> = vec![&p.commitment; 128];
        let indices: Vec<u64> = (0..128).collect();
        let cells: Vec<&[u8]> = cells.chunks(2048).collect();
        let proofs: Vec<&[u8]> = proofs.iter().map(|proof| proof.as_slice()).collect();
        let sums = api::compute_cell_sums(setup, None, p.blob(), 0..16).unwrap();
        assert_eq!(api::finish_commitment(&sums), Ok(p.commitment));
        let verdict = verifier::verify_cell_kzg_proof_batch(
            &known_tau.setup,
            &commitments,
            &indices,
            &cells,
            &proofs,
            FreshSeed::from_csprng([7; 32]),
        );
        assert_eq!(verdict, Ok(true));
    }
}

#[test]
fn recovery() {
    let (known_tau, setup) = setup();
    let mut rng = Rng(3);
    let p = known_tau.polynomial(&mut rng, 4096);
    let expected = api::compute_cells_and_kzg_proofs(setup, None, p.blob());
    for count in [64, 65, 127, 128] {
        let mut indices: Vec<u64> = (0..128).collect();
        while indices.len() > count {
            indices.remove(rng.below(indices.len()));
        }
        let cells: Vec<&[u8]> = indices.iter().map(|k| p.cell(*k as usize)).collect();
        assert_eq!(api::recover_cells_and_kzg_proofs(setup, None, &indices, &cells), expected, "{indices:?}");
    }
}

/// Each table gives the sums that no table gives, for all parts at once and for each by itself.
#[test]
fn tables_and_parts() {
    let (known_tau, setup) = setup();
    let p = known_tau.polynomial(&mut Rng(4), 4096);
    let polynomials = CellPolynomials::of(p.blob()).unwrap();
    let expected = polynomials.sums(setup, None, 0..16);
    assert_eq!(expected.len(), 128);
    for (k, sum) in expected.iter().enumerate().step_by(17) {
        // W_k/64 in the exponent.
        let (one, sign) = if k < 64 { (Fr::ONE, Fr::ONE) } else { (-Fr::ONE, -Fr::ONE) };
        let at = (known_tau.tau.pow([4096]) - one) / (known_tau.tau.pow([64]) - theirs(roots::domain(k)));
        let cell: Vec<Fr> = p.cell(k).chunks(32).map(|bytes| naive::scalar(bytes).unwrap()).collect();
        let value = horner(&naive::interpolate_cell(k, &cell), known_tau.tau) * at * sign / Fr::from(128);
        assert_eq!(
            blobcheck_curve::g1_encoding::compress(&(*sum).into()),
            compress(G1Projective::generator() * value),
            "{k}"
        );
    }
    for (rows, width) in [(1, 2), (1, 4), (2, 5), (8, 3)] {
        let tables = Tables::new(TableShape::new(rows, width).unwrap());
        let parts: Vec<_> =
            (0..16).rev().map(|part| polynomials.sums(setup, Some(&tables), part..part + 1)).collect();
        let joined: Vec<_> = parts.into_iter().rev().flatten().collect();
        assert_eq!(joined, expected, "{rows} {width}");
        assert_eq!(polynomials.sums(setup, Some(&tables), 3..7), expected[24..56]);
    }
    // As bytes, from one worker to another.
    let whole = api::compute_cells_and_kzg_proofs(setup, None, p.blob()).unwrap().1;
    let bytes: Vec<u8> = [0..5, 5..6, 6..16]
        .into_iter()
        .flat_map(|parts| api::compute_cell_sums(setup, None, p.blob(), parts).unwrap())
        .collect();
    assert_eq!(api::finish_cell_proofs(&bytes, Half::Blob).unwrap(), whole[..64]);
    assert_eq!(api::finish_cell_proofs(&bytes, Half::Extension).unwrap(), whole[64..]);
    // Ranges that reach beyond the parts.
    assert!(polynomials.sums(setup, None, 16..usize::MAX).is_empty());
    assert_eq!(polynomials.sums(setup, None, 15..20), expected[120..]);
    #[allow(clippy::reversed_empty_ranges)]
    let backwards = 9..3;
    assert!(polynomials.sums(setup, None, backwards).is_empty());
    // Sums that are missing are the identity, those too many are ignored.
    let zeros = vec![blobcheck_curve::g1::identity(); 128];
    assert_eq!(cell_proofs::proofs(&[], Half::Blob), cell_proofs::proofs(&zeros, Half::Blob));
    let many = [expected.clone(), expected.clone()].concat();
    assert_eq!(cell_proofs::proofs(&many, Half::Extension), cell_proofs::proofs(&expected, Half::Extension));
}
