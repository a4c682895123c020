//! What is done to a module once it is linked, tool by tool: which there are, how often each has something to do in which module, and what
//! happens when that changes.
//!
//! Each tool knows a form that compilers give to something, and a new compiler may give it another. So `wasm-counts.toml` has the number of
//! times that each finds its form in each module, and the version of Rust that these are of. With that version, a number that has changed
//! fails the build; with another one it is a warning, as is a budget that is exceeded and a tool that fails: without any of them, a module
//! is larger or slower, and computes the same. What each gains is in `docs/experiments.md`; `cargo xtask wasm --without TOOL,…` shows it.

use anyhow::{bail, ensure, Context, Result};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// What changes linked modules, in the order in which it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tool {
    /// Cuts panics down to traps ([`crate::panics::silence`]).
    Panics,
    /// Blanks the messages of panics ([`crate::panics::blank_messages`]).
    Messages,
    /// Blanks where panics are in the sources ([`crate::panic_locations`]).
    Places,
    /// Writes small copies out ([`crate::memory_copies`]).
    Copies,
    /// Places the kernels of crates/kernels ([`crate::kernels`]).
    Kernels,
    /// Puts functions that are alike side by side ([`crate::function_order`]).
    Order,
}

impl Tool {
    pub const ALL: [Self; 6] =
        [Self::Panics, Self::Messages, Self::Places, Self::Copies, Self::Kernels, Self::Order];

    /// Tools by their names, with commas between them.
    pub fn list(names: &str) -> Result<BTreeSet<Self>> {
        let read = |name| Self::ALL.into_iter().find(|tool| tool.to_string() == name);
        names
            .split(',')
            .map(|name| read(name).with_context(|| format!("no tool {name}: {:?}", Self::ALL)))
            .collect()
    }

    /// Whether a number is near enough to the one that is expected. Kernels are all found or none; what the others find changes a little
    /// with each change of the sources, and much where they know the form no more.
    fn accepts(self, found: usize, expected: usize) -> bool {
        let room = if self == Self::Kernels { 0 } else { expected / 10 };
        found.abs_diff(expected) <= room
    }
}

impl std::fmt::Display for Tool {
    fn fmt(&self, into: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        into.write_str(&format!("{self:?}").to_lowercase())
    }
}

/// How often each tool had something to do in a module. One that was left out is not in it.
pub type Counts = BTreeMap<Tool, usize>;

/// The file of the expected numbers.
const FILE: &str = "wasm-counts.toml";

const HEAD: &str = "# How often each tool that changes linked modules (crates/xtask, post_link.rs) has something to do in each of them, and the version of Rust that
# these numbers are of. `cargo xtask counts` writes this file, from the modules that were built last.\n";

/// The expected numbers.
#[derive(Deserialize, Serialize)]
pub struct Expected {
    rustc: String,
    modules: BTreeMap<String, Counts>,
}

impl Expected {
    pub fn read(root: &Path) -> Result<Self> {
        let text = fs::read_to_string(root.join(FILE)).with_context(|| format!("reading {FILE}"))?;
        toml::from_str(&text).with_context(|| format!("parsing {FILE}"))
    }

    /// Whether the numbers are of this version of Rust, as `rustc --version` tells it.
    pub fn is_of(&self, rustc: &str) -> bool {
        self.rustc == rustc.trim()
    }

    /// What has changed in a module, for a person.
    pub fn differences(&self, module: &str, found: &Counts) -> Vec<String> {
        let Some(expected) = self.modules.get(module) else {
            return vec![format!("{module}: nothing is expected, and there is {}", in_words(found))];
        };
        let differ = found.iter().filter(|(tool, found)| {
            !expected.get(tool).is_some_and(|expected| tool.accepts(**found, *expected))
        });
        differ
            .map(|(tool, found)| match expected.get(tool) {
                Some(expected) => format!("{module}: {tool} finds {found}, and {expected} are expected"),
                None => format!("{module}: {tool} finds {found}, and nothing is expected"),
            })
            .collect()
    }
}

fn in_words(counts: &Counts) -> String {
    counts.iter().map(|(tool, count)| format!("{tool} {count}")).collect::<Vec<_>>().join(", ")
}

/// Fails, or warns, where there is something to say.
pub fn report(complaints: &[String], is_strict: bool, remedy: &str) -> Result<()> {
    if complaints.is_empty() {
        return Ok(());
    }
    let all = complaints.join("\n");
    if is_strict {
        bail!("{all}\n{remedy}");
    }
    println!("wasm: warning: {all}");
    Ok(())
}

/// What helps where numbers have changed.
pub const REMEDY: &str = "If that is meant, `cargo xtask counts` writes the new numbers to wasm-counts.toml.";

