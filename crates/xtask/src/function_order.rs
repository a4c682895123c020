//! The order of a module's functions: like beside like, which brotli finds the closer, and names in fewer bits. The instructions stay what
//! they are, but for the numbers of functions in them. 2.5 kB of the verifier's module with brotli.
//!
//! Where a function comes wasm-opt has decided by how often it is called, since numbers below 128 take one byte in a call, and larger ones
//! two. Those that are called most keep their places.

use anyhow::{Context, Result};
use std::{collections::HashMap, convert::Infallible};
use wasm_encoder::{
    reencode::{Error, Reencode},
    CodeSection, FunctionSection, Module,
};
use wasmparser::{CodeSectionReader, FunctionSectionReader, Parser, Payload, TypeRef};

/// Functions with numbers below this, the imported ones included, stay where they are. With brotli, 64 is 0.3 kB less than 128, and as good
/// as 32.
const MOST_CALLED: u32 = 64;

/// Bytes of the pieces by which functions are compared.
const PIECE: usize = 4;

/// The module with its functions in order, and how many have another place in it.
pub fn arranged(bytes: &[u8]) -> Result<(Vec<u8>, usize)> {
    let (mut imported, mut bodies) = (0, vec![]);
    for payload in Parser::new(0).parse_all(bytes) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    let fixed = MOST_CALLED.saturating_sub(imported) as usize;
    let mut module = Module::new();
    let order = like_beside_like(&bodies, fixed);
    let moved = order.iter().enumerate().filter(|(place, at)| place != *at).count();
    Arrangement::new(imported, order)
        .parse_core_module(&mut module, Parser::new(0), bytes)
        .context("writing the functions in another order")?;
    Ok((module.finish(), moved))
}

/// The places of `bodies` in an order that begins with the first `fixed` of them. After each comes the one that has most pieces in common
/// with it, of all pieces that either has.
fn like_beside_like(bodies: &[&[u8]], fixed: usize) -> Vec<usize> {
    let pieces: Vec<Vec<&[u8]>> = bodies
        .iter()
        .map(|body| {
            let mut pieces: Vec<&[u8]> = body.windows(PIECE).collect();
            pieces.sort_unstable();
            pieces.dedup();
            pieces
        })
        .collect();
    let mut owners: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (at, pieces) in pieces.iter().enumerate() {
        pieces.iter().for_each(|piece| owners.entry(piece).or_default().push(at));
    }
    let mut order: Vec<usize> = (0..bodies.len().min(fixed.max(1))).collect();
    let mut left: Vec<usize> = (order.len()..bodies.len()).collect();
    while let (false, Some(&last)) = (left.is_empty(), order.last()) {
        let mut common = vec![0usize; bodies.len()];
        for piece in &pieces[last] {
            owners[piece].iter().for_each(|at| common[*at] += 1);
        }
        let likeness =
            |at: usize| common[at] as f64 / (pieces[at].len() + pieces[last].len() + 1 - common[at]) as f64;
        // Of several that are as like, the first, so that the same module is made each time.
        let nearest =
            (0..left.len()).reduce(|a, b| if likeness(left[b]) > likeness(left[a]) { b } else { a });
        order.extend(nearest.map(|nearest| left.remove(nearest)));
    }
    order
}

/// Functions by their places before and after, those that are imported apart.
struct Arrangement {
    imported: u32,
    order: Vec<usize>,
    numbers: Vec<u32>,
}

impl Arrangement {
    fn new(imported: u32, order: Vec<usize>) -> Self {
        let mut numbers = vec![0; order.len()];
        for (number, at) in (imported..).zip(&order) {
            numbers[*at] = number;
        }
        Self { imported, order, numbers }
    }
}

impl Reencode for Arrangement {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<Infallible>> {
        let own = function.checked_sub(self.imported).map(|at| self.numbers[at as usize]);
        Ok(own.unwrap_or(function))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let types = section.into_iter().collect::<Result<Vec<u32>, _>>()?;
        self.order.iter().for_each(|at| {
            functions.function(types[*at]);
        });
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for at in self.order.clone() {
            self.parse_function_body(code, bodies[at].clone())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection, Function, ImportSection,
        Instruction, RefType, TableSection, TableType, TypeSection,
    };
    use wasmparser::{ElementItems, Operator};

    #[test]
    fn those_that_are_alike_are_neighbours() {
        let bodies: [&[u8]; 6] = [b"abcdefgh", b"12345678", b"abcdefgX", b"12345X78", b"", b"abcdefgh"];
        assert_eq!(like_beside_like(&bodies, 0), [0, 5, 2, 1, 3, 4]);
        assert_eq!(like_beside_like(&bodies, 2), [0, 1, 3, 2, 5, 4]);
        assert_eq!(like_beside_like(&bodies, 9), [0, 1, 2, 3, 4, 5]);
        assert!(like_beside_like(&[], 3).is_empty());
    }

