//! The official vectors: where they are, and a reader for their (flat) YAML.
#![allow(dead_code, clippy::expect_used, clippy::unwrap_used)] // each test file uses a part

use blobcheck_kzg::{Setup, ETHEREUM};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub mod naive;
pub mod torsion;
pub mod world;

/// The setup, read once.
pub fn setup() -> &'static Setup {
    static SETUP: OnceLock<Setup> = OnceLock::new();
    SETUP.get_or_init(|| Setup::from_bytes(ETHEREUM).expect("the pinned setup"))
}

/// A value of a `data.yaml`.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Number(u64),
    /// A `0x` string.
    Bytes(Vec<u8>),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
}

impl Value {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            other => panic!("bytes expected, found {other:?}"),
        }
    }

    pub fn list(&self) -> &[Value] {
        match self {
            Self::List(list) => list,
            other => panic!("a list expected, found {other:?}"),
        }
    }

    pub fn byte_lists(&self) -> Vec<&[u8]> {
        self.list().iter().map(Value::bytes).collect()
    }

    pub fn numbers(&self) -> Vec<u64> {
        let number = |value: &Value| match value {
            Value::Number(number) => *number,
            other => panic!("a number expected, found {other:?}"),
        };
        self.list().iter().map(number).collect()
    }
}

/// One official case.
pub struct Case {
    pub name: String,
    input: Vec<(String, Value)>,
    pub output: Value,
}

impl Case {
    pub fn input(&self, key: &str) -> &Value {
        let found = self.input.iter().find(|(name, _)| name == key);
        &found.unwrap_or_else(|| panic!("{}: no input {key}", self.name)).1
    }
}

/// The cases of a function; none, loudly, where there are no vectors (a failure under `CI=true`).
pub fn cases(function: &str) -> Vec<Case> {
    let root = std::env::var_os("BLOBCHECK_VECTORS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors"), PathBuf::from);
    let folder = root.join("kzg").join(function);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "no vectors in {}", folder.display());
        eprintln!("SKIPPED (no vectors): {function}");
        return Vec::new();
    };
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    folders.sort();
    let cases: Vec<Case> = folders.iter().map(|folder| read(folder)).collect();
    assert!(!cases.is_empty(), "{} is empty", folder.display());
    cases
}

fn read(folder: &Path) -> Case {
    let text = std::fs::read_to_string(folder.join("data.yaml")).expect("data.yaml");
    let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
    let mut lines = Lines::of(&text);
    let top = lines.mapping(0);
    let find = |key: &str| top.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone());
    let Some(Value::Map(input)) = find("input") else { panic!("{name}: no input") };
    Case { name, input, output: find("output").expect("output") }
}

struct Lines {
    /// (indent, text), flow sequences joined onto one line.
    lines: Vec<(usize, String)>,
    at: usize,
}

impl Lines {
    fn of(text: &str) -> Self {
        let mut lines: Vec<(usize, String)> = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let open = lines.last().is_some_and(|(_, last)| last.contains('[') && !last.contains(']'));
            match lines.last_mut() {
                Some((_, last)) if open => last.push_str(line.trim()),
                _ => lines.push((line.len() - line.trim_start().len(), line.trim_start().to_owned())),
            }
        }
        Self { lines, at: 0 }
    }

    fn peek(&self) -> Option<(usize, &str)> {
        self.lines.get(self.at).map(|(indent, line)| (*indent, line.as_str()))
    }

    /// `key: value` lines at one indent; a value is a scalar, a list, or a nested mapping.
    fn mapping(&mut self, indent: usize) -> Vec<(String, Value)> {
        let mut entries = Vec::new();
        while let Some((own, line)) = self.peek() {
            if own != indent || line.starts_with('-') {
                break;
            }
            let (key, value) = line.split_once(':').expect("key: value");
            let (key, value) = (key.to_owned(), value.trim().to_owned());
            self.at += 1;
            let value = match self.peek() {
                _ if !value.is_empty() => scalar(&value),
                Some((own, line)) if line.starts_with('-') && own >= indent => self.list(own),
                Some((own, _)) if own > indent => Value::Map(self.mapping(own)),
                _ => Value::Null,
            };
            entries.push((key, value));
        }
        entries
    }

    /// `- item` lines at one indent; an item is a scalar or, after `- - `, a list two columns further in.
    fn list(&mut self, indent: usize) -> Value {
        let mut items = Vec::new();
        while let Some((own, line)) = self.peek() {
            let Some(rest) = line.strip_prefix('-').filter(|_| own == indent) else { break };
            let rest = rest.trim_start().to_owned();
            if rest.starts_with("- ") {
                self.lines[self.at] = (indent + 2, rest);
                items.push(self.list(indent + 2));
            } else {
                self.at += 1;
                items.push(scalar(&rest));
            }
        }
        Value::List(items)
    }
}

fn scalar(text: &str) -> Value {
    match text {
        "null" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => {
            if let Some(inner) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
                return Value::List(
                    inner.split(',').map(str::trim).filter(|t| !t.is_empty()).map(scalar).collect(),
                );
            }
            match text.trim_matches('\'').strip_prefix("0x") {
                Some(hex) => Value::Bytes(unhex(hex)),
                None => Value::Number(text.parse().unwrap_or_else(|_| panic!("not understood: {text}"))),
            }
        }
    }
}

/// Hex digits to bytes; an odd digit at the end (the vectors have such) makes a byte of its own.
pub fn unhex(hex: &str) -> Vec<u8> {
    let digit = |c: u8| (c as char).to_digit(16).expect("a hex digit") as u8;
    hex.as_bytes().chunks(2).map(|pair| pair.iter().fold(0, |byte, c| byte << 4 | digit(*c))).collect()
}

/// A small generator (splitmix64), so that a failure is reproducible.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn bytes32(&mut self) -> [u8; 32] {
        let mut out = [0; 32];
        out.chunks_exact_mut(8).for_each(|chunk| chunk.copy_from_slice(&self.next().to_be_bytes()));
        out
    }
}
