//! Evaluation, transforms, extension and recovery against their definitions.

use crate::support::known_tau::{horner, random, KnownTau};
use crate::support::naive::{self, ours, theirs};
use crate::support::Rng;
use ark_bls12_381::Fr;
use ark_ff::{AdditiveGroup, Field};
use blobcheck_curve::Scalar;
use blobcheck_kzg::{api, evaluate, fft, roots, Reason};

fn elements(bytes: &[u8]) -> Vec<Fr> {
    bytes.chunks(32).map(|bytes| naive::scalar(bytes).expect("canonical")).collect()
}

/// One of the crate's transforms, on the oracle's scalars.
fn apply(transform: fn(&mut [Scalar], usize), values: &mut [Fr], block: usize) {
    let mut inner: Vec<Scalar> = values.iter().map(|value| ours(*value)).collect();
    transform(&mut inner, block);
    values.iter_mut().zip(inner).for_each(|(value, inner)| *value = theirs(inner));
}

#[test]
fn the_domain_is_the_specifications() {
    for i in (0..8192).step_by(37).chain([0, 1, 2, 3, 4095, 4096, 8191]) {
        assert_eq!(theirs(roots::domain(i)), naive::root(i), "{i}");
    }
    for i in [0, 5, 8191] {
        assert_eq!(roots::domain(8192 + i), roots::domain(i));
    }
    for b in [0, 1, 2, 3, 100, 2047, 2048, 4095] {
        assert_eq!(theirs(roots::inverse_twiddle(b)) * naive::root(2 * b), Fr::ONE, "{b}");
    }
}

#[test]
fn folding_is_the_barycentric_formula() {
    let mut rng = Rng(1);
    let largest = naive::bytes(-Fr::ONE);
    let random_blob: Vec<u8> = (0..4096).flat_map(|_| naive::bytes(random(&mut rng))).collect();
    let mut spike = vec![0; 131_072];
    spike[131_071] = 1;
    for blob in [random_blob, largest.repeat(4096), vec![0; 131_072], spike] {
        let values = elements(&blob);
        let blob = blob.as_slice().try_into().expect("a blob");
        for z in [
            random(&mut rng),
            Fr::ZERO,
            Fr::ONE,
            -Fr::ONE,
            naive::root(4095),
            naive::root(1234),
            naive::root(4097),
        ] {
            assert_eq!(theirs(evaluate::evaluate(blob, ours(z))), naive::evaluate(&values, z));
        }
    }
}

#[test]
fn transforms_evaluate_on_their_block() {
    let mut rng = Rng(2);
    for (len, blocks) in [
        (1, vec![0, 5, 8191]),
        (2, vec![0, 1, 4095]),
        (64, vec![0, 1, 2, 63, 64, 127]),
        (128, vec![0, 1, 63]),
    ] {
        for block in blocks {
            let coefficients: Vec<Fr> = (0..len).map(|_| random(&mut rng)).collect();
            let mut values = coefficients.clone();
            apply(fft::evaluate, &mut values, block);
            for (j, value) in values.iter().enumerate() {
                assert_eq!(*value, horner(&coefficients, naive::root(len * block + j)), "{len} {block} {j}");
            }
            apply(fft::interpolate, &mut values, block);
            let scaled: Vec<Fr> = coefficients.iter().map(|c| *c * Fr::from(len as u64)).collect();
            assert_eq!(values, scaled);
        }
    }
}

#[test]
fn transposes() {
    let mut rng = Rng(3);
    let dot = |a: &[Fr], b: &[Fr]| -> Fr { a.iter().zip(b).map(|(a, b)| *a * b).sum() };
    for block in [0, 1, 5, 127] {
        let x: Vec<Fr> = (0..64).map(|_| random(&mut rng)).collect();
        let y: Vec<Fr> = (0..64).map(|_| random(&mut rng)).collect();
        let (mut left, mut right) = (x.clone(), y.clone());
        apply(fft::evaluate, &mut left, block);
        apply(fft::evaluate_transposed, &mut right, block);
        assert_eq!(dot(&left, &y), dot(&x, &right));
        let (mut left, mut right) = (x.clone(), y.clone());
        apply(fft::interpolate, &mut left, block);
        apply(fft::interpolate_transposed, &mut right, block);
        assert_eq!(dot(&left, &y), dot(&x, &right));
    }
}

