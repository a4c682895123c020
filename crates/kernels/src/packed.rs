//! Writes the kernels of `src/packed`: two numbers at a time, in limbs of 28 bits, two limbs of both in a vector.
//!
//! Lanes of a vector are the limbs 2m of both numbers and their limbs 2m + 1, 32 bits each. The engine multiplies the first two
//! lanes or the last two of two vectors, to 64 bits. A product's columns are one program, Montgomery's reduction of such columns
//! another: what is added up before it is reduced has one reduction.
//!
//! Adds up the largest size that each column can have, and refuses to write one that 64 bits do not hold.

use crate::limbs::Limbs;
use crate::program::{Factor, Integer, Operation, Program, Value};
use std::collections::HashMap;
use Integer::{And, High, Low, Minus32, Minus64, Plus64};

/// What a limb of a factor may be above 2^(width−1), in units of the factor's bound.
const EXCESS: i128 = 64;

/// Added to each column, so that its upper bits can be taken without a sign.
const BIAS: i128 = 1 << 62;

/// Two vectors' lanes, the second one's two by two the other way round.
const SWAPPED: [u8; 4] = [2, 3, 0, 1];

/// The lower halves of the lanes of 64 bits of two vectors.
const LOWER: [u8; 4] = [0, 2, 4, 6];

/// The shape of numbers, and what the kernels load.
#[derive(Debug)]
pub struct Packed {
    /// The prime in limbs.
    pub limbs: Limbs,
    /// Vectors, as four lanes.
    pub constants: Vec<[i32; 4]>,
}

/// A program that is being written.
struct Writer<'p> {
    packed: &'p mut Packed,
    program: Program,
    names: usize,
    /// What is computed once and taken again, by what it is of.
    kept: HashMap<(char, usize, usize), Value>,
}

impl Writer<'_> {
    fn part(&mut self, operation: Operation) -> Value {
        self.program.part(operation)
    }

    /// A line, with a number for a name.
    fn line(&mut self, name: char, operation: Operation) -> Value {
        self.names += 1;
        self.program.line(format!("{name}{}", self.names), operation)
    }

    fn of(&mut self, which: Integer, a: Value, b: Value) -> Value {
        self.part(Operation::Integers(which, a, b))
    }

    fn limb(&mut self, factor: Factor, m: usize) -> Value {
        self.part(Operation::Limb(factor, m))
    }

    /// A value that is computed where it is first asked for.
    fn once(&mut self, key: (char, usize, usize), operation: impl FnOnce(&mut Self) -> Operation) -> Value {
        if let Some(value) = self.kept.get(&key) {
            return *value;
        }
        let operation = operation(self);
        let value = self.line(key.0, operation);
        self.kept.insert(key, value);
        value
    }

    /// A sum of 64 bits, each time with one more term.
    fn add(&mut self, sum: &mut Option<Value>, term: Value) {
        *sum = Some(match *sum {
            None => term,
            Some(before) => self.line('v', Operation::Integers(Plus64, before, term)),
        });
    }

    /// A factor's vector, its lanes two by two the other way round.
    fn swapped(&mut self, factor: Factor, m: usize) -> Value {
        let name = if factor == Factor::X { 'x' } else { 'y' };
        self.once((name, m, m), |writer| {
            let (a, b) = (writer.limb(factor, m), writer.limb(factor, m));
            Operation::Shuffled(a, b, SWAPPED)
        })
    }

    /// Vectors of the constants.
    fn constant(&mut self, lanes: [i64; 4]) -> Value {
        let lanes = lanes.map(|lane| lane as i32);
        let constants = &mut self.packed.constants;
        let place = constants.iter().position(|other| *other == lanes).unwrap_or_else(|| {
            constants.push(lanes);
            constants.len() - 1
        });
        self.part(Operation::Whole(place))
    }

    /// The same two digits for both numbers.
    fn digits(&mut self, a: i64, b: i64) -> Value {
        self.constant([a, a, b, b])
    }

    /// The same 64 bits in both lanes.
    fn words(&mut self, word: i128) -> Value {
        let (low, high) = (word as i32, (word >> 32) as i32);
        self.constant([low.into(), high.into(), low.into(), high.into()])
    }
}

/// The products of the lanes that hold limb `i` of a vector.
fn lanes(i: usize) -> Integer {
    if i.is_multiple_of(2) {
        Low
    } else {
        High
    }
}

/// The pairs i < j with i + j = k, both below `count`.
fn pairs(k: usize, count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).filter_map(move |i| Some((i, k.checked_sub(i)?))).filter(move |(i, j)| i < j && *j < count)
}

impl Packed {
    /// Numbers modulo p.
    pub fn new(limbs: Limbs) -> Self {
        assert!(limbs.count.is_multiple_of(2) && limbs.short_step_share() < 0.001);
        Self { limbs, constants: vec![] }
    }

