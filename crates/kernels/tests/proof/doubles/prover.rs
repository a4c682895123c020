//! What a program on doubles computes, for all limbs that it takes at once.
//!
//! Each value is a linear form over symbols: limbs of the factors, products of two of them, and what roundings add. An operation
//! gives the form of its exact result if a double holds that, whatever the symbols are: it is below 2⁵³, or a multiple of a power
//! of two that makes up for it. If not, all that the result can be must lie between two powers of two, and it is
//! the exact form plus a new symbol, which makes it a multiple of the last place there, and is at most half of one in size.

use super::form::{size, Form, Symbol};
use crate::Failure;
use blobcheck_kernels::limbs::Limbs;
use blobcheck_kernels::program::{Factor, Operation, Program};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// Where a symbol comes from.
pub enum Origin {
    /// A limb of a factor, by its place.
    Limb(usize),
    /// A product of two limbs.
    Product,
    /// What makes a form a multiple of 2^bits.
    Rounding { of: Form, bits: u64 },
    /// A form, a multiple of 2^bits, divided by that.
    Quotient { of: Form, bits: u64 },
    /// The integer next to a form times a constant.
    Nearest { of: Form, factor: f64 },
}

/// What is known of a symbol.
struct Known {
    origin: Origin,
    /// The largest size.
    bound: BigInt,
}

/// A lane of a value: an integer, or a constant that is none.
#[derive(Clone)]
enum Lane {
    Whole(Form),
    Fraction(f64),
}

/// Numbers in limbs, of which each is at most `scale` times what a number of bound 1 has.
pub struct Sizes<'a> {
    pub limbs: &'a Limbs,
    /// What the bounds of two factors multiply to.
    pub product: i128,
    /// What the bound of one is at most.
    pub factor: i128,
}

impl Sizes<'_> {
    /// The largest limb of a number of bound 1.
    pub fn limb(&self, i: usize) -> BigInt {
        let Limbs { count, width, p, .. } = self.limbs;
        BigInt::from(if i + 1 == *count { i128::from(p[i]) + 2 } else { (1 << (width - 1)) + 64 })
    }
}

pub struct Prover<'a> {
    sizes: &'a Sizes<'a>,
    symbols: Vec<Known>,
    products: BTreeMap<(Symbol, Symbol), Symbol>,
    limbs: BTreeMap<(bool, usize, usize), Symbol>,
}

impl<'a> Prover<'a> {
    pub fn new(sizes: &'a Sizes<'a>) -> Self {
        let (symbols, products, limbs) = Default::default();
        Self { sizes, symbols, products, limbs }
    }

    /// The limbs of the result, in both lanes.
    pub fn run(&mut self, program: &Program) -> Result<Vec<[Form; 2]>, Failure> {
        let constants = self.sizes.limbs.constants();
        let mut values: Vec<[Lane; 2]> = vec![];
        for (place, operation) in program.operations.iter().enumerate() {
            let value = self.operation(*operation, &values, &constants);
            values.push(value.map_err(|failure| format!("operation {place}, {operation:?}: {failure}"))?);
        }
        let whole = |lane: &Lane| match lane {
            Lane::Whole(form) => Ok(form.clone()),
            Lane::Fraction(_) => Err("a limb of the result is no integer".to_string()),
        };
        let limb = |[a, b]: &[Lane; 2]| Ok([whole(a)?, whole(b)?]);
        program.result.iter().map(|value| limb(&values[value.place()])).collect()
    }

    fn operation(
        &mut self,
        operation: Operation,
        values: &[[Lane; 2]],
        constants: &[f64],
    ) -> Result<[Lane; 2], Failure> {
        let mut of_limb = |factor, lane, i| Lane::Whole(Form::symbol(self.limb(factor, lane, i)));
        Ok(match operation {
            Operation::Limb(factor, i) => [0, 1].map(|lane| of_limb(factor, lane, i)),
            Operation::First(factor, i) => [0, 0].map(|lane| of_limb(factor, lane, i)),
            Operation::Second(factor, i) => [1, 1].map(|lane| of_limb(factor, lane, i)),
            Operation::Constant(i) => [constants[i]; 2].map(|constant| match constant.fract() == 0.0 {
                true => Lane::Whole(Form::constant(BigInt::from(constant as i128))),
                false => Lane::Fraction(constant),
            }),
            Operation::TimesU(a) => match &values[a.place()] {
                [Lane::Whole(a), Lane::Whole(b)] => {
                    [Lane::Whole(b.times(&BigInt::from(-1))), Lane::Whole(a.clone())]
                }
                _ => return Err("u times a fraction".to_string()),
            },
            _ => {
                let operands = operation.operands();
                let lane = |lane: usize| {
                    operands.iter().map(|value| values[value.place()][lane].clone()).collect::<Vec<_>>()
                };
                [self.lane(operation, &lane(0))?, self.lane(operation, &lane(1))?]
            }
        })
    }

