//! Where in a file its mutants belong.

use std::collections::HashMap;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::{Fault, Mutant, Position};

/// The number of a mutant, and what it has in the place of what is there.
pub type Other = (u32, String);

/// The mutants of a genre and a range.
type Waiting<'a> = HashMap<(&'a str, Range<usize>), Vec<Other>>;

/// A part of a file that is written in another way, in bytes.
pub struct Place {
    pub range: Range<usize>,
    pub kind: Kind,
}

pub enum Kind {
    /// The statements of a function, and what it returns in their place.
    Body(Vec<Other>),
    /// `left operator right`, and other operators.
    Binary { left: Range<usize>, right: Range<usize>, others: Vec<Other> },
    /// An operator, and its operand that stands there without it.
    Unary { operand: Range<usize>, id: u32 },
    /// The guard of an arm, and what is in its place.
    Guard(Vec<Other>),
    /// A `match` with arms that may be left out.
    Match,
    /// What follows the pattern of such an arm, with its guard.
    Arm { id: u32, guard: Option<Range<usize>> },
}

/// The places of the mutants, by where they begin, the outer ones first; and the mutants that have none.
pub fn places(text: &str, mutants: &[Mutant]) -> Result<(Vec<Place>, Vec<u32>), Fault> {
    let lines = Lines::of(text);
    let mut waiting = Waiting::new();
    for mutant in mutants {
        let range = lines.byte(&mutant.span.start)..lines.byte(&mutant.span.end);
        let same = waiting.entry((&mutant.genre, range)).or_default();
        same.push((mutant.id, mutant.replacement.clone()));
    }
    let mut finder = Finder { waiting, places: Vec::new() };
    finder.visit_file(&syn::parse_file(text)?);
    let Finder { waiting, mut places } = finder;
    places.sort_by_key(|place| (place.range.start, std::cmp::Reverse(place.range.end)));
    let mut left: Vec<u32> = waiting.into_values().flatten().map(|(id, _)| id).collect();
    left.sort_unstable();
    Ok((places, left))
}

struct Finder<'a> {
    waiting: Waiting<'a>,
    places: Vec<Place>,
}

impl Finder<'_> {
    fn take(&mut self, genre: &'static str, range: Range<usize>) -> Option<Vec<Other>> {
        self.waiting.remove(&(genre, range))
    }

    fn body(&mut self, block: &syn::Block) {
        let [first, .., last] = block.stmts.as_slice() else {
            let [only] = block.stmts.as_slice() else { return };
            return self.statements(bytes(only));
        };
        self.statements(bytes(first).start..bytes(last).end);
    }

    fn statements(&mut self, range: Range<usize>) {
        if let Some(values) = self.take("FnValue", range.clone()) {
            self.places.push(Place { range, kind: Kind::Body(values) });
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.body(&function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.body(&function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.body(block);
        }
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if let Some(others) = self.take("BinaryOperator", bytes(&binary.op)) {
            let (left, right) = (bytes(&binary.left), bytes(&binary.right));
            let range = left.start..right.end;
            self.places.push(Place { range, kind: Kind::Binary { left, right, others } });
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        if let Some(others) = self.take("UnaryOperator", bytes(&unary.op)) {
            let kind = Kind::Unary { operand: bytes(&unary.expr), id: others[0].0 };
            self.places.push(Place { range: bytes(unary), kind });
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_match(&mut self, expression: &'ast syn::ExprMatch) {
        let is_waiting = |arm| self.waiting.contains_key(&("MatchArm", bytes(arm)));
        if expression.arms.iter().any(is_waiting) {
            self.places.push(Place { range: bytes(expression), kind: Kind::Match });
        }
        visit::visit_expr_match(self, expression);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let (pattern, guard) = match &arm.pat {
            syn::Pat::Guard(guarded) => (&*guarded.pat, Some(bytes(&guarded.guard))),
            pattern => (pattern, None),
        };
        if let Some(others) = self.take("MatchArm", bytes(arm)) {
            let at = bytes(pattern).end;
            let kind = Kind::Arm { id: others[0].0, guard: guard.clone() };
            let range = at..guard.as_ref().map_or(at, |guard| guard.end);
            self.places.push(Place { range, kind });
        }
        if let Some(range) = guard {
            if let Some(values) = self.take("MatchArmGuard", range.clone()) {
                self.places.push(Place { range, kind: Kind::Guard(values) });
            }
        }
        visit::visit_arm(self, arm);
    }
}

fn bytes(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

/// Where each line begins.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(ends).collect() }
    }

    fn byte(&self, position: &Position) -> usize {
        let start = self.starts[position.line - 1];
        let mut characters = self.text[start..].char_indices();
        start + characters.nth(position.column - 1).map_or(self.text.len() - start, |(at, _)| at)
    }
}
