//! The numbers in lanes against arkworks, on random and on the worst of limbs.

use super::extremes::{extreme_forms, extreme_limbs, product_fp2, rounds};
use crate::support::Rng;
use ark_bls12_381::Fq;
use ark_ff::{AdditiveGroup, BigInt, Field};
use blobcheck_curve::simd::FpPair;
use blobcheck_kernels::{interpreter::run, SimdKernels};

const LIMBS: usize = 8;
/// A limb's unit, and the top one's.
const UNIT: f64 = (1u64 << 47) as f64 + 64.0;

/// arkworks' Montgomery form of what limbs stand for, or rather the number whose form that is.
fn number(limbs: &[[f64; 2]; LIMBS], lane: usize) -> Fq {
    // Form and number differ by the same factor everywhere: take the limbs as a form, by dividing by R.
    let base = Fq::from(1u64 << 48);
    let value = limbs.iter().rev().fold(Fq::ZERO, |sum, limb| {
        let size = Fq::from(limb[lane].abs() as u64);
        sum * base + if limb[lane] < 0.0 { -size } else { size }
    });
    value * Fq::new_unchecked(BigInt::one())
}

/// Extreme limbs within `bound`.
fn extreme(rng: &mut Rng, bound: u32) -> [[f64; 2]; LIMBS] {
    let p_top = (0x1a01_11ea_397fu64 - 1) as f64;
    extreme_limbs(rng, |i| f64::from(bound) * if i + 1 < LIMBS { UNIT } else { p_top }, 48)
}

fn pair<const B: u32>(limbs: &[[f64; 2]; LIMBS]) -> FpPair<B> {
    FpPair::within(limbs).unwrap()
}

/// Within the bounds of its type, and the numbers expected.
fn check(found: &FpPair<1>, expected: [Fq; 2], case: &dyn Fn() -> String) {
    assert!(FpPair::<1>::within(&found.limbs()).is_some(), "out of bounds: {:?} {}", found.limbs(), case());
    same(found, expected, case);
}

/// The numbers expected, in limbs and in words.
fn same(found: &FpPair<1>, expected: [Fq; 2], case: &dyn Fn() -> String) {
    let numbers = [0, 1].map(|lane| number(&found.limbs(), lane));
    assert_eq!(numbers, expected, "{}", case());
    assert_eq!(found.words(), expected.map(|x| x.0 .0));
}

fn products<const A: u32, const B: u32>(rng: &mut Rng) {
    let (x, y) = (extreme(rng, A), extreme(rng, B));
    let expected = core::array::from_fn(|lane| number(&x, lane) * number(&y, lane));
    check(&pair::<A>(&x).mul(&pair::<B>(&y)), expected, &|| format!("{x:?} · {y:?}"));
}

/// Rounds of each test.
const ROUNDS: usize = 20_000;

#[test]
fn multiplication() {
    let mut rng = Rng(11);
    for _ in 0..rounds(ROUNDS) {
        products::<1, 1>(&mut rng);
        products::<1, 4>(&mut rng);
        products::<2, 2>(&mut rng);
        products::<4, 1>(&mut rng);
        products::<3, 1>(&mut rng);
    }
}

#[test]
fn squares() {
    let mut rng = Rng(12);
    for _ in 0..rounds(ROUNDS) {
        let x = extreme(&mut rng, 1);
        let expected = core::array::from_fn(|lane| number(&x, lane).square());
        check(&pair::<1>(&x).square(), expected, &|| format!("{x:?}²"));
        let x = extreme(&mut rng, 2);
        let expected = core::array::from_fn(|lane| number(&x, lane).square());
        check(&pair::<2>(&x).square(), expected, &|| format!("{x:?}²"));
    }
}

#[test]
fn reduction() {
    let mut rng = Rng(13);
    for _ in 0..rounds(ROUNDS) {
        let x = extreme(&mut rng, 15);
        let expected = core::array::from_fn(|lane| number(&x, lane));
        check(&pair::<15>(&x).reduce(), expected, &|| format!("{x:?}"));
        let x = extreme(&mut rng, 1);
        let expected = core::array::from_fn(|lane| number(&x, lane));
        check(&pair::<1>(&x).reduce(), expected, &|| format!("{x:?}"));
    }
}