    /// Function `at` of so many: calls the function that is `at + 1` and leaves a number of its own, as one of two types.
    fn module(count: u32) -> Vec<u8> {
        let (mut types, mut imports, mut functions) =
            (TypeSection::new(), ImportSection::new(), FunctionSection::new());
        types.ty().function([], []);
        types.ty().function([wasm_encoder::ValType::I32], []);
        imports.import("a", "b", EntityType::Function(0));
        let (mut tables, mut exports) = (TableSection::new(), ExportSection::new());
        tables.table(TableType {
            element_type: RefType::FUNCREF,
            minimum: u64::from(count),
            maximum: None,
            table64: false,
            shared: false,
        });
        let (mut elements, mut code) = (ElementSection::new(), CodeSection::new());
        elements.active(
            None,
            &ConstExpr::i32_const(0),
            Elements::Functions((0..count).collect::<Vec<_>>().into()),
        );
        for at in 1..count {
            functions.function(at % 2);
            exports.export(&at.to_string(), ExportKind::Func, at);
            let mut body = Function::new([]);
            let next = (at + 2) % count;
            if next % 2 == 1 {
                body.instruction(&Instruction::I32Const(7));
            }
            body.instruction(&Instruction::Call(next));
            // Every seventh has the same, and more of it than there is else.
            for _ in 0..9 {
                body.instruction(&Instruction::I32Const(1000 + at as i32 % 7))
                    .instruction(&Instruction::Drop);
            }
            body.instruction(&Instruction::I32Const(100_000 + at as i32)).instruction(&Instruction::Drop);
            body.instruction(&Instruction::End);
            code.function(&body);
        }
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&tables);
        module.section(&exports).section(&elements).section(&code);
        module.finish()
    }

    /// What a module says of its functions, each called by the number that its body leaves (0 for the imported one): whom each calls, its
    /// type, which is exported by which name, which are in the table; and their order.
    type Said = (Vec<(i32, i32, u32)>, Vec<(String, i32)>, Vec<i32>, Vec<i32>);
    fn said(bytes: &[u8]) -> Said {
        let (mut types, mut bodies, mut exported, mut listed) = (vec![], vec![], vec![], vec![]);
        for payload in Parser::new(0).parse_all(bytes) {
            match payload.unwrap() {
                Payload::FunctionSection(functions) => {
                    types = functions.into_iter().collect::<Result<_, _>>().unwrap();
                }
                Payload::ExportSection(exports) => {
                    let exports = exports.into_iter().map(Result::unwrap);
                    exported = exports.map(|export| (export.name.to_string(), export.index)).collect();
                }
                Payload::ElementSection(elements) => {
                    for element in elements {
                        let ElementItems::Functions(functions) = element.unwrap().items else { panic!() };
                        listed = functions.into_iter().collect::<Result<Vec<u32>, _>>().unwrap();
                    }
                }
                Payload::CodeSectionEntry(body) => {
                    let (mut called, mut own) = (0, 0);
                    for operator in body.get_operators_reader().unwrap() {
                        match operator.unwrap() {
                            Operator::Call { function_index } => called = function_index,
                            Operator::I32Const { value } => own = value,
                            _ => {}
                        }
                    }
                    bodies.push((own, called));
                }
                _ => {}
            }
        }
        let name = |index: u32| index.checked_sub(1).map_or(0, |at| bodies[at as usize].0);
        let order = bodies.iter().map(|(own, _)| *own).collect();
        let mut calls: Vec<_> =
            bodies.iter().zip(types).map(|((own, called), of)| (*own, name(*called), of)).collect();
        calls.sort_unstable();
        let exported = exported.into_iter().map(|(as_what, index)| (as_what, name(index))).collect();
        (calls, exported, listed.into_iter().map(name).collect(), order)
    }

    #[test]
    fn nothing_but_numbers_changes() {
        let before = module(300);
        wasmparser::validate(&before).unwrap();
        let (after, moved) = arranged(&before).unwrap();
        wasmparser::validate(&after).unwrap();
        let (was, is) = (said(&before), said(&after));
        assert_eq!((&was.0, &was.1, &was.2), (&is.0, &is.1, &is.2));
        // The imported one and 63 of its own.
        assert_eq!(was.3[..63], is.3[..63]);
        assert_eq!(was.3.iter().zip(&is.3).filter(|(was, is)| was != is).count(), moved);
        assert!(moved > 200, "{moved}");
        let kinds: Vec<i32> = is.3[63..].iter().map(|own| own % 7).collect();
        assert_eq!(kinds.chunk_by(|a, b| a == b).count(), 7, "{kinds:?}");
        assert_eq!(arranged(&before).unwrap(), (after, moved));
        // What has but a few functions keeps its order.
        assert_eq!(arranged(&module(60)).unwrap().1, 0);
        assert_eq!(said(&arranged(&module(60)).unwrap().0), said(&module(60)));
    }
}
