//! 64 bits by where they come from: which bit of what each of them is, for all values at once.

use crate::code::{Domain, Operator};
use crate::Failure;

/// A bit of a source, which is known by a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bit {
    pub source: usize,
    pub place: usize,
}

/// A value of 64 bits.
#[derive(Clone, PartialEq)]
pub enum Bits {
    Number(u64),
    /// The lowest first; `None` is 0.
    Word(Box<[Option<Bit>; 64]>),
}

impl Bits {
    /// The lowest bits of a source, so many, and zeros above.
    pub fn of(source: usize, count: usize) -> Self {
        Self::word(|place| (place < count).then_some(Bit { source, place }))
    }

    /// The bit for each place.
    pub fn word(bit: impl FnMut(usize) -> Option<Bit>) -> Self {
        Self::Word(Box::new(std::array::from_fn(bit)))
    }
}

/// The domain of such values.
pub struct Origins;

impl Domain for Origins {
    type Value = Bits;

    fn number(&self, number: u64) -> Bits {
        Bits::Number(number)
    }

    fn operate(&mut self, operator: Operator, left: Bits, right: Bits) -> Result<Bits, Failure> {
        let Bits::Word(word) = left else { return Err("an operation on a constant".to_string()) };
        let at = |place: Option<usize>| *word.get(place?)?;
        Ok(match (operator, right) {
            (Operator::Or, Bits::Word(other)) => {
                if word.iter().zip(&*other).any(|(a, b)| a.is_some() && b.is_some()) {
                    return Err("bits upon others".to_string());
                }
                Bits::word(|place| word[place].or(other[place]))
            }
            (Operator::And, Bits::Number(mask)) => {
                Bits::word(|place| word[place].filter(|_| mask >> place & 1 == 1))
            }
            (Operator::Left, Bits::Number(by @ 0..64)) => {
                Bits::word(|place| at(place.checked_sub(by as usize)))
            }
            (Operator::Right, Bits::Number(by @ 0..64)) => Bits::word(|place| at(Some(place + by as usize))),
            _ => return Err(format!("{operator:?} does not take bits to other places")),
        })
    }
}