    fn writer(&mut self, name: &'static str, what: String, factors: usize, vectors: usize) -> Writer<'_> {
        let program = Program::new(name, what, factors, vectors);
        Writer { packed: self, program, names: 0, kept: HashMap::new() }
    }

    /// The largest size of a column of a product, of factors whose bounds multiply to what they may; and of two such together.
    fn column(&self) -> i128 {
        let limb = (1 << (self.limbs.width - 1)) + EXCESS;
        2 * self.limbs.count as i128 * self.limbs.factors * limb * limb
    }

    /// The columns of x·y.
    ///
    /// xᵢ·yⱼ + xⱼ·yᵢ = xᵢ·yᵢ + xⱼ·yⱼ + (xᵢ − xⱼ)·(yⱼ − yᵢ): one product for two, and sums that the columns share.
    pub fn multiply(&mut self, name: &'static str) -> Program {
        use Factor::{X, Y};
        let n = self.limbs.count;
        // Differences of limbs within a bound of `factors` each fit into 32 bits.
        assert!(2 * self.limbs.factors * ((1 << (self.limbs.width - 1)) + EXCESS) < 1 << 31);
        let mut writer = self.writer(name, format!("The {} columns of x·y.", 2 * n - 1), 2, n / 2);
        writer.program.stores_at_once = true;
        let mut squares: Vec<Value> = vec![];
        for k in 0..2 * n - 1 {
            let mut sum = None;
            if k < n {
                let (x, y) = (writer.limb(X, k / 2), writer.limb(Y, k / 2));
                let mut square = writer.of(lanes(k), x, y);
                if let Some(before) = squares.last() {
                    square = writer.line('s', Operation::Integers(Plus64, *before, square));
                }
                squares.push(square);
            }
            for (i, j) in pairs(k, n) {
                let (m, l) = (i / 2, j / 2);
                let same = i % 2 == j % 2;
                let x = writer.once((if same { 'a' } else { 'c' }, m, l), |writer| {
                    let left = writer.limb(X, m);
                    let right = if same { writer.limb(X, l) } else { writer.swapped(X, l) };
                    Operation::Integers(Minus32, left, right)
                });
                let y = writer.once((if same { 'b' } else { 'd' }, m, l), |writer| {
                    let left = if same { writer.limb(Y, l) } else { writer.swapped(Y, l) };
                    let right = writer.limb(Y, m);
                    Operation::Integers(Minus32, left, right)
                });
                let product = writer.of(lanes(i), x, y);
                writer.add(&mut sum, product);
            }
            let own = if k < n { squares[k] } else { writer.of(Minus64, squares[n - 1], squares[k - n]) };
            writer.add(&mut sum, own);
            writer.program.result.extend(sum);
        }
        writer.program
    }

    /// Montgomery's reduction of columns: digits of the quotient are the columns' own low bits, but for the last.
    pub fn reduce_columns(&mut self, name: &'static str) -> Program {
        let (n, width) = (self.limbs.count, self.limbs.width);
        let (p, m, inverse) = (self.limbs.p.clone(), self.limbs.m.clone(), self.limbs.inverse);
        let mask = (1i64 << width) - 1;
        let half = 1i64 << (width - 1);
        // Digits are below 2^width, and meet one digit of M each, or the last one a digit of p.
        let digits: i128 = m.iter().map(|digit| i128::from(digit.unsigned_abs()) << width).sum();
        assert!(
            self.column() + digits + (1 << (2 * width - 2)) + (BIAS >> width) < BIAS,
            "a column overflows"
        );
        let what = format!("Columns of a product, or of two, divided by R modulo {}.", self.limbs.prime);
        let mut writer = self.writer(name, what, 1, 2 * n - 1);
        // What a column needs so that it keeps the bias; those of the result are rounded, besides.
        let bias = BIAS - (BIAS >> width);
        let rounding = bias + i128::from(half);
        let last = n - 1;
        let mut quotient = Quotient { digits: vec![], vectors: vec![], squares: vec![] };
        let (mut upper_squares, mut last_digit, mut carry, mut before) = (None, None, None, None);
        for k in 0..2 * n {
            let mut sum = (k < 2 * n - 1).then(|| writer.limb(Factor::X, k));
            if k == 0 {
                let bias = writer.words(BIAS);
                writer.add(&mut sum, bias);
            } else {
                // The digit qᵢ meets M's digit j in column i + j + 1.
                let at = k - 1;
                if at < last {
                    let (digit, own) = (quotient.vectors[at / 2], [m[at & !1], m[at | 1]]);
                    let constant = writer.digits(own[0], own[1]);
                    let square = writer.of(lanes(at), digit, constant);
                    let before = quotient.squares.last().copied().unwrap_or_else(|| writer.words(bias));
                    quotient.squares.push(writer.line('s', Operation::Integers(Plus64, before, square)));
                }
                if at == last {
                    let rounding = writer.words(rounding);
                    let all = quotient.squares[last - 1];
                    upper_squares = Some(writer.line('s', Operation::Integers(Plus64, all, rounding)));
                }
                if at >= 2 * last - 1 {
                    let rounding = writer.words(rounding);
                    writer.add(&mut sum, rounding);
                }
                if let Some(digit) = last_digit.filter(|_| k < 2 * n - 1) {
                    let constant = writer.digits(p[k - last], p[k - last]);
                    let product = writer.of(High, digit, constant);
                    writer.add(&mut sum, product);
                }
                // What meets the newest digit comes last.
                let met: Vec<(usize, usize)> = pairs(at, last).collect();
                if let Some(i) = at.checked_sub(last).filter(|i| *i < last) {
                    let constant = writer.digits(m[last], m[last]);
                    let product = writer.of(lanes(i), quotient.vectors[i / 2], constant);
                    writer.add(&mut sum, product);
                }
                for (i, j) in met.into_iter().rev() {
                    let product = quotient.meet(&mut writer, &m, i, j);
                    writer.add(&mut sum, product);
                }
                let own = match at.checked_sub(last) {
                    None => Some(quotient.squares[at]),
                    Some(below) if below + 1 < last => {
                        Some(writer.of(Minus64, upper_squares.unwrap(), quotient.squares[below]))
                    }
                    Some(_) => None,
                };
                for term in own.into_iter().chain(carry) {
                    writer.add(&mut sum, term);
                }
            }
            let mut total = sum.unwrap();
            let low = |writer: &mut Writer<'_>, value| {
                let mask = writer.words(mask.into());
                writer.line('l', Operation::Integers(And, value, mask))
            };
            if k < last {
                let digit = low(&mut writer, total);
                quotient.push(&mut writer, digit);
            } else if k == last {
                // The usual step: q = t·inverse, of the least size, and t + q·p₀ is a multiple of 2^width.
                let digit = low(&mut writer, total);
                let packed = writer.part(Operation::Shuffled(digit, digit, LOWER));
                let constant = writer.digits(inverse, inverse);
                let product = writer.of(Low, packed, constant);
                let rounding = writer.words(half.into());
                let product = writer.of(Plus64, product, rounding);
                let digit = low(&mut writer, product);
                let packed = writer.part(Operation::Shuffled(digit, digit, LOWER));
                let halves = writer.digits(half, half);
                let digit = writer.line('q', Operation::Integers(Minus32, packed, halves));
                last_digit = Some(digit);
                let constant = writer.digits(p[0], p[0]);
                let product = writer.of(High, digit, constant);
                total = writer.line('v', Operation::Integers(Plus64, total, product));
            } else {
                let limb = if k < 2 * n - 1 { low(&mut writer, total) } else { total };
                match before.take() {
                    None => before = Some(limb),
                    Some(before) => {
                        let both = writer.part(Operation::Shuffled(before, limb, LOWER));
                        let halves = writer.digits(half, half);
                        let both = writer.of(Minus32, both, halves);
                        writer.program.result.push(both);
                    }
                }
            }
            carry = (k < 2 * n - 1).then(|| writer.line('c', Operation::Shifted(total, width)));
        }
        writer.program
    }
}

