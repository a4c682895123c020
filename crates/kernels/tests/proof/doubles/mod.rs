//! The kernels on doubles, for relaxed SIMD.
//!
//! For factors with limbs and values of bounds A and B (`blobcheck-curve`, src/simd/mod.rs), whose product is what a kernel takes at most:
//!
//! - every operation is exact, or rounds to a multiple of a power of two that is the same for all inputs;
//! - the result's limbs are at most 2^(width − 1) + 64 in size, and its top limb what follows from its value;
//! - the result times R is the product, modulo the prime; and
//! - its value is below the prime.
//!
//! Taken for granted: doubles of IEEE 754, rounded to nearest, and a fused multiplication and addition, which is what the probe asks the engine for.
mod form;
mod prover;

use crate::{integer, Draw, Failure};
use blobcheck_kernels::interpreter::execute;
use blobcheck_kernels::limbs::Limbs;
use blobcheck_kernels::program::{Factor, Operation, Program};
use blobcheck_kernels::{SimdKernels, P, R};
use form::{size, Form};
use num_bigint::{BigInt, Sign};
use prover::{Origin, Prover, Sizes};

/// What a kernel takes and gives.
struct Claim<'a> {
    sizes: Sizes<'a>,
    prime: BigInt,
    /// What the result's limbs and value are within.
    bound: i128,
}

const X: Factor = Factor::X;
const Y: Factor = Factor::Y;

/// Numbers of bounds up to this are reduced: all limbs stay below 2⁵³.
const REDUCED: i128 = 16;

/// All that is claimed of a kernel.
fn prove(kernel: &Program, claim: &Claim<'_>) -> Result<(), Failure> {
    let mut prover = Prover::new(&claim.sizes);
    let limbs = claim.sizes.limbs;
    let result = prover.run(kernel)?;
    for lane in [0, 1] {
        let lower = &result[..limbs.count - 1];
        let most = ((BigInt::from(1) << (limbs.width - 1)) + 64) * claim.bound;
        if lower.iter().any(|limb| prover.largest(&limb[lane]) > most) {
            return Err("a limb of the result is too large".to_string());
        }
        let value = value_of(limbs, result.iter().map(|limb| &limb[lane]));
        let largest = match kernel.name {
            "reduce" => reduction(&mut prover, claim, lane, &value)?,
            _ => montgomery_product(&prover, kernel, claim, lane, &value)?,
        };
        if largest >= &claim.prime * claim.bound {
            return Err("the result is too large".to_string());
        }
        // The top limb is what is left of the value without the limbs below it.
        let below: BigInt =
            (0..limbs.count - 1).map(|i| prover.largest(&result[i][lane]) << weight(limbs, i)).sum();
        if (largest + below) >> weight(limbs, limbs.count - 1)
            > claim.sizes.limb(limbs.count - 1) * claim.bound
        {
            return Err("the top limb of the result is too large".to_string());
        }
    }
    Ok(())
}

fn weight(limbs: &Limbs, i: usize) -> u64 {
    i as u64 * u64::from(limbs.width)
}

/// Σ limb·2^(width·i).
fn value_of<'a>(limbs: &Limbs, numbers: impl Iterator<Item = &'a Form>) -> Form {
    numbers
        .enumerate()
        .fold(Form::default(), |sum, (i, limb)| sum.plus(&(BigInt::from(1) << weight(limbs, i)), limb))
}

