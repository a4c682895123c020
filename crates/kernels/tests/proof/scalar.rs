//! The kernels on words of 64 bits, from the text of their Rust (`blobcheck-curve`, src/baseline).
//!
//! For factors a and b, of which one is below the prime and the other below R/2, and for a square's below the prime:
//!
//! - `unpack` takes each limb's bits from their places;
//! - wherever bits are cut off, 64 bits hold the whole value;
//! - the digits of the result are put together without one upon another or beside the words;
//! - the result times R is a·b modulo the prime; and
//! - it is below twice the prime, which is what `reduce_rarely` takes; of factors below the prime it is below 1.11·p or 1.46·r.
//!
//! Taken for granted: that function, and Rust's wrapping operations.

use crate::bits::{Bit, Bits, Origins};
use crate::code::{parse, Code, Domain, Expression, Operator, Scope};
use crate::polynomial::Polynomial;
use crate::symbols::Symbols;
use crate::{integer, Draw, Failure};
use blobcheck_kernels::{P, R};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// What a kernel takes and gives.
#[derive(Clone)]
struct Claim {
    prime: BigInt,
    words: usize,
    /// Bits of a limb.
    width: usize,
    /// What the factors are below.
    below: Vec<BigInt>,
    /// What the result is below, in hundredths of the prime.
    hundredths: u32,
}

impl Claim {
    /// What a result is divided by: R = 2^bits.
    fn bits(&self) -> usize {
        64 * self.words
    }

    /// What the result is below.
    fn holds(&self, result: &BigInt) -> bool {
        100 * result < self.hundredths * &self.prime
    }
}

impl Domain for Symbols {
    type Value = Polynomial;

    fn number(&self, number: u64) -> Polynomial {
        Polynomial::constant(number)
    }

    fn operate(
        &mut self,
        operator: Operator,
        left: Polynomial,
        right: Polynomial,
    ) -> Result<Polynomial, Failure> {
        let places = || {
            let places = right.as_constant().and_then(|places| u64::try_from(places).ok());
            places.filter(|places| *places < 64).ok_or("so many places are none to shift by")
        };
        Ok(match operator {
            Operator::Plus => left.plus(&BigInt::from(1), &right),
            Operator::Minus => left.plus(&BigInt::from(-1), &right),
            Operator::Times => left.product(&right).ok_or("a product of three")?,
            Operator::Left => left.times(&(BigInt::from(1) << places()?)),
            Operator::Right => self.high(&left, places()?)?,
            Operator::And => {
                let mask = right.as_constant().ok_or("a mask that is no constant")?;
                let bits = mask.bits();
                if mask != (BigInt::from(1) << bits) - 1 {
                    return Err("a mask of others than the lowest bits".to_string());
                }
                self.low(&left, bits)
            }
            Operator::Or => return Err("bits are put together before the result".to_string()),
        })
    }
}

/// All that is claimed of a kernel.
fn prove(code: &Code, claim: &Claim) -> Result<(), Failure> {
    limbs_are_taken_from_their_places(code, claim)?;
    let mut symbols = Symbols::new();
    let limbs: Vec<Vec<Polynomial>> = code
        .factors
        .iter()
        .zip(&claim.below)
        .map(|(names, below)| {
            let top = names.len() - 1;
            let most = |i| match i == top {
                true => (below - 1) >> (claim.width * top),
                false => (BigInt::from(1) << claim.width) - 1,
            };
            (0..names.len()).map(|i| symbols.given([BigInt::ZERO, most(i)])).collect()
        })
        .collect();
    let scope = code.run(&mut symbols, limbs.clone())?;
    let value = result(code, &symbols, &scope)?;

    let number = |limbs: &Vec<Polynomial>| Polynomial::of_limbs(limbs, claim.width as u64);
    let (a, b) = (&limbs[0], &limbs[limbs.len() - 1]);
    let product = number(a).product(&number(b)).unwrap();
    let (value, scale) = symbols.resolved(&value)?;
    let rest = value.times(&(BigInt::from(1) << claim.bits())).plus(&(BigInt::from(-1) << scale), &product);
    if rest.terms.values().any(|coefficient| coefficient % &claim.prime != BigInt::ZERO) {
        return Err("the result is not the product modulo the prime".to_string());
    }
    // The result times R is the product and this rest, of which both are known to be no more than so much.
    let product: BigInt =
        [&claim.below[0], &claim.below[limbs.len() - 1]].map(|below| below - 1).iter().product();
    let [_, rest] = symbols.range(&rest);
    let largest: BigInt = ((product << scale) + rest) >> (scale + claim.bits() as u64);
    match claim.holds(&largest) {
        true => Ok(()),
        false => Err("the result is too large".to_string()),
    }
}

