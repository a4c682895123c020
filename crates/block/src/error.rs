//! What is wrong with bytes that are no SSZ of their type, and where.

use core::fmt;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Too few bytes, or too many.
    Length,
    /// The first offset is not where the fixed part ends, or an offset is smaller than the one before it, or beyond the end.
    Offset,
    /// More elements, bytes or bits than the type may have.
    Limit,
    /// A bit list without the bit that ends it, or bits set behind the end of a bit vector.
    Bits,
    /// A boolean that is neither 0 nor 1.
    Boolean,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Length, Self::Offset, Self::Limit, Self::Bits, Self::Boolean];

    /// Its name, as JavaScript's users see it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Offset => "offset",
            Self::Limit => "limit",
            Self::Bits => "bits",
            Self::Boolean => "boolean",
        }
    }
}

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Field(&'static str),
    Element(usize),
}

/// Bytes that are not the encoding of a value of their type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SszError {
    /// What is wrong.
    pub fault: Fault,
    /// From the faulty part outwards.
    steps: Vec<Step>,
}

impl SszError {
    /// Says that the fault is in a field of what is being read.
    pub(crate) fn in_field(mut self, name: &'static str) -> Self {
        self.steps.push(Step::Field(name));
        self
    }

    /// Says that the fault is in an element of what is being read.
    pub(crate) fn in_element(mut self, at: usize) -> Self {
        self.steps.push(Step::Element(at));
        self
    }

    /// Where the fault is, as in `body.execution_payload.transactions[3]`; empty where it is the whole value.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in self.steps.iter().rev() {
            match step {
                Step::Field(name) if path.is_empty() => path.push_str(name),
                Step::Field(name) => {
                    path.push('.');
                    path.push_str(name);
                }
                Step::Element(at) => {
                    path.push('[');
                    path.push_str(&at.to_string());
                    path.push(']');
                }
            }
        }
        path
    }
}

impl From<Fault> for SszError {
    fn from(fault: Fault) -> Self {
        Self { fault, steps: Vec::new() }
    }
}

impl fmt::Display for SszError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.path(), self.fault.name())
    }
}

impl core::error::Error for SszError {}
