//! `manifest.json` of a folder of modules: what they were made from, and whether they are still as they were written.

use crate::fingerprint::sha256_hex;
use anyhow::Result;
use serde_json::json;
use std::{fs, path::Path};

/// What is on record of each module, by its file's stem; of files, their hashes by their names.
pub type Finished = serde_json::Map<String, serde_json::Value>;

/// The finished modules by their file's stem, if they were made from these inputs and are still as they were written.
pub fn current(out: &Path, inputs: &str) -> Finished {
    let (made_from, mut modules) = read(out);
    if made_from != inputs {
        return Finished::default();
    }
    modules.retain(|_, about| is_whole(out, about));
    modules
}

/// SHA-256 of files of a folder, by their names.
pub fn hashes(folder: &Path, names: impl Iterator<Item = String>) -> Result<Finished> {
    names.map(|name| Ok((name.clone(), json!(sha256_hex(&fs::read(folder.join(name))?))))).collect()
}

/// Whether every file of a module, its scripts and types among them, is there with the bytes that it was written with. What the manifest has no
/// hashes of is not known to be whole: older ones have none.
fn is_whole(out: &Path, about: &serde_json::Value) -> bool {
    let is_as_written = |(name, hash): (&String, &serde_json::Value)| {
        fs::read(out.join(name)).is_ok_and(|bytes| *hash == sha256_hex(&bytes))
    };
    about["files"].as_object().is_some_and(|files| files.iter().all(is_as_written))
}

/// What the modules of a folder were made from, in one hash, and the modules by their file's stem.
pub fn read(out: &Path) -> (String, Finished) {
    let manifest = fs::read(out.join("manifest.json")).unwrap_or_default();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap_or_default();
    let inputs = manifest["inputs"].as_str().unwrap_or_default().to_owned();
    (inputs, manifest["modules"].as_object().cloned().unwrap_or_default())
}

pub fn write(out: &Path, inputs: &str, modules: &Finished) -> Result<()> {
    let manifest = json!({ "inputs": inputs, "modules": modules });
    fs::write(out.join("manifest.json"), serde_json::to_string_pretty(&manifest)? + "\n")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;

    #[test]
    fn what_is_finished() {
        let out = env::temp_dir().join(format!("blobcheck-finished-{}", std::process::id()));
        fs::create_dir_all(&out).unwrap();
        let files = ["one.wasm", "one.js", "shared.js", "two.wasm"];
        let write_all = || files.iter().for_each(|name| fs::write(out.join(name), name).unwrap());
        let about = |names: &[&str]| {
            let hashes = names.iter().map(|name| ((*name).to_owned(), json!(sha256_hex(name.as_bytes()))));
            json!({ "files": Finished::from_iter(hashes) })
        };
        let modules = json!({
            "one": about(&["one.wasm", "one.js", "shared.js"]),
            "two": about(&["two.wasm", "shared.js"]),
            "of_before": { "bytes": 8 },
        });
        write(&out, "these", modules.as_object().unwrap()).unwrap();
        let found = |inputs| current(&out, inputs).keys().cloned().collect::<Vec<_>>().join(" ");

        write_all();
        assert_eq!(found("these"), "one two");
        assert_eq!(found("others"), "");
        for (file, left) in [("one.wasm", "two"), ("one.js", "two"), ("two.wasm", "one"), ("shared.js", "")] {
            fs::write(out.join(file), &file[1..]).unwrap();
            assert_eq!(found("these"), left, "{file} is cut");
            fs::remove_file(out.join(file)).unwrap();
            assert_eq!(found("these"), left, "{file} is missing");
            write_all();
        }
        fs::remove_dir_all(out).unwrap();
    }
}
