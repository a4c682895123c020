//! Writes kernels on integers: the columns of the product and of its reduction, from the lowest up.

use crate::field::Field;
use std::fmt::Write;

/// What a kernel multiplies.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// a·b
    Product,
    /// a·a
    Square,
}

struct Column<'a> {
    field: &'a Field,
    out: &'a mut String,
    /// What is still to be added to `v`.
    terms: Vec<String>,
    /// The largest value that `v` can have here.
    bound: u128,
    /// The largest value of what was moved from `v` to `h`.
    moved: u128,
}

impl Column<'_> {
    /// Adds an exact, non-negative sum of at most `bound`.
    fn add(&mut self, terms: &[String], bound: u128) {
        if (self.bound + bound) >> 64 != 0 {
            self.relieve();
        }
        assert_eq!((self.bound + bound) >> 64, 0, "a column overflows");
        self.bound += bound;
        self.terms.extend_from_slice(terms);
    }

    /// Writes the sum so far.
    fn flush(&mut self) {
        let mut line = String::from("    let v =");
        for (i, term) in self.terms.drain(..).enumerate() {
            let plus = if i == 0 { " " } else { " + " };
            if line.len() + plus.len() + term.len() > 108 {
                writeln!(self.out, "{line}").unwrap();
                line = String::from("       ");
            }
            line += plus;
            line += &term;
        }
        writeln!(self.out, "{line};").unwrap();
        self.terms.push("v".to_string());
    }

    /// Moves the upper part of `v` to `h`.
    fn relieve(&mut self) {
        self.flush();
        let h = if self.moved == 0 { "" } else { "h + " };
        writeln!(self.out, "    let (h, v) = ({h}(v >> {}), v & LOW);", self.field.width).unwrap();
        self.moved += self.bound >> self.field.width;
        self.bound = u128::from(self.field.mask());
    }

    /// What goes on to the next column, and its bound.
    fn carry(&mut self, width: usize) -> u128 {
        // `h` counts units of 2^width only where the shift is the usual one.
        let h = if self.moved == 0 {
            String::new()
        } else {
            format!(" + (h << {})", self.field.width - width).replace(" + (h << 0)", " + h")
        };
        let shifted = if h.is_empty() { format!("v >> {width}") } else { format!("(v >> {width}){h}") };
        writeln!(self.out, "    let c = {shifted};").unwrap();
        (self.bound >> width) + (self.moved << (self.field.width - width))
    }
}

/// One kernel as Rust source.
pub fn kernel(field: &Field, name: &str, kind: Kind) -> String {
    let n = field.limbs();
    let mut out = String::new();
    signature(field, name, kind, &mut out);
    let mut carry = 0;
    for k in 0..2 * n - 1 {
        writeln!(out, "    // column {k}").unwrap();
        let terms = if k == 0 { vec![] } else { vec!["c".to_string()] };
        let mut column = Column { field, out: &mut out, terms, bound: carry, moved: 0 };
        match kind {
            Kind::Product => product(&mut column, k),
            Kind::Square => square(&mut column, k),
        }
        reduction(&mut column, k);
        carry = finish(&mut column, k);
    }
    pack(field, &mut out);
    out
}

fn signature(field: &Field, name: &str, kind: Kind, out: &mut String) {
    let (words, n) = (field.words, field.limbs());
    let (what, parameters) = match kind {
        Kind::Product => ("a = a·b/R", format!("a: &mut [u64; {words}], b: &[u64; {words}]")),
        Kind::Square => ("a = a²/R", format!("a: &mut [u64; {words}]")),
    };
    writeln!(out, "/// {what} modulo {}.", field.prime).unwrap();
    writeln!(out, "#[inline(never)]\npub(super) fn {name}({parameters}) {{").unwrap();
    let operands: &[&str] = match kind {
        Kind::Product => &["a", "b"],
        Kind::Square => &["a"],
    };
    for operand in operands {
        let names: Vec<String> = (0..n).map(|i| format!("{operand}{i}")).collect();
        writeln!(out, "    let [{}] = unpack({operand});", names.join(", ")).unwrap();
    }
}

