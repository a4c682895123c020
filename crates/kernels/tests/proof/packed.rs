//! The kernels on integers in lanes, two numbers at a time (`blobcheck-curve`, src/packed).
//!
//! A number of bound B is below B·p in size, and its limbs but the top one are at most B·(2²⁷ + 64). For both numbers of a vector:
//!
//! - the columns of a product of factors of bounds A and B, AB ≤ 4, are what they are called, and those of two products together are below 2⁶¹ in size;
//! - such columns of one product or two are reduced to a number that times R is their value modulo the prime. It is below 0.51·p in size, its limbs are at
//!   most 2²⁷, and its top one is the prime's at most;
//! - wherever a lane is multiplied or shifted, it holds the whole value.
//!
//! Taken for granted: the engine's operations on lanes, as `program` describes them.

use crate::lanes::{run, Vector};
use crate::polynomial::Polynomial;
use crate::symbols::{Symbols, SIGNED_32};
use crate::{integer, Draw, Failure};
use blobcheck_kernels::interpreter::{execute_words, Words};
use blobcheck_kernels::limbs::Limbs;
use blobcheck_kernels::program::{Integer, Operation, Program};
use blobcheck_kernels::{PackedKernels, P};
use num_bigint::BigInt;

/// The bounds of factors that contain all others whose product is at most 4.
const BOUNDS: [[i64; 2]; 3] = [[1, 4], [2, 2], [4, 1]];

/// How many products are reduced together.
const PRODUCTS: i64 = 2;

/// The largest size of limb i of a number of some bound. The top one is what is left of the number without the others.
fn limb(limbs: &Limbs, bound: i64, i: usize) -> BigInt {
    let most = bound * ((BigInt::from(1) << (limbs.width - 1)) + 64);
    if i + 1 < limbs.count {
        return most;
    }
    let below: BigInt = (0..i).map(|i| &most << weight(limbs, i)).sum();
    (bound * integer(&P) + below) >> weight(limbs, i)
}

fn weight(limbs: &Limbs, i: usize) -> u64 {
    i as u64 * u64::from(limbs.width)
}

/// The pairs of limbs that meet in column k.
fn pairs(limbs: &Limbs, k: usize) -> impl Iterator<Item = [usize; 2]> {
    let count = limbs.count;
    (0..count).filter_map(move |i| Some([i, k.checked_sub(i).filter(|j| *j < count)?]))
}

/// The largest size of column k of a product.
fn column(limbs: &Limbs, [a, b]: [i64; 2], k: usize) -> BigInt {
    pairs(limbs, k).map(|[i, j]| limb(limbs, a, i) * limb(limbs, b, j)).sum()
}

/// A number of which only its size is known to be no more.
fn within(symbols: &mut Symbols, size: &BigInt) -> Polynomial {
    symbols.given([-size, size.clone()])
}

fn largest([least, most]: [BigInt; 2]) -> BigInt {
    most.max(-least)
}

/// That the result is the columns of a product of factors of such bounds.
fn prove_columns(kernels: &PackedKernels, multiply: &Program, bounds: [i64; 2]) -> Result<(), Failure> {
    let limbs = &kernels.packed.limbs;
    let mut symbols = Symbols::new();
    // By factor, number and limb.
    let numbers = bounds.map(|bound| {
        [(); 2].map(|()| -> Vec<Polynomial> {
            (0..limbs.count).map(|i| within(&mut symbols, &limb(limbs, bound, i))).collect()
        })
    });
    let vectors = numbers.each_ref().map(|[a, b]| -> Vec<Vector> {
        let vector = |(a, b): (&[Polynomial], &[Polynomial])| {
            Vector::Halves([&a[0], &b[0], &a[1], &b[1]].map(Polynomial::clone))
        };
        a.chunks(2).zip(b.chunks(2)).map(vector).collect()
    });
    let factors = vectors.each_ref().map(Vec::as_slice);
    let result = run(multiply, factors, &kernels.packed.constants, &mut symbols)?;
    if result.len() != 2 * limbs.count - 1 {
        return Err("so many columns has no product".to_string());
    }
    for (k, columns) in result.iter().enumerate() {
        for (number, found) in columns.words()?.iter().enumerate() {
            let products =
                pairs(limbs, k).map(|[i, j]| numbers[0][number][i].product(&numbers[1][number][j]).unwrap());
            let expected =
                products.fold(Polynomial::default(), |sum, product| sum.plus(&BigInt::from(1), &product));
            if found.modulo(64) != expected.modulo(64) {
                return Err(format!("column {k} is another"));
            }
            if PRODUCTS * column(limbs, bounds, k) >= BigInt::from(1) << 61 {
                return Err(format!("column {k} is too large"));
            }
        }
    }
    Ok(())
}

