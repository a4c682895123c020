//! SHA-256 over files: of what was built from, so that nothing is built twice.

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// SHA-256 of bytes, in hex.
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// One hash over the names and contents of files and folders (walked in name order) and some free text.
pub fn of_tree(root: &Path, entries: &[&str], extra: &str) -> Result<String> {
    let mut files = Vec::new();
    for entry in entries {
        walk(&root.join(entry), &mut files)?;
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
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn walk(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !path.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    let mut entries: Vec<_> =
        fs::read_dir(path)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for entry in entries {
        let name = entry.file_name().unwrap_or_default();
        if name != "target" && name != "tests" && name != "benches" && name != "proptest-regressions" {
            walk(&entry, files)?;
        }
    }
    Ok(())
}
