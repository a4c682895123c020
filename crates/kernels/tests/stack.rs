//! The code of a program computes what the program says: both are run on pairs of doubles, with a fused multiplication.
#![allow(clippy::unwrap_used)] // tests

use blobcheck_kernels::program::{Factor, Operation, Program, Value};
use blobcheck_kernels::stack::{compile, Instruction};
use blobcheck_kernels::Lanes;

type Pair = [f64; 2];

fn each(a: Pair, b: Pair, f: impl Fn(f64, f64) -> f64) -> Pair {
    [f(a[0], b[0]), f(a[1], b[1])]
}

fn fused(a: Pair, b: Pair, c: Pair) -> Pair {
    [a[0].mul_add(b[0], c[0]), a[1].mul_add(b[1], c[1])]
}

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

/// A stack machine. Memory is the result, the factors and the constants, each by its pointer.
fn execute(program: &Program, factors: [&[Pair]; 2], constants: &[f64]) -> Vec<Pair> {
    #[derive(Clone, Copy)]
    enum Item {
        Pointer(usize),
        Constants,
        Pair(Pair),
    }
    let code = compile(program);
    let mut locals = vec![[f64::NAN; 2]; code.locals as usize];
    let mut result = vec![None; factors[0].len()];
    let mut stack: Vec<Item> = vec![];
    for instruction in &code.instructions {
        let mut pop = || stack.pop().unwrap();
        let pair =
            |item: Item| if let Item::Pair(pair) = item { pair } else { panic!("a pointer is no pair") };
        let pushed = match *instruction {
            Instruction::Pointer(parameter) => Some(Item::Pointer(parameter as usize)),
            Instruction::Constants => Some(Item::Constants),
            Instruction::Load(offset) => {
                let Item::Pointer(factor @ 1..=2) = pop() else { panic!("no factor") };
                assert_eq!(offset % 16, 0);
                Some(Item::Pair(factors[factor - 1][offset as usize / 16]))
            }
            Instruction::LoadSplat(offset) => Some(Item::Pair(match pop() {
                Item::Constants => [constants[offset as usize / 8]; 2],
                Item::Pointer(factor @ 1..=2) => {
                    [factors[factor - 1][offset as usize / 16][offset as usize / 8 % 2]; 2]
                }
                _ => panic!("no pointer to load from"),
            })),
            Instruction::Store(offset) => {
                let limb = pair(pop());
                let Item::Pointer(0) = pop() else { panic!("not the result") };
                assert!(result[offset as usize / 16].replace(limb).is_none());
                None
            }
            Instruction::Get(slot) => Some(Item::Pair(locals[slot as usize])),
            Instruction::Set(slot) => {
                locals[slot as usize] = pair(pop());
                None
            }
            Instruction::Tee(slot) => {
                locals[slot as usize] = pair(pop());
                Some(Item::Pair(locals[slot as usize]))
            }
            Instruction::TimesU => {
                let [a, b] = pair(pop());
                Some(Item::Pair([-b, a]))
            }
            Instruction::Add | Instruction::Subtract | Instruction::Multiply => {
                let (b, a) = (pair(pop()), pair(pop()));
                Some(Item::Pair(each(a, b, |a, b| match instruction {
                    Instruction::Add => a + b,
                    Instruction::Subtract => a - b,
                    _ => a * b,
                })))
            }
            Instruction::MultiplyAdd => {
                let (c, b, a) = (pair(pop()), pair(pop()), pair(pop()));
                Some(Item::Pair(fused(a, b, c)))
            }
        };
        stack.extend(pushed);
    }
    assert!(stack.is_empty());
    result.into_iter().map(|limb| limb.unwrap()).collect()
}

#[test]
fn code_is_the_program() {
    let mut state = 1u64;
    let mut random = |below: f64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0) * below
    };
    for lanes in [Lanes::fp(), Lanes::fr()] {
        let constants = lanes.limbs.constants();
        assert_eq!(constants.len(), 2 * lanes.limbs.count + 5);
        for kernel in &lanes.kernels {
            for round in 0..200 {
                // Limbs as small as they come, and as large.
                let size = 2f64.powi([1, 20, lanes.limbs.width as i32 - 1][round % 3]);
                let mut number =
                    || (0..lanes.limbs.count).map(|_| [random(size).trunc(), random(size).trunc()]).collect();
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
    for lanes in [Lanes::fp(), Lanes::fr()] {
        for kernel in &lanes.kernels {
            let code = compile(kernel);
            assert!(code.locals <= 44, "{} has {} locals", kernel.name, code.locals);
        }
    }
}