/// Limb i has the bits of a number from width·i on.
fn limbs_are_taken_from_their_places(code: &Code, claim: &Claim) -> Result<(), Failure> {
    let words = (0..claim.words).map(|word| Bits::of(word, 64)).collect();
    let limbs = code.limbs(&mut Origins, words)?;
    if limbs.len() * claim.width < claim.bits() || code.factors.iter().any(|names| names.len() != limbs.len())
    {
        return Err("too few limbs".to_string());
    }
    for (i, limb) in limbs.iter().enumerate() {
        let expected = Bits::word(|place| {
            let bit = claim.width * i + place;
            let taken = place < claim.width && bit < claim.bits();
            taken.then_some(Bit { source: bit / 64, place: bit % 64 })
        });
        if *limb != expected {
            return Err(format!("limb {i} has other bits"));
        }
    }
    Ok(())
}

/// The number that the words of the result are: each of the symbols in them has all of its bits there, one after the other.
fn result(code: &Code, symbols: &Symbols, scope: &Scope<Polynomial>) -> Result<Polynomial, Failure> {
    let bits = |value: &Polynomial| {
        let symbol = value.as_symbol()?;
        let most = symbols.most(symbol)?;
        (most.bits() <= 64).then(|| Bits::of(symbol, most.bits() as usize))
    };
    let scope = scope.iter().filter_map(|(name, value)| Some((name.clone(), bits(value)?))).collect();
    let words = code.words(&mut Origins, &scope)?;
    let mut places = BTreeMap::new();
    for (i, word) in words.iter().enumerate() {
        let Bits::Word(word) = word else { return Err("a constant for a word".to_string()) };
        for (place, bit) in word.iter().enumerate() {
            let Some(bit) = bit else { continue };
            if places.insert(*bit, 64 * i + place).is_some() {
                return Err("a bit that is there twice".to_string());
            }
        }
    }
    let (mut value, mut placed) = (Polynomial::default(), 0);
    for (bit, first) in places.iter().filter(|(bit, _)| bit.place == 0) {
        let count = symbols.most(bit.source).map_or(0, BigInt::bits) as usize;
        let in_line = |place| places.get(&Bit { place, ..*bit }) == Some(&(first + place));
        if !(0..count).all(in_line) {
            return Err("bits of a digit that are not in line".to_string());
        }
        placed += count;
        value = value.plus(&(BigInt::from(1) << *first), &Polynomial::symbol(bit.source));
    }
    match placed == places.len() {
        true => Ok(value),
        false => Err("a digit without its lowest bit".to_string()),
    }
}

/// Computes on numbers.
struct Machine;

impl Domain for Machine {
    type Value = u64;

    fn number(&self, number: u64) -> u64 {
        number
    }

    fn operate(&mut self, operator: Operator, left: u64, right: u64) -> Result<u64, Failure> {
        Ok(match operator {
            Operator::Plus => left.wrapping_add(right),
            Operator::Minus => left.wrapping_sub(right),
            Operator::Times => left.wrapping_mul(right),
            Operator::And => left & right,
            Operator::Or => left | right,
            Operator::Left => left.wrapping_shl(right as u32),
            Operator::Right => left.wrapping_shr(right as u32),
        })
    }
}

