//! Third-party vectors, which the repository does not hold.

use serde_json::Value;
use std::path::{Path, PathBuf};

/// The folder of vectors, or `None`, said loudly, where there is none. In CI there must be one.
pub fn folder(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("BLOBCHECK_VECTORS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(std::env::var("CI").as_deref() != Ok("true"), "no vectors at {}", folder.display());
    eprintln!("SKIPPED (no vectors): {test}");
    None
}

pub fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Snappy in frames (`.ssz_snappy` of real nodes) or in one block (`.ssz_snappy` of the specs' vectors).
pub fn snappy(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap();
    if bytes.starts_with(b"\xff\x06\x00\x00sNaPpY") {
        let mut plain = Vec::new();
        std::io::Read::read_to_end(&mut snap::read::FrameDecoder::new(&bytes[..]), &mut plain).unwrap();
        plain
    } else {
        snap::raw::Decoder::new().decompress_vec(&bytes).unwrap()
    }
}

/// All files called `name` below `folder`, in order. Panics where there is none: a suite that finds nothing
/// tests nothing.
pub fn find(folder: &Path, name: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
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
