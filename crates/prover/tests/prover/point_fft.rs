//! Transforms over points against the same transforms over scalars, times the generator.

use crate::support::known_tau::{compress, random};
use crate::support::naive::{ours, theirs};
use crate::support::Rng;
use ark_bls12_381::{Fr, G1Projective};
use ark_ec::PrimeGroup;
use ark_ff::AdditiveGroup;
use blobcheck_curve::{g1, g1_encoding, Scalar, G1};
use blobcheck_kzg::fft;
use blobcheck_prover::point_fft;

fn times_generator(scalars: &[Scalar]) -> Vec<[u8; 48]> {
    scalars.iter().map(|scalar| compress(G1Projective::generator() * theirs(*scalar))).collect()
}

fn points_of(compressed: &[[u8; 48]]) -> Vec<G1> {
    g1_encoding::decompress(compressed).into_iter().map(|point| point.expect("a point").into()).collect()
}

fn compressed(points: &[G1]) -> Vec<[u8; 48]> {
    g1::normalize(points).iter().map(g1_encoding::compress).collect()
}

type OverScalars = fn(&mut [Scalar], usize);
type OverPoints = fn(&mut [G1], usize);

/// Random values, and values that make sums and differences the identity.
#[test]
fn both_transforms_of_every_length() {
    let mut rng = Rng(1);
    let transforms: [(OverScalars, OverPoints); 2] =
        [(fft::evaluate, point_fft::evaluate), (fft::interpolate, point_fft::interpolate)];
    for (len, blocks) in
        [(1, vec![0, 3]), (2, vec![0, 1, 5]), (8, vec![0, 1, 3]), (64, vec![0, 1, 127]), (128, vec![0])]
    {
        let one = random(&mut rng);
        let inputs: [Vec<Fr>; 4] = [
            (0..len).map(|_| random(&mut rng)).collect(),
            vec![Fr::ZERO; len],
            vec![one; len],
            (0..len).map(|i| if i % 2 == 0 { one } else { -one }).collect(),
        ];
        for block in blocks {
            for input in &inputs {
                for (over_scalars, over_points) in transforms {
                    let mut scalars: Vec<Scalar> = input.iter().map(|scalar| ours(*scalar)).collect();
                    let mut points = points_of(&times_generator(&scalars));
                    over_scalars(&mut scalars, block);
                    over_points(&mut points, block);
                    assert_eq!(compressed(&points), times_generator(&scalars), "{len} {block}");
                }
            }
        }
    }
}