/// That the result is columns of products divided by R modulo the prime: so many products of which the factors' bounds multiply to 4.
fn prove_reduction(kernels: &PackedKernels, reduce: &Program, products: i64) -> Result<(), Failure> {
    let limbs = &kernels.packed.limbs;
    let prime = integer(&P);
    let mut symbols = Symbols::new();
    let columns: Vec<[Polynomial; 2]> = (0..2 * limbs.count - 1)
        .map(|k| {
            let most = BOUNDS.map(|bounds| products * column(limbs, bounds, k)).into_iter().max().unwrap();
            [(); 2].map(|()| within(&mut symbols, &most))
        })
        .collect();
    let vectors: Vec<Vector> = columns.iter().cloned().map(Vector::Words).collect();
    let result = run(reduce, [&vectors, &[]], &kernels.packed.constants, &mut symbols)?;
    if result.len() != limbs.count / 2 {
        return Err("so many limbs has no number".to_string());
    }
    // A factor's size is its bound times the prime at most.
    let most = 4 * products * &prime * &prime;
    for number in [0, 1] {
        let columns = columns.iter().map(|column| &column[number]);
        let value = Polynomial::of_limbs(columns, limbs.width.into());
        let halves = result.iter().flat_map(|vector| {
            let halves = vector.halves();
            [halves[number], halves[number + 2]]
        });
        let lanes: Option<Vec<Polynomial>> = halves.map(Option::<&Polynomial>::cloned).collect();
        let lanes = lanes.ok_or("the upper half of 64 bits for a limb")?;
        prove_number(limbs, &symbols, lanes, &value, &most)?;
    }
    Ok(())
}

/// That limbs are a value divided by R modulo the prime, and as small as is claimed, if the value is at most so large.
fn prove_number(
    limbs: &Limbs,
    symbols: &Symbols,
    mut lanes: Vec<Polynomial>,
    value: &Polynomial,
    most: &BigInt,
) -> Result<(), Failure> {
    let prime = integer(&P);
    let (top, mut below) = (limbs.count - 1, BigInt::ZERO);
    for (i, lane) in lanes[..top].iter_mut().enumerate() {
        *lane = symbols.exact(lane, &SIGNED_32)?;
        let size = largest(symbols.range(lane));
        if size > BigInt::from(1) << (limbs.width - 1) {
            return Err("a limb of the result is too large".to_string());
        }
        below += size << weight(limbs, i);
    }
    // The result times R, less the value; all of it times 2^scale.
    let (result, scale) = symbols.resolved(&Polynomial::of_limbs(&lanes, limbs.width.into()))?;
    let scaled_r = scale + weight(limbs, limbs.count);
    let rest = result
        .times(&(BigInt::from(1) << weight(limbs, limbs.count)))
        .plus(&(BigInt::from(-1) << scale), value);
    // The top limb is known but for multiples of 2^32. With the one that makes the result as small as can be it will turn out to be of 32 bits,
    // and so it is what the machine has.
    let turn = BigInt::from(1) << (scaled_r + weight(limbs, top) + 32);
    let [least, greatest] = symbols.range(&rest);
    let turns: BigInt = (least + greatest + &turn) / (2 * &turn);
    let rest = rest.plus(&-(turns * turn), &Polynomial::constant(1));
    if rest.terms.values().any(|coefficient| coefficient % &prime != BigInt::ZERO) {
        return Err("the result is not the value divided by R modulo the prime".to_string());
    }
    let size = (((most << scale) + largest(symbols.range(&rest))) >> scaled_r) + 1;
    if 100 * &size >= 51 * prime {
        return Err("the result is too large".to_string());
    }
    if (size + below) >> weight(limbs, top) > BigInt::from(limbs.p[top]) {
        return Err("the top limb of the result is too large".to_string());
    }
    Ok(())
}

