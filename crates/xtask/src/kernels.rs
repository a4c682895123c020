//! The kernels of `blobcheck_curve::simd` and `blobcheck_curve::packed`, whose code comes from crates/kernels and not from the
//! compiler, which would put all of a kernel's loads before all that it computes.
//!
//! It takes the place of functions by their names, after wasm-opt, which would merge the loads; and nothing but
//! the functions' bodies is touched. Tests hold the code against the Rust in whose place it comes; and whether the engine
//! computes doubles as it should the module finds out itself before it is used (`blobcheck_curve::simd::passes_self_test`).

use anyhow::{bail, ensure, Context, Result};
use blobcheck_kernels::{
    placed,
    program::{Integer, Program},
    stack::{self, Instruction as Step},
    Placed,
};
use std::{collections::BTreeMap, fs, path::Path};
use wasm_encoder::{CodeSection, Function, Instruction, MemArg, Module, RawSection, ValType};
use wasmparser::{DataKind, KnownCustom, Name, Operator, Parser, Payload};

/// Gives the kernels of the module in `file` their code, all of each kind or none, and takes the names of functions out of it.
/// Returns how many there were.
pub fn install(file: &Path) -> Result<usize> {
    let bytes = fs::read(file)?;
    let parsed = Parsed::of(&bytes)?;
    let mut bodies = BTreeMap::new();
    for Placed { module, kernels, constants } in placed() {
        let (mut found, mut missing) = (BTreeMap::new(), vec![]);
        for kernel in &kernels {
            let path = format!("{module}::{}", kernel.name);
            let Some(function) = parsed.find(&path)? else {
                missing.push(path);
                continue;
            };
            let parameters = kernel.factors as u32 + 1;
            ensure!(
                parsed.signature(function) == Some((parameters as usize, 0)),
                "{} takes something else by now",
                kernel.name
            );
            let constants = if kernel.loads_constants() { parsed.address(&constants)? } else { 0 };
            found.insert(function, body(kernel, parameters, constants));
        }
        // One that the compiler has named or inlined otherwise would be slow, and nobody would know.
        ensure!(found.is_empty() || missing.is_empty(), "no function {}", missing.join(", "));
        bodies.extend(found);
    }
    let with_kernels = parsed.with(&bytes, &bodies)?;
    wasmparser::validate(&with_kernels).context("the module with its kernels")?;
    fs::write(file, with_kernels)?;
    Ok(bodies.len())
}

/// Takes the names of functions out of the module in `file`, and nothing else.
pub fn strip_names(file: &Path) -> Result<()> {
    let bytes = fs::read(file)?;
    let stripped = Parsed::of(&bytes)?.with(&bytes, &BTreeMap::new())?;
    Ok(fs::write(file, stripped)?)
}

/// What a module tells of its functions, and of its memory.
#[derive(Default)]
struct Parsed {
    /// Parameters and results of each type, all of which are numbers of 32 bits, or `None`.
    types: Vec<Option<(usize, usize)>>,
    /// Functions that are imported, which have the lowest numbers; and the types of the others.
    imported: u32,
    functions: Vec<u32>,
    names: Vec<(u32, String)>,
    /// What is in memory at first.
    memory: Vec<u8>,
}