/// Column k of a·b: one multiplication for each two products (see the header of the generated file).
fn product(column: &mut Column, k: usize) {
    let n = column.field.limbs();
    if k < n {
        let before = if k == 0 { String::new() } else { format!("s{} + ", k - 1) };
        writeln!(column.out, "    let s{k} = {before}a{k} * b{k};").unwrap();
    }
    let top = format!("s{}", k.min(n - 1));
    let mut terms = vec![if k < n { top } else { format!("{top} - s{}", k - n) }];
    let mut bound = 0;
    for (i, j) in pairs(k, n) {
        if i < j {
            terms.push(format!("(a{i} - a{j}) * (b{j} - b{i})"));
        }
        bound += column.field.limb_bound(i) * column.field.limb_bound(j) * if i < j { 2 } else { 1 };
    }
    column.add(&terms, bound);
}

fn square(column: &mut Column, k: usize) {
    let n = column.field.limbs();
    let (mut doubled, mut terms, mut bound) = (Vec::new(), Vec::new(), 0);
    for (i, j) in pairs(k, n) {
        let product = column.field.limb_bound(i) * column.field.limb_bound(j);
        if i < j {
            doubled.push(format!("a{i} * a{j}"));
            bound += 2 * product;
        } else {
            terms.push(format!("a{i} * a{i}"));
            bound += product;
        }
    }
    if !doubled.is_empty() {
        terms.push(format!("(({}) << 1)", doubled.join(" + ")));
    }
    column.add(&terms, bound);
}

/// The pairs i ≤ j of limbs with i + j = k.
fn pairs(k: usize, n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).map(move |i| (i, k.wrapping_sub(i))).filter(move |(i, j)| i <= j && *j < n)
}

/// What the earlier steps add to column k: qᵢ·Dⱼ for i + 1 + j = k, where D are the digits of M, or of p but for
/// the lowest, which `finish` has added already; and the last steps' digits times p's.
fn reduction(column: &mut Column, k: usize) {
    let field = column.field;
    if k == 0 {
        return;
    }
    let (steps, digits) = (field.paired_steps(), field.paired_digits());
    let name = |j: usize| if field.short_steps > 0 { format!("M[{j}]") } else { format!("P[{}]", j + 1) };
    let digit = |j: usize| u128::from(digits.get(j).copied().unwrap_or(0));
    // The diagonal's products qᵢ·Dᵢ, summed as in `product`.
    let last = k - 1;
    if last < steps {
        let before = if last == 0 { String::new() } else { format!("d{} + ", last - 1) };
        writeln!(column.out, "    let d{last} = {before}q{last} * {};", name(last)).unwrap();
    }
    let (mut terms, mut bound) = (vec![], 0);
    if last < 2 * steps - 1 {
        let top = format!("d{}", last.min(steps - 1));
        terms.push(if last < steps { top } else { format!("{top} - d{}", last - steps) });
    }
    for i in 0..steps.min(k) {
        let j = last - i;
        bound += field.limb_bound(i) * digit(j);
        if j >= steps && digit(j) != 0 {
            terms.push(format!("q{i} * {}", name(j)));
        } else if i < j && j < steps {
            terms.push(format!("(q{i} - q{j}) * ({} - {})", name(j), name(i)));
        }
    }
    if !terms.is_empty() {
        column.add(&terms, bound);
    }
    for i in steps..field.limbs().min(k) {
        let digit = field.p.get(k - i).copied().unwrap_or(0);
        if digit != 0 {
            column.add(&[format!("q{i} * P[{}]", k - i)], field.limb_bound(i) * u128::from(digit));
        }
    }
}

/// The quotient digit of a low column, or the result's digit of a high one; then the carry.
fn finish(column: &mut Column, k: usize) -> u128 {
    let field = column.field;
    let last = field.limbs() - 1;
    column.flush();
    if k < field.short_steps {
        writeln!(column.out, "    let q{k} = v & LOW;").unwrap();
    } else if k <= last {
        let low = if k == last { "LAST" } else { "LOW" };
        writeln!(column.out, "    let q{k} = (v * INVERSE) & {low};").unwrap();
        column.add(&[format!("q{k} * P[0]")], field.limb_bound(k) * u128::from(field.p[0]));
        column.flush();
    } else {
        writeln!(column.out, "    let z{k} = v & LOW;").unwrap();
    }
    let carry = column.carry(if k == last { field.last_width() } else { field.width });
    if k == last {
        // What remains of this column's digit lies below the next column.
        let rest = field.width - field.last_width();
        writeln!(column.out, "    let z{k} = c & Wrapping({:#x});", (1u64 << rest) - 1).unwrap();
        writeln!(column.out, "    let c = c >> {rest};").unwrap();
        return carry >> rest;
    }
    carry
}

