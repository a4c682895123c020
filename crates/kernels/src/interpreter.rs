//! A stack machine for the tests: what the code of a program computes, on pairs of doubles.

use crate::program::Program;
use crate::stack::{compile, Instruction};
use crate::SimdKernels;

/// Two doubles side by side.
pub type Pair = [f64; 2];

/// The result of a kernel's code, by its name; a square takes x alone.
///
/// # Panics
///
/// If there is no such kernel, or on a factor of too few limbs.
pub fn run(simd: &SimdKernels, name: &str, x: &[Pair], y: &[Pair]) -> Vec<Pair> {
    let kernel = simd.kernels.iter().find(|kernel| kernel.name == name).unwrap();
    execute(kernel, [x, y], &simd.limbs.constants())
}

/// The result of a program's code. Memory is the result, the factors and the constants, each by its pointer.
///
/// # Panics
///
/// On code that is no code, or a factor of too few limbs.
pub fn execute(program: &Program, factors: [&[Pair]; 2], constants: &[f64]) -> Vec<Pair> {
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

/// Lane by lane.
pub fn each(a: Pair, b: Pair, f: impl Fn(f64, f64) -> f64) -> Pair {
    [f(a[0], b[0]), f(a[1], b[1])]
}

/// a·b + c, rounded once.
pub fn fused(a: Pair, b: Pair, c: Pair) -> Pair {
    [a[0].mul_add(b[0], c[0]), a[1].mul_add(b[1], c[1])]
}