impl Parsed {
    fn of(bytes: &[u8]) -> Result<Self> {
        let mut parsed = Self::default();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::TypeSection(types) => {
                    for function in types.into_iter_err_on_gc_types() {
                        let function = function?;
                        let words = function.params().iter().chain(function.results());
                        let only_words = words.into_iter().all(|ty| *ty == wasmparser::ValType::I32);
                        let counts = (function.params().len(), function.results().len());
                        parsed.types.push(only_words.then_some(counts));
                    }
                }
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        parsed.imported += u32::from(matches!(import?.ty, wasmparser::TypeRef::Func(_)));
                    }
                }
                Payload::FunctionSection(functions) => {
                    parsed.functions = functions.into_iter().collect::<Result<_, _>>()?;
                }
                Payload::DataSection(segments) => {
                    for segment in segments {
                        let segment = segment?;
                        let DataKind::Active { offset_expr, .. } = segment.kind else { continue };
                        let mut offset = offset_expr.get_operators_reader();
                        let (Operator::I32Const { value }, Operator::End) = (offset.read()?, offset.read()?)
                        else {
                            bail!("data at an address that is not a constant");
                        };
                        let start = value as u32 as usize;
                        let end = start + segment.data.len();
                        parsed.memory.resize(parsed.memory.len().max(end), 0);
                        parsed.memory[start..end].copy_from_slice(segment.data);
                    }
                }
                Payload::CustomSection(section) => {
                    let KnownCustom::Name(names) = section.as_known() else { continue };
                    for name in names {
                        let Name::Function(functions) = name? else { continue };
                        for naming in functions {
                            let naming = naming?;
                            parsed.names.push((naming.index, without_hashes(naming.name)));
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(parsed)
    }

    /// The function of this path, by its number: `None` if the module does without.
    fn find(&self, path: &str) -> Result<Option<u32>> {
        let named = |name: &str| {
            // What a path may end with, its hash; and what a copy of a function does.
            let ends = |rest: &str| rest.is_empty() || rest.starts_with("::h") || rest.starts_with('.');
            name.strip_prefix(path).is_some_and(ends)
        };
        let mut found = self.names.iter().filter(|(_, name)| named(name));
        let first = found.next();
        ensure!(found.next().is_none(), "the compiler has made copies of {path}");
        Ok(first.map(|(function, _)| *function))
    }

    /// How many parameters and results a function has, if all are pointers.
    fn signature(&self, function: u32) -> Option<(usize, usize)> {
        let at = function.checked_sub(self.imported)?;
        *self.types.get(*self.functions.get(at as usize)? as usize)?
    }

    /// Where in memory these words are.
    fn address(&self, words: &[u64]) -> Result<usize> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.memory
            .windows(bytes.len())
            .position(|window| window == bytes)
            .context("a kernel without its constants")
    }

    /// The module with these bodies, and without names.
    fn with(&self, bytes: &[u8], bodies: &BTreeMap<u32, Function>) -> Result<Vec<u8>> {
        let mut module = Module::new();
        let (mut code, mut number) = (CodeSection::new(), self.imported);
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload?;
            if let Payload::CodeSectionEntry(body) = &payload {
                match bodies.get(&number) {
                    Some(body) => code.function(body),
                    None => code.raw(body.as_bytes()),
                };
                number += 1;
                if number == self.imported + self.functions.len() as u32 {
                    module.section(&code);
                }
                continue;
            }
            let is_names = matches!(&payload, Payload::CustomSection(section) if section.name() == "name");
            match payload.as_section() {
                Some((id, range)) if id != wasm_encoder::SectionId::Code as u8 && !is_names => {
                    module.section(&RawSection { id, data: &bytes[range] });
                }
                _ => {}
            }
        }
        Ok(module.finish())
    }
}

/// A name without the hashes that crates may have in brackets.
fn without_hashes(name: &str) -> String {
    let mut parts = name.split('[');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |path, part| path + part.split_once(']').map_or(part, |(_, rest)| rest))
}

