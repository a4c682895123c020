//! Straight-line code on vectors of 16 bytes, which are pairs of doubles or integers: operations in the order in which they
//! should run.

/// What an operation gave, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value(pub(crate) usize);

impl Value {
    /// The place of its operation in the program.
    pub fn place(self) -> usize {
        self.0
    }
}

/// A factor of the product that a program computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// The first.
    X,
    /// The second.
    Y,
}

/// An operation on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integer {
    /// a + b in lanes of 32 bits.
    Plus32,
    /// a − b in lanes of 32 bits.
    Minus32,
    /// a + b in lanes of 64 bits.
    Plus64,
    /// a − b in lanes of 64 bits.
    Minus64,
    /// The bits that both have.
    And,
    /// The products of the first two of four signed lanes, in 64 bits each.
    Low,
    /// The products of the last two of four signed lanes, in 64 bits each.
    High,
}

/// One operation, lane by lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A factor's limb.
    Limb(Factor, usize),
    /// A factor's limb, its first lane in both.
    First(Factor, usize),
    /// A factor's limb, its second lane in both.
    Second(Factor, usize),
    /// One of the constants ([`crate::limbs::Limbs::constants`]), in both lanes.
    Constant(usize),
    /// Four integers of 32 bits out of the constants, by their place among such.
    Whole(usize),
    /// An operation on integers.
    Integers(Integer, Value, Value),
    /// Lanes of 64 bits without their lowest bits, so many.
    Shifted(Value, u32),
    /// Four lanes of 32 bits out of the eight of a and b, by their numbers.
    Shuffled(Value, Value, [u8; 4]),
    /// u·(c0 + c1·u) = −c1 + c0·u, of c0 and c1 in the two lanes.
    TimesU(Value),
    /// a + b
    Sum(Value, Value),
    /// a − b
    Difference(Value, Value),
    /// a·b
    Product(Value, Value),
    /// a·b + c, rounded once.
    Fused(Value, Value, Value),
}

impl Operation {
    /// What it takes, in order.
    pub fn operands(&self) -> Vec<Value> {
        match *self {
            Self::Limb(..) | Self::First(..) | Self::Second(..) | Self::Constant(_) | Self::Whole(_) => {
                vec![]
            }
            Self::TimesU(a) | Self::Shifted(a, _) => vec![a],
            Self::Sum(a, b)
            | Self::Difference(a, b)
            | Self::Product(a, b)
            | Self::Integers(_, a, b)
            | Self::Shuffled(a, b, _) => vec![a, b],
            Self::Fused(a, b, c) => vec![a, b, c],
        }
    }
}

/// A program: a number out of one or two.
#[derive(Clone, Debug)]
pub struct Program {
    /// The function's name.
    pub name: &'static str,
    /// What it computes.
    pub what: String,
    /// How many factors it takes.
    pub factors: usize,
    /// The vectors of a factor.
    pub(crate) limbs: usize,
    /// The operations.
    pub operations: Vec<Operation>,
    /// The names that some of them have in Rust, where they have a line.
    pub(crate) names: Vec<Option<String>>,
    /// The limbs of the result.
    pub result: Vec<Value>,
    /// Whether each limb of the result is stored where it is computed, and not at the end: there are more than registers.
    pub(crate) stores_at_once: bool,
}

impl Program {
    pub(crate) fn new(name: &'static str, what: String, factors: usize, limbs: usize) -> Self {
        Self {
            name,
            what,
            factors,
            limbs,
            operations: vec![],
            names: vec![],
            result: vec![],
            stores_at_once: false,
        }
    }

    /// An operation that is part of a larger expression, or a load.
    pub(crate) fn part(&mut self, operation: Operation) -> Value {
        self.operations.push(operation);
        self.names.push(None);
        Value(self.operations.len() - 1)
    }

    /// An operation whose value has a name.
    pub(crate) fn line(&mut self, name: String, operation: Operation) -> Value {
        let value = self.part(operation);
        self.names[value.0] = Some(name);
        value
    }

    /// Whether it takes any of the constants.
    pub fn loads_constants(&self) -> bool {
        let constant =
            |operation: &Operation| matches!(operation, Operation::Constant(_) | Operation::Whole(_));
        self.operations.iter().any(constant)
    }

    /// How often each value is taken.
    pub fn uses(&self) -> Vec<usize> {
        let mut uses = vec![0; self.operations.len()];
        let operands = self.operations.iter().flat_map(Operation::operands);
        for Value(at) in operands.chain(self.result.iter().copied()) {
            uses[at] += 1;
        }
        uses
    }
}