fn pack(field: &Field, out: &mut String) {
    let (n, rest) = (field.limbs(), field.width - field.last_width());
    // (name, first bit of the result)
    let mut digits = vec![(format!("z{}", n - 1), 0)];
    digits.extend((n..2 * n - 1).map(|k| (format!("z{k}"), rest + (k - n) * field.width)));
    digits.push(("c".to_string(), rest + (n - 1) * field.width));
    writeln!(out, "    *a = reduce_rarely([").unwrap();
    for word in 0..field.words {
        let (from, to) = (64 * word, 64 * word + 64);
        let parts: Vec<String> = digits
            .iter()
            .filter(|(_, at)| *at < to && at + field.width > from)
            .map(|(name, at)| match at.cmp(&from) {
                std::cmp::Ordering::Less => format!("{name} >> {}", from - at),
                std::cmp::Ordering::Equal => name.clone(),
                std::cmp::Ordering::Greater => format!("{name} << {}", at - from),
            })
            .collect();
        writeln!(out, "        ({}).0,", parts.join(" | ")).unwrap();
    }
    writeln!(out, "    ]);\n}}").unwrap();
}

/// A file of kernels, with what they share.
pub fn file(field: &Field, kernels: &[(&str, Kind)]) -> String {
    let mut out = String::new();
    let (n, width) = (field.limbs(), field.width);
    writeln!(
        out,
        "//! Generated by `crates/kernels`; not to be edited. `mod.rs` explains it.\n\nuse super::words::{}::reduce_rarely;\nuse core::num::Wrapping;\n",
        if field.prime == "p" { "fq" } else { "fr" }
    )
    .unwrap();
    let constant = |out: &mut String, what: &str, name: &str, value: u64| {
        writeln!(out, "/// {what}\nconst {name}: Wrapping<u64> = Wrapping({value:#x});").unwrap();
    };
    constant(&mut out, "The bits of a limb.", "LOW", field.mask());
    constant(&mut out, "The bits of the last quotient digit.", "LAST", (1 << field.last_width()) - 1);
    constant(&mut out, "−1/prime modulo 2^width.", "INVERSE", field.inverse);
    digits(&mut out, "The prime's limbs.", "P", &field.p);
    if field.short_steps > 0 {
        digits(&mut out, "The limbs of (prime·INVERSE + 1)/2^width.", "M", &field.m);
    }
    let words = field.words;
    writeln!(out, "\n/// {words} words to {n} limbs of {width} bits.\n#[inline(always)]").unwrap();
    writeln!(out, "fn unpack(x: &[u64; {words}]) -> [Wrapping<u64>; {n}] {{\n    [").unwrap();
    for i in 0..n {
        let (word, shift) = (i * width / 64, i * width % 64);
        let low = if shift == 0 { format!("x[{word}]") } else { format!("x[{word}] >> {shift}") };
        let high = if shift + width > 64 && word + 1 < words {
            format!(" | x[{}] << {}", word + 1, 64 - shift)
        } else {
            String::new()
        };
        let value = if i + 1 == n { low } else { format!("({low}{high}) & LOW.0") };
        writeln!(out, "        Wrapping({value}),").unwrap();
    }
    writeln!(out, "    ]\n}}").unwrap();
    for (name, kind) in kernels {
        out.push('\n');
        out += &kernel(field, name, *kind);
    }
    out
}

fn digits(out: &mut String, what: &str, name: &str, digits: &[u64]) {
    writeln!(out, "/// {what}\nconst {name}: [Wrapping<u64>; {}] = [", digits.len()).unwrap();
    digits.iter().for_each(|digit| writeln!(out, "    Wrapping({digit:#x}),").unwrap());
    writeln!(out, "];").unwrap();
}
