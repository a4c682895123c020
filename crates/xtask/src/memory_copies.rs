//! Copies of so many bytes, written out.
//!
//! LLVM makes a `memory.copy` of each copy above a few words, and a number is copied whenever a function has returned one.
//! Engines leave `memory.copy` to their own runtime, which takes as long as half of a multiplication for the 128 bytes of a
//! pair. A function that loads and stores them is through in a fifth of that, and its call is shorter, too.

use std::collections::BTreeMap;
use walrus::{
    ir::{dfs_pre_order_mut, Call, Instr, InstrSeq, LoadKind, MemArg, StoreKind, Value, VisitorMut},
    FunctionBuilder, FunctionId, LocalId, MemoryId, Module, ValType,
};

/// Copies and fills of more bytes than these are left to the engine: above, it does better.
const MAX_INLINE_BYTES: u32 = 384;

/// Sizes that are asked for less often are left to the engine, too.
const MIN_USES: usize = 8;

/// A copy of so many bytes, or as many zeros.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Task {
    Copy(u32),
    Zero(u32),
}

/// Gives all that copy or clear a small number of bytes a function that does it. Returns how many there were.
pub fn inline_small_copies(module: &mut Module) -> usize {
    // Copies do not say here which memory they are of.
    let memories: Vec<MemoryId> = module.memories.iter().map(|memory| memory.id()).collect();
    let [memory] = memories[..] else { return 0 };
    let mut found = Found::default();
    let functions: Vec<FunctionId> = module.funcs.iter_local().map(|(id, _)| id).collect();
    for id in &functions {
        let function = module.funcs.get_mut(*id).kind.unwrap_local_mut();
        dfs_pre_order_mut(&mut found, function, function.entry_block());
    }
    let often = found.counts.into_iter().filter(|(_, count)| *count >= MIN_USES);
    let mut replace = Replace::default();
    for (task, _) in often.collect::<Vec<_>>() {
        replace.by.insert(task, function(module, memory, task));
    }
    for id in &functions {
        let function = module.funcs.get_mut(*id).kind.unwrap_local_mut();
        dfs_pre_order_mut(&mut replace, function, function.entry_block());
    }
    replace.count
}

#[derive(Default)]
struct Found {
    counts: BTreeMap<Task, usize>,
}

impl VisitorMut for Found {
    fn start_instr_seq_mut(&mut self, sequence: &mut InstrSeq) {
        for task in
            sequence.instrs.windows(3).filter_map(|three| task([&three[0].0, &three[1].0, &three[2].0]))
        {
            *self.counts.entry(task).or_default() += 1;
        }
    }
}

#[derive(Default)]
struct Replace {
    by: BTreeMap<Task, FunctionId>,
    count: usize,
}

impl VisitorMut for Replace {
    fn start_instr_seq_mut(&mut self, sequence: &mut InstrSeq) {
        let mut at = 2;
        while at < sequence.instrs.len() {
            let three = [&sequence.instrs[at - 2].0, &sequence.instrs[at - 1].0, &sequence.instrs[at].0];
            let task = task(three);
            if let Some((task, func)) = task.and_then(|task| Some((task, *self.by.get(&task)?))) {
                let place = sequence.instrs[at].1;
                // The number of bytes goes, and the zero before it.
                let first = if matches!(task, Task::Copy(_)) { at - 1 } else { at - 2 };
                sequence.instrs.splice(first..=at, [(Call { func }.into(), place)]);
                at = first.max(1);
                self.count += 1;
            }
            at += 1;
        }
    }
}

/// What three instructions come to: the last one decides.
fn task([before, size, last]: [&Instr; 3]) -> Option<Task> {
    let number = |instruction: &Instr| match instruction {
        Instr::Const(constant) => match constant.value {
            Value::I32(number) => Some(number as u32),
            _ => None,
        },
        _ => None,
    };
    let size = number(size).filter(|size| (17..=MAX_INLINE_BYTES).contains(size))?;
    match last {
        Instr::MemoryCopy(_) => Some(Task::Copy(size)),
        Instr::MemoryFill(_) if number(before) == Some(0) => Some(Task::Zero(size)),
        _ => None,
    }
}