/// Draws the limbs of a number of some bound: any, or the largest.
fn drawn(draw: &mut Draw, limbs: &Limbs, bound: i64, largest: bool) -> Vec<i64> {
    let mut limb = |i| {
        let most = limb(limbs, bound, i);
        let drawn = draw.below(&(2 * &most + 1)) - &most;
        let limb = match (largest, drawn < BigInt::ZERO) {
            (false, _) => drawn,
            (true, false) => most,
            (true, true) => -most,
        };
        i64::try_from(limb).unwrap()
    };
    (0..limbs.count).map(&mut limb).collect()
}

/// The columns of a product.
fn columns_of(limbs: &Limbs, x: &[i64], y: &[i64]) -> Vec<i64> {
    (0..2 * limbs.count - 1).map(|k| pairs(limbs, k).map(|[i, j]| x[i] * y[j]).sum()).collect()
}

/// The value of limbs or columns.
fn value(limbs: &Limbs, numbers: &[i64]) -> BigInt {
    numbers.iter().enumerate().map(|(i, number)| BigInt::from(*number) << weight(limbs, i)).sum()
}

/// Two numbers as the vectors of their limbs.
fn vectors([a, b]: &[Vec<i64>; 2]) -> Vec<Words> {
    let word = |low: i64, high: i64| u64::from(low as u32) | u64::from(high as u32) << 32;
    let pairs = a.chunks(2).zip(b.chunks(2));
    pairs.map(|(a, b)| [word(a[0], b[0]), word(a[1], b[1])]).collect()
}

/// That a program which is proved computes columns, of some numbers.
fn check_columns(kernels: &PackedKernels, multiply: &Program, [a, b]: [i64; 2]) {
    let limbs = &kernels.packed.limbs;
    let mut draw = Draw(1);
    for round in 0..40 {
        let x = [(); 2].map(|()| drawn(&mut draw, limbs, a, round % 2 == 1));
        let y = [(); 2].map(|()| drawn(&mut draw, limbs, b, round % 4 > 1));
        let result = execute_words(multiply, [&vectors(&x), &vectors(&y)], &kernels.constants());
        for number in [0, 1] {
            let found: Vec<i64> = result.iter().map(|column| column[number] as i64).collect();
            assert_eq!(found, columns_of(limbs, &x[number], &y[number]));
        }
    }
}

/// That a program which is proved reduces columns, of some numbers.
fn check_reduction(kernels: &PackedKernels, reduce: &Program) {
    let limbs = &kernels.packed.limbs;
    let prime = integer(&P);
    let mut draw = Draw(1);
    for round in 0..40 {
        let mut product = |i: usize| {
            let [a, b] = BOUNDS[(round + i) % 3];
            let x = drawn(&mut draw, limbs, a, round % 2 == 1);
            columns_of(limbs, &x, &drawn(&mut draw, limbs, b, round % 4 > 1))
        };
        let columns = [0, 1].map(|number| -> Vec<i64> {
            let (first, second) = (product(number), product(number + 1));
            first.iter().zip(second).map(|(first, second)| first + second).collect()
        });
        let words: Vec<Words> =
            columns[0].iter().zip(&columns[1]).map(|(a, b)| [*a as u64, *b as u64]).collect();
        let result = execute_words(reduce, [&words, &[]], &kernels.constants());
        for number in [0, 1] {
            let lane = |word: u64| i64::from((word >> (32 * number)) as i32);
            let found: Vec<i64> = result.iter().flat_map(|vector| vector.map(lane)).collect();
            let (found, expected) = (value(limbs, &found), value(limbs, &columns[number]));
            assert_eq!(((&found << weight(limbs, limbs.count)) - expected) % &prime, BigInt::ZERO);
            assert!(found.magnitude() * 100u32 < prime.magnitude() * 51u32);
        }
    }
}

