//! The official vectors of KZG, case by case.

use crate::vectors::{entries, json, unhex};

/// A value of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// As an output: the call must fail with an error.
    Null,
    /// A verdict.
    Bool(bool),
    /// A cell index, or the index of a commitment.
    Number(u64),
    /// A `0x` string. Half a byte at its end, which some invalid inputs have, is a byte of its own.
    Bytes(Vec<u8>),
    /// Values of one kind, or the parts of an answer.
    List(Vec<Value>),
}

impl Value {
    fn from_json(value: &serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(bool) => Self::Bool(*bool),
            serde_json::Value::Number(number) => Self::Number(number.as_u64().expect("an index")),
            serde_json::Value::String(hex) => Self::Bytes(unhex(hex)),
            serde_json::Value::Array(items) => Self::List(items.iter().map(Self::from_json).collect()),
            serde_json::Value::Object(_) => panic!("an object where a value is expected"),
        }
    }

    /// The bytes of a `0x` string.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            other => panic!("bytes expected, found {other:?}"),
        }
    }

    /// The items of a list.
    pub fn list(&self) -> &[Value] {
        match self {
            Self::List(list) => list,
            other => panic!("a list expected, found {other:?}"),
        }
    }

    /// The items of a list of `0x` strings.
    pub fn byte_lists(&self) -> Vec<&[u8]> {
        self.list().iter().map(Value::bytes).collect()
    }

    /// The items of a list of indices.
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
    /// Its folder's name in the official vectors.
    pub name: String,
    input: Vec<(String, Value)>,
    /// What the function answers; null where it must fail.
    pub output: Value,
}

impl Case {
    /// An argument of the function.
    pub fn input(&self, key: &str) -> &Value {
        let found = self.input.iter().find(|(name, _)| name == key);
        &found.unwrap_or_else(|| panic!("{}: no input {key}", self.name)).1
    }
}

/// The cases of a function of the specification, in the order of their names.
pub fn cases(function: &str) -> Vec<Case> {
    entries(format!("kzg/{function}"))
        .iter()
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            let case = json(path);
            let input = case["input"].as_object().unwrap_or_else(|| panic!("{name}: no input"));
            let input = input.iter().map(|(key, value)| (key.clone(), Value::from_json(value))).collect();
            let output = case.get("output").unwrap_or_else(|| panic!("{name}: no output"));
            Case { input, output: Value::from_json(output), name }
        })
        .collect()
}
