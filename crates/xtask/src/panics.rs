//! Panics without words. On this target nobody is told what a panic says: it ends in a trap, and the trap is all that
//! JavaScript sees. So the functions that put messages together are cut down to the trap, before wasm-opt looks for code
//! that nothing calls and arguments that nobody takes: 2 kB with brotli.

use std::ops::Range;
use walrus::ir::{dfs_in_order, Instr, InstrLocId, InstrSeqId, Unreachable, Visitor};
use walrus::{DataId, FunctionKind, LocalFunction, Module};

/// Cuts the panics of a module down to traps, by the names that it still has. Returns how many there were.
pub fn silence(module: &mut Module) -> usize {
    let mut silenced = 0;
    for function in module.funcs.iter_mut() {
        let name = function.name.clone().unwrap_or_default();
        let FunctionKind::Local(function) = &mut function.kind else { continue };
        // A second look, in case that a name has come to mean another.
        if is_message(&name) || never_returns(&name) && !may_return(function) {
            let body = function.block_mut(function.entry_block());
            body.instrs = vec![(Unreachable {}.into(), Default::default())];
            silenced += 1;
        }
    }
    silenced
}

/// Whether a function can return: it does not end in `unreachable`, or something leaves it before.
fn may_return(function: &LocalFunction) -> bool {
    let ends = matches!(function.block(function.entry_block()).last(), Some((Instr::Unreachable(_), _)));
    let mut exits = Exits { entry: function.entry_block(), found: false };
    dfs_in_order(&mut exits, function, function.entry_block());
    !ends || exits.found
}

/// Looks for ways out of a function before its end: returns, and branches to its outermost block.
struct Exits {
    entry: InstrSeqId,
    found: bool,
}

impl Visitor<'_> for Exits {
    fn visit_instr(&mut self, instruction: &Instr, _: &InstrLocId) {
        self.found |= match instruction {
            Instr::Return(_)
            | Instr::ReturnCall(_)
            | Instr::ReturnCallIndirect(_)
            | Instr::ReturnCallRef(_) => true,
            Instr::BrTable(table) => table.default == self.entry || table.blocks.contains(&self.entry),
            Instr::Br(branch) => branch.block == self.entry,
            Instr::BrIf(branch) => branch.block == self.entry,
            // What this target's code has none of: references and exceptions.
            Instr::BrOnNull(_)
            | Instr::BrOnNonNull(_)
            | Instr::BrOnCast(_)
            | Instr::BrOnCastFail(_)
            | Instr::TryTable(_) => true,
            _ => false,
        };
    }
}

/// Whether a function is a message's own: a panic would call it through a table, and none is left that does.
fn is_message(name: &str) -> bool {
    name.starts_with("<std") && name.contains("::panicking::") && name.contains("PanicPayload>::")
}

/// Whether a function of the standard library is one that panics, or makes ready to. Names are paths, in which crates may
/// have their hash in brackets, and which may end with one of their own.
fn never_returns(name: &str) -> bool {
    // Of a trait's function both the type and the trait are: `<alloc::vec::Vec<u8> as core::fmt::Debug>::fmt`.
    if !name.split(" as ").all(is_of_the_standard_library) {
        return false;
    }
    let mut segments = name.rsplit("::");
    let mut last = segments.next().unwrap_or_default();
    if last.len() == 17 && last.starts_with('h') {
        last = segments.next().unwrap_or_default();
    }
    const NAMES: [&str; 10] = [
        "panic",
        "panic_fmt",
        "panic_bounds_check",
        "unwrap_failed",
        "assert_failed",
        "capacity_overflow",
        "expect_failed",
        "handle_error",
        "handle_alloc_error",
        "len_mismatch_fail",
    ];
    NAMES.contains(&last)
        || last.starts_with("panic_const_")
        || last.starts_with("slice_") && last.ends_with("_fail")
}

fn is_of_the_standard_library(path: &str) -> bool {
    let path = path.trim_start_matches('<');
    ["core", "alloc", "std"]
        .iter()
        .any(|of| path.strip_prefix(of).is_some_and(|rest| rest.starts_with('[') || rest.starts_with("::")))
}

/// What panics of the standard library, and of the allocator, say. Not the digits that numbers in messages are written with: so are those
/// that a module may have to say something with.
const MESSAGES: [&[u8]; 24] = [
    b" but ends at ",
    b" but the index is ",
    b" out of range for slice of length ",
    b") does not match destination slice length (",
    b") should be <= len (is ",
    b"Tried to shrink to a larger capacity",
    b"`at` split index (is ",
    b"assertion failed: 2 <= k && k <= 256",
    b"assertion failed: psize <= size + max_overhead",
    b"assertion failed: psize >= size + min_overhead",
    b"attempt to calculate the remainder with a divisor of zero",
    b"attempt to divide by zero",
    b"called `Option::unwrap()` on a `None` value",
    b"capacity overflow",
    b"chunk size must be non-zero",
    b"copy_from_slice: source slice length (",
    b"index out of bounds: the len is ",
    b"insertion index (is ",
    b"internal error: entered unreachable code",
    b"Once instance has previously been poisoned",
    b"one-time initialization may not be performed recursively",
    b"range end index ",
    b"range start index ",
    b"slice index starts at ",
];

