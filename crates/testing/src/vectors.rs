//! Third-party vectors, which the repository does not hold: `../shared/vectors` beside it, or `BLOBCHECK_VECTORS`.

use serde_json::Value;
use std::path::{Path, PathBuf};

/// The folder of vectors, or `None`, said loudly, where there is none. In CI there must be one.
pub fn folder(test: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors");
    let folder = std::env::var_os("BLOBCHECK_VECTORS").map_or_else(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(std::env::var("CI").as_deref() != Ok("true"), "no vectors at {}", folder.display());
    eprintln!("SKIPPED (no vectors): {test}");
    None
}

/// What lies in a folder, in order. Panics where there is nothing: a suite that finds nothing tests nothing.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    assert!(!found.is_empty(), "{} is empty", folder.display());
    found.sort();
    found
}

/// All files called `name` below `folder`, in order. Panics where there is none.
pub fn find(folder: &Path, name: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for path in entries(&folder) {
            if path.is_dir() {
                open.push(path);
            } else if path.file_name().is_some_and(|file| file == name) {
                found.push(path);
            }
        }
    }
    assert!(!found.is_empty(), "no {name}");
    found.sort();
    found
}

/// A file of JSON.
pub fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).expect("a file")).expect("JSON")
}

/// Snappy in frames (`.ssz_snappy` of real nodes) or in one block (`.ssz_snappy` of the specs' vectors).
pub fn snappy(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).expect("a file");
    if bytes.starts_with(b"\xff\x06\x00\x00sNaPpY") {
        let mut plain = Vec::new();
        std::io::Read::read_to_end(&mut snap::read::FrameDecoder::new(&bytes[..]), &mut plain)
            .expect("frames");
        plain
    } else {
        snap::raw::Decoder::new().decompress_vec(&bytes).expect("a block")
    }
}

/// Hex digits to bytes, with or without `0x`; an odd digit at the end (some vectors have such) makes a byte of its
/// own.
pub fn unhex(text: &str) -> Vec<u8> {
    let digits = text.strip_prefix("0x").unwrap_or(text).as_bytes();
    let digit = |c: u8| (c as char).to_digit(16).expect("a hex digit") as u8;
    digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, c| byte << 4 | digit(*c))).collect()
}
