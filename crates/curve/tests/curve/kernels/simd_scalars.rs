//! The scalars in lanes against arkworks, on random and on the worst of limbs.

use super::extremes::extreme_limbs;
use crate::support::{r_be, Rng};
use ark_bls12_381::Fr;
use ark_ff::{AdditiveGroup, BigInteger, Field, PrimeField};
use blobcheck_curve::raw::Raw;
use blobcheck_curve::scalar::{scalar_from_be, MODULUS};
use blobcheck_curve::simd::FrPair;
use blobcheck_kernels::{interpreter::run, SimdKernels};

const LIMBS: usize = 6;
/// A limb's unit, and r's top limb.
const UNIT: f64 = (1u64 << 43) as f64 + 64.0;
const TOP: f64 = (MODULUS[3] >> 28) as f64;

/// What limbs stand for, modulo r.
fn number(limbs: &[[f64; 2]; LIMBS], lane: usize) -> Fr {
    let base = Fr::from(1u64 << 44);
    limbs.iter().rev().fold(Fr::ZERO, |sum, limb| {
        let size = Fr::from(limb[lane].abs() as u64);
        sum * base + if limb[lane] < 0.0 { -size } else { size }
    })
}

/// Extreme limbs within `bound`.
fn extreme(rng: &mut Rng, bound: u32) -> [[f64; 2]; LIMBS] {
    extreme_limbs(rng, |i| f64::from(bound) * if i + 1 < LIMBS { UNIT } else { TOP }, 44)
}

fn pair<const B: u32>(limbs: &[[f64; 2]; LIMBS]) -> FrPair<B> {
    FrPair::within(limbs).unwrap()
}

fn be(value: Fr) -> [u8; 32] {
    value.into_bigint().to_bytes_be().try_into().unwrap()
}

/// Within the bounds of its type, and the numbers expected, in limbs and in bytes.
fn check(found: &FrPair<1>, expected: [Fr; 2], case: &dyn Fn() -> String) {
    assert!(FrPair::<1>::within(&found.limbs()).is_some(), "out of bounds: {:?} {}", found.limbs(), case());
    let numbers = [0, 1].map(|lane| number(&found.limbs(), lane));
    assert_eq!(numbers, expected, "{}", case());
    assert_eq!(found.numbers().map(|number| number.to_be()), expected.map(be));
}

/// 20,000 rounds of all, or `BLOBCHECK_ROUNDS`.
fn rounds() -> usize {
    std::env::var("BLOBCHECK_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(20_000)
}

fn products<const A: u32, const B: u32>(rng: &mut Rng) {
    let (x, y) = (extreme(rng, A), extreme(rng, B));
    let r = Fr::from(2u64).pow([264]).inverse().unwrap();
    let expected = core::array::from_fn(|lane| number(&x, lane) * number(&y, lane) * r);
    check(&pair::<A>(&x).mul(&pair::<B>(&y)), expected, &|| format!("{x:?} · {y:?}"));
}

#[test]
fn multiplication() {
    let mut rng = Rng(21);
    for _ in 0..rounds() / 4 {
        products::<1, 1>(&mut rng);
        products::<4, 4>(&mut rng);
        products::<16, 1>(&mut rng);
        products::<1, 13>(&mut rng);
    }
}

#[test]
fn sums_and_reduction() {
    let mut rng = Rng(22);
    for _ in 0..rounds() {
        let (x, y) = (extreme(&mut rng, 12), extreme(&mut rng, 4));
        let (a, b) = (pair::<12>(&x), pair::<4>(&y));
        let [plus, minus] = [true, false].map(|add| {
            core::array::from_fn(|lane| {
                let (x, y) = (number(&x, lane), number(&y, lane));
                if add {
                    x + y
                } else {
                    x - y
                }
            })
        });
        let case = || format!("{x:?}, {y:?}");
        check(&a.plus::<4, 16>(&b).reduce(), plus, &case);
        check(&a.minus::<4, 16>(&b).reduce(), minus, &case);
        let x = extreme(&mut rng, 1);
        check(&pair::<1>(&x).reduce(), [0, 1].map(|lane| number(&x, lane)), &|| format!("{x:?}"));
    }
}

/// Any bytes: at the ends of the range, around r and its multiples, at the borders of digits, and random.
#[test]
fn reading() {
    let mut rng = Rng(23);
    for round in 0..rounds() {
        let bytes: [[u8; 32]; 2] = core::array::from_fn(|_| match round % 4 {
            0 => rng.bytes(),
            1 => core::array::from_fn(|_| [0, 0xff][rng.below(2)]),
            2 => {
                let mut bytes = r_be();
                bytes[31] = bytes[31].wrapping_add(rng.below(3) as u8).wrapping_sub(1);
                bytes
            }
            _ => core::array::from_fn(|_| [0, 1, 0x0f, 0x10, 0x7f, 0x80, 0xf0, 0xff][rng.below(8)]),
        });
        let read = FrPair::from_be(&bytes[0], &bytes[1]);
        assert!(FrPair::<3>::within(&read.limbs()).is_some(), "{bytes:x?}");
        check(&read.reduce(), bytes.map(|bytes| Fr::from_be_bytes_mod_order(&bytes)), &|| {
            format!("{bytes:x?}")
        });
    }
}

/// A product with a factor is that of the integers.
#[test]
fn factors() {
    let mut rng = Rng(24);
    let ends = [Fr::ZERO, Fr::ONE, -Fr::ONE, Fr::from(2u64).pow([255])];
    for _ in 0..rounds() / 4 {
        let [a, b, c, d]: [Fr; 4] = core::array::from_fn(|_| match rng.below(3) {
            0 => ends[rng.below(4)],
            _ => Fr::from_be_bytes_mod_order(&rng.bytes::<32>()),
        });
        let factor = FrPair::factor(&scalar_from_be(&be(a)).unwrap(), &scalar_from_be(&be(b)).unwrap());
        assert!(FrPair::<1>::within(&factor.limbs()).is_some());
        let product = FrPair::from_be(&be(c), &be(d)).mul(&factor);
        check(&product, [a * c, b * d], &|| format!("{a} {b} {c} {d}"));
        assert_eq!(product.numbers()[0], Raw::from_be(&be(a * c)).unwrap());
    }
}

/// The code that the build places in the module, run on a model of the machine, against the Rust: the same limbs.
#[test]
fn code() {
    let kernels = SimdKernels::fr();
    let mut rng = Rng(22);
    for _ in 0..2000 {
        let (x, y, wide) = (extreme(&mut rng, 16), extreme(&mut rng, 1), extreme(&mut rng, 16));
        assert_eq!(run(&kernels, "mul", &x, &y), pair::<16>(&x).mul(&pair::<1>(&y)).limbs());
        assert_eq!(run(&kernels, "reduce", &wide, &wide), pair::<16>(&wide).reduce().limbs());
    }
}
