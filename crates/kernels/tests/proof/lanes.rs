//! What operations on lanes compute, for all integers in them at once.

use crate::polynomial::Polynomial;
use crate::symbols::{Symbols, SIGNED_32};
use crate::Failure;
use blobcheck_kernels::program::{Factor, Integer, Operation, Program};
use num_bigint::BigInt;

/// A vector, its lanes up to multiples of 2^32 or 2^64.
#[derive(Clone)]
pub enum Vector {
    Halves([Polynomial; 4]),
    Words([Polynomial; 2]),
}

impl Vector {
    /// Four lanes of 32 bits. Of a lane of 64 bits only the lower half is known.
    pub fn halves(&self) -> [Option<&Polynomial>; 4] {
        match self {
            Self::Halves(lanes) => lanes.each_ref().map(Some),
            Self::Words([a, b]) => [Some(a), None, Some(b), None],
        }
    }

    /// Two lanes of 64 bits. Halves make up words only if they are constants.
    pub fn words(&self) -> Result<[Polynomial; 2], Failure> {
        let lanes = match self {
            Self::Words(lanes) => return Ok(lanes.clone()),
            Self::Halves(lanes) => lanes,
        };
        let word = |low: &Polynomial, high: &Polynomial| -> Result<_, Failure> {
            let both = low.as_constant().zip(high.as_constant());
            let (low, high) = both.ok_or("halves that are no constants, taken for words")?;
            Ok(Polynomial::constant((low & BigInt::from(u32::MAX)) + (high << 32)))
        };
        Ok([word(&lanes[0], &lanes[1])?, word(&lanes[2], &lanes[3])?])
    }
}

/// a + sign·b, lane by lane.
fn sums<const N: usize>(
    a: [Option<&Polynomial>; N],
    sign: i32,
    b: [Option<&Polynomial>; N],
) -> Result<[Polynomial; N], Failure> {
    if a.iter().chain(&b).any(Option::is_none) {
        return Err("a sum with the upper half of 64 bits".to_string());
    }
    let sum = |i: usize| a[i].cloned().unwrap().plus(&BigInt::from(sign), b[i].unwrap());
    Ok(std::array::from_fn(sum))
}

/// The vectors of a program's result.
pub fn run(
    program: &Program,
    factors: [&[Vector]; 2],
    constants: &[[i32; 4]],
    symbols: &mut Symbols,
) -> Result<Vec<Vector>, Failure> {
    let mut run = Run { symbols, constants, factors, values: vec![] };
    for (place, operation) in program.operations.iter().enumerate() {
        let value = run.operation(operation);
        run.values.push(value.map_err(|failure| format!("operation {place}, {operation:?}: {failure}"))?);
    }
    Ok(program.result.iter().map(|value| run.values[value.place()].clone()).collect())
}

struct Run<'a> {
    symbols: &'a mut Symbols,
    constants: &'a [[i32; 4]],
    /// The vectors of both factors.
    factors: [&'a [Vector]; 2],
    /// What the operations so far have given.
    values: Vec<Vector>,
}

impl Run<'_> {
    fn operation(&mut self, operation: &Operation) -> Result<Vector, Failure> {
        Ok(match *operation {
            Operation::Limb(factor, i) => self.factors[usize::from(factor == Factor::Y)][i].clone(),
            Operation::Whole(i) => Vector::Halves(self.constants[i].map(Polynomial::constant)),
            Operation::Integers(which, a, b) => {
                let (a, b) = (&self.values[a.place()], &self.values[b.place()]);
                match which {
                    Integer::Plus32 => Vector::Halves(sums(a.halves(), 1, b.halves())?),
                    Integer::Minus32 => Vector::Halves(sums(a.halves(), -1, b.halves())?),
                    Integer::Plus64 | Integer::Minus64 => {
                        let (a, b) = (a.words()?, b.words()?);
                        let sign = if which == Integer::Plus64 { 1 } else { -1 };
                        Vector::Words(sums(a.each_ref().map(Some), sign, b.each_ref().map(Some))?)
                    }
                    Integer::And => {
                        let (a, mask) = (a.words()?, b.words()?);
                        let bits = mask[0].as_constant().map_or(0, |mask| mask.bits());
                        let lowest = Polynomial::constant((BigInt::from(1) << bits) - 1);
                        if mask.iter().any(|mask| *mask != lowest) {
                            return Err("a mask of others than the lowest bits".to_string());
                        }
                        Vector::Words(a.map(|lane| self.symbols.low(&lane, bits)))
                    }
                    Integer::Low | Integer::High => {
                        let first = if which == Integer::Low { 0 } else { 2 };
                        let (a, b) = (a.halves(), b.halves());
                        let product = |i: usize| {
                            let exact = |half: Option<&Polynomial>| {
                                let half = half.ok_or("a product with the upper half of 64 bits")?;
                                self.symbols.exact(half, &SIGNED_32)
                            };
                            let product = exact(a[i])?.product(&exact(b[i])?);
                            product.ok_or_else(|| "a product of three".to_string())
                        };
                        Vector::Words([product(first)?, product(first + 1)?])
                    }
                }
            }
            Operation::Shifted(a, bits) => {
                let [a, b] = self.values[a.place()].words()?;
                let bits = u64::from(bits);
                Vector::Words([self.symbols.high(&a, bits)?, self.symbols.high(&b, bits)?])
            }
            Operation::Shuffled(a, b, places) => {
                let [a, b] = [a, b].map(|value| self.values[value.place()].halves());
                let lanes = places.map(|place| [a, b][usize::from(place) / 4][usize::from(place) % 4]);
                if lanes.iter().any(Option::is_none) {
                    return Err("the upper half of 64 bits is taken".to_string());
                }
                Vector::Halves(lanes.map(|lane| lane.unwrap().clone()))
            }
            _ => return Err("not an operation on integers".to_string()),
        })
    }
}
