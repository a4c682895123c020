//! Accesses of memory that say nothing of how their addresses are aligned. 0.1 to 0.3 kB of the verifier's module with brotli: the compiler says
//! something else for each type that is read and written with an instruction, and brotli finds the instruction alone sooner.
//!
//! A hint changes nothing that is computed, and an engine may take its time where one is wrong ("alignment" in the WebAssembly specification,
//! section 4.4.7). Those for x86-64 and ARM64 read none: both have one instruction for every address. An access that claims no alignment is right
//! about any.

use anyhow::{Context, Result};
use std::convert::Infallible;
use wasm_encoder::{
    reencode::{Error, Reencode},
    MemArg, Module,
};
use wasmparser::Parser;

/// The module without hints, and how many there were.
pub fn without_hints(bytes: &[u8]) -> Result<(Vec<u8>, usize)> {
    let mut module = Module::new();
    let mut hints = Hints { dropped: 0 };
    hints
        .parse_core_module(&mut module, Parser::new(0), bytes)
        .context("writing accesses of memory without hints")?;
    Ok((module.finish(), hints.dropped))
}

struct Hints {
    dropped: usize,
}

impl Reencode for Hints {
    type Error = Infallible;

    fn mem_arg(&mut self, access: wasmparser::MemArg) -> Result<MemArg, Error<Infallible>> {
        self.dropped += usize::from(access.align != 0);
        Ok(MemArg { offset: access.offset, align: 0, memory_index: access.memory })
    }
}

#[cfg(test)]
mod tests {
    use super::without_hints;
    use crate::testing::one_memory;
    use wasm_encoder::{CodeSection, Function, FunctionSection, Instruction, MemArg, Module, TypeSection};
    use wasmparser::{Operator, Parser, Payload};

    /// Reads 16 bytes, and writes them 24 further on, with the given hints.
    fn module(load: u32, store: u32) -> Vec<u8> {
        let (mut types, mut functions, mut code) =
            (TypeSection::new(), FunctionSection::new(), CodeSection::new());
        types.ty().function([], []);
        functions.function(0);
        let access = |offset, align| MemArg { offset, align, memory_index: 0 };
        let mut body = Function::new([]);
        body.instruction(&Instruction::I32Const(0))
            .instruction(&Instruction::I32Const(3))
            .instruction(&Instruction::V128Load(access(5, load)))
            .instruction(&Instruction::V128Store(access(24, store)))
            .instruction(&Instruction::End);
        code.function(&body);
        let mut module = Module::new();
        module.section(&types).section(&functions).section(&one_memory()).section(&code);
        module.finish()
    }

    /// The instructions of all functions.
    fn operators(bytes: &[u8]) -> Vec<Operator<'_>> {
        let mut operators = vec![];
        for payload in Parser::new(0).parse_all(bytes) {
            if let Payload::CodeSectionEntry(body) = payload.unwrap() {
                let read: Result<Vec<_>, _> = body.get_operators_reader().unwrap().into_iter().collect();
                operators.extend(read.unwrap());
            }
        }
        operators
    }

    #[test]
    fn nothing_but_hints_changes() {
        let plain = module(0, 0);
        assert_eq!(without_hints(&plain).unwrap(), (plain.clone(), 0));
        for (load, store, dropped) in [(4, 0, 1), (0, 3, 1), (4, 1, 2)] {
            let hinted = module(load, store);
            wasmparser::validate(&hinted).unwrap();
            assert_ne!(operators(&hinted), operators(&plain));
            assert_eq!(without_hints(&hinted).unwrap(), (plain.clone(), dropped));
        }
    }
}
