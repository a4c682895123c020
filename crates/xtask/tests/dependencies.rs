//! What the crates depend on, against `deny.toml`: licences, sources, and no crate in two versions. That is what cargo-deny checks of it
//! (`npm run audit`), but for the advisories, for which it needs a network; here are neither.
#![allow(clippy::unwrap_used)] // tests

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn rules() -> toml::Table {
    fs::read_to_string(project("deny.toml")).unwrap().parse().unwrap()
}

fn texts(rules: &toml::Table, section: &str, key: &str) -> Vec<String> {
    let list = rules[section][key].as_array().unwrap();
    list.iter().map(|entry| entry.as_str().unwrap().to_owned()).collect()
}

/// All packages of the lock file, for every platform, ours among them.
fn packages() -> Vec<Value> {
    let cargo = env::var("CARGO").unwrap();
    let metadata = ["metadata", "--quiet", "--format-version", "1", "--locked"];
    let output = Command::new(cargo).args(metadata).current_dir(project("")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

fn text<'a>(package: &'a Value, key: &str) -> &'a str {
    package[key].as_str().unwrap_or_default()
}

/// Whether an expression of SPDX holds for who accepts these licences; the older form of crates.io has `/` for OR.
fn allows(allowed: &[String], expression: &str) -> bool {
    /// Words from the front: AND binds closer than OR.
    fn either(allowed: &[String], words: &mut &[&str]) -> bool {
        let mut holds = both(allowed, words);
        while let ["OR", rest @ ..] = *words {
            *words = rest;
            holds |= both(allowed, words);
        }
        holds
    }
    fn both(allowed: &[String], words: &mut &[&str]) -> bool {
        let mut holds = one(allowed, words);
        while let ["AND", rest @ ..] = *words {
            *words = rest;
            holds &= one(allowed, words);
        }
        holds
    }
    fn one(allowed: &[String], words: &mut &[&str]) -> bool {
        let (holds, rest) = match *words {
            ["(", rest @ ..] => {
                *words = rest;
                let holds = either(allowed, words);
                (holds, words.strip_prefix(&[")"]).unwrap_or(&[]))
            }
            [name, "WITH", exception, rest @ ..] => {
                (allowed.contains(&format!("{name} WITH {exception}")), rest)
            }
            [name, rest @ ..] => (allowed.iter().any(|licence| licence == name), rest),
            [] => (false, *words),
        };
        *words = rest;
        holds
    }
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = &words[..];
    either(allowed, &mut rest) && rest.is_empty()
}

#[test]
fn expressions() {
    let allowed = ["MIT", "Zlib", "Apache-2.0 WITH X"].map(str::to_owned);
    for good in [
        "MIT",
        "GPL-3.0 OR MIT",
        "MIT/GPL-3.0",
        "MIT AND Zlib",
        "(GPL-3.0 OR MIT) AND Zlib",
        "Apache-2.0 WITH X OR A",
    ] {
        assert!(allows(&allowed, good), "{good}");
    }
    for bad in [
        "",
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "(MIT OR A) AND B",
        "Apache-2.0",
        "MIT MIT",
        "MIT WITH X",
        "A OR B AND MIT",
    ] {
        assert!(!allows(&allowed, bad), "{bad}");
    }
}

#[test]
fn licences_are_allowed() {
    let allowed = texts(&rules(), "licenses", "allow");
    let packages = packages();
    assert!(packages.len() > 100, "{} packages", packages.len());
    for package in &packages {
        let licence = text(package, "license");
        assert!(allows(&allowed, licence), "{}: {licence}", text(package, "name"));
    }
    // None is on the list that nobody needs.
    for licence in &allowed {
        let others: Vec<String> = allowed.iter().filter(|other| *other != licence).cloned().collect();
        let needs = |package: &Value| !allows(&others, text(package, "license"));
        assert!(packages.iter().any(needs), "nobody needs {licence}");
    }
}

#[test]
fn crates_come_from_the_registry() {
    let registries = texts(&rules(), "sources", "allow-registry");
    for package in packages() {
        let Some(source) = package["source"].as_str() else { continue };
        let registry = source.strip_prefix("registry+").unwrap_or(source);
        assert!(registries.iter().any(|allowed| allowed == registry), "{}: {source}", text(&package, "name"));
    }
    // Also those that are fetched for a file that they carry, and each of them by its hash.
    for lock in ["Cargo.lock", "crates/xtask/sources/Cargo.lock"] {
        let lock: toml::Table = fs::read_to_string(project(lock)).unwrap().parse().unwrap();
        for package in lock["package"].as_array().unwrap() {
            let Some(source) = package.get("source") else { continue };
            let registry = source.as_str().unwrap().strip_prefix("registry+").unwrap();
            assert!(registries.iter().any(|allowed| allowed == registry), "{package}");
            assert_eq!(package["checksum"].as_str().unwrap().len(), 64, "{package}");
        }
    }
}

#[test]
fn no_crate_has_two_versions() {
    let rules = rules();
    let skipped: BTreeSet<&str> = rules["bans"]["skip"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["crate"].as_str().unwrap())
        .collect();
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut unused = skipped.clone();
    for package in packages() {
        let (name, version) = (text(&package, "name"), text(&package, "version"));
        let is_of = |entry: &&&str| {
            let (of, start) = entry.split_once('@').unwrap();
            of == name && (version == start || version.starts_with(&format!("{start}.")))
        };
        match skipped.iter().find(is_of) {
            Some(entry) => _ = unused.remove(entry),
            None => _ = versions.entry(name.to_owned()).or_default().insert(version.to_owned()),
        }
    }
    let several: Vec<_> = versions.iter().filter(|(_, versions)| versions.len() > 1).collect();
    assert!(several.is_empty(), "{several:?}");
    assert!(unused.is_empty(), "nobody has {unused:?}");
}