/// All is loaded before any of it is stored, since what is copied may overlap with where it goes.
fn function(module: &mut Module, memory: MemoryId, task: Task) -> FunctionId {
    let (size, parameters) = match task {
        Task::Copy(size) => (size, &[ValType::I32, ValType::I32][..]),
        Task::Zero(size) => (size, &[ValType::I32][..]),
    };
    let pointers: Vec<LocalId> = parameters.iter().map(|ty| module.locals.add(*ty)).collect();
    let offsets = vectors(size);
    let locals: Vec<LocalId> = offsets.iter().map(|_| module.locals.add(ValType::V128)).collect();
    let mut builder = FunctionBuilder::new(&mut module.types, parameters, &[]);
    let mut body = builder.func_body();
    let at = |offset: u32| MemArg { align: 1, offset: offset.into() };
    if let [_, from] = pointers[..] {
        for (offset, local) in offsets.iter().zip(&locals) {
            body.local_get(from).load(memory, LoadKind::V128, at(*offset)).local_set(*local);
        }
    }
    // Locals are zero until they are set.
    for (offset, local) in offsets.iter().zip(&locals) {
        body.local_get(pointers[0]).local_get(*local).store(memory, StoreKind::V128, at(*offset));
    }
    builder.finish(pointers, &mut module.funcs)
}

/// Where vectors begin that hold all of the bytes: the last one ends with the last byte.
fn vectors(size: u32) -> Vec<u32> {
    let mut offsets: Vec<u32> = (0..size / 16).map(|i| 16 * i).collect();
    if !size.is_multiple_of(16) {
        offsets.push(size - 16);
    }
    offsets
}

#[cfg(test)]
mod tests {
    use super::*;
    use walrus::ir::{MemoryCopy, MemoryFill};

    /// A module with functions that each copy so many bytes, so many times.
    fn module(copies: &[(u32, usize)]) -> Module {
        let mut module = Module::default();
        let memory = module.memories.add_local(false, false, 1, None, None);
        for (size, count) in copies {
            let pointers = [module.locals.add(ValType::I32), module.locals.add(ValType::I32)];
            let mut builder = FunctionBuilder::new(&mut module.types, &[ValType::I32; 2], &[]);
            let mut body = builder.func_body();
            for _ in 0..*count {
                body.local_get(pointers[0]).local_get(pointers[1]).i32_const(*size as i32);
                body.instr(MemoryCopy { src: memory, dst: memory });
            }
            builder.finish(pointers.to_vec(), &mut module.funcs);
        }
        module
    }

    #[test]
    fn frequent_and_small_ones_only() {
        let all = [(16, 9), (17, 8), (48, 9), (128, 7), (384, 8), (385, 9)];
        let mut module = module(&all);
        assert_eq!(inline_small_copies(&mut module), 8 + 9 + 8);
        assert_eq!(module.funcs.iter_local().count(), all.len() + 3);
        // What is left is left as it was, and nothing is found twice.
        assert_eq!(inline_small_copies(&mut module), 0);
        Module::from_buffer(&module.emit_wasm()).expect("a valid module");
    }

    #[test]
    fn zeros_and_no_other_fill() {
        for (value, expected) in [(0, MIN_USES), (1, 0)] {
            let mut module = module(&[]);
            let memory = module.memories.iter().next().expect("a memory").id();
            let mut builder = FunctionBuilder::new(&mut module.types, &[], &[]);
            let mut body = builder.func_body();
            for _ in 0..MIN_USES {
                body.i32_const(64).i32_const(value).i32_const(48).instr(MemoryFill { memory });
            }
            let id = builder.finish(vec![], &mut module.funcs);
            assert_eq!(inline_small_copies(&mut module), expected);
            let function = module.funcs.get(id).kind.unwrap_local();
            let left = function.block(function.entry_block()).instrs.len();
            // The place, and the call.
            assert_eq!(left, MIN_USES * if expected == 0 { 4 } else { 2 });
            Module::from_buffer(&module.emit_wasm()).expect("a valid module");
        }
    }

    /// What is copied may overlap with where it goes.
    #[test]
    fn all_is_loaded_before_any_of_it_is_stored() {
        let mut module = module(&[]);
        let memory = module.memories.iter().next().expect("a memory").id();
        for size in [17, 48, 100, MAX_INLINE_BYTES] {
            let id = function(&mut module, memory, Task::Copy(size));
            let function = module.funcs.get(id).kind.unwrap_local();
            let body = &function.block(function.entry_block()).instrs;
            let is_load: Vec<bool> = body
                .iter()
                .filter_map(|(instruction, _)| match instruction {
                    Instr::Load(_) => Some(true),
                    Instr::Store(_) => Some(false),
                    _ => None,
                })
                .collect();
            let count = vectors(size).len();
            assert_eq!(is_load, [vec![true; count], vec![false; count]].concat());
        }
    }

    #[test]
    fn vectors_hold_every_byte_once_or_twice() {
        for size in 17..=MAX_INLINE_BYTES {
            let mut held = vec![0; size as usize];
            for offset in vectors(size) {
                held[offset as usize..offset as usize + 16].iter_mut().for_each(|times| *times += 1);
            }
            assert!(held.iter().all(|times| (1..=2).contains(times)), "{size}");
        }
    }
}
