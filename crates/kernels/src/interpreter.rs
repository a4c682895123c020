//! A stack machine for the tests: what the code of a program computes, on pairs of doubles or on integers.

use crate::program::{Integer, Program};
use crate::stack::{compile, Instruction};
use crate::SimdKernels;

/// Two doubles side by side.
pub type Pair = [f64; 2];

/// 16 bytes, as two words.
pub type Words = [u64; 2];

/// The result of a kernel's code, by its name; a square takes x alone.
///
/// # Panics
///
/// If there is no such kernel, or on a factor of too few limbs.
pub fn run(simd: &SimdKernels, name: &str, x: &[Pair], y: &[Pair]) -> Vec<Pair> {
    let kernel = simd.kernels.iter().find(|kernel| kernel.name == name).unwrap();
    execute(kernel, [x, y], &simd.limbs.constants())
}

/// The result of a program's code, on doubles.
pub fn execute(program: &Program, [x, y]: [&[Pair]; 2], constants: &[f64]) -> Vec<Pair> {
    let words = |pairs: &[Pair]| pairs.iter().map(|pair| pair.map(f64::to_bits)).collect::<Vec<Words>>();
    let constants: Vec<u64> = constants.iter().map(|constant| constant.to_bits()).collect();
    let result = execute_words(program, [&words(x), &words(y)], &constants);
    result.into_iter().map(|words| words.map(f64::from_bits)).collect()
}

/// The result of a program's code. Memory is the result, the factors and the constants, each by its pointer.
///
/// # Panics
///
/// On code that is no code, or a factor of too few limbs.
pub fn execute_words(program: &Program, factors: [&[Words]; 2], constants: &[u64]) -> Vec<Words> {
    #[derive(Clone, Copy)]
    enum Item {
        Pointer(usize),
        Constants,
        Vector(Words),
    }
    let code = compile(program);
    let mut locals = vec![[!0; 2]; code.locals as usize];
    let mut result = vec![None; program.result.len()];
    let mut stack: Vec<Item> = vec![];
    for instruction in &code.instructions {
        let mut pop = || stack.pop().unwrap();
        let vector = |item: Item| {
            if let Item::Vector(words) = item {
                words
            } else {
                panic!("a pointer is no vector")
            }
        };
        let pushed = match *instruction {
            Instruction::Pointer(parameter) => Some(Item::Pointer(parameter as usize)),
            Instruction::Constants => Some(Item::Constants),
            Instruction::Load(offset) => {
                assert_eq!(offset % 16, 0);
                let at = offset as usize / 16;
                Some(Item::Vector(match pop() {
                    Item::Constants => [constants[2 * at], constants[2 * at + 1]],
                    Item::Pointer(factor @ 1..=2) => factors[factor - 1][at],
                    _ => panic!("no pointer to load from"),
                }))
            }
            Instruction::LoadSplat(offset) => Some(Item::Vector(match pop() {
                Item::Constants => [constants[offset as usize / 8]; 2],
                Item::Pointer(factor @ 1..=2) => {
                    [factors[factor - 1][offset as usize / 16][offset as usize / 8 % 2]; 2]
                }
                _ => panic!("no pointer to load from"),
            })),
            Instruction::Store(offset) => {
                let limb = vector(pop());
                let Item::Pointer(0) = pop() else { panic!("not the result") };
                assert!(result[offset as usize / 16].replace(limb).is_none());
                None
            }
            Instruction::Get(slot) => Some(Item::Vector(locals[slot as usize])),
            Instruction::Set(slot) => {
                locals[slot as usize] = vector(pop());
                None
            }
            Instruction::Tee(slot) => {
                locals[slot as usize] = vector(pop());
                Some(Item::Vector(locals[slot as usize]))
            }
            Instruction::TimesU => {
                let [a, b] = vector(pop()).map(f64::from_bits);
                Some(Item::Vector([-b, a].map(f64::to_bits)))
            }
            Instruction::Add | Instruction::Subtract | Instruction::Multiply => {
                let (b, a) = (vector(pop()).map(f64::from_bits), vector(pop()).map(f64::from_bits));
                let result = each(a, b, |a, b| match instruction {
                    Instruction::Add => a + b,
                    Instruction::Subtract => a - b,
                    _ => a * b,
                });
                Some(Item::Vector(result.map(f64::to_bits)))
            }
            Instruction::MultiplyAdd => {
                let [c, b, a] = [(); 3].map(|()| vector(pop()).map(f64::from_bits));
                Some(Item::Vector(fused(a, b, c).map(f64::to_bits)))
            }
            Instruction::Integers(which) => {
                let (b, a) = (vector(pop()), vector(pop()));
                Some(Item::Vector(integers(which, a, b)))
            }
            Instruction::Shift(bits) => Some(Item::Vector(vector(pop()).map(|word| word >> bits))),
            Instruction::Shuffle(lanes) => {
                let (b, a) = (vector(pop()), vector(pop()));
                Some(Item::Vector(shuffled(a, b, lanes)))
            }
        };
        stack.extend(pushed);
    }
    assert!(stack.is_empty());
    result.into_iter().map(|limb| limb.unwrap()).collect()
}

/// Four lanes of 32 bits.
fn lanes([a, b]: Words) -> [i32; 4] {
    [a as i32, (a >> 32) as i32, b as i32, (b >> 32) as i32]
}

fn words([a, b, c, d]: [i32; 4]) -> Words {
    [(a, b), (c, d)].map(|(low, high)| u64::from(low as u32) | u64::from(high as u32) << 32)
}

/// An operation on integers.
pub fn integers(which: Integer, a: Words, b: Words) -> Words {
    let (x, y) = (lanes(a), lanes(b));
    let product = |i: usize| (i64::from(x[i]) * i64::from(y[i])) as u64;
    match which {
        Integer::Plus32 => words([0, 1, 2, 3].map(|i| x[i].wrapping_add(y[i]))),
        Integer::Minus32 => words([0, 1, 2, 3].map(|i| x[i].wrapping_sub(y[i]))),
        Integer::Plus64 => [0, 1].map(|i| a[i].wrapping_add(b[i])),
        Integer::Minus64 => [0, 1].map(|i| a[i].wrapping_sub(b[i])),
        Integer::And => [0, 1].map(|i| a[i] & b[i]),
        Integer::Low => [0, 1].map(product),
        Integer::High => [2, 3].map(product),
    }
}

/// Four of the eight lanes of a and b.
pub fn shuffled(a: Words, b: Words, places: [u8; 4]) -> Words {
    let all = [lanes(a), lanes(b)];
    words(places.map(|place| all[place as usize / 4][place as usize % 4]))
}

/// Lane by lane.
pub fn each(a: Pair, b: Pair, f: impl Fn(f64, f64) -> f64) -> Pair {
    [f(a[0], b[0]), f(a[1], b[1])]
}

/// a·b + c, rounded once.
pub fn fused(a: Pair, b: Pair, c: Pair) -> Pair {
    [a[0].mul_add(b[0], c[0]), a[1].mul_add(b[1], c[1])]
}
