//! Σ coefficient·symbol·symbol + Σ coefficient·symbol + constant, with integers as large as they come.

use num_bigint::BigInt;
use std::collections::BTreeMap;

/// A number that is not known, by its place among those of a proof. An older one has a smaller place.
pub type Symbol = usize;

/// The number 1, which takes the place of a symbol where a product has fewer than two.
pub const ONE: Symbol = 0;

/// A product of two symbols, the younger one first.
pub type Monomial = [Symbol; 2];

/// A polynomial of degree 2 at most.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Polynomial {
    /// None of them is 0.
    pub terms: BTreeMap<Monomial, BigInt>,
}

impl Polynomial {
    pub fn constant(constant: impl Into<BigInt>) -> Self {
        let mut polynomial = Self::default();
        polynomial.add_term([ONE, ONE], constant.into());
        polynomial
    }

    pub fn symbol(symbol: Symbol) -> Self {
        Self { terms: BTreeMap::from([([symbol, ONE], BigInt::from(1))]) }
    }

    /// Σ limb·2^(width·i).
    pub fn of_limbs<'p>(limbs: impl IntoIterator<Item = &'p Self>, width: u64) -> Self {
        let weighted = limbs.into_iter().zip(0u64..);
        weighted.fold(Self::default(), |sum, (limb, i)| sum.plus(&(BigInt::from(1) << (width * i)), limb))
    }

    /// self + factor·other.
    pub fn plus(mut self, factor: &BigInt, other: &Self) -> Self {
        for (monomial, coefficient) in &other.terms {
            self.add_term(*monomial, factor * coefficient);
        }
        self
    }

    pub fn times(&self, factor: &BigInt) -> Self {
        Self::default().plus(factor, self)
    }

    /// self·other, unless its degree is above 2.
    pub fn product(&self, other: &Self) -> Option<Self> {
        let mut product = Self::default();
        for ([a, b], left) in &self.terms {
            for ([c, d], right) in &other.terms {
                let monomial = match (*b, *d) {
                    (ONE, ONE) => [*a.max(c), *a.min(c)],
                    _ if *c == ONE => [*a, *b],
                    _ if *a == ONE => [*c, *d],
                    _ => return None,
                };
                product.add_term(monomial, left * right);
            }
        }
        Some(product)
    }

    /// The same with coefficients from 0 to 2^bits − 1, each congruent to what it was.
    pub fn modulo(&self, bits: u64) -> Self {
        let mask = (BigInt::from(1) << bits) - 1;
        let mut rest = Self::default();
        for (monomial, coefficient) in &self.terms {
            rest.add_term(*monomial, coefficient & &mask);
        }
        rest
    }

    /// Its value, if it is the same for all symbols.
    pub fn as_constant(&self) -> Option<BigInt> {
        match self.terms.iter().next_back() {
            None => Some(BigInt::ZERO),
            Some(([ONE, ONE], constant)) => Some(constant.clone()),
            Some(_) => None,
        }
    }

    /// The symbol that it is.
    pub fn as_symbol(&self) -> Option<Symbol> {
        let ([symbol, ONE], coefficient) = self.terms.first_key_value()? else { return None };
        (self.terms.len() == 1 && *symbol != ONE && *coefficient == BigInt::from(1)).then_some(*symbol)
    }

    pub fn add_term(&mut self, monomial: Monomial, coefficient: BigInt) {
        if coefficient == BigInt::ZERO {
            return;
        }
        let sum = self.terms.entry(monomial).or_default();
        *sum += coefficient;
        if *sum == BigInt::ZERO {
            self.terms.remove(&monomial);
        }
    }
}