/// The words that are handed to `reduce_rarely`.
fn compute(code: &Code, factors: &[Vec<u64>]) -> Result<Vec<u64>, Failure> {
    let limbs = factors.iter().map(|words| code.limbs(&mut Machine, words.clone()));
    let scope = code.run(&mut Machine, limbs.collect::<Result<_, _>>()?)?;
    code.words(&mut Machine, &scope)
}

/// That a kernel which is proved computes what is claimed, of some numbers: drawn ones, and the largest.
fn check_numbers(code: &Code, claim: &Claim) {
    let mut draw = Draw(1);
    for round in 0..100 {
        let mut factor = |(i, below): (usize, &BigInt)| match round >> i & 1 {
            0 => draw.below(below),
            _ => below - 1 - draw.below(&BigInt::from(1 << (round / 4))),
        };
        let numbers: Vec<BigInt> = claim.below.iter().enumerate().map(&mut factor).collect();
        let words: Vec<Vec<u64>> = numbers
            .iter()
            .map(|number| number.iter_u64_digits().chain([0; 6]).take(claim.words).collect())
            .collect();
        let result = integer(&compute(code, &words).unwrap());
        let product = &numbers[0] * &numbers[numbers.len() - 1];
        assert!(claim.holds(&result), "{}", code.name);
        assert_eq!(((result << claim.bits()) - product) % &claim.prime, BigInt::ZERO, "{}", code.name);
    }
}

/// The kernels of both fields, and what is claimed of each. Factors below the prime come first.
fn kernels() -> Vec<(Code, Vec<Claim>)> {
    let fields =
        [(blobcheck_kernels::fq(), P.as_slice(), 30, 111), (blobcheck_kernels::fr(), R.as_slice(), 29, 146)];
    let mut all = vec![];
    for (text, prime, width, hundredths) in fields {
        let words = prime.len();
        let prime = integer(prime);
        let half = BigInt::from(1) << (64 * words - 1);
        for code in parse(&text) {
            let claim = |below: &[&BigInt], hundredths| {
                let below = below.iter().copied().cloned().collect();
                Claim { prime: prime.clone(), words, width, below, hundredths }
            };
            let claims = match code.name.as_str() {
                "mul" => vec![
                    claim(&[&prime, &prime], hundredths),
                    claim(&[&half, &prime], 200),
                    claim(&[&prime, &half], 200),
                ],
                "square" => vec![claim(&[&prime], hundredths)],
                name => panic!("nothing is claimed of {name}"),
            };
            all.push((code, claims));
        }
    }
    assert_eq!(all.len(), 4);
    all
}

#[test]
fn kernels_are_right_for_all_numbers() {
    for (code, claims) in kernels() {
        for claim in claims {
            check_numbers(&code, &claim);
            prove(&code, &claim)
                .unwrap_or_else(|failure| panic!("{} of {} words: {failure}", code.name, claim.words));
        }
    }
}

/// Two factors of any words can have a result that is not below twice the prime.
#[test]
fn larger_numbers_are_refused() {
    for (code, claims) in kernels() {
        for mut claim in claims {
            let any = BigInt::from(1) << claim.bits();
            claim.below.fill(any);
            assert!(prove(&code, &claim).is_err(), "{} of {} words", code.name, claim.words);
        }
    }
}

/// A bound of the result that is a hundredth of the prime smaller is not proved.
#[test]
fn smaller_results_are_refused() {
    for (code, claims) in kernels() {
        let mut claim = claims[0].clone();
        claim.hundredths -= 1;
        assert_eq!(prove(&code, &claim), Err("the result is too large".to_string()));
    }
}

/// Columns of which no bits are moved aside where the generator does so are not known to fit into 64 bits, though numbers do not show it.
#[test]
fn columns_that_overflow_are_refused() {
    let text = blobcheck_kernels::fq().replace("(h, v) = ((v >> 30), v & LOW)", "(h, v) = (v - v, v)");
    let (faulty, kernels) = (parse(&text), kernels());
    for (faulty, (code, claims)) in faulty.iter().zip(&kernels) {
        assert_eq!(faulty.name, code.name);
        check_numbers(faulty, &claims[0]);
        let failure = prove(faulty, &claims[0]).unwrap_err();
        assert!(failure.ends_with("more than 64 bits hold"), "{failure}");
    }
}

