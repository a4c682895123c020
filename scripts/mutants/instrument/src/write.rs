//! The text of a file with its mutants in it.

use std::ops::Range;

use crate::place::{Kind, Place};
use crate::Chunk;

/// The text, and where each mutant is in it. Only one mutant runs in a process, so that what is written for one has no other in it: the text grows
/// with the number of mutants, and not with how deep they are in each other.
pub fn write(text: &str, places: Vec<Place>) -> (String, Vec<Chunk>) {
    let mut writer =
        Writer { text, places: places.into_iter().peekable(), out: String::new(), chunks: Vec::new() };
    writer.copy(0..text.len());
    (writer.out, writer.chunks)
}

struct Writer<'a> {
    text: &'a str,
    places: std::iter::Peekable<std::vec::IntoIter<Place>>,
    out: String,
    chunks: Vec<Chunk>,
}

impl Writer<'_> {
    /// What is in a range, with the mutants that are in it.
    fn copy(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while let Some(place) = self.places.next_if(|place| place.range.start < range.end) {
            self.out.push_str(&self.text[at..place.range.start]);
            at = place.range.end;
            self.place(place);
        }
        self.out.push_str(&self.text[at..range.end]);
    }

    fn place(&mut self, Place { range, kind }: Place) {
        let first = self.chunks.len();
        let outer_from = self.out.len();
        match kind {
            Kind::Body(values) => {
                for (id, value) in values {
                    self.chunk(id, &format!("if {} {{ return {value}; }}\n", ask(id)));
                }
                self.copy(range);
            }
            Kind::Binary { left, right, others } => {
                self.out.push('(');
                for (id, operator) in others {
                    let (left, right) = (&self.text[left.clone()], &self.text[right.clone()]);
                    self.chunk(id, &format!("if {} {{ ({left}) {operator} ({right}) }}", ask(id)));
                    self.out.push_str(" else ");
                }
                self.otherwise(range);
            }
            Kind::Unary { operand, id } => {
                let operand = &self.text[operand];
                self.out.push('(');
                self.chunk(id, &format!("if {} {{ {operand} }}", ask(id)));
                self.out.push_str(" else ");
                self.otherwise(range);
            }
            Kind::Guard(values) => {
                self.out.push('(');
                for (id, value) in values {
                    self.chunk(id, &format!("if {} {{ {value} }}", ask(id)));
                    self.out.push_str(" else ");
                }
                self.otherwise(range);
            }
            Kind::Match => self.copy(range),
            Kind::Arm { id, guard } => {
                self.chunk(id, &format!(" if !{}", ask(id)));
                if let Some(guard) = guard {
                    self.out.push_str(" && (");
                    self.copy(guard);
                    self.out.push(')');
                }
                // What it is a part of is the whole `match`.
                return;
            }
        }
        let outer_to = self.out.len();
        // Those of inner places have theirs.
        for chunk in &mut self.chunks[first..] {
            if chunk.outer_to == 0 {
                (chunk.outer_from, chunk.outer_to) = (outer_from, outer_to);
            }
        }
    }

    fn otherwise(&mut self, range: Range<usize>) {
        self.out.push_str("{ ");
        self.copy(range);
        self.out.push_str(" })");
    }

    fn chunk(&mut self, id: u32, written: &str) {
        let from = self.out.len();
        self.out.push_str(written);
        self.chunks.push(Chunk { id, from, to: self.out.len(), outer_from: 0, outer_to: 0 });
    }
}

fn ask(id: u32) -> String {
    format!("crate::is_mutant({id})")
}