/// The quotient's digits.
struct Quotient {
    /// In lanes of 64 bits.
    digits: Vec<Value>,
    /// Two by two, as limbs are. The last one has its first digit in all lanes as long as the second is not known.
    vectors: Vec<Value>,
    /// Σ qᵢ·Mᵢ up to each digit.
    squares: Vec<Value>,
}

impl Quotient {
    fn push(&mut self, writer: &mut Writer<'_>, digit: Value) {
        let at = self.digits.len();
        self.digits.push(digit);
        if at.is_multiple_of(2) {
            self.vectors.push(writer.line('q', Operation::Shuffled(digit, digit, LOWER)));
        } else {
            self.vectors[at / 2] = writer.line('q', Operation::Shuffled(self.digits[at - 1], digit, LOWER));
        }
    }

    /// (qᵢ − qⱼ)·(Mⱼ − Mᵢ).
    fn meet(&self, writer: &mut Writer<'_>, digits: &[i64], i: usize, j: usize) -> Value {
        let (m, l) = (i / 2, j / 2);
        let (same, complete) = (i % 2 == j % 2, self.digits.len() > 2 * l + 1);
        let [left, right] = [self.vectors[m], self.vectors[l]];
        let difference =
            writer.once((if same { 'a' } else { 'c' }, m, 2 * l + usize::from(complete)), |writer| {
                let right = if same || !complete {
                    right
                } else {
                    writer.once(('x', l, l), |_| Operation::Shuffled(right, right, SWAPPED))
                };
                Operation::Integers(Minus32, left, right)
            });
        let at = |i: usize| digits[i];
        let constant = if same {
            writer.digits(at(2 * l) - at(2 * m), at(2 * l + 1) - at(2 * m + 1))
        } else {
            writer.digits(at(2 * l + 1) - at(2 * m), at(2 * l) - at(2 * m + 1))
        };
        writer.of(lanes(i), difference, constant)
    }
}