#[test]
fn cells_interpolate_by_the_transform_of_their_block() {
    let mut rng = Rng(4);
    for index in [0, 1, 77, 127] {
        let cell: Vec<Fr> = (0..64).map(|_| random(&mut rng)).collect();
        let mut values = cell.clone();
        apply(fft::interpolate, &mut values, index);
        let expected = naive::interpolate_cell(index, &cell);
        assert!(values.iter().zip(expected).all(|(v, e)| *v == e * Fr::from(64)));
    }
}

#[test]
fn cells_extend_the_blob() {
    let mut rng = Rng(5);
    let known_tau = KnownTau::new(1);
    let p = known_tau.polynomial(&mut rng, 4096);
    for i in [0, 1, 63, 64, 4095, 4096, 5000, 8191] {
        let value = naive::scalar(&p.extended[32 * i..32 * i + 32]).expect("canonical");
        assert_eq!(value, horner(&p.coefficients, naive::root(i)));
    }
    assert_eq!(api::compute_cells(p.blob()), Ok(p.extended.clone()));
}

#[test]
fn any_64_cells_recover_all() {
    let mut rng = Rng(6);
    let known_tau = KnownTau::new(1);
    let p = known_tau.polynomial(&mut rng, 4096);
    for count in [64, 64, 64, 65, 100, 127, 128] {
        let mut indices: Vec<u64> = (0..128).collect();
        while indices.len() > count {
            indices.remove(rng.below(indices.len()));
        }
        let cells: Vec<&[u8]> = indices.iter().map(|k| p.cell(*k as usize)).collect();
        assert_eq!(api::recover_cells(&indices, &cells), Ok(p.extended.clone()), "{indices:?}");
        assert_eq!(api::rebuild_blob(&indices, &cells.concat()), Ok(p.blob().to_vec()), "{indices:?}");
    }
    for indices in [(0..64).collect::<Vec<u64>>(), (64..128).collect(), (0..128).step_by(2).collect()] {
        let cells: Vec<&[u8]> = indices.iter().map(|k| p.cell(*k as usize)).collect();
        assert_eq!(api::recover_cells(&indices, &cells), Ok(p.extended.clone()), "{indices:?}");
    }
}

#[test]
fn recovery_refuses() {
    let mut rng = Rng(7);
    let known_tau = KnownTau::new(1);
    let p = known_tau.polynomial(&mut rng, 4096);
    let run = |indices: &[u64], cells: &[&[u8]]| {
        api::recover_cells(indices, cells).map(drop).map_err(|error| (error.reason, error.index))
    };
    let of = |indices: &[u64]| indices.iter().map(|k| p.cell(*k as usize % 128)).collect::<Vec<_>>();
    let all: Vec<u64> = (0..128).collect();
    assert_eq!(run(&all[..63], &of(&all[..63])), Err((Reason::CellCount, 0)));
    assert_eq!(run(&[], &[]), Err((Reason::CellCount, 0)));
    let many: Vec<u64> = (0..129).collect();
    assert_eq!(run(&many, &of(&many)), Err((Reason::CellCount, 0)));
    assert_eq!(run(&all, &of(&all[..127])), Err((Reason::ArrayLengths, 0)));
    let mut high = all[..64].to_vec();
    high[63] = 128;
    assert_eq!(run(&high, &of(&high)), Err((Reason::CellIndex, 63)));
    high[63] = u64::MAX;
    assert_eq!(run(&high, &of(&high)), Err((Reason::CellIndex, 63)));
    let mut twice = all[..64].to_vec();
    twice[5] = 4;
    assert_eq!(run(&twice, &of(&twice)), Err((Reason::CellOrder, 5)));
    let mut short = of(&all);
    short[9] = &short[9][1..];
    assert_eq!(run(&all, &short), Err((Reason::CellLength, 9)));
    let large = [0xff; 2048];
    let mut cells = of(&all);
    cells[70] = &large;
    assert_eq!(run(&all, &cells), Err((Reason::ScalarNotCanonical, 70)));
    // One element of a cell: no blob has these cells, whichever it is that is false.
    for bad in [0usize, 63, 64, 127] {
        let mut cell = p.cell(bad).to_vec();
        cell[2047] ^= 1;
        let mut cells = of(&all);
        cells[bad] = &cell;
        assert_eq!(run(&all, &cells), Err((Reason::CellsInconsistent, 0)));
        let error = api::rebuild_blob(&all, &cells.concat()).unwrap_err();
        assert_eq!((error.reason, error.index), (Reason::CellsInconsistent, 0));
    }
    let error = api::rebuild_blob(&all, &of(&all).concat()[1..]).unwrap_err();
    assert_eq!((error.reason, error.index), (Reason::CellLength, 127));
}
