//! The official vectors, a reproducible generator, and signers.
#![allow(dead_code)] // each test file uses a part

use serde_json::Value;
use std::path::{Path, PathBuf};

/// Name, `input` and `output` of each case in `bls/<function>`; none, loudly, where there are no vectors (a failure
/// under `CI=true`).
pub fn cases(function: &str) -> Vec<(String, Value, Value)> {
    let root = std::env::var_os("BLOBCHECK_VECTORS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors"), PathBuf::from);
    let folder = root.join("bls").join(function);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "no vectors in {}", folder.display());
        eprintln!("SKIPPED (no vectors): bls/{function}");
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    let read = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).expect("a file");
        let case: Value = serde_json::from_str(&text).expect("JSON");
        (file.display().to_string(), case["input"].clone(), case["output"].clone())
    };
    files.iter().map(read).collect()
}

/// Hex digits, with or without 0x.
pub fn bytes(value: &Value) -> Vec<u8> {
    let text = value.as_str().expect("a string");
    let digits = text.strip_prefix("0x").unwrap_or(text).as_bytes();
    let digit = |c: u8| (c as char).to_digit(16).expect("a hex digit") as u8;
    digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, c| byte << 4 | digit(*c))).collect()
}
