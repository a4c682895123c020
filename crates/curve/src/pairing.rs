//! Products of pairings.

use crate::backend::{Bls12_381, Fq12};
use crate::features::SIMD;
use crate::g1::G1Affine;
use crate::g2::G2Affine;
use crate::miller_lines::{bits, lines, Line};
use crate::simd;
use ark_ec::pairing::{MillerLoopOutput, Pairing};
use ark_ec::AffineRepr;
use ark_ff::Field;

/// A point of G2 with the lines of its Miller loop, some 20 KB: in one of two forms.
#[derive(Clone, Debug)]
pub struct PreparedG2 {
    lines: Vec<Line>,
    simd: simd::Lines,
}

impl PreparedG2 {
    /// Prepares the lines of `point`, which is in G2.
    pub fn new(point: G2Affine) -> Self {
        if SIMD {
            return Self { lines: Vec::new(), simd: simd::Lines::of(&point) };
        }
        Self { lines: lines(&point), simd: simd::Lines::default() }
    }
}

/// Whether Π e(Pᵢ, Qᵢ) = 1, with one squaring a bit and one final exponentiation for all. A pair with the identity
/// contributes nothing.
pub fn product_is_one(pairs: &[(G1Affine, &PreparedG2)]) -> bool {
    if SIMD {
        let pairs: Vec<_> = pairs
            .iter()
            .filter(|(point, _)| !point.is_zero())
            .map(|(point, prepared)| (*point, &prepared.simd))
            .collect();
        return simd::product_is_one(&pairs);
    }
    let product = MillerLoopOutput(miller_loop(pairs));
    Bls12_381::final_exponentiation(product).is_some_and(|output| output.0 == Fq12::ONE)
}

/// Π f(Pᵢ, Qᵢ), up to factors that the final exponentiation takes to 1.
fn miller_loop(pairs: &[(G1Affine, &PreparedG2)]) -> Fq12 {
    let mut pairs: Vec<_> = pairs
        .iter()
        .filter_map(|(point, prepared)| point.xy().map(|point| (point, prepared.lines.iter())))
        .collect();
    let mut f = Fq12::ONE;
    for (i, bit) in bits().enumerate() {
        if i > 0 {
            f.square_in_place();
        }
        for _ in 0..1 + usize::from(bit) {
            for ((x, y), lines) in &mut pairs {
                let Some((c0, c1, c4)) = lines.next() else { continue };
                let (mut c1, mut c4) = (*c1, *c4);
                c1.mul_assign_by_fp(x);
                c4.mul_assign_by_fp(y);
                f.mul_by_014(c0, &c1, &c4);
            }
        }
    }
    // x is −|x|, and 1/f is f's conjugate once the final exponentiation is done.
    f.conjugate_in_place();
    f
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{g1, g2, hash_to_g2, msm_u128};

    /// Whichever engine the facade takes.
    fn prepare(point: &G2Affine) -> PreparedG2 {
        PreparedG2 { lines: lines(point), simd: simd::Lines::default() }
    }

    /// Against arkworks' pairing over the same fields, for as many pairs as a batch has, identities among them.
    #[test]
    fn products() {
        for count in [0u8, 1, 2, 3, 5, 9] {
            let messages: Vec<[u8; 1]> = (0..count).map(|i| [i]).collect();
            let mut right = hash_to_g2(&messages.iter().map(|m| &m[..]).collect::<Vec<_>>(), b"pairing");
            let left: Vec<_> =
                (0..count).map(|i| msm_u128(&[g1::generator()], &[u128::from(i) + 77])).collect();
            let mut left = g1::normalize(&left);
            if count > 4 {
                right[1] = g2::normalize(&[g2::identity()])[0];
                left[3] = g1::normalize(&[g1::identity()])[0];
            }
            let prepared: Vec<PreparedG2> = right.iter().map(prepare).collect();
            let f = miller_loop(&left.iter().copied().zip(&prepared).collect::<Vec<_>>());
            let found = Bls12_381::final_exponentiation(MillerLoopOutput(f));
            assert_eq!(found, Some(Bls12_381::multi_pairing(left, right)), "{count}");
        }
    }
}
