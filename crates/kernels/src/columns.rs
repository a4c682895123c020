//! Writes the kernels of `src/simd`: columns of a product and of its reduction, in pairs of doubles.
//!
//! Adds up the largest size that each sum can have, and refuses to write one that a double would not hold exactly.

use crate::limbs::{Limbs, Single};
use crate::program::{Factor, Operation, Program, Value};
use Factor::{X, Y};
use Operation::{Constant, Difference, First, Fused, Limb, Second, Sum as Add, TimesU};

/// What a kernel multiplies; lane by lane, but for `Quadratic`, whose lanes are c0 and c1 of c0 + c1·u, u² = −1.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// x·y
    Product,
    /// x·x
    Square,
    /// (x0·y0 − x1·y1, x0·y1 + x1·y0) = x0·y + x1·(u·y)
    Quadratic,
}

/// What a limb may be above 2^(width−1).
const EXCESS: i128 = 64;

/// The order of a kernel's columns, as measured on V8, which computes in the order that is written.
///
/// The quotient's digits are a chain, some 20 cycles from each to the next, through the lower half of the columns. What
/// else there is to compute should be at hand meanwhile, and yet not fill the registers.
struct Order {
    /// So many columns at a time: x's limb is loaded once for them.
    together: usize,
    /// Whether the products of the upper columns are taken among the lower ones, which wait for digits.
    early: bool,
}

/// Exactly Σ x·y over the products given so far: `high` is the multiples of 2^width on top of C, `low` the rest.
#[derive(Clone, Default)]
struct Sum {
    high: Option<Value>,
    low: Option<Value>,
    /// A low part that is known later than all others, added last.
    late: Option<Value>,
    /// The largest size of the sum of the products, and their number.
    bound: i128,
    terms: i128,
}

/// A column has a chain of products, which ends with those of the quotient; and another, where a lane has two products.
type Column = [Sum; 2];

struct Writer<'a> {
    limbs: &'a Limbs,
    kind: Kind,
    program: Program,
    /// C, and 2^−width.
    c: Value,
    s: Value,
    /// u·y, limb by limb.
    times_u: Vec<Value>,
    columns: Vec<Column>,
    /// Columns whose products are written, and how many quotient digits each has met.
    multiplied: Vec<bool>,
    met: Vec<usize>,
    /// Lines that have a number.
    names: usize,
    digits: Vec<Value>,
    totals: Vec<Value>,
    /// `high` parts of the column below, and what else it carries, with their largest size.
    highs: Vec<Value>,
    carry: Option<Value>,
    carried: i128,
}

/// A kernel as a program.
pub fn kernel(limbs: &Limbs, name: &'static str, kind: Kind) -> Program {
    // An M-step leaves at most half a share of p, and the ones before it next to nothing.
    assert!(limbs.short_step_share() < 0.001, "the last two digits must be the usual ones");
    let (what, field) = match kind {
        Kind::Product => ("x·y", ""),
        Kind::Square => ("x²", ""),
        Kind::Quadratic => ("x·y", ", in the extension by u"),
    };
    let what = format!("{what}/R modulo {}{field}.", limbs.prime);
    let order = match (kind, limbs.count) {
        (Kind::Quadratic, _) => Order { together: 3, early: false },
        (_, 8) => Order { together: 2, early: true },
        _ => Order { together: 1, early: false },
    };
    let mut program = Program::new(name, what, if kind == Kind::Square { 1 } else { 2 }, limbs.count);
    let n = limbs.count;
    let c = program.line("c".to_string(), Constant(limbs.single_at(Single::C)));
    let s = program.line("s".to_string(), Constant(limbs.single_at(Single::S)));
    let mut writer = Writer {
        limbs,
        kind,
        program,
        c,
        s,
        times_u: vec![],
        columns: vec![Column::default(); 2 * n],
        multiplied: vec![false; 2 * n],
        met: vec![0; 2 * n],
        names: 0,
        digits: vec![],
        totals: vec![],
        highs: vec![],
        carry: None,
        carried: 0,
    };
    writer.write(&order);
    writer.program
}

