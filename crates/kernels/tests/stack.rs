//! The code of a program computes what the program says: both are run on pairs of doubles, with a fused multiplication.
#![allow(clippy::unwrap_used)] // tests

use blobcheck_kernels::interpreter::{each, execute, fused, Pair};
use blobcheck_kernels::program::{Factor, Operation, Program, Value};
use blobcheck_kernels::stack::compile;
use blobcheck_kernels::SimdKernels;

/// Operation by operation.
fn run(program: &Program, factors: [&[Pair]; 2], constants: &[f64]) -> Vec<Pair> {
    let of = |factor: Factor| if factor == Factor::X { factors[0] } else { factors[1] };
    let mut values: Vec<Pair> = vec![];
    for operation in &program.operations {
        let at = |value: Value| values[value.place()];
        values.push(match *operation {
            Operation::Limb(factor, i) => of(factor)[i],
            Operation::First(factor, i) => [of(factor)[i][0]; 2],
            Operation::Second(factor, i) => [of(factor)[i][1]; 2],
            Operation::Constant(i) => [constants[i]; 2],
            Operation::TimesU(a) => [-at(a)[1], at(a)[0]],
            Operation::Sum(a, b) => each(at(a), at(b), |a, b| a + b),
            Operation::Difference(a, b) => each(at(a), at(b), |a, b| a - b),
            Operation::Product(a, b) => each(at(a), at(b), |a, b| a * b),
            Operation::Fused(a, b, c) => fused(at(a), at(b), at(c)),
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
    for simd in [SimdKernels::fp(), SimdKernels::fr()] {
        let constants = simd.limbs.constants();
        assert_eq!(constants.len(), 2 * simd.limbs.count + 5);
        for kernel in &simd.kernels {
            for round in 0..200 {
                // Limbs as small as they come, and as large.
                let size = 2f64.powi([1, 20, simd.limbs.width as i32 - 1][round % 3]);
                let mut number =
                    || (0..simd.limbs.count).map(|_| [random(size).trunc(), random(size).trunc()]).collect();
                let (x, y): (Vec<Pair>, Vec<Pair>) = (number(), number());
                let expected = run(kernel, [&x, &y], &constants);
                assert_eq!(execute(kernel, [&x, &y], &constants), expected, "{}", kernel.name);
            }
        }
    }
}

/// Registers are few: what is alive at once is what the engine has to find room for.
#[test]
fn few_locals() {
    for simd in [SimdKernels::fp(), SimdKernels::fr()] {
        for kernel in &simd.kernels {
            let code = compile(kernel);
            assert!(code.locals <= 44, "{} has {} locals", kernel.name, code.locals);
        }
    }
}
