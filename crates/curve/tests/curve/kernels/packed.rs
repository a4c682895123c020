//! The packed numbers against arkworks, on random and on the worst of limbs.

use super::extremes::{extreme_forms, extreme_limbs, product_fp2, rounds};
use crate::support::Rng;
use ark_bls12_381::Fq;
use ark_ff::{AdditiveGroup, BigInt, Field};
use blobcheck_curve::packed::FpPair;
use blobcheck_kernels::interpreter::{execute_words, Words};
use blobcheck_kernels::PackedKernels;

const LIMBS: usize = 14;
/// A limb's unit, and the top one's.
const UNIT: f64 = (1u64 << 27) as f64 + 64.0;
const TOP: f64 = 0x1a010 as f64;

type Limbs = [[i32; 2]; LIMBS];

/// What limbs stand for: R is 2³⁹², and 2³⁸⁴ is arkworks' own.
fn number(limbs: &Limbs, lane: usize) -> Fq {
    let base = Fq::from(1u64 << 28);
    let value = limbs.iter().rev().fold(Fq::ZERO, |sum, limb| sum * base + Fq::from(limb[lane]));
    value * Fq::new_unchecked(BigInt::one()) / Fq::from(1u64 << 8)
}

fn numbers(limbs: &Limbs) -> [Fq; 2] {
    [0, 1].map(|lane| number(limbs, lane))
}

/// Extreme limbs within `bound`.
fn extreme(rng: &mut Rng, bound: u32) -> Limbs {
    let limbs = extreme_limbs(rng, |i| f64::from(bound) * if i + 1 < LIMBS { UNIT } else { TOP }, 28);
    limbs.map(|limb| limb.map(|limb| limb as i32))
}

fn pair<const B: u32>(limbs: &Limbs) -> FpPair<B> {
    FpPair::within(limbs).unwrap()
}

/// Within the bounds of its type, and the numbers expected, in limbs and in words.
fn check(found: &FpPair<1>, expected: [Fq; 2], case: &dyn Fn() -> String) {
    let limbs = found.limbs();
    assert!(FpPair::<1>::within(&limbs).is_some(), "out of bounds: {limbs:?} {}", case());
    assert_eq!(numbers(&limbs), expected, "{}", case());
    assert_eq!(found.words(), expected.map(|x| x.0 .0));
}

/// Rounds of each test.
const ROUNDS: usize = 5_000;

fn products<const A: u32, const B: u32>(rng: &mut Rng) {
    let (x, y) = (extreme(rng, A), extreme(rng, B));
    let expected = core::array::from_fn(|lane| number(&x, lane) * number(&y, lane));
    check(&pair::<A>(&x).mul(&pair::<B>(&y)), expected, &|| format!("{x:?} · {y:?}"));
}

#[test]
fn multiplication() {
    let mut rng = Rng(31);
    for _ in 0..rounds(ROUNDS) {
        products::<1, 1>(&mut rng);
        products::<1, 4>(&mut rng);
        products::<2, 2>(&mut rng);
        products::<4, 1>(&mut rng);
        let x = extreme(&mut rng, 2);
        check(&pair::<2>(&x).square(), numbers(&x).map(|x| x.square()), &|| format!("{x:?}²"));
    }
}

#[test]
fn reduction() {
    let mut rng = Rng(32);
    for _ in 0..rounds(ROUNDS) {
        let x = extreme(&mut rng, 15);
        check(&pair::<15>(&x).reduce(), numbers(&x), &|| format!("{x:?}"));
        let x = extreme(&mut rng, 1);
        check(&pair::<1>(&x).reduce(), numbers(&x), &|| format!("{x:?}"));
    }
}

#[test]
fn sums() {
    let mut rng = Rng(33);
    for _ in 0..rounds(ROUNDS) {
        let (x, y) = (extreme(&mut rng, 8), extreme(&mut rng, 7));
        let (a, b) = (pair::<8>(&x), pair::<7>(&y));
        let ([a0, a1], [b0, b1]) = (numbers(&x), numbers(&y));
        let case = || format!("{x:?}, {y:?}");
        check(&(a + b).reduce(), [a0 + b0, a1 + b1], &case);
        check(&(a - b).reduce(), [a0 - b0, a1 - b1], &case);
    }
}

fn products_fp2<const A: u32, const B: u32>(rng: &mut Rng) {
    let (x, y) = (extreme(rng, A), extreme(rng, B));
    let expected = product_fp2(numbers(&x), numbers(&y));
    let found = pair::<A>(&x).mul_fp2_wide(&pair::<B>(&y));
    check(&found.reduce(), expected, &|| format!("{x:?} · {y:?}"));
    // Whatever the factors' bounds are, that of the product is 1.
    check(&pair::<1>(&found.limbs()), expected, &|| format!("{x:?} · {y:?}"));
}

#[test]
fn quadratic_extension() {
    let mut rng = Rng(34);
    for _ in 0..rounds(ROUNDS) {
        products_fp2::<1, 1>(&mut rng);
        products_fp2::<2, 2>(&mut rng);
        products_fp2::<4, 1>(&mut rng);
        products_fp2::<1, 4>(&mut rng);
        let limbs = extreme(&mut rng, 1);
        let x = numbers(&limbs);
        check(&pair::<1>(&limbs).square_fp2(), product_fp2(x, x), &|| format!("{limbs:?}²"));
    }
}

/// There and back, for forms at the ends of the range and at the borders of limbs.
#[test]
fn conversion() {
    let mut rng = Rng(35);
    for round in 0..rounds(ROUNDS) {
        let forms = extreme_forms(&mut rng, round, 28);
        check(&FpPair::new(&forms[0].0 .0, &forms[1].0 .0), forms, &|| format!("{forms:?}"));
    }
    let zero = FpPair::new(&[0; 6], &Fq::ONE.0 .0);
    assert_eq!(zero.words(), [[0; 6], Fq::ONE.0 .0]);
    assert_eq!((zero - zero).reduce().words(), [[0; 6]; 2]);
}

/// The code that the build places in the module, run on a model of the machine, against the Rust: the same limbs.
#[test]
fn code() {
    let kernels = PackedKernels::fp();
    let [multiply, reduce_columns] = kernels.kernels.as_slice() else { panic!("two kernels") };
    let constants = kernels.constants();
    let words = |limbs: &Limbs| -> Vec<Words> {
        let both = |limb: [i32; 2]| u64::from(limb[0] as u32) | u64::from(limb[1] as u32) << 32;
        limbs.as_chunks().0.iter().map(|[low, high]| [both(*low), both(*high)]).collect()
    };
    let mut rng = Rng(36);
    for _ in 0..2000 {
        let (x, y) = (extreme(&mut rng, 2), extreme(&mut rng, 2));
        let columns = execute_words(multiply, [&words(&x), &words(&y)], &constants);
        let found = execute_words(reduce_columns, [&columns, &[]], &constants);
        assert_eq!(found, words(&pair::<2>(&x).mul(&pair::<2>(&y)).limbs()));
    }
}
