//! Products of pairings: Miller loops that share their squares, over lines that were prepared once, and the final
//! exponentiation.
//!
//! That takes factors in Fp2 to 1, so that a line c0 + c1·x·v + c4·y·v·w may be divided by c4, once and for all, and by
//! y: c0/(c4·y) + c1·x/(c4·y)·v + v·w. c4 is not zero, since Q has the order r and none of its multiples in the loop is
//! the identity or ±Q; nor is y, since the curve has no point of order 2.

use super::fp12::Fp12;
use super::frobenius::Frobenius;
use super::kernel::{Bounded, Kernel};
use super::miller_lines::Lines;
use crate::backend::Fq;
use crate::endomorphism::X;
use crate::g1::G1Affine;
use ark_ff::batch_inversion;

/// Π e(Pᵢ, Qᵢ) to the power −3, for points other than the identity: a number of the cyclotomic subgroup. `None` for zero, which no loop
/// comes to, as the coefficient of v·w is 1 in each line.
pub(crate) fn product<K: Kernel>(pairs: &[(G1Affine, &Lines<K>)]) -> Option<Fp12<K>> {
    final_exponentiation(&miller_loops(pairs))
}

/// The product of the loops, but for a factor in Fp2, and inverted, because x is negative. Whether it comes to 1 in the end depends on
/// neither.
fn miller_loops<K: Kernel>(pairs: &[(G1Affine, &Lines<K>)]) -> Fp12<K> {
    let mut inverses: Vec<Fq> = pairs.iter().map(|(point, _)| point.y).collect();
    batch_inversion(&mut inverses);
    let mut loops: Vec<_> = pairs
        .iter()
        .zip(&inverses)
        .map(|((point, lines), inverse)| {
            let [over_y, x_over_y] =
                [*inverse, point.x * inverse].map(|factor| Bounded::of(&factor, &factor));
            (over_y, x_over_y, lines.0.iter())
        })
        .collect();
    let mut product = Fp12::one();
    let mut step = |product: &mut Fp12<K>| {
        for (over_y, x_over_y, lines) in &mut loops {
            if let Some([c0, c1]) = lines.next() {
                *product = product.mul_by_line(&[c0.mul_each(over_y), c1.mul_each(x_over_y)]);
            }
        }
    };
    for bit in (0..63).rev() {
        product = product.square();
        step(&mut product);
        if X >> bit & 1 == 1 {
            step(&mut product);
        }
    }
    product
}

/// To the power 3·(p¹² − 1)/r, of which 1 is the power exactly where it is of (p¹² − 1)/r (eprint 2020/875); `None` for
/// zero.
fn final_exponentiation<K: Kernel>(f: &Fp12<K>) -> Option<Fp12<K>> {
    let frobenius = Frobenius::<K>::new();
    let power_p = |number: &Fp12<K>| frobenius.power_p(number);
    let easy = f.conjugate().mul(&f.inverse()?);
    let g = power_p(&power_p(&easy)).mul(&easy);
    // (x − 1)²·(x + p)·(x² + p² − 1) + 3
    let a = g.power_x().mul(&g.conjugate());
    let b = a.power_x().mul(&a.conjugate());
    let c = b.power_x().mul(&power_p(&b));
    let d = c.power_x().power_x().mul(&c.conjugate()).mul(&power_p(&power_p(&c)));
    Some(d.mul(&g.cyclotomic_square().mul(&g)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Bls12_381, Fq12, Fq2};
    use crate::engine::fp12::of_fq2;
    use crate::{g1, g2, G1};
    use ark_ec::pairing::{MillerLoopOutput, Pairing};
    use ark_ff::Field;

    /// Against arkworks: numbers all over Fp12, and numbers of the cyclotomic subgroup.
    fn tower<K: Kernel>() {
        let mut state = Fq::from(3u64);
        let mut random = || {
            state = state.square() + Fq::from(5u64);
            state
        };
        let ends = [Fq::ONE, -Fq::ONE, Fq::from(0u64)];
        let mut number = |round: usize| {
            let mut number = Fp12::<K>::of(&Fq12::ONE).number();
            let mut next = || if round < 8 { ends[random().0 .0[0] as usize % 3] } else { random() };
            for c in [&mut number.c0, &mut number.c1] {
                for c in [&mut c.c0, &mut c.c1, &mut c.c2] {
                    (c.c0, c.c1) = (next(), next());
                }
            }
            number
        };
        for round in 0..40 {
            let (a, b) = (number(round), number(round));
            let (x, y) = (Fp12::<K>::of(&a), Fp12::<K>::of(&b));
            assert_eq!(x.number(), a);
            assert_eq!(x.mul(&y).number(), a * b);
            assert_eq!(x.square().number(), a.square());
            let mut product = a;
            product.mul_by_014(&b.c0.c0, &b.c0.c1, &Fq2::ONE);
            let line = [&b.c0.c0, &b.c0.c1].map(of_fq2::<K>);
            assert_eq!(x.mul_by_line(&line).number(), product);
            let Some(expected) = Bls12_381::final_exponentiation(MillerLoopOutput(a)) else {
                assert!(final_exponentiation(&x).is_none());
                continue;
            };
            assert_eq!(final_exponentiation(&x).map(|power| power.number()), Some(expected.0));
            assert_eq!(x.inverse().map(|inverse| inverse.number()), a.inverse());
            let mut power = a;
            power.frobenius_map_in_place(1);
            assert_eq!(Frobenius::<K>::new().power_p(&x).number(), power);
            assert!(x.mul(&Fp12::<K>::of(&a.inverse().expect("not zero"))).is_one() && !x.is_one());
            let unitary = Fp12::<K>::of(&expected.0);
            assert_eq!(unitary.cyclotomic_square().number(), expected.0.square());
            assert_eq!(unitary.power_x().conjugate().number(), expected.0.pow([X]));
        }
    }

    /// e(P, Q)·e(P', Q) against arkworks' own, which is not inverted: the same once the final exponentiation is done.
    fn loops<K: Kernel>() {
        let stock = <Bls12_381 as Pairing>::G2Prepared::from(g2::generator());
        let lines = Lines::<K>::of(&g2::generator());
        let mut point = G1::from(g1::generator());
        for count in 0..4 {
            let points = vec![G1Affine::from(point); count];
            point = point + point + g1::generator();
            let pairs: Vec<_> = points.iter().map(|point| (*point, &lines)).collect();
            let expected = Bls12_381::multi_pairing(points, vec![stock.clone(); count]);
            let found = MillerLoopOutput(miller_loops(&pairs).conjugate().number());
            assert_eq!(Bls12_381::final_exponentiation(found), Some(expected));
        }
    }

    /// One, and what differs from it in one of the twelve coefficients.
    fn one<K: Kernel>() {
        assert!(Fp12::<K>::one().is_one() && Fp12::<K>::of(&Fq12::ONE).is_one());
        for place in 0..12 {
            for by in [Fq::ONE, -Fq::ONE] {
                let mut number = Fq12::ONE;
                let [c0, c1] = [&mut number.c0, &mut number.c1];
                let half = if place < 6 { c0 } else { c1 };
                let pair = match place % 6 / 2 {
                    0 => &mut half.c0,
                    1 => &mut half.c1,
                    _ => &mut half.c2,
                };
                *(if place % 2 == 0 { &mut pair.c0 } else { &mut pair.c1 }) += by;
                assert!(!Fp12::<K>::of(&number).is_one(), "coefficient {place}");
            }
        }
    }

    over_each_kernel!(the_tower: tower, the_loops: loops, the_one: one);
}
