//! Panics without words. On this target nobody is told what a panic says: it ends in a trap, and the trap is all that
//! JavaScript sees. So the functions that put messages together are cut down to the trap, before wasm-opt looks for code
//! that nothing calls and arguments that nobody takes: 2 kB with brotli.

use walrus::{ir::Instr, ir::Unreachable, FunctionKind, Module};

/// Cuts the panics of a module down to traps, by the names that it still has. Returns how many there were.
pub fn silence(module: &mut Module) -> usize {
    let mut silenced = 0;
    for function in module.funcs.iter_mut() {
        let name = function.name.clone().unwrap_or_default();
        let FunctionKind::Local(function) = &mut function.kind else { continue };
        let body = function.block_mut(function.entry_block());
        // A function that never returns ends so anyway: a second look, in case that a name has come to mean another.
        let ends = matches!(body.last(), Some((Instr::Unreachable(_), _)));
        if is_message(&name) || ends && never_returns(&name) {
            body.instrs = vec![(Unreachable {}.into(), Default::default())];
            silenced += 1;
        }
    }
    silenced
}

/// Whether a function is a message's own: a panic would call it through a table, and none is left that does.
fn is_message(name: &str) -> bool {
    name.starts_with("<std") && name.contains("::panicking::") && name.contains("PanicPayload>::")
}

/// Whether a function of the standard library is one that panics, or makes ready to. Names are paths, in which crates may
/// have their hash in brackets, and which may end with one of their own.
fn never_returns(name: &str) -> bool {
    let path = name.trim_start_matches('<');
    if !["core", "alloc", "std"]
        .iter()
        .any(|of| path.strip_prefix(of).is_some_and(|rest| rest.starts_with('[') || rest.starts_with("::")))
    {
        return false;
    }
    let mut segments = path.rsplit("::");
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

#[cfg(test)]
mod tests {
    use super::never_returns;

    #[test]
    fn names() {
        for name in [
            "core[c5930c85a12de822]::panicking::panic_fmt",
            "core[c5930c85a12de822]::slice::index::slice_index_fail",
            "core::slice::index::slice_start_index_len_fail::h0123456789abcdef",
            "<alloc[3ca501edff3f0c7c]::vec::Vec<_, _>>::insert_mut::assert_failed",
            "core::panicking::panic_const::panic_const_div_by_zero",
        ] {
            assert!(never_returns(name), "{name}");
        }
        for name in [
            "blobcheck_kzg::panic",
            "coreutils::panic",
            "core::slice::index::get",
            "alloc::raw_vec::finish_grow::h0123456789abcdef",
            "panic",
            "",
        ] {
            assert!(!never_returns(name), "{name}");
        }
    }
}