/// Nothing can be another thing near by, or a line be missing, and the kernel be proved all the same; each seventh fault is tried, if all names in it are known. Modulo r
/// there are faults that are none: −1/r modulo 2^29 is the same number as the mask of 29 bits, and the prime's lowest limb is 1, so that a product with it can be left out.
#[test]
fn faults_are_found() {
    for (code, claims) in kernels() {
        let zeros = vec![vec![0; claims[0].words]; code.factors.len()];
        let proved: Vec<Code> = faults(&code)
            .into_iter()
            .step_by(7)
            .map(|fault| with(fault, &code))
            .filter(|faulty| compute(faulty, &zeros).is_ok() && prove(faulty, &claims[0]).is_ok())
            .collect();
        let most = if claims[0].words == 4 { 8 } else { 0 };
        assert!(proved.len() <= most, "{} of {} words: {}", code.name, claims[0].words, proved.len());
        proved.iter().for_each(|faulty| check_numbers(faulty, &claims[0]));
    }
}

/// A change of a kernel.
enum Fault {
    /// The expression at a place, in the order in which they are visited, is another one.
    Replaced(usize, Expression),
    /// A line is missing.
    Missing(usize),
}

fn faults(code: &Code) -> Vec<Fault> {
    let (mut faults, mut place) = (vec![], 0);
    code.clone().visit(|expression| {
        faults.extend(others(expression).into_iter().map(|other| Fault::Replaced(place, other)));
        place += 1;
    });
    faults.extend((0..code.lines()).map(Fault::Missing));
    faults
}

fn with(fault: Fault, code: &Code) -> Code {
    let mut faulty = code.clone();
    match fault {
        Fault::Missing(line) => faulty.remove(line),
        Fault::Replaced(at, other) => {
            let mut place = 0;
            faulty.visit(|expression| {
                if place == at {
                    *expression = other.clone();
                }
                place += 1;
            });
        }
    }
    faulty
}

/// What is near by.
fn others(expression: &Expression) -> Vec<Expression> {
    match expression {
        Expression::Number(number) => {
            [number.wrapping_add(1), number.wrapping_sub(1)].map(Expression::Number).into()
        }
        Expression::Name(name) => neighbours(name).into_iter().map(Expression::Name).collect(),
        Expression::Binary(operator, operands) => {
            let [a, b] = &**operands;
            let operation = |operator, a: &Expression, b: &Expression| {
                Expression::Binary(operator, Box::new([a.clone(), b.clone()]))
            };
            let other = match operator {
                Operator::Plus => Operator::Minus,
                Operator::Minus | Operator::Times => Operator::Plus,
                Operator::And => Operator::Or,
                Operator::Or => Operator::And,
                Operator::Left => Operator::Right,
                Operator::Right => Operator::Left,
            };
            let mut others = vec![operation(other, a, b), a.clone(), b.clone()];
            if *operator == Operator::Minus {
                others.push(operation(*operator, b, a));
            }
            others
        }
    }
}

/// Names that a kernel has, too, if this is not the first or the last of its kind.
fn neighbours(name: &str) -> Vec<String> {
    let others: &[&str] = match name {
        "v" => &["c", "h"],
        "c" => &["v", "h"],
        "h" => &["v", "c"],
        "LOW" => &["LAST", "INVERSE"],
        "LAST" => &["LOW", "INVERSE"],
        "INVERSE" => &["LOW", "LAST"],
        _ => {
            let is_digit = |character: char| character.is_ascii_digit();
            let (start, end) = (name.find(is_digit).unwrap(), name.rfind(is_digit).unwrap() + 1);
            let number: usize = name[start..end].parse().unwrap();
            let other = |number: usize| format!("{}{number}{}", &name[..start], &name[end..]);
            return number.checked_sub(1).into_iter().chain([number + 1]).map(other).collect();
        }
    };
    others.iter().map(ToString::to_string).collect()
}
