//! The code of a program computes what the program says: both are run on pairs of doubles, with a fused multiplication, or on
//! integers.
#![allow(clippy::unwrap_used)] // tests

use blobcheck_kernels::interpreter::{each, execute_words, fused, integers, shuffled, Words};
use blobcheck_kernels::program::{Factor, Operation, Program, Value};
use blobcheck_kernels::stack::compile;
use blobcheck_kernels::{placed, Placed};

/// Operation by operation.
fn run(program: &Program, factors: [&[Words]; 2], constants: &[u64]) -> Vec<Words> {
    let of = |factor: Factor| if factor == Factor::X { factors[0] } else { factors[1] };
    let mut values: Vec<Words> = vec![];
    for operation in &program.operations {
        let at = |value: Value| values[value.place()];
        let double = |value: Value| at(value).map(f64::from_bits);
        let doubles = |pair: [f64; 2]| pair.map(f64::to_bits);
        values.push(match *operation {
            Operation::Limb(factor, i) => of(factor)[i],
            Operation::First(factor, i) => [of(factor)[i][0]; 2],
            Operation::Second(factor, i) => [of(factor)[i][1]; 2],
            Operation::Constant(i) => [constants[i]; 2],
            Operation::Whole(i) => [constants[2 * i], constants[2 * i + 1]],
            Operation::Integers(which, a, b) => integers(which, at(a), at(b)),
            Operation::Shifted(a, bits) => at(a).map(|word| word >> bits),
            Operation::Shuffled(a, b, lanes) => shuffled(at(a), at(b), lanes),
            Operation::TimesU(a) => doubles([-double(a)[1], double(a)[0]]),
            Operation::Sum(a, b) => doubles(each(double(a), double(b), |a, b| a + b)),
            Operation::Difference(a, b) => doubles(each(double(a), double(b), |a, b| a - b)),
            Operation::Product(a, b) => doubles(each(double(a), double(b), |a, b| a * b)),
            Operation::Fused(a, b, c) => doubles(fused(double(a), double(b), double(c))),
        });
    }
    program.result.iter().map(|limb| values[limb.place()]).collect()
}

#[test]
fn code_is_the_program() {
    let mut state = 1u64;
    let mut random = |below: f64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0) * below
    };
    for Placed { module, kernels, constants } in placed() {
        for kernel in &kernels {
            for round in 0..200 {
                // Limbs as small as they come, and as large.
                let mut number = || -> Vec<Words> {
                    let mut limb = || match module.contains("packed") {
                        true => random(9e18) as i64 as u64,
                        false => random(2f64.powi([1, 20, 43][round % 3])).trunc().to_bits(),
                    };
                    (0..27).map(|_| [limb(), limb()]).collect()
                };
                let (x, y) = (number(), number());
                let expected = run(kernel, [&x, &y], &constants);
                assert_eq!(execute_words(kernel, [&x, &y], &constants), expected, "{}", kernel.name);
            }
        }
    }
}

/// Registers are few: what is alive at once is what the engine has to find room for.
#[test]
fn few_locals() {
    for Placed { kernels, .. } in placed() {
        for kernel in &kernels {
            let code = compile(kernel);
            assert!(code.locals <= 44, "{} has {} locals", kernel.name, code.locals);
        }
    }
}
