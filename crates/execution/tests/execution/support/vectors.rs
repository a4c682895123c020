//! Third-party vectors, which the repository does not hold.

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

/// The transactions of a folder, which are files of hex digits, by name. Panics where there is none.
pub fn transactions(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let digits = text.trim();
            assert!(digits.len().is_multiple_of(2));
            let bytes =
                (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap());
            (path.display().to_string(), bytes.collect())
        })
        .collect();
    assert!(!found.is_empty(), "no transactions in {}", folder.display());
    found.sort();
    found
}
