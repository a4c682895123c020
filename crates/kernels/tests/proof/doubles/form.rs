//! Σ coefficient·symbol + constant, with integers as large as they come.

use num_bigint::BigInt;
use std::collections::BTreeMap;

/// A number that is not known, by its place among those of a proof.
pub type Symbol = usize;

/// A linear form over symbols.
#[derive(Clone, Debug, Default)]
pub struct Form {
    /// None of them is 0.
    pub terms: BTreeMap<Symbol, BigInt>,
    pub constant: BigInt,
}

impl Form {
    pub fn constant(constant: BigInt) -> Self {
        Self { terms: BTreeMap::new(), constant }
    }

    pub fn symbol(symbol: Symbol) -> Self {
        Self { terms: BTreeMap::from([(symbol, BigInt::from(1))]), constant: BigInt::ZERO }
    }

    /// self + factor·other.
    pub fn plus(mut self, factor: &BigInt, other: &Self) -> Self {
        for (symbol, coefficient) in &other.terms {
            self.add_term(*symbol, factor * coefficient);
        }
        self.constant += factor * &other.constant;
        self
    }

    pub fn times(&self, factor: &BigInt) -> Self {
        Self::default().plus(factor, self)
    }

    pub fn add_term(&mut self, symbol: Symbol, coefficient: BigInt) {
        let sum = self.terms.remove(&symbol).unwrap_or_default() + coefficient;
        if sum != BigInt::ZERO {
            self.terms.insert(symbol, sum);
        }
    }
}

/// |number|.
pub fn size(number: &BigInt) -> BigInt {
    BigInt::from(number.magnitude().clone())
}
