//! What is known of the numbers that a machine's integers are made of, for all factors at once.
//!
//! A value is a polynomial over symbols that is congruent to the machine's integer modulo 2^32 or 2^64. Sums, differences and products may
//! wrap around: their polynomials are congruent all the same. A shift to the right needs more, namely a polynomial that *is* the integer.
//! One of those that are congruent is, if all that it can be lies where the machine's integers do ([`Symbols::exact`]).
//! The value is then split into v = low + 2^bits·high:
//!
//! - low is a symbol from 0 to 2^bits − 1, of which is known what it is congruent to;
//! - high is a symbol as large as follows, of which is known what it is.

use crate::polynomial::{Polynomial, Symbol, ONE};
use crate::Failure;
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// Where a symbol comes from.
enum Origin {
    /// It is given.
    Given,
    /// It is congruent to a polynomial modulo 2^bits.
    Low { of: Polynomial, bits: u64 },
    /// It is a polynomial divided by 2^bits, which leaves nothing.
    Quotient { of: Polynomial, bits: u64 },
}

struct Known {
    origin: Origin,
    /// The least and the most that it can be.
    range: [BigInt; 2],
}

/// Which integers a machine has: those from `least` to `least` + 2^bits − 1.
pub struct Integers {
    bits: u64,
    least: i64,
}

/// 64 bits without a sign.
pub const UNSIGNED_64: Integers = Integers { bits: 64, least: 0 };

/// 32 bits with a sign.
pub const SIGNED_32: Integers = Integers { bits: 32, least: i32::MIN as i64 };

/// The symbols of a proof.
pub struct Symbols {
    known: Vec<Known>,
    /// The symbols for the lowest bits of what was split, by what they are congruent to.
    lows: BTreeMap<(Polynomial, u64), Symbol>,
}

impl Symbols {
    pub fn new() -> Self {
        let one = Known { origin: Origin::Given, range: [1, 1].map(BigInt::from) };
        Self { known: vec![one], lows: BTreeMap::new() }
    }

    fn add(&mut self, origin: Origin, range: [BigInt; 2]) -> Symbol {
        self.known.push(Known { origin, range });
        self.known.len() - 1
    }

    /// A number of which only its range is known.
    pub fn given(&mut self, range: [BigInt; 2]) -> Polynomial {
        Polynomial::symbol(self.add(Origin::Given, range))
    }

    /// The largest that a symbol can be; `None` if it can be negative.
    pub fn most(&self, symbol: Symbol) -> Option<&BigInt> {
        let [least, most] = &self.known[symbol].range;
        (*least >= BigInt::ZERO).then_some(most)
    }

    /// Between which numbers a polynomial is.
    pub fn range(&self, of: &Polynomial) -> [BigInt; 2] {
        let (mut least, mut most) = (BigInt::ZERO, BigInt::ZERO);
        for ([first, second], coefficient) in &of.terms {
            let [a, b] = &self.known[*first].range;
            let [c, d] = &self.known[*second].range;
            // A product of two intervals has its extremes where both have theirs.
            let mut corners = [a * c, a * d, b * c, b * d].map(|corner| corner * coefficient);
            corners.sort();
            let [smallest, .., largest] = corners;
            least += smallest;
            most += largest;
        }
        [least, most]
    }

    /// The polynomial that is the machine's integer, and not only congruent to it.
    pub fn exact(&self, of: &Polynomial, integers: &Integers) -> Result<Polynomial, Failure> {
        let [least, most] = self.range(of);
        let turns: BigInt = (&least - integers.least) >> integers.bits;
        if (&most - integers.least) >> integers.bits != turns {
            return Err(format!("between {least} and {most}: more than {} bits hold", integers.bits));
        }
        Ok(of.clone().plus(&-(turns << integers.bits), &Polynomial::constant(1)))
    }

    /// The lowest bits of a value. It need not be exact for that.
    pub fn low(&mut self, of: &Polynomial, bits: u64) -> Polynomial {
        if self.is_multiple(of, bits) {
            return Polynomial::default();
        }
        let key = (of.modulo(bits), bits);
        if let Some(low) = self.lows.get(&key) {
            return Polynomial::symbol(*low);
        }
        let range = [BigInt::ZERO, (BigInt::from(1) << bits) - 1];
        let low = self.add(Origin::Low { of: key.0.clone(), bits }, range);
        self.lows.insert(key, low);
        Polynomial::symbol(low)
    }