    /// One lane of an operation that rounds.
    fn lane(&mut self, operation: Operation, operands: &[Lane]) -> Result<Lane, Failure> {
        let one = BigInt::from(1);
        let exact = match (operation, operands) {
            (Operation::Sum(..), [Lane::Whole(a), Lane::Whole(b)]) => a.clone().plus(&one, b),
            (Operation::Difference(..), [Lane::Whole(a), Lane::Whole(b)]) => a.clone().plus(&-one, b),
            (Operation::Product(..), [a, b]) => self.product(a, b)?,
            (Operation::Fused(..), [Lane::Whole(a), Lane::Fraction(b), Lane::Whole(c)])
                if power_of_two(*b).is_none() =>
            {
                return self.nearest(a, *b, c).map(Lane::Whole);
            }
            (Operation::Fused(..), [a, b, Lane::Whole(c)]) => self.product(a, b)?.plus(&one, c),
            _ => return Err("not an operation on doubles".to_string()),
        };
        self.rounded(exact).map(Lane::Whole)
    }

    /// The exact product, by an integer or by 2^−bits.
    fn product(&mut self, a: &Lane, b: &Lane) -> Result<Form, Failure> {
        match (a, b) {
            (Lane::Whole(a), Lane::Whole(b)) => {
                let mut product = a.times(&b.constant);
                for (symbol, coefficient) in &b.terms {
                    product.add_term(*symbol, coefficient * &a.constant);
                    for (other, factor) in &a.terms {
                        let both = self.product_of_limbs(*symbol, *other)?;
                        product.add_term(both, coefficient * factor);
                    }
                }
                Ok(product)
            }
            (Lane::Whole(a), Lane::Fraction(b)) => {
                let bits = power_of_two(*b).ok_or("a fraction that is no power of two")?;
                if !self.is_multiple(a, bits) {
                    return Err(format!("not a multiple of 2^{bits}"));
                }
                let bound = (self.largest(a) >> bits) + 1;
                Ok(Form::symbol(self.new_symbol(Origin::Quotient { of: a.clone(), bits }, bound)))
            }
            _ => Err("a product of fractions".to_string()),
        }
    }

    fn product_of_limbs(&mut self, a: Symbol, b: Symbol) -> Result<Symbol, Failure> {
        let place = |symbol: Symbol| match self.symbols[symbol].origin {
            Origin::Limb(i) => Ok(i),
            _ => Err("a product of what are no limbs".to_string()),
        };
        let bound = self.sizes.limb(place(a)?) * self.sizes.limb(place(b)?) * self.sizes.product;
        let key = (a.min(b), a.max(b));
        if !self.products.contains_key(&key) {
            let symbol = self.new_symbol(Origin::Product, bound);
            self.products.insert(key, symbol);
        }
        Ok(self.products[&key])
    }

    /// A double's value of what is exactly this.
    fn rounded(&mut self, exact: Form) -> Result<Form, Failure> {
        let [least, most] = self.range(&exact);
        // A multiple of 2^bits below 2^(53 + bits) is a double.
        let bits = size(&least).max(size(&most)).bits().saturating_sub(53);
        if self.is_multiple(&exact, bits) {
            return Ok(exact);
        }
        if least <= BigInt::ZERO || least.bits() != most.bits() {
            return Err(format!("it is rounded, and between {least} and {most}"));
        }
        let bound = BigInt::from(1) << (bits - 1);
        let rounding = self.new_symbol(Origin::Rounding { of: exact.clone(), bits }, bound);
        Ok(exact.plus(&BigInt::from(1), &Form::symbol(rounding)))
    }

