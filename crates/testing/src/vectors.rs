//! The committed vectors, `tests/vectors` of the project, and other data that tests read. `tests/vectors/README.md`
//! describes the form.
//!
//! Files are named by paths as in `kzg/verify_kzg_proof/…`: the set, and the path in it. They lie in no folder: each set
//! is two files, which are read once.

use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// One set: what its index says of each file, and the bytes that the index refers to.
struct Pack {
    /// By kind (`documents`, `texts` and `objects`) and path.
    index: BTreeMap<String, BTreeMap<String, Value>>,
    pool: Vec<u8>,
}

const SETS: [&str; 8] =
    ["bls", "kzg", "lightclient", "real", "spec", "gloas-light-client", "blocks", "gloas"];

/// A file of the project.
fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn slurp(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

impl Pack {
    fn read(set: &str) -> Self {
        let index = slurp(&project(&format!("tests/vectors/{set}.json")));
        let index = serde_json::from_slice(&index).expect("an index");
        let mut pool = Vec::new();
        // Nothing in this set is long enough for a pool.
        if set != "bls" {
            let compressed = slurp(&project(&format!("tests/vectors/{set}.pool")));
            flate2::read::GzDecoder::new(&compressed[..]).read_to_end(&mut pool).expect("a pool");
        }
        Self { index, pool }
    }

    /// The set that a path begins with, and what follows it.
    fn of(path: &Path) -> (&'static Self, String) {
        static PACKS: [OnceLock<Pack>; SETS.len()] = [const { OnceLock::new() }; SETS.len()];
        let mut parts = path.iter().map(|part| part.to_str().expect("text"));
        let set = parts.next().unwrap_or_default();
        let at = SETS.iter().position(|name| *name == set);
        let at = at.unwrap_or_else(|| panic!("no set of vectors: {}", path.display()));
        (PACKS[at].get_or_init(|| Self::read(set)), parts.collect::<Vec<_>>().join("/"))
    }

    fn paths(&self) -> impl Iterator<Item = &String> {
        self.index.values().flat_map(BTreeMap::keys)
    }

    /// What the index says of a file of a kind.
    fn entry(&self, kind: &str, path: &str) -> &Value {
        self.index[kind].get(path).unwrap_or_else(|| panic!("{path} is not among the {kind}"))
    }

    /// The slices of a reference, each with the number of items that it is cut into.
    fn slices<'a>(&'a self, reference: &'a str) -> impl Iterator<Item = (&'a [u8], usize)> {
        let number = move |text: &str| -> usize {
            text.parse().unwrap_or_else(|_| panic!("not a reference: {reference}"))
        };
        reference.split('@').skip(1).map(move |slice| {
            let (offset, length) = slice.split_once('+').unwrap_or((slice, ""));
            let (length, count) = length.split_once('*').unwrap_or((length, "1"));
            let (offset, count) = (number(offset), number(count));
            (&self.pool[offset..offset + number(length) * count], count)
        })
    }

    fn bytes(&self, reference: &str) -> Vec<u8> {
        self.slices(reference).flat_map(|(slice, _)| slice).copied().collect()
    }

    /// A document's value, with byte strings for references.
    fn expand(&self, value: &Value) -> Value {
        match value {
            Value::String(text) if text.starts_with('@') => Value::String(hex(&self.bytes(text))),
            Value::Array(items) => Value::Array(items.iter().flat_map(|item| self.items(item)).collect()),
            Value::Object(entries) => {
                Value::Object(entries.iter().map(|(key, value)| (key.clone(), self.expand(value))).collect())
            }
            _ => value.clone(),
        }
    }

    /// What stands for one or more items of a list.
    fn items(&self, item: &Value) -> Vec<Value> {
        match item.as_str() {
            Some(reference) if reference.starts_with('@') && reference.contains('*') => self
                .slices(reference)
                .flat_map(|(slice, count)| slice.chunks(slice.len() / count))
                .map(|item| Value::String(hex(item)))
                .collect(),
            _ => vec![self.expand(item)],
        }
    }
}

/// What lies in a folder: files and folders, in order. Panics where there is nothing: a suite that finds nothing tests
/// nothing.
pub fn entries(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let folder = folder.as_ref();
    let (pack, inside) = Pack::of(folder);
    let names =
        pack.paths().filter_map(|path| path.strip_prefix(&inside)?.strip_prefix('/')?.split('/').next());
    let names: std::collections::BTreeSet<&str> = names.collect();
    assert!(!names.is_empty(), "{} is not there", folder.display());
    names.into_iter().map(|name| folder.join(name)).collect()
}

/// All files below a folder, in order. Panics where there is none.
pub fn files(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let folder = folder.as_ref();
    let (pack, inside) = Pack::of(folder);
    let below = |path: &&String| {
        inside.is_empty() || path.strip_prefix(&inside).is_some_and(|rest| rest.starts_with('/'))
    };
    let set = folder.iter().next().unwrap_or_default();
    let mut found: Vec<PathBuf> = pack.paths().filter(below).map(|path| Path::new(set).join(path)).collect();
    assert!(!found.is_empty(), "{} is not there", folder.display());
    found.sort();
    found
}

/// All files called `name` below a folder, in order. Panics where there is none.
pub fn find(folder: impl AsRef<Path>, name: &str) -> Vec<PathBuf> {
    let mut found = files(folder);
    found.retain(|path| path.file_name().is_some_and(|file| file == name));
    assert!(!found.is_empty(), "no {name}");
    found
}

/// Whether there is such a file.
pub fn exists(path: impl AsRef<Path>) -> bool {
    let (pack, inside) = Pack::of(path.as_ref());
    pack.paths().any(|path| *path == inside)
}

/// A file that is bytes.
pub fn bytes(path: impl AsRef<Path>) -> Vec<u8> {
    let (pack, inside) = Pack::of(path.as_ref());
    pack.bytes(pack.entry("objects", &inside).as_str().expect("a reference"))
}

/// A file that is text.
pub fn text(path: impl AsRef<Path>) -> &'static str {
    let (pack, inside) = Pack::of(path.as_ref());
    pack.entry("texts", &inside).as_str().expect("text")
}

/// A file that is JSON, or that was the YAML of an official case. Byte strings are `0x` hex.
pub fn json(path: impl AsRef<Path>) -> Value {
    let (pack, inside) = Pack::of(path.as_ref());
    pack.expand(pack.entry("documents", &inside))
}

/// The items of an array. Panics where there is none.
pub fn items(array: &Value) -> &[Value] {
    let items = array.as_array().expect("an array");
    assert!(!items.is_empty(), "an empty array");
    items
}

/// The answer of the Beacon API with the six blob sidecars of Holesky's block 1409759, which the set-up takes out of a
/// published package.
pub fn holesky_sidecars() -> Value {
    serde_json::from_slice(&slurp(&project("data/holesky_1409759_blob_sidecars.json"))).expect("JSON")
}

fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    ['0', 'x'].into_iter().chain(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])).collect()
}

/// Hex digits to bytes, with or without `0x`; an odd digit at the end (some vectors have such) makes a byte of its
/// own.
pub fn unhex(text: &str) -> Vec<u8> {
    let digits = text.strip_prefix("0x").unwrap_or(text).as_bytes();
    let digit = |c: u8| (c as char).to_digit(16).expect("a hex digit") as u8;
    digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, c| byte << 4 | digit(*c))).collect()
}
