//! Writes the kernels of `src/lanes`: columns of a product and of its reduction, in pairs of doubles.
//!
//! The generator adds up the largest size that each sum can have, and refuses to write one that a double would
//! not hold exactly.

use super::limbs::Limbs;
use std::fmt::Write;

/// What a kernel multiplies; lane by lane, but for `Quadratic`, whose lanes are c0 and c1 of c0 + c1·u, u² = −1.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// x·y
    Product,
    /// x·x
    Square,
    /// (x0·y0 − x1·y1, x0·y1 + x1·y0)
    Quadratic,
}

/// What a limb may be above 2^(width−1).
pub const EXCESS: i128 = 64;

/// Exactly Σ x·y over the products given so far: `high` is the multiples of 2^width on top of C, `low` the rest.
struct Sum {
    high: String,
    low: Option<String>,
    /// A low part that is known later than all others, added last.
    late: Option<String>,
    /// The largest size of the sum of the products, and their number.
    bound: i128,
    terms: i128,
}

impl Sum {
    fn new() -> Self {
        Self { high: "c".to_string(), low: None, late: None, bound: 0, terms: 0 }
    }
}

struct Writer<'a> {
    limbs: &'a Limbs,
    out: String,
    /// Numbers for names.
    next: usize,
    /// `high` parts of the column below, and what else it carries, with their largest size.
    highs: Vec<String>,
    carry: Option<String>,
    carried: i128,
}