    /// c and the integer next to a·b, for a constant c whose last place is 1.
    fn nearest(&mut self, a: &Form, b: f64, c: &Form) -> Result<Form, Failure> {
        let bound = BigInt::from((f64_of(&self.largest(a)) * b.abs()).ceil() as i128 + 1);
        let integer = self.new_symbol(Origin::Nearest { of: a.clone(), factor: b }, bound);
        let sum = c.clone().plus(&BigInt::from(1), &Form::symbol(integer));
        let [least, most] = self.range(&sum);
        match least.bits() == 53 && most.bits() == 53 {
            true => Ok(sum),
            false => Err("it is not rounded to an integer".to_string()),
        }
    }

    /// Whether a form is a multiple of 2^bits for all symbols. What a rounding added is minus what it was added to, but for a multiple of its last
    /// place: the youngest symbols are taken out in this way, until what is left shows.
    fn is_multiple(&self, form: &Form, bits: u64) -> bool {
        let modulus = BigInt::from(1) << bits;
        let mut rest = form.clone();
        for symbol in (0..self.symbols.len()).rev() {
            let Some(coefficient) = rest.terms.get(&symbol) else { continue };
            let coefficient = coefficient % &modulus;
            rest.terms.remove(&symbol);
            if coefficient == BigInt::ZERO {
                continue;
            }
            match &self.symbols[symbol].origin {
                Origin::Rounding { of, bits: known } if *known >= bits => rest = rest.plus(&-coefficient, of),
                _ => return false,
            }
        }
        rest.constant % modulus == BigInt::ZERO
    }

    /// The least and the most that a form can be.
    fn range(&self, form: &Form) -> [BigInt; 2] {
        let spread: BigInt =
            form.terms.iter().map(|(symbol, factor)| size(factor) * &self.symbols[*symbol].bound).sum();
        [&form.constant - &spread, &form.constant + spread]
    }

    /// The largest size of a form.
    pub fn largest(&self, form: &Form) -> BigInt {
        let [least, most] = self.range(form);
        size(&least).max(size(&most))
    }

    /// The largest size of a symbol.
    pub fn bound(&self, symbol: Symbol) -> &BigInt {
        &self.symbols[symbol].bound
    }

    pub fn origin(&self, symbol: Symbol) -> &Origin {
        &self.symbols[symbol].origin
    }

    /// The product of two limbs of the factors, or what takes its place if there is none.
    pub fn product_of(&self, a: (Factor, usize, usize), b: (Factor, usize, usize)) -> Option<Symbol> {
        let limb = |(factor, lane, i)| self.limbs.get(&(factor == Factor::X, lane, i)).copied();
        let (a, b) = (limb(a)?, limb(b)?);
        self.products.get(&(a.min(b), a.max(b))).copied()
    }

    pub fn limb(&mut self, factor: Factor, lane: usize, i: usize) -> Symbol {
        let key = (factor == Factor::X, lane, i);
        if let Some(symbol) = self.limbs.get(&key) {
            return *symbol;
        }
        let bound = self.sizes.limb(i) * self.sizes.factor;
        let symbol = self.new_symbol(Origin::Limb(i), bound);
        self.limbs.insert(key, symbol);
        symbol
    }

    /// A form times 2^bits, over limbs, their products, roundings and the nearest integers alone.
    pub fn resolved(&self, form: &Form, bits: u64) -> Form {
        let mut rest = form.times(&(BigInt::from(1) << bits));
        for symbol in (0..self.symbols.len()).rev() {
            if let Origin::Quotient { of, bits } = &self.symbols[symbol].origin {
                let Some(coefficient) = rest.terms.remove(&symbol) else { continue };
                let factor = &coefficient >> *bits;
                assert_eq!(&factor << *bits, coefficient, "too few bits to divide by");
                rest = rest.plus(&factor, of);
            }
        }
        rest
    }

    fn new_symbol(&mut self, origin: Origin, bound: BigInt) -> Symbol {
        self.symbols.push(Known { origin, bound });
        self.symbols.len() - 1
    }
}

/// n, for 2^−n.
fn power_of_two(number: f64) -> Option<u64> {
    let exponent = 1023 - (number.to_bits() >> 52);
    (number == 2f64.powi(-(exponent as i32))).then_some(exponent)
}

fn f64_of(number: &BigInt) -> f64 {
    number.to_string().parse().unwrap()
}