/// A kernel as a function: `parameters` pointers, and constants at an address.
fn body(kernel: &Program, parameters: u32, constants: usize) -> Function {
    let code = stack::compile(kernel);
    // One more local holds the constants' address: two bytes each time, in place of four.
    let pointer = parameters;
    let local = |slot: u32| parameters + 1 + slot;
    let mut function = Function::new([(1, ValType::I32), (code.locals, ValType::V128)]);
    if kernel.loads_constants() {
        function.instruction(&Instruction::I32Const(constants as i32));
        function.instruction(&Instruction::LocalSet(pointer));
    }
    // As wasm-opt's `--dealign` leaves all others.
    let at = |offset: u32| MemArg { offset: offset.into(), align: 0, memory_index: 0 };
    for instruction in &code.instructions {
        let words = match *instruction {
            Step::Pointer(parameter) => vec![Instruction::LocalGet(parameter)],
            Step::Constants => vec![Instruction::LocalGet(pointer)],
            Step::Load(offset) => vec![Instruction::V128Load(at(offset))],
            Step::LoadSplat(offset) => vec![Instruction::V128Load64Splat(at(offset))],
            Step::Store(offset) => vec![Instruction::V128Store(at(offset))],
            Step::Get(slot) => vec![Instruction::LocalGet(local(slot))],
            Step::Set(slot) => vec![Instruction::LocalSet(local(slot))],
            Step::Tee(slot) => vec![Instruction::LocalTee(local(slot))],
            Step::Integers(which) => vec![match which {
                Integer::Plus32 => Instruction::I32x4Add,
                Integer::Minus32 => Instruction::I32x4Sub,
                Integer::Plus64 => Instruction::I64x2Add,
                Integer::Minus64 => Instruction::I64x2Sub,
                Integer::And => Instruction::V128And,
                Integer::Low => Instruction::I64x2ExtMulLowI32x4S,
                Integer::High => Instruction::I64x2ExtMulHighI32x4S,
            }],
            Step::Shift(bits) => vec![Instruction::I32Const(bits as i32), Instruction::I64x2ShrU],
            Step::Shuffle(lanes) => {
                vec![Instruction::I8x16Shuffle(core::array::from_fn(|i| 4 * lanes[i / 4] + i as u8 % 4))]
            }
            // A shuffle takes two; the mask has the first lane's sign.
            Step::TimesU => vec![
                Instruction::V128Const(0),
                Instruction::I8x16Shuffle([8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7]),
                Instruction::V128Const(1 << 63),
                Instruction::V128Xor,
            ],
            Step::Add => vec![Instruction::F64x2Add],
            Step::Subtract => vec![Instruction::F64x2Sub],
            Step::Multiply => vec![Instruction::F64x2Mul],
            Step::MultiplyAdd => vec![Instruction::F64x2RelaxedMadd],
        };
        words.iter().for_each(|word| {
            function.instruction(word);
        });
    }
    function.instruction(&Instruction::End);
    function
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        ConstExpr, DataSection, FunctionSection, MemorySection, MemoryType, NameMap, NameSection, TypeSection,
    };

    /// Functions of so many pointers by their names, which do nothing, and data.
    fn module(functions: &[(String, usize)], data: &[u8]) -> Vec<u8> {
        let (mut types, mut sections, mut code) =
            (TypeSection::new(), FunctionSection::new(), CodeSection::new());
        let (mut names, mut all) = (NameMap::new(), NameSection::new());
        for (number, (name, parameters)) in (0..).zip(functions) {
            types.ty().function(vec![ValType::I32; *parameters], []);
            sections.function(number);
            names.append(number, name);
            let mut body = Function::new([]);
            body.instruction(&Instruction::End);
            code.function(&body);
        }
        all.functions(&names);
        let mut segments = DataSection::new();
        segments.active(0, &ConstExpr::i32_const(1024), data.iter().copied());
        let one_page =
            MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None };
        let mut memories = MemorySection::new();
        memories.memory(one_page);
        let mut module = Module::new();
        module.section(&types).section(&sections).section(&memories).section(&code).section(&segments);
        module.section(&all);
        module.finish()
    }

    fn installed(bytes: &[u8]) -> Result<(usize, Vec<u8>)> {
        static NUMBER: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let file =
            std::env::temp_dir().join(format!("blobcheck-kernels-{}-{number}.wasm", std::process::id()));
        fs::write(&file, bytes)?;
        let count = install(&file);
        let out = fs::read(&file)?;
        fs::remove_file(&file)?;
        Ok((count?, out))
    }

    fn constants(kernels: &Placed) -> Vec<u8> {
        kernels.constants.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// A name as compilers have them, with a hash at the end or, newer ones, with one in brackets.
    fn name(kernels: &Placed, kernel: &Program, old: bool) -> String {
        let path = format!("{}::{}", kernels.module, kernel.name);
        if old {
            path + "::h0123456789abcdef"
        } else {
            path.replacen("::", "[0123456789abcdef]::", 1)
        }
    }

    /// A function for each kernel, and two others, and the constants.
    fn all() -> (Vec<(String, usize)>, Vec<u8>) {
        let (mut functions, mut data) = (vec![("other".to_string(), 1), ("mul".to_string(), 3)], vec![7; 24]);
        for kind in placed() {
            for kernel in &kind.kernels {
                functions.push((name(&kind, kernel, functions.len() % 2 == 0), kernel.factors + 1));
            }
            data.extend(constants(&kind));
        }
        (functions, data)
    }

    #[test]
    fn only_kernels_change() {
        let (functions, data) = all();
        let (count, out) = installed(&module(&functions, &data)).unwrap();
        assert_eq!(count, functions.len() - 2);
        let mut sizes = vec![];
        for payload in Parser::new(0).parse_all(&out) {
            match payload.unwrap() {
                Payload::CodeSectionEntry(body) => sizes.push(body.range().len()),
                Payload::CustomSection(section) => panic!("{} is left", section.name()),
                _ => {}
            }
        }
        let (others, kernels) = sizes.split_at(2);
        assert!(others.iter().all(|size| *size < 5) && kernels.iter().all(|size| *size > 200), "{sizes:?}");
    }

    #[test]
    fn without_the_tool_only_names_go() {
        let (functions, data) = all();
        let file = std::env::temp_dir().join(format!("blobcheck-names-{}.wasm", std::process::id()));
        fs::write(&file, module(&functions, &data)).unwrap();
        strip_names(&file).unwrap();
        let out = fs::read(&file).unwrap();
        fs::remove_file(&file).unwrap();
        wasmparser::validate(&out).unwrap();
        let mut bodies = 0;
        for payload in Parser::new(0).parse_all(&out) {
            match payload.unwrap() {
                Payload::CodeSectionEntry(body) => {
                    assert!(body.range().len() < 5, "the compiler's own");
                    bodies += 1;
                }
                Payload::CustomSection(section) => panic!("{} is left", section.name()),
                _ => {}
            }
        }
        assert_eq!(bodies, functions.len());
    }

    #[test]
    fn what_has_no_kernels_only_loses_its_names() {
        let (count, out) = installed(&module(&[("other".to_string(), 1)], &[])).unwrap();
        assert_eq!(count, 0);
        wasmparser::validate(&out).unwrap();
    }

    #[test]
    fn a_new_form_is_an_error() {
        let (functions, data) = all();
        let refused = |change: fn(&mut Vec<(String, usize)>)| {
            let mut functions = functions.clone();
            change(&mut functions);
            installed(&module(&functions, &data)).is_err()
        };
        assert!(refused(|functions| functions[2].1 = 2), "other parameters");
        assert!(refused(|functions| functions[3].0 = "mul2".to_string()), "one is missing");
        assert!(refused(|functions| functions[0] = (functions[2].0.replace("::h", "."), 3)), "two copies");
        assert!(installed(&module(&functions, &data[8..])).is_ok(), "constants elsewhere");
        assert!(installed(&module(&functions, &data[32..])).is_err(), "no constants");
    }
}
