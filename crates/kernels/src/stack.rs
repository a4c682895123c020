//! Programs as WebAssembly: code for a stack, and locals for what does not fit on it.
//!
//! The engine computes in the order that is written. So values are computed in the program's order, but for loads, which wait
//! until they are taken. One that is taken once, and soon, stays on the stack; all others go through a local, which is free
//! again after the last time that it is taken.

use crate::program::{Factor, Integer, Operation, Program, Value};

/// An instruction. Pointers are the function's parameters: the result's place, and the factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// A pointer: 0 for the result, 1 for x, 2 for y.
    Pointer(u32),
    /// The pointer to the constants.
    Constants,
    /// 16 bytes at the pointer and so many bytes on.
    Load(u32),
    /// 8 bytes at the pointer and so many bytes on, in both lanes.
    LoadSplat(u32),
    /// To the pointer and so many bytes on.
    Store(u32),
    /// The local of this number.
    Get(u32),
    /// The same, and the other way round.
    Set(u32),
    /// To the local, and on the stack as before.
    Tee(u32),
    /// An operation on integers.
    Integers(Integer),
    /// Lanes of 64 bits, so many bits down.
    Shift(u32),
    /// Four lanes of 32 bits out of eight.
    Shuffle([u8; 4]),
    /// (−b, a) for (a, b).
    TimesU,
    /// Of doubles.
    Add,
    /// Of doubles.
    Subtract,
    /// Of doubles.
    Multiply,
    /// a·b + c, fused.
    MultiplyAdd,
}

/// A function's body.
#[derive(Clone, Debug)]
pub struct Code {
    /// Locals of 16 bytes each.
    pub locals: u32,
    /// What there is to do.
    pub instructions: Vec<Instruction>,
}

/// The code of a program.
pub fn compile(program: &Program) -> Code {
    let mut writer = Writer { uses: program.uses(), program, pending: vec![], instructions: vec![] };
    for at in 0..program.operations.len() {
        writer.define(at);
        if program.stores_at_once {
            (0..)
                .zip(&program.result)
                .filter(|(_, Value(value))| *value == at)
                .for_each(|limb| writer.store(limb));
        }
    }
    if !program.stores_at_once {
        (0..).zip(&program.result).for_each(|limb| writer.store(limb));
    }
    reuse_locals(&writer.instructions)
}

/// A value that is computed by the instructions, which are not written yet.
struct Tree {
    value: usize,
    instructions: Vec<Instruction>,
}

impl Tree {
    /// Whether another value's local is written on the way.
    fn writes(&self, value: Value) -> bool {
        self.value != value.0 && self.instructions.contains(&Instruction::Tee(value.0 as u32))
    }
}

/// Locals are the values' own numbers here.
struct Writer<'p> {
    program: &'p Program,
    uses: Vec<usize>,
    /// Values whose turn it was, in order, to be written where they are taken.
    pending: Vec<Tree>,
    instructions: Vec<Instruction>,
}