#[test]
fn sums() {
    let mut rng = Rng(14);
    for _ in 0..rounds(ROUNDS) {
        let (x, y) = (extreme(&mut rng, 8), extreme(&mut rng, 7));
        let (a, b) = (pair::<8>(&x), pair::<7>(&y));
        let numbers: [[Fq; 2]; 2] = [&x, &y].map(|x| core::array::from_fn(|lane| number(x, lane)));
        let case = || format!("{x:?}, {y:?}");
        check(&(a + b).reduce(), core::array::from_fn(|i| numbers[0][i] + numbers[1][i]), &case);
        check(&(a - b).reduce(), core::array::from_fn(|i| numbers[0][i] - numbers[1][i]), &case);
    }
}

/// There and back, for forms at the ends of the range and at the borders of limbs.
#[test]
fn conversion() {
    let mut rng = Rng(15);
    for round in 0..rounds(ROUNDS) {
        let forms = extreme_forms(&mut rng, round, 48);
        // p − 1 rounds up to p's own top limb, which tests may not choose.
        same(&FpPair::new(&forms[0].0 .0, &forms[1].0 .0), forms, &|| format!("{forms:?}"));
    }
    // What else is zero, and what is not, `engine::kernel` asks of each kernel.
    let zero = FpPair::new(&[0; 6], &Fq::ONE.0 .0);
    assert_eq!(zero.words(), [[0; 6], Fq::ONE.0 .0]);
    assert_eq!((zero - zero).reduce().words(), [[0; 6]; 2]);
}

fn products_fp2<const A: u32, const B: u32>(rng: &mut Rng) {
    let limbs = [extreme(rng, A), extreme(rng, B)];
    let [x, y] = [&limbs[0], &limbs[1]].map(|limbs| core::array::from_fn(|lane| number(limbs, lane)));
    let found = pair::<A>(&limbs[0]).mul_fp2(&pair::<B>(&limbs[1]));
    check(&found, product_fp2(x, y), &|| format!("{limbs:?}"));
}

fn wide_products_fp2<const A: u32, const B: u32>(rng: &mut Rng) {
    let limbs = [extreme(rng, A), extreme(rng, B)];
    let [x, y] = [&limbs[0], &limbs[1]].map(|limbs| core::array::from_fn(|lane| number(limbs, lane)));
    let found = pair::<A>(&limbs[0]).mul_fp2_wide(&pair::<B>(&limbs[1]));
    assert!(FpPair::<2>::within(&found.limbs()).is_some(), "out of bounds: {:?} {limbs:?}", found.limbs());
    check(&found.reduce(), product_fp2(x, y), &|| format!("{limbs:?}"));
}

#[test]
fn quadratic_extension() {
    let mut rng = Rng(16);
    for _ in 0..rounds(ROUNDS) {
        products_fp2::<1, 1>(&mut rng);
        products_fp2::<1, 2>(&mut rng);
        products_fp2::<2, 1>(&mut rng);
        wide_products_fp2::<2, 2>(&mut rng);
        wide_products_fp2::<4, 1>(&mut rng);
        let limbs = extreme(&mut rng, 1);
        let x: [Fq; 2] = core::array::from_fn(|lane| number(&limbs, lane));
        check(&pair::<1>(&limbs).square_fp2(), product_fp2(x, x), &|| format!("{limbs:?}²"));
    }
}

/// The code that the build places in the module, run on a model of the machine, against the Rust: the same limbs.
#[test]
fn code() {
    let kernels = SimdKernels::fp();
    let mut rng = Rng(21);
    for _ in 0..2000 {
        let (x, y, wide) = (extreme(&mut rng, 2), extreme(&mut rng, 2), extreme(&mut rng, 15));
        assert_eq!(run(&kernels, "mul", &x, &y), pair::<2>(&x).mul(&pair::<2>(&y)).limbs());
        assert_eq!(run(&kernels, "square", &x, &x), pair::<2>(&x).square().limbs());
        assert_eq!(
            run(&kernels, "mul_quadratic", &x, &y),
            pair::<2>(&x).mul_fp2_wide(&pair::<2>(&y)).limbs()
        );
        assert_eq!(run(&kernels, "reduce", &wide, &wide), pair::<15>(&wide).reduce().limbs());
    }
}
