//! SHA-256 over files: of what was built from, so that nothing is built twice.

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// SHA-256 of bytes, in hex.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(Sha256::digest(bytes))
}

fn hex(hash: impl AsRef<[u8]>) -> String {
    hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Names of folders that no module is made from.
const OF_NO_MODULE: [&str; 4] = ["target", "tests", "benches", "proptest-regressions"];

/// Crates that no module is made from: tests and benches of others are written with them.
const CRATES_OF_TESTS: [&str; 2] = ["crates/properties", "crates/testing"];

/// One hash over the names and contents of files and folders (walked in name order) and some free text. What only tests and benches need
/// is left out.
pub fn of_tree(root: &Path, entries: &[&str], extra: &str) -> Result<String> {
    let mut files = Vec::new();
    for entry in entries {
        walk(root, &root.join(entry), &mut files)?;
    }
    let mut hash = Sha256::new();
    for file in files {
        let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().into_owned();
        let bytes = fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name);
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
    hash.update(extra);
    Ok(hex(hash.finalize()))
}

fn walk(root: &Path, path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !path.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    let mut entries: Vec<_> =
        fs::read_dir(path)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for entry in entries {
        let is_left_out = OF_NO_MODULE.iter().any(|name| entry.ends_with(name))
            || CRATES_OF_TESTS.iter().any(|name| entry == root.join(name));
        if !is_left_out {
            walk(root, &entry, files)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a module is made from changes the hash, and what only tests are made from does not.
    #[test]
    fn leaves_out_what_tests_need() {
        let root = std::env::temp_dir().join(format!("blobcheck-fingerprint-{}", std::process::id()));
        let write = |name: &str, text: &str| {
            let file = root.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
            of_tree(&root, &["Cargo.toml", "crates"], "").unwrap()
        };
        fs::create_dir_all(root.join("crates")).unwrap();
        write("Cargo.toml", "");
        let first = write("crates/kzg/src/lib.rs", "1");
        assert_eq!(write("crates/kzg/tests/kzg/main.rs", ""), first);
        assert_eq!(write("crates/benches/benches/kzg.rs", ""), first);
        assert_eq!(write("crates/properties/src/lib.rs", ""), first);
        assert_eq!(write("crates/testing/src/lib.rs", ""), first);
        let second = write("crates/kzg/src/lib.rs", "2");
        let third = write("crates/kzg/src/testing/lib.rs", "");
        let fourth = write("Cargo.toml", "3");
        fs::remove_dir_all(&root).unwrap();
        assert!(first != second && second != third && third != fourth);
    }
}