impl Writer<'_> {
    fn part(&mut self, operation: Operation) -> Value {
        self.program.part(operation)
    }

    /// A line, its name made unique by a number.
    fn line(&mut self, name: &str, operation: Operation) -> Value {
        self.names += 1;
        self.program.line(format!("{name}_{}", self.names), operation)
    }

    fn write(&mut self, order: &Order) {
        let n = self.limbs.count;
        if self.kind == Kind::Quadratic {
            for i in 0..n {
                let limb = self.part(Limb(Y, i));
                let value = self.line("u", TimesU(limb));
                self.times_u.push(value);
            }
        }
        let all: Vec<usize> = (0..2 * n).collect();
        for columns in all.chunks(order.together) {
            self.multiply_limbs(columns);
            self.meet_digits(columns);
            for k in columns {
                self.meet_digits(&[*k]);
                self.finish(*k);
                if order.early && *k < n {
                    self.multiply_limbs(&[*k + n]);
                }
            }
        }
        self.result();
    }

    /// h' = h + xy rounded to a multiple of 2^width, and l = xy − (h' − h), which is exact.
    fn multiply(&mut self, (k, chain): (usize, usize), x: Value, y: Value, bound: i128, late: bool) {
        let before = self.columns[k][chain].high.unwrap_or(self.c);
        let high = self.line("h", Fused(x, y, before));
        let rest = self.part(Difference(before, high));
        let product = Fused(x, y, rest);
        let low = match self.columns[k][chain].low {
            Some(low) if !late => {
                let product = self.part(product);
                self.line("l", Add(low, product))
            }
            _ => self.line("l", product),
        };
        let sum = &mut self.columns[k][chain];
        sum.high = Some(high);
        (sum.bound, sum.terms) = (sum.bound + bound, sum.terms + 1);
        // C ± this much keeps C's exponent, whose last place is 2^width.
        let width = self.limbs.width;
        assert!(sum.bound + (sum.terms << (width - 1)) < 1 << (width + 51), "a sum leaves C's binade");
        let slot = if late { &mut sum.late } else { &mut sum.low };
        assert!(!late || slot.is_none());
        *slot = Some(low);
    }

    /// The largest size of the product of limbs i and j. The top limb follows from the value, which is below p in
    /// units of B: one for rounding p, one for what the limbs below amount to.
    fn limb_product(&self, i: usize, j: usize) -> i128 {
        let size = |i: usize| {
            if i + 1 == self.limbs.count {
                i128::from(self.limbs.p[i]) + 2
            } else {
                (1 << (self.limbs.width - 1)) + EXCESS
            }
        };
        self.limbs.factors * size(i) * size(j)
    }

    /// The products of x and y in these columns, unless they are written already.
    fn multiply_limbs(&mut self, columns: &[usize]) {
        let n = self.limbs.count;
        let columns: Vec<usize> = columns.iter().rev().copied().filter(|k| !self.multiplied[*k]).collect();
        columns.iter().for_each(|k| self.multiplied[*k] = true);
        for i in 0..n {
            let places = columns.iter().filter_map(|k| Some((*k, k.checked_sub(i).filter(|j| *j < n)?)));
            let places: Vec<(usize, usize)> = places.collect();
            if places.is_empty() {
                continue;
            }
            match self.kind {
                Kind::Product => {
                    let x = self.part(Limb(X, i));
                    for (k, j) in places {
                        let y = self.part(Limb(Y, j));
                        self.multiply((k, 0), x, y, self.limb_product(i, j), false);
                    }
                }
                Kind::Square => self.squares(i, &places),
                Kind::Quadratic => {
                    let (x0, x1) = (self.part(First(X, i)), self.part(Second(X, i)));
                    for (k, j) in places {
                        let y = self.part(Limb(Y, j));
                        self.multiply((k, 0), x0, y, self.limb_product(i, j), false);
                        self.multiply((k, 1), x1, self.times_u[j], self.limb_product(i, j), false);
                    }
                }
            }
        }
    }

    /// x's limb i with those from it on, which it meets twice.
    fn squares(&mut self, i: usize, places: &[(usize, usize)]) {
        let places: Vec<(usize, usize)> = places.iter().copied().filter(|(_, j)| i <= *j).collect();
        if places.is_empty() {
            return;
        }
        let x = self.part(Limb(X, i));
        let twice = places.iter().any(|(_, j)| i < *j).then(|| self.line("d", Add(x, x)));
        for (k, j) in places {
            match twice.filter(|_| i < j) {
                None => self.multiply((k, 0), x, x, self.limb_product(i, i), false),
                Some(twice) => {
                    let other = self.part(Limb(X, j));
                    self.multiply((k, 0), twice, other, 2 * self.limb_product(i, j), false);
                }
            }
        }
    }

    /// Which digit the quotient digit i meets in column k: M's, one column up; p's for the last.
    fn modulus_digit(&self, k: usize, i: usize) -> Option<usize> {
        let n = self.limbs.count;
        if i < n - 1 {
            k.checked_sub(i + 1).filter(|j| *j < n)
        } else {
            k.checked_sub(i).filter(|j| 0 < *j && *j < n).map(|j| self.limbs.prime_at() + j)
        }
    }

    /// The products of the quotient's digits, as far as they are known, in these columns.
    fn meet_digits(&mut self, columns: &[usize]) {
        let n = self.limbs.count;
        for i in 0..self.digits.len() {
            for k in columns.iter().rev().copied() {
                if self.met[k] > i {
                    continue;
                }
                self.met[k] = i + 1;
                let Some(digit) = self.modulus_digit(k, i) else { continue };
                let size = if digit < n { self.limbs.m[digit] } else { self.limbs.p[digit - n] };
                let bound = i128::from(size.unsigned_abs()) << (self.limbs.width - 1);
                let constant = self.part(Constant(digit));
                // The digit of the column below is the last thing to be known.
                self.multiply((k, 0), self.digits[i], constant, bound, i + 1 == k && k < n);
            }
        }
    }

    /// t = the column's sum with what the one below carries; then its quotient digit, where it has one.
    fn finish(&mut self, k: usize) {
        let (n, width) = (self.limbs.count, self.limbs.width);
        let mut carried = None;
        for high in std::mem::take(&mut self.highs) {
            let high = self.part(Difference(high, self.c));
            carried = Some(self.plus(carried, high));
        }
        // Multiples of 2^width below 2^(width + 53).
        assert!(self.carried < 1 << (width + 53));
        if let Some(carry) = self.carry.take() {
            carried = Some(self.plus(carried, carry));
        }
        let sums = self.columns[k].clone();
        let terms: i128 = sums.iter().map(|sum| sum.terms).sum();
        let bound = (self.carried >> width) + 1 + (terms << (width - 1));
        assert!(bound < 1 << 53, "a column is not exact");
        let mut total = None;
        for low in sums.iter().filter_map(|sum| sum.low) {
            total = Some(self.plus(total, low));
        }
        if let Some(carried) = carried {
            total = Some(match total {
                None => self.part(Operation::Product(carried, self.s)),
                Some(total) => self.part(Fused(carried, self.s, total)),
            });
        }
        for late in sums.iter().filter_map(|sum| sum.late) {
            total = Some(self.plus(total, late));
        }
        let total = self.name(&format!("t{k}"), total.unwrap());
        self.totals.push(total);
        self.carried = 0;
        for sum in sums.into_iter().filter(|sum| sum.terms > 0) {
            self.carried += sum.bound + (sum.terms << (width - 1));
            self.highs.extend(sum.high);
        }
        // What rounding t to a multiple of 2^width leaves for the next column.
        self.carried += bound + (1 << (width - 1));
        if k + 1 < n {
            let rounded = self.rounded(k);
            let digit = self.program.line(format!("q{k}"), Difference(total, rounded));
            self.digits.push(digit);
            self.carry = Some(rounded);
        } else if k + 1 == n {
            self.last_digit(total);
        } else if k + 1 < 2 * n {
            // The result's limb: what is above goes on to the next limb, but in one pass for all of them.
            let excess = (bound >> width) + 1;
            assert!(excess <= EXCESS, "a limb of the result is too large");
            self.carried -= bound + (1 << (width - 1));
        }
    }

    /// The usual step for the last digit: q = t/(−p) modulo 2^width, and t + q·p₀ is a multiple of 2^width.
    fn last_digit(&mut self, total: Value) {
        let n = self.limbs.count;
        let rounded = self.part(Add(total, self.c));
        let rounded = self.part(Difference(rounded, self.c));
        let low = self.line("u", Difference(total, rounded));
        let inverse = self.part(Constant(self.limbs.single_at(Single::Inverse)));
        let high = self.line("h", Fused(low, inverse, self.c));
        let rest = self.part(Difference(self.c, high));
        let digit = self.program.line(format!("q{}", n - 1), Fused(low, inverse, rest));
        self.digits.push(digit);
        let p0 = self.part(Constant(self.limbs.prime_at()));
        let high = self.line("h", Fused(digit, p0, self.c));
        let rest = self.part(Difference(self.c, high));
        let cleared = self.part(Fused(digit, p0, rest));
        let cleared = self.part(Add(total, cleared));
        let high = self.part(Difference(high, self.c));
        self.carry = Some(self.program.line(format!("r{}", n - 1), Add(cleared, high)));
        self.carried += 1 << (2 * self.limbs.width - 2);
    }

    /// Limbs of at most 2^(width−1) + EXCESS: each column's own low part, and the high part of the one below.
    fn result(&mut self) {
        let n = self.limbs.count;
        let mut below = None;
        for k in n..2 * n {
            let (total, mut limb) = (self.totals[k], self.totals[k]);
            let rounded = (k + 1 < 2 * n).then(|| self.rounded(k));
            if let Some(rounded) = rounded {
                limb = self.part(Difference(total, rounded));
            }
            if let Some(below) = below {
                limb = self.part(Fused(below, self.s, limb));
            }
            self.program.result.push(limb);
            below = rounded;
        }
    }

    /// A column's total rounded to a multiple of 2^width.
    fn rounded(&mut self, k: usize) -> Value {
        let sum = self.part(Add(self.totals[k], self.c));
        self.program.line(format!("r{k}"), Difference(sum, self.c))
    }

    fn plus(&mut self, sum: Option<Value>, term: Value) -> Value {
        match sum {
            None => term,
            Some(sum) => self.part(Add(sum, term)),
        }
    }

    /// Gives a value a name, unless it has one.
    fn name(&mut self, name: &str, value: Value) -> Value {
        self.program.names[value.0].get_or_insert_with(|| name.to_string());
        value
    }
}