impl Writer<'_> {
    fn define(&mut self, at: usize) {
        let operation = self.program.operations[at];
        let operands = operation.operands();
        // A local that is first written in the midst of what is pending is not read before that.
        if operands.iter().any(|operand| self.pending.iter().any(|tree| tree.writes(*operand))) {
            self.flush();
        }
        // The last pending ones, as many of them as are taken here.
        let kept = self.pending.iter().rev().take_while(|tree| operands.contains(&Value(tree.value))).count();
        let taken = self.pending.split_off(self.pending.len() - kept);
        let mut instructions = vec![];
        for Value(operand) in &operands {
            match taken.iter().find(|tree| tree.value == *operand) {
                Some(tree) if !instructions.contains(&Instruction::Tee(*operand as u32)) => {
                    instructions.extend(&tree.instructions);
                }
                _ => {
                    self.flush_through(*operand);
                    instructions.push(Instruction::Get(*operand as u32));
                }
            }
        }
        instructions.extend(own(&operation));
        let is_leaf = operands.is_empty();
        if self.uses[at] > 1 {
            instructions.push(Instruction::Tee(at as u32));
        }
        self.pending.push(Tree { value: at, instructions });
        // What is taken more than once is there for all from its place on.
        if self.uses[at] > 1 && !is_leaf {
            self.flush();
        }
    }

    /// Stores a limb of the result.
    fn store(&mut self, (limb, value): (u32, &Value)) {
        self.flush_but(*value);
        self.instructions.push(Instruction::Pointer(0));
        self.take(*value);
        self.instructions.push(Instruction::Store(16 * limb));
    }

    /// A value at the top of the stack: pending, or in its local.
    fn take(&mut self, value: Value) {
        match self.pending.pop_if(|tree| tree.value == value.0) {
            Some(tree) => self.instructions.extend(tree.instructions),
            None => self.instructions.push(Instruction::Get(value.0 as u32)),
        }
    }

    /// Writes down what is pending, into locals.
    fn flush(&mut self) {
        for Tree { value, mut instructions } in std::mem::take(&mut self.pending) {
            instructions.pop_if(|last| *last == Instruction::Tee(value as u32));
            self.instructions.extend(instructions);
            self.instructions.push(Instruction::Set(value as u32));
        }
    }

    /// The same, if this value is among it.
    fn flush_through(&mut self, value: usize) {
        if self.pending.iter().any(|tree| tree.value == value) {
            self.flush();
        }
    }

    /// The same, but for this value if it is the last.
    fn flush_but(&mut self, value: Value) {
        let last = self.pending.pop_if(|tree| tree.value == value.0);
        self.flush();
        self.pending.extend(last);
    }
}

/// What computes a value, once its operands are on the stack.
fn own(operation: &Operation) -> Vec<Instruction> {
    let load =
        |factor: Factor, load| vec![Instruction::Pointer(if factor == Factor::X { 1 } else { 2 }), load];
    match *operation {
        Operation::Limb(factor, i) => load(factor, Instruction::Load(16 * i as u32)),
        Operation::First(factor, i) => load(factor, Instruction::LoadSplat(16 * i as u32)),
        Operation::Second(factor, i) => load(factor, Instruction::LoadSplat(16 * i as u32 + 8)),
        Operation::Constant(i) => vec![Instruction::Constants, Instruction::LoadSplat(8 * i as u32)],
        Operation::Whole(i) => vec![Instruction::Constants, Instruction::Load(16 * i as u32)],
        Operation::Integers(which, ..) => vec![Instruction::Integers(which)],
        Operation::Shifted(_, bits) => vec![Instruction::Shift(bits)],
        Operation::Shuffled(_, _, lanes) => vec![Instruction::Shuffle(lanes)],
        Operation::TimesU(_) => vec![Instruction::TimesU],
        Operation::Sum(..) => vec![Instruction::Add],
        Operation::Difference(..) => vec![Instruction::Subtract],
        Operation::Product(..) => vec![Instruction::Multiply],
        Operation::Fused(..) => vec![Instruction::MultiplyAdd],
    }
}

/// As few locals as hold the values, each for as long as it is taken.
fn reuse_locals(instructions: &[Instruction]) -> Code {
    use Instruction::{Get, Set, Tee};
    let last: std::collections::HashMap<u32, usize> = (0..)
        .zip(instructions)
        .filter_map(|(at, instruction)| if let Get(value) = instruction { Some((*value, at)) } else { None })
        .collect();
    let mut slots: Vec<Option<u32>> = vec![];
    let mut out = Vec::with_capacity(instructions.len());
    for (at, instruction) in instructions.iter().enumerate() {
        out.push(match instruction {
            Set(value) | Tee(value) => {
                let free = slots.iter().position(Option::is_none).unwrap_or(slots.len());
                slots.resize(slots.len().max(free + 1), None);
                slots[free] = Some(*value);
                if matches!(instruction, Set(_)) {
                    Set(free as u32)
                } else {
                    Tee(free as u32)
                }
            }
            Get(value) => {
                let slot = slots.iter().position(|slot| *slot == Some(*value)).unwrap();
                if last[value] == at {
                    slots[slot] = None;
                }
                Get(slot as u32)
            }
            other => *other,
        });
    }
    assert!(slots.iter().all(Option::is_none), "a value is never taken");
    Code { locals: slots.len() as u32, instructions: out }
}
