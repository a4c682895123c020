//! Transactions of the vectors.

use blobcheck_testing::vectors::{bytes, entries};

/// The transactions of a folder, by name.
pub fn transactions(folder: &str) -> Vec<(String, Vec<u8>)> {
    entries(folder).iter().map(|path| (path.display().to_string(), bytes(path))).collect()
}
