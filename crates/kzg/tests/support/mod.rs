//! The official vectors: where they are, and a reader for their (flat) YAML.
#![allow(dead_code, clippy::expect_used, clippy::unwrap_used)] // each test file uses a part

use blobcheck_kzg::{Setup, ETHEREUM};
use blobcheck_testing::vectors::{self, unhex};
pub use blobcheck_testing::Rng;
use std::path::Path;
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

/// The cases of a function; none, loudly, where there are no vectors.
pub fn cases(function: &str) -> Vec<Case> {
    let Some(folder) = vectors::folder(function) else { return Vec::new() };
    vectors::entries(&folder.join("kzg").join(function)).iter().map(|folder| read(folder)).collect()
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