/// Writes the numbers of all modules that were built, which must have been built with all tools.
pub fn write(root: &Path, rustc: &str, modules: BTreeMap<String, Counts>) -> Result<()> {
    for (name, counts) in &modules {
        ensure!(counts.len() == Tool::ALL.len(), "{name} was built without some of the tools");
        println!("{name}: {}", in_words(counts));
    }
    let mut text = format!("{HEAD}rustc = \"{}\"\n\n[modules]\n", rustc.trim());
    for (name, counts) in &modules {
        let pairs: Vec<String> = counts.iter().map(|(tool, count)| format!("{tool} = {count}")).collect();
        text += &format!("{name} = {{ {} }}\n", pairs.join(", "));
    }
    fs::write(root.join(FILE), text).with_context(|| format!("writing {FILE}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{config::Config, workspace_root};
    use blobcheck_kernels::{placed, PackedKernels};

    fn expected() -> Expected {
        let text = "rustc = \"rustc 1.0.0\"\n[modules]\na = { panics = 50, kernels = 7, order = 0 }";
        toml::from_str(text).unwrap()
    }

    #[test]
    fn a_number_that_has_changed_is_told() {
        let expected = expected();
        let of = |panics, kernels| Counts::from([(Tool::Panics, panics), (Tool::Kernels, kernels)]);
        for (found, complaints) in [
            (of(50, 7), 0),
            (of(55, 7), 0),
            (of(45, 7), 0),
            (of(56, 7), 1),
            (of(44, 7), 1),
            (of(0, 0), 2),
            (of(50, 6), 1),
            (of(50, 8), 1),
        ] {
            assert_eq!(expected.differences("a", &found).len(), complaints, "{found:?}");
        }
        assert_eq!(expected.differences("a", &of(44, 7)), ["a: panics finds 44, and 50 are expected"]);
        assert_eq!(expected.differences("a", &Counts::from([(Tool::Order, 1)])).len(), 1);
        assert_eq!(expected.differences("a", &Counts::from([(Tool::Copies, 0)])).len(), 1);
        assert_eq!(expected.differences("b", &of(50, 7)).len(), 1);
        assert!(expected.differences("a", &Counts::new()).is_empty(), "what is left out is not missed");
    }

    #[test]
    fn it_fails_the_build_with_the_same_rust_alone() {
        let expected = expected();
        assert!(expected.is_of("rustc 1.0.0\n") && !expected.is_of("rustc 1.0.1"));
        let complaints = ["a: panics finds 0, and 50 are expected".to_string()];
        let error = report(&complaints, true, REMEDY).unwrap_err().to_string();
        assert!(error.contains(&complaints[0]) && error.contains("cargo xtask counts"), "{error}");
        assert!(report(&complaints, false, REMEDY).is_ok() && report(&[], true, REMEDY).is_ok());
    }

    #[test]
    fn tools_have_names() {
        assert_eq!(Tool::list("kernels,copies").unwrap(), [Tool::Copies, Tool::Kernels].into());
        assert!(Tool::list("kernel").is_err() && Tool::list("").is_err() && Tool::list("Order").is_err());
        for tool in Tool::ALL {
            assert_eq!(Tool::list(&tool.to_string()).unwrap(), [tool].into());
        }
    }

    /// Every module in each of its variants, and every tool.
    #[test]
    fn the_numbers_are_of_all_modules() {
        let here = std::env::current_dir().unwrap();
        let root = workspace_root(&here).unwrap();
        let expected = Expected::read(root).unwrap();
        let config = Config::read(&root.join("wasm-pack.toml")).unwrap();
        let mut names = BTreeSet::new();
        for (name, module) in &config.modules {
            for variant in config.variants.keys() {
                if module.variants.is_empty() || module.variants.contains(variant) {
                    names.insert(format!("{name}_{}", variant.replace('-', "_")));
                }
            }
        }
        assert_eq!(expected.modules.keys().cloned().collect::<BTreeSet<_>>(), names);
        for (name, counts) in &expected.modules {
            assert_eq!(counts.keys().copied().collect::<Vec<_>>(), Tool::ALL, "{name}");
            // What a tool never finds, it is not there for. The module for beacon objects has no arithmetic.
            let is_beacon = name.starts_with("beacon_");
            let mut wanted = vec![Tool::Panics, Tool::Messages, Tool::Places, Tool::Order];
            wanted.extend((!is_beacon).then_some(Tool::Copies));
            for tool in wanted {
                assert!(counts[&tool] > 0, "{name}: {tool}");
            }
            let is_relaxed = name.ends_with("_relaxed_simd");
            let of_variant =
                placed().into_iter().filter(|placed| (placed.module == PackedKernels::MODULE) != is_relaxed);
            let kernels: usize = of_variant.map(|placed| placed.kernels.len()).sum();
            assert_eq!(counts[&Tool::Kernels], if is_beacon { 0 } else { kernels }, "{name}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let folder = std::env::temp_dir().join(format!("blobcheck-counts-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let counts: Counts = Tool::ALL.into_iter().zip([3, 0, 5, 700, 19, 80, 900]).collect();
        write(&folder, "rustc 1.2.3 (abc)\n", [("a".to_string(), counts.clone())].into()).unwrap();
        let read = Expected::read(&folder).unwrap();
        assert!(read.is_of("rustc 1.2.3 (abc)") && read.modules["a"] == counts);
        let part: Counts = [(Tool::Order, 3)].into();
        assert!(write(&folder, "rustc 1.2.3", [("a".to_string(), part)].into()).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
