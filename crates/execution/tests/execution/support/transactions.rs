//! Transactions of the vectors.

use blobcheck_testing::vectors::{entries, unhex};
use std::path::Path;

/// The transactions of a folder, which are files of hex digits, by name.
pub fn transactions(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        (path.display().to_string(), unhex(text.trim()))
    };
    entries(folder).iter().map(read).collect()
}