    /// A 64-bit value without its lowest bits.
    pub fn high(&mut self, of: &Polynomial, bits: u64) -> Result<Polynomial, Failure> {
        let exact = self.exact(of, &UNSIGNED_64)?;
        let range = self.range(&exact).map(|end| end >> bits);
        let low = self.low(&exact, bits);
        let of = exact.plus(&BigInt::from(-1), &low);
        Ok(Polynomial::symbol(self.add(Origin::Quotient { of, bits }, range)))
    }

    /// Whether a polynomial is a multiple of 2^bits for all symbols. What is known to be congruent to a symbol takes its place, of the youngest one
    /// first, until what is left shows.
    fn is_multiple(&self, of: &Polynomial, bits: u64) -> bool {
        let mut rest = of.modulo(bits);
        while let Some(([symbol, other], coefficient)) = rest.terms.pop_last() {
            match &self.known[symbol].origin {
                Origin::Low { of, bits: known } if *known >= bits && other == ONE => {
                    rest = rest.plus(&coefficient, of).modulo(bits);
                }
                _ => return false,
            }
        }
        true
    }

    /// A polynomial times 2^scale, over what is given and lowest bits alone; and scale.
    pub fn resolved(&self, of: &Polynomial) -> Result<(Polynomial, u64), Failure> {
        let scale = self.known.iter().map(|known| match known.origin {
            Origin::Quotient { bits, .. } => bits,
            _ => 0,
        });
        // No way from a symbol to those that it is made of has more divisions than there are.
        let scale = scale.sum();
        let mut rest = of.times(&(BigInt::from(1) << scale));
        for (symbol, known) in self.known.iter().enumerate().rev() {
            let Origin::Quotient { of, bits } = &known.origin else { continue };
            if let Some(coefficient) = rest.terms.remove(&[symbol, ONE]) {
                let factor = &coefficient >> *bits;
                assert_eq!(&factor << *bits, coefficient, "too few bits to divide by");
                rest = rest.plus(&factor, of);
            }
            if rest.terms.keys().any(|monomial| monomial.contains(&symbol)) {
                return Err("a product of what is no limb".to_string());
            }
        }
        Ok((rest, scale))
    }
}

/// (2^32 − 1)² + 2·(2^32 − 1) = 2^64 − 1.
#[test]
fn what_64_bits_do_not_hold_is_refused() {
    let mut symbols = Symbols::new();
    let x = symbols.given([BigInt::ZERO, BigInt::from(u32::MAX)]);
    let largest = x.product(&x).unwrap().plus(&BigInt::from(2), &x);
    assert_eq!(symbols.exact(&largest, &UNSIGNED_64), Ok(largest.clone()));
    let larger = largest.plus(&BigInt::from(1), &Polynomial::constant(1));
    assert!(symbols.high(&larger, 1).is_err());
}

/// A number of 32 bits up to multiples of 2^32 is known if its range is.
#[test]
fn turns_are_taken_off() {
    let mut symbols = Symbols::new();
    let x = symbols.given([i32::MIN, i32::MAX].map(BigInt::from));
    let turned = x.clone().plus(&(BigInt::from(3) << 32), &Polynomial::constant(1));
    assert_eq!(symbols.exact(&turned, &SIGNED_32), Ok(x.clone()));
    assert!(symbols.exact(&x.times(&BigInt::from(2)), &SIGNED_32).is_err());
}

/// v·q' with q' = −1/3 modulo 16 is what clears the lowest bits of v + 3·q.
#[test]
fn a_digit_clears_the_lowest_bits() {
    let mut symbols = Symbols::new();
    let v = symbols.given([0, 1000].map(BigInt::from));
    let digit = symbols.low(&v.times(&BigInt::from(5)), 4);
    let cleared = v.clone().plus(&BigInt::from(3), &digit);
    assert_eq!(symbols.low(&cleared, 4), Polynomial::default());
    assert_ne!(symbols.low(&v.plus(&BigInt::from(2), &digit), 4), Polynomial::default());
}