/// A kernel as Rust source.
pub fn kernel(limbs: &Limbs, name: &str, kind: Kind) -> String {
    let mut writer = Writer { limbs, out: String::new(), next: 0, highs: vec![], carry: None, carried: 0 };
    writer.write(name, kind);
    writer.out
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        writeln!(self.out, "    {text}").unwrap();
    }

    fn write(&mut self, name: &str, kind: Kind) {
        let n = self.limbs.count;
        let (what, parameters) = match kind {
            Kind::Product | Kind::Quadratic => ("x·y", format!("x: &[F64x2; {n}], y: &[F64x2; {n}]")),
            Kind::Square => ("x²", format!("x: &[F64x2; {n}]")),
        };
        let field = if kind == Kind::Quadratic { ", in the extension by u" } else { "" };
        writeln!(self.out, "/// {what}/R modulo {}{field}.", self.limbs.prime).unwrap();
        writeln!(self.out, "#[inline(never)]\npub(super) fn {name}({parameters}) -> [F64x2; {n}] {{")
            .unwrap();
        self.line("let k = black_box(&CONSTANTS);");
        self.line(&format!("let (c, s) = (F64x2::splat(k[{}]), F64x2::splat(k[{}]));", 2 * n + 1, 2 * n + 2));
        if kind == Kind::Quadratic {
            // x0 and x1 in both lanes, and u·y.
            let part =
                |what: &str| (0..n).map(|i| what.replace('#', &i.to_string())).collect::<Vec<_>>().join(", ");
            let parts = ["x[#].first()", "x[#].second()", "y[#].times_u()"].map(part).join(", ");
            self.line(&format!("let x = &[{parts}];"));
            self.line("let x = black_box(x);");
        }
        for k in (0..2 * n).step_by(2) {
            self.line(&format!("// columns {k} and {}", k + 1));
            let mut products = [Sum::new(), Sum::new()];
            let mut others = [Sum::new(), Sum::new()];
            // A fresh look at operands: the engine has 16 registers, and does better to load than to keep, and to spill.
            // At which of them, was measured.
            match kind {
                Kind::Product => {
                    self.line("let x = black_box(x);");
                    self.line("let y = black_box(y);");
                    self.products(k, &mut products, (0, "y", 0));
                }
                Kind::Quadratic => {
                    self.products(k, &mut products, (0, "y", 0));
                    self.products(k, &mut others, (n, "x", 2 * n));
                }
                Kind::Square => {
                    self.line("let x = black_box(x);");
                    self.line("let k = black_box(k);");
                    self.squares(k, &mut products);
                }
            }
            let mut quotients = [Sum::new(), Sum::new()];
            for i in 0..n.min(k) {
                for (half, sum) in quotients.iter_mut().enumerate().rev() {
                    if let Some(digit) = self.modulus_digit(k + half, i) {
                        let late = half == 0 && i + 1 == k;
                        self.quotient(sum, i, digit, late);
                    }
                }
            }
            let [product, next_product] = products;
            let [other, next_other] = others;
            let [quotient, mut next_quotient] = quotients;
            self.finish(k, [product, other, quotient]);
            if let Some(digit) = self.modulus_digit(k + 1, k).filter(|_| k < n) {
                self.quotient(&mut next_quotient, k, digit, true);
            }
            self.finish(k + 1, [next_product, next_other, next_quotient]);
        }
        self.result();
        writeln!(self.out, "}}").unwrap();
    }

    /// h' = h + xy rounded to a multiple of 2^width, and l = xy − (h' − h), which is exact.
    fn multiply(&mut self, sum: &mut Sum, x: &str, y: &str, bound: i128, late: bool) {
        let (u, high) = (self.next, sum.high.clone());
        self.next += 1;
        self.line(&format!("let h{u} = {x}.mul_add({y}, {high});"));
        self.line(&format!("let l{u} = {x}.mul_add({y}, {high} - h{u});"));
        sum.high = format!("h{u}");
        (sum.bound, sum.terms) = (sum.bound + bound, sum.terms + 1);
        // C ± this much keeps C's exponent, whose last place is 2^width.
        let width = self.limbs.width;
        assert!(sum.bound + (sum.terms << (width - 1)) < 1 << (width + 51), "a sum leaves C's binade");
        if late {
            assert!(sum.late.is_none());
            sum.late = Some(format!("l{u}"));
            return;
        }
        let low = match sum.low.take() {
            None => format!("l{u}"),
            Some(low) => {
                self.line(&format!("let l{u} = {low} + l{u};"));
                format!("l{u}")
            }
        };
        sum.low = Some(low);
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

    /// Columns k and k + 1 of a product: of x's limbs from `first` on, and of another's from a place on.
    fn products(&mut self, k: usize, sums: &mut [Sum; 2], (first, other, place): (usize, &str, usize)) {
        let n = self.limbs.count;
        for i in 0..n {
            for half in [1, 0] {
                if let Some(j) = (k + half).checked_sub(i).filter(|j| *j < n) {
                    let bound = self.limb_product(i, j);
                    let (x, y) = (format!("x[{}]", first + i), format!("{other}[{}]", place + j));
                    self.multiply(&mut sums[half], &x, &y, bound, false);
                }
            }
        }
    }

    fn squares(&mut self, k: usize, sums: &mut [Sum; 2]) {
        let n = self.limbs.count;
        for i in 0..n {
            let others = [0, 1].map(|half| (k + half).checked_sub(i).filter(|j| i <= *j && *j < n));
            if others.iter().flatten().any(|j| *j > i) {
                self.line(&format!("let d = x[{i}] + x[{i}];"));
            }
            for half in [1, 0] {
                match others[half] {
                    None => {}
                    Some(j) if j == i => {
                        let (x, bound) = (format!("x[{i}]"), self.limb_product(i, i));
                        self.multiply(&mut sums[half], &x, &x, bound, false);
                    }
                    Some(j) => {
                        let bound = 2 * self.limb_product(i, j);
                        self.multiply(&mut sums[half], "d", &format!("x[{j}]"), bound, false);
                    }
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
            k.checked_sub(i).filter(|j| 0 < *j && *j < n).map(|j| n + j)
        }
    }

    fn quotient(&mut self, sum: &mut Sum, i: usize, digit: usize, late: bool) {
        let n = self.limbs.count;
        let size = if digit < n { self.limbs.m[digit] } else { self.limbs.p[digit - n] };
        let bound = i128::from(size.unsigned_abs()) << (self.limbs.width - 1);
        self.multiply(sum, &format!("q{i}"), &format!("F64x2::splat(k[{digit}])"), bound, late);
    }

    /// t = the column's sum with what the one below carries; then its quotient digit, where it has one.
    fn finish(&mut self, k: usize, sums: [Sum; 3]) {
        let (n, width) = (self.limbs.count, self.limbs.width);
        let mut carried = None;
        for high in std::mem::take(&mut self.highs) {
            carried = Some(plus(carried, format!("({high} - c)")));
        }
        // Multiples of 2^width below 2^(width + 53).
        assert!(self.carried < 1 << (width + 53));
        if let Some(carry) = self.carry.take() {
            carried = Some(plus(carried, carry));
        }
        let terms: i128 = sums.iter().map(|sum| sum.terms).sum();
        let bound = (self.carried >> width) + 1 + (terms << (width - 1));
        assert!(bound < 1 << 53, "a column is not exact");
        let lows = sums.iter().filter_map(|sum| sum.low.clone());
        let mut total = lows.fold(None, |total, low| Some(plus(total, low)));
        if let Some(carried) = carried {
            total = Some(match total {
                None => format!("({carried}) * s"),
                Some(total) => format!("({carried}).mul_add(s, {total})"),
            });
        }
        for late in sums.iter().filter_map(|sum| sum.late.clone()) {
            total = Some(plus(total, late));
        }
        let total = total.unwrap_or_default();
        self.line(&format!("let t{k} = {total};"));
        self.carried = 0;
        for sum in sums.into_iter().filter(|sum| sum.terms > 0) {
            self.carried += sum.bound + (sum.terms << (width - 1));
            self.highs.push(sum.high);
        }
        // What rounding t to a multiple of 2^width leaves for the next column.
        self.carried += bound + (1 << (width - 1));
        if k + 1 < n {
            self.line(&format!("let r{k} = (t{k} + c) - c;"));
            self.line(&format!("let q{k} = t{k} - r{k};"));
            self.carry = Some(format!("r{k}"));
        } else if k + 1 == n {
            self.last_digit(k);
        } else if k + 1 < 2 * n {
            // The result's limb: what is above goes on to the next limb, but in one pass for all of them.
            let excess = (bound >> width) + 1;
            assert!(excess <= EXCESS, "a limb of the result is too large");
            self.carried -= bound + (1 << (width - 1));
        }
    }

    /// The usual step for the last digit: q = t/(−p) modulo 2^width, and t + q·p₀ is a multiple of 2^width.
    fn last_digit(&mut self, k: usize) {
        let n = self.limbs.count;
        self.line(&format!("let u = t{k} - ((t{k} + c) - c);"));
        self.line(&format!("let inverse = F64x2::splat(k[{}]);", 2 * n));
        self.line("let h = u.mul_add(inverse, c);");
        self.line(&format!("let q{k} = u.mul_add(inverse, c - h);"));
        self.line(&format!("let p0 = F64x2::splat(k[{n}]);"));
        self.line(&format!("let h = q{k}.mul_add(p0, c);"));
        self.line(&format!("let l = q{k}.mul_add(p0, c - h);"));
        self.line(&format!("let r{k} = (t{k} + l) + (h - c);"));
        self.carry = Some(format!("r{k}"));
        self.carried += 1 << (2 * self.limbs.width - 2);
    }

    /// Limbs of at most 2^(width−1) + EXCESS: each column's own low part, and the high part of the one below.
    fn result(&mut self) {
        let n = self.limbs.count;
        for k in n..2 * n - 1 {
            self.line(&format!("let r{k} = (t{k} + c) - c;"));
        }
        let limbs: Vec<String> = (n..2 * n)
            .map(|k| {
                let low = if k + 1 == 2 * n { format!("t{k}") } else { format!("t{k} - r{k}") };
                if k == n {
                    format!("    {low},")
                } else {
                    format!("    r{}.mul_add(s, {low}),", k - 1)
                }
            })
            .collect();
        self.line("[");
        limbs.iter().for_each(|limb| self.line(limb));
        self.line("]");
    }
}

fn plus(sum: Option<String>, term: String) -> String {
    sum.map_or(term.clone(), |sum| format!("{sum} + {term}"))
}

/// A file of kernels, with the constants that they load.
pub fn file(limbs: &Limbs, kernels: &[(&str, Kind)]) -> String {
    // An M-step leaves at most half a share of p, and the ones before it next to nothing.
    assert!(limbs.short_step_share() < 0.001, "the last two digits must be the usual ones");
    let mut out = String::from(
        "//! Generated by `tests/generator`; not to be edited. `mod.rs` explains it.\n\n\
         use super::vector::F64x2;\nuse core::hint::black_box;\n\n",
    );
    let n = limbs.count;
    writeln!(out, "/// Limbs of a number.\npub(super) const LIMBS: usize = {n};").unwrap();
    writeln!(out, "/// Bits of a limb.\npub(super) const WIDTH: u32 = {};", limbs.width).unwrap();
    let constant = |out: &mut String, what: &str, name: &str, digits: &[i64]| {
        writeln!(out, "/// {what}\npub(super) const {name}: [f64; {}] = [", digits.len()).unwrap();
        digits.iter().for_each(|digit| writeln!(out, "    {digit}.0,").unwrap());
        writeln!(out, "];").unwrap();
    };
    constant(&mut out, "The prime's limbs.", "P", &limbs.p);
    let c = 3u128 << (limbs.width + 51);
    writeln!(out, "/// 3·2^{}: the last place of doubles around it is 2^{}.", limbs.width + 51, limbs.width)
        .unwrap();
    writeln!(out, "pub(super) const C: f64 = {c}.0;").unwrap();
    writeln!(out, "/// 2^−{}.", limbs.width).unwrap();
    writeln!(out, "pub(super) const S: f64 = 1.0 / {}.0;", 1u64 << limbs.width).unwrap();
    writeln!(out, "/// The limbs of M, those of the prime, its inverse, C and S: loaded, since the engine is slow to make them.").unwrap();
    writeln!(out, "static CONSTANTS: [f64; {}] = [", 2 * n + 3).unwrap();
    for digit in limbs.m.iter().chain(&limbs.p).chain([&limbs.inverse]) {
        writeln!(out, "    {digit}.0,").unwrap();
    }
    writeln!(out, "    C,\n    S,\n];").unwrap();
    for (name, kind) in kernels {
        out.push('\n');
        out += &kernel(limbs, name, *kind);
    }
    out.push('\n');
    out += &reduce(limbs);
    out
}

/// x − k·p for the k next to x/p, in small limbs: `FpPair::reduce` has the proof.
fn reduce(limbs: &Limbs) -> String {
    let n = limbs.count;
    let mut out = String::new();
    let mut line = |text: String| writeln!(out, "{text}").unwrap();
    line(format!("/// x less the multiple of {} next to it, in small limbs.", limbs.prime));
    line(format!("#[inline(never)]\npub(super) fn reduce(x: &[F64x2; {n}]) -> [F64x2; {n}] {{"));
    line("    let k = black_box(&CONSTANTS);".to_string());
    line(format!("    let (c, s) = (F64x2::splat(k[{}]), F64x2::splat(k[{}]));", 2 * n + 1, 2 * n + 2));
    // 1.5·2⁵² has the last place 1.
    line(format!("    let round = F64x2::splat({}.0);", 3u64 << 51));
    line(format!("    let m = round - x[{}].mul_add(F64x2::splat(1.0 / P[{}]), round);", n - 1, n - 1));
    for i in 0..n {
        line(format!("    let t{i} = m.mul_add(F64x2::splat(k[{}]), x[{i}]);", n + i));
        if i + 1 < n {
            line(format!("    let r{i} = (t{i} + c) - c;"));
        }
    }
    line("    [\n        t0 - r0,".to_string());
    for i in 1..n {
        let low = if i + 1 < n { format!("t{i} - r{i}") } else { format!("t{i}") };
        line(format!("        r{}.mul_add(s, {low}),", i - 1));
    }
    line("    ]\n}".to_string());
    out
}