/// Blanks the messages of panics in the module's data: what put them together is gone. Returns how many there were.
pub fn blank_messages(module: &mut Module) -> usize {
    let mut blanked = 0;
    let ids: Vec<DataId> = module.data.iter().map(|segment| segment.id()).collect();
    for id in ids {
        let segment = module.data.get_mut(id);
        for range in messages(&segment.value) {
            segment.value[range].fill(0);
            blanked += 1;
        }
    }
    blanked
}

/// Where in a segment messages are.
fn messages(segment: &[u8]) -> Vec<Range<usize>> {
    let ends = |at: usize| {
        let rest = &segment[at..];
        MESSAGES
            .iter()
            .filter(move |message| rest.starts_with(message))
            .map(move |message| at..at + message.len())
    };
    (0..segment.len()).flat_map(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::{may_return, messages, never_returns};
    use walrus::ir::BinaryOp;
    use walrus::{FunctionBuilder, InstrSeqBuilder, Module, ValType};

    /// A body that ends in a trap is no proof that nothing leaves it before.
    #[test]
    fn ways_out_of_a_function() {
        let may = |fill: &dyn Fn(&mut InstrSeqBuilder<'_>)| {
            let mut module = Module::default();
            let mut function = FunctionBuilder::new(&mut module.types, &[ValType::I32], &[]);
            let argument = module.locals.add(ValType::I32);
            let mut body = function.func_body();
            body.local_get(argument).if_else(None, fill, |_| {});
            body.unreachable();
            let id = function.finish(vec![argument], &mut module.funcs);
            may_return(module.funcs.get(id).kind.unwrap_local())
        };
        assert!(!may(&|_| {}));
        assert!(!may(&|inner| {
            let block = inner.id();
            inner.br(block);
        }));
        assert!(may(&|inner| {
            inner.return_();
        }));
        let mut module = Module::default();
        let mut function = FunctionBuilder::new(&mut module.types, &[], &[]);
        function.func_body().i32_const(1).i32_const(2).binop(BinaryOp::I32Add).drop();
        let id = function.finish(Vec::new(), &mut module.funcs);
        assert!(may_return(module.funcs.get(id).kind.unwrap_local()));
        for kind in 0..3 {
            let mut module = Module::default();
            let mut function = FunctionBuilder::new(&mut module.types, &[], &[]);
            let mut body = function.func_body();
            let entry = body.id();
            match kind {
                0 => body.br(entry),
                1 => body.i32_const(0).br_if(entry),
                _ => body.i32_const(0).br_table(Vec::new().into(), entry),
            };
            body.unreachable();
            let id = function.finish(Vec::new(), &mut module.funcs);
            assert!(may_return(module.funcs.get(id).kind.unwrap_local()));
        }
    }

    #[test]
    fn messages_and_what_is_none() {
        assert_eq!(messages(b"..capacity overflow.range end index 7"), [2..19, 20..36]);
        assert_eq!(messages(b"0001020304"), []);
        assert_eq!(messages(b"a hash has 32 bytes; index out of bounds"), []);
        assert!(messages(b"capacity overflo").is_empty() && messages(b"").is_empty());
    }

    #[test]
    fn names() {
        for name in [
            "core[c5930c85a12de822]::panicking::panic_fmt",
            "core[c5930c85a12de822]::slice::index::slice_index_fail",
            "core::slice::index::slice_start_index_len_fail::h0123456789abcdef",
            "<alloc[3ca501edff3f0c7c]::vec::Vec<_, _>>::insert_mut::assert_failed",
            "core::panicking::panic_const::panic_const_div_by_zero",
            "<alloc::vec::Vec<u8> as core::ops::Index<usize>>::panic",
        ] {
            assert!(never_returns(name), "{name}");
        }
        for name in [
            "blobcheck_kzg::panic",
            "coreutils::panic",
            "<alloc::vec::Vec<u8> as blobcheck_beacon::Check>::panic",
            "<blobcheck_beacon::Check as core::ops::Fn>::panic",
            "core::slice::index::get",
            "alloc::raw_vec::finish_grow::h0123456789abcdef",
            "panic",
            "",
        ] {
            assert!(!never_returns(name), "{name}");
        }
    }
}