/// value·R is the product of the factors and a multiple of the prime; how large value is at most.
fn montgomery_product(
    prover: &Prover<'_>,
    kernel: &Program,
    claim: &Claim<'_>,
    lane: usize,
    value: &Form,
) -> Result<BigInt, Failure> {
    let (limbs, prime) = (claim.sizes.limbs, &claim.prime);
    // Each column hands on a quotient: so often is there a division.
    let bits = weight(limbs, 2 * limbs.count + 2);
    let scale = bits + weight(limbs, limbs.count);
    let mut rest = prover.resolved(value, scale);
    // As c0 and c1 of numbers in the extension, or lane by lane: ± of a lane of x and one of y.
    let other = if kernel.factors == 1 { X } else { Y };
    let pairs: &[(i32, usize, usize)] = match (kernel.name, lane) {
        ("mul_quadratic", 0) => &[(1, 0, 0), (-1, 1, 1)],
        ("mul_quadratic", _) => &[(1, 0, 1), (1, 1, 0)],
        (_, lane) => &[(1, lane, lane)],
    };
    for (sign, left, right) in pairs {
        for (i, j) in (0..limbs.count).flat_map(|i| (0..limbs.count).map(move |j| (i, j))) {
            let product =
                prover.product_of((X, *left, i), (other, *right, j)).ok_or("a product is missing")?;
            rest.add_term(product, BigInt::from(-sign) << (bits + weight(limbs, i + j)));
        }
    }
    if rest.constant != BigInt::ZERO {
        return Err("there is a constant in the result".to_string());
    }
    let mut largest = (prime * prime * claim.sizes.product * pairs.len()) << bits;
    for (symbol, coefficient) in &rest.terms {
        if !matches!(prover.origin(*symbol), Origin::Rounding { .. }) {
            return Err("the result is not the product".to_string());
        }
        if coefficient % prime != BigInt::ZERO {
            return Err("the result is not the product modulo the prime".to_string());
        }
        largest += size(coefficient) * prover.bound(*symbol);
    }
    Ok((largest >> scale) + 1)
}

/// value is the factor less a multiple of the prime; how large value is at most.
fn reduction(
    prover: &mut Prover<'_>,
    claim: &Claim<'_>,
    lane: usize,
    value: &Form,
) -> Result<BigInt, Failure> {
    let Claim { sizes, prime, .. } = claim;
    let limbs = sizes.limbs;
    let bits = weight(limbs, limbs.count + 1);
    let top_limb = prover.limb(X, lane, limbs.count - 1);
    let mut rest = prover.resolved(value, bits);
    for i in 0..limbs.count {
        let limb = prover.limb(X, lane, i);
        rest.add_term(limb, BigInt::from(-1) << (bits + weight(limbs, i)));
    }
    let top = limbs.count - 1;
    let mut others = rest.terms.iter();
    let (multiple, coefficient) = others.next().ok_or("nothing is taken off")?;
    if others.next().is_some() || rest.constant != BigInt::ZERO || size(coefficient) != prime << bits {
        return Err("the result is not the number less a multiple of the prime".to_string());
    }
    let Origin::Nearest { of, factor } = prover.origin(*multiple) else {
        return Err("the multiple is no integer".to_string());
    };
    let sign = if coefficient.sign() == Sign::Minus { 1.0 } else { -1.0 };
    let is_top = of.constant == BigInt::ZERO && of.terms.iter().eq([(&top_limb, &BigInt::from(1))]);
    if !is_top || *factor != sign / limbs.p[top] as f64 {
        return Err("the multiple is not the one next to the number".to_string());
    }
    // x − m·p for |m − top/p_top| ≤ 1/2 + 2⁻⁴⁰, which has the errors of 1/p_top and of its product with top: the limbs of x below the top one, the
    // share of the prime's limbs below its own, and ± (1/2 + 2⁻⁴⁰)·p.
    let below: BigInt = (0..top).map(|i| (sizes.limb(i) * sizes.factor) << weight(limbs, i)).sum();
    let prime_below = size(&(prime - (BigInt::from(limbs.p[top]) << weight(limbs, top))));
    let share = sizes.limb(top) * sizes.factor * prime_below / limbs.p[top] + 1;
    Ok(below + share + (prime >> 1) + (prime >> 40) + 2)
}

/// A claim for each kernel on doubles.
fn claims<'a>(simd: &'a SimdKernels, words: &[u64]) -> Vec<(&'a Program, Claim<'a>)> {
    let most = simd.limbs.factors;
    let claim = |product, bound| Claim {
        sizes: Sizes { limbs: &simd.limbs, product, factor: REDUCED },
        prime: integer(words),
        bound,
    };
    let mut claims = vec![];
    for kernel in &simd.kernels {
        match kernel.name {
            // A lane has two products: half as much for a result as small, or a result twice as large.
            "mul_quadratic" => {
                claims.extend([(kernel, claim(most / 2, 1)), (kernel, claim(most, 2))]);
            }
            _ => claims.push((kernel, claim(most, 1))),
        }
    }
    claims
}

fn kernels() -> [(SimdKernels, Vec<u64>); 2] {
    [(SimdKernels::fp(), P.to_vec()), (SimdKernels::fr(), R.to_vec())]
}