#[test]
fn columns_are_right_for_all_numbers() {
    let kernels = PackedKernels::fp();
    for bounds in BOUNDS {
        check_columns(&kernels, &kernels.kernels[0], bounds);
        prove_columns(&kernels, &kernels.kernels[0], bounds).unwrap();
    }
}

#[test]
fn reduction_is_right_for_all_columns() {
    let kernels = PackedKernels::fp();
    check_reduction(&kernels, &kernels.kernels[1]);
    prove_reduction(&kernels, &kernels.kernels[1], 1).unwrap();
    prove_reduction(&kernels, &kernels.kernels[1], PRODUCTS).unwrap();
}

/// What is larger than a kernel takes is not proved.
#[test]
fn larger_numbers_are_refused() {
    let kernels = PackedKernels::fp();
    for bounds in [[3, 3], [1, 16], [16, 1]] {
        assert!(prove_columns(&kernels, &kernels.kernels[0], bounds).is_err());
    }
    assert!(prove_reduction(&kernels, &kernels.kernels[1], 4 * PRODUCTS).is_err());
}

/// Hardly an operation can be another one and the kernel be proved all the same; each seventh fault is tried. What is proved nevertheless is right on numbers, too:
/// lanes that nobody takes can hold anything, those that hold the same can take each other's place, and so can products of two differences
/// and of their opposites.
#[test]
fn faults_are_found() {
    let kernels = PackedKernels::fp();
    let [multiply, reduce] = kernels.kernels.as_slice() else { panic!("other kernels") };
    let mut proved = 0;
    for fault in faults(&kernels, multiply).into_iter().step_by(7) {
        let faulty = with(fault, multiply);
        if prove_columns(&kernels, &faulty, [2, 2]).is_ok() {
            check_columns(&kernels, &faulty, [2, 2]);
            proved += 1;
        }
    }
    for fault in faults(&kernels, reduce).into_iter().step_by(7) {
        let faulty = with(fault, reduce);
        if prove_reduction(&kernels, &faulty, PRODUCTS).is_ok() {
            check_reduction(&kernels, &faulty);
            proved += 1;
        }
    }
    assert!(proved <= 16, "{proved} faults");
}

/// Places, and operations that are others than those there.
fn faults(kernels: &PackedKernels, program: &Program) -> Vec<(usize, Operation)> {
    let mut faults = vec![];
    for (place, operation) in program.operations.iter().enumerate() {
        let others = others(kernels, *operation).into_iter().filter(|other| other != operation);
        faults.extend(others.map(|other| (place, other)));
    }
    faults
}

fn with((place, other): (usize, Operation), program: &Program) -> Program {
    let mut faulty = program.clone();
    faulty.operations[place] = other;
    faulty
}

/// What is near by.
fn others(kernels: &PackedKernels, operation: Operation) -> Vec<Operation> {
    use Integer::{And, High, Low, Minus32, Minus64, Plus32, Plus64};
    match operation {
        Operation::Limb(factor, i) => vec![Operation::Limb(factor, i.checked_sub(1).unwrap_or(1))],
        Operation::Whole(i) => vec![Operation::Whole((i + 1) % kernels.packed.constants.len())],
        Operation::Shifted(a, bits) => [bits - 1, bits + 1].map(|bits| Operation::Shifted(a, bits)).into(),
        Operation::Shuffled(a, b, places) => {
            let [first, second, third, fourth] = places;
            vec![Operation::Shuffled(a, b, [second, third, fourth, first]), Operation::Shuffled(b, a, places)]
        }
        Operation::Integers(which, a, b) => {
            let other = match which {
                Plus32 => Minus32,
                Minus32 => Plus32,
                Plus64 => Minus64,
                Minus64 => Plus64,
                And => Plus64,
                Low => High,
                High => Low,
            };
            let mut others = vec![(other, a, b), (which, a, a), (which, b, b)];
            if matches!(which, Minus32 | Minus64) {
                others.push((which, b, a));
            }
            others.into_iter().map(|(which, a, b)| Operation::Integers(which, a, b)).collect()
        }
        other => panic!("{other:?} is not on integers"),
    }
}