#[test]
fn kernels_are_right_for_all_numbers() {
    for (simd, words) in &kernels() {
        for (kernel, claim) in claims(simd, words) {
            check_numbers(kernel, &claim);
            prove(kernel, &claim)
                .unwrap_or_else(|failure| panic!("{} {}: {failure}", simd.module, kernel.name));
        }
    }
}

/// What is larger than a kernel takes is not proved.
#[test]
fn larger_numbers_are_refused() {
    for (simd, words) in &kernels() {
        for (kernel, mut claim) in claims(simd, words) {
            claim.sizes.product *= 8;
            claim.sizes.factor *= 8;
            assert!(prove(kernel, &claim).is_err(), "{} {}", simd.module, kernel.name);
        }
    }
}

/// Hardly an operation can take something else and be proved all the same; each seventh is tried. What is proved nevertheless is right, too: where r is t
/// rounded to a multiple of 2^width, t + r may take the place of the digit t − r, if there is room, since only what it leaves modulo 2^width counts.
#[test]
fn faults_are_found() {
    for (simd, words) in &kernels() {
        for (kernel, claim) in claims(simd, words) {
            let faulty = |place: usize| {
                let mut faulty = kernel.clone();
                faulty.operations[place] = fault(simd, kernel.operations[place]);
                faulty
            };
            let places = (0..kernel.operations.len()).step_by(7);
            let proved: Vec<Program> =
                places.map(faulty).filter(|faulty| prove(faulty, &claim).is_ok()).collect();
            assert!(proved.len() <= 2, "{} {}: {} faults", simd.module, kernel.name, proved.len());
            proved.iter().for_each(|faulty| check_numbers(faulty, &claim));
        }
    }
}

/// That a program which is proved computes what is claimed, of some numbers. Limbs are random ones, and the largest.
fn check_numbers(kernel: &Program, claim: &Claim<'_>) {
    let limbs = claim.sizes.limbs;
    let mut draw = Draw(1);
    let mut number = |round: usize| -> Vec<[f64; 2]> {
        let mut limb = |i| {
            let largest: f64 = claim.sizes.limb(i).to_string().parse().unwrap();
            let share = (draw.word() >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
            if round.is_multiple_of(2) {
                (share * largest).trunc()
            } else {
                largest.copysign(share)
            }
        };
        (0..limbs.count).map(|i| [limb(i), limb(i)]).collect()
    };
    let lanes = |number: &[[f64; 2]]| {
        [0, 1].map(|lane| -> BigInt {
            let weighted =
                |(i, limb): (usize, &[f64; 2])| BigInt::from(limb[lane] as i128) << weight(limbs, i);
            number.iter().enumerate().map(weighted).sum()
        })
    };
    for round in 0..100 {
        let (x, y) = (number(round), number(round / 2));
        let result = lanes(&execute(kernel, [&x, &y], &limbs.constants()));
        let ([x0, x1], [y0, y1]) = (lanes(&x), lanes(if kernel.factors == 1 { &x } else { &y }));
        let (expected, r) = match kernel.name {
            "reduce" => ([x0, x1], 0),
            "mul_quadratic" => ([&x0 * &y0 - &x1 * &y1, x0 * y1 + x1 * y0], limbs.count),
            _ => ([x0 * y0, x1 * y1], limbs.count),
        };
        for (result, expected) in result.iter().zip(expected) {
            assert_eq!(((result << weight(limbs, r)) - expected) % &claim.prime, BigInt::ZERO);
            assert!(size(result) < &claim.prime * claim.bound);
        }
    }
}

/// Something near by.
fn fault(simd: &SimdKernels, operation: Operation) -> Operation {
    match operation {
        Operation::Limb(factor, i) => Operation::Limb(factor, (i + 1) % simd.limbs.count),
        Operation::First(factor, i) => Operation::Second(factor, i),
        Operation::Second(factor, i) => Operation::First(factor, i),
        Operation::Constant(i) => Operation::Constant((i + 1) % simd.limbs.constants().len()),
        Operation::Sum(a, b) => Operation::Difference(a, b),
        Operation::Difference(a, b) => Operation::Difference(b, a),
        Operation::Product(a, b) => Operation::Sum(a, b),
        Operation::Fused(a, b, c) => Operation::Fused(c, b, a),
        Operation::TimesU(a) => Operation::Sum(a, a),
        other => panic!("{other:?} is not on doubles"),
    }
}
