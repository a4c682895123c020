//! The shape of `wasm-pack.toml`.

use anyhow::{ensure, Context, Result};
use serde::Deserialize;
use std::{collections::BTreeMap, path::Path};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub build: Build,
    /// Keyed by the kernel's name, as JavaScript knows it.
    pub variants: BTreeMap<String, Variant>,
    /// Keyed by what the files' names begin with.
    pub modules: BTreeMap<String, Module>,
    pub data: Data,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Build {
    pub out_dir: String,
    pub wasm_opt: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Variant {
    pub description: String,
    pub target_features: Vec<String>,
    pub cargo_features: Vec<String>,
}

/// A crate that becomes a module, in each variant or in those that are named.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Module {
    pub package: String,
    /// Settings of the profile `release` for this module, as `cargo --config` takes them.
    #[serde(default)]
    pub release: Vec<String>,
    /// Flags of rustc beside the profile and the variant's features.
    #[serde(default)]
    pub rust_flags: Vec<String>,
    /// What the names of its glue begin with.
    pub glue: String,
    /// Another module of the same crate, whose glue serves both.
    #[serde(default)]
    pub glue_of: Option<String>,
    /// Functions of its crate that this module does not export, by their names in JavaScript.
    #[serde(default)]
    pub without: Vec<String>,
    /// The variants that there are of it; all where none is named.
    #[serde(default)]
    pub variants: Vec<String>,
    pub max_bytes: u64,
    pub max_brotli_bytes: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Data {
    pub setup: Source,
    pub prover_setup: Source,
    pub block: Source,
}

/// A file of a published package, and what becomes of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Source {
    pub package: String,
    pub file: String,
    pub sha256: String,
    pub out: String,
    pub out_sha256: String,
}

impl Config {
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        toml::from_str(&text).with_context(|| format!("parsing {}", path.display()))
    }

    /// What the name of the glue begins with by which a module is called: its own, or another's of its crate.
    pub fn glue_prefix<'a>(&'a self, module: &'a Module) -> Result<&'a str> {
        let Some(name) = &module.glue_of else { return Ok(&module.glue) };
        let other =
            self.modules.get(name).with_context(|| format!("{name} is no module to take glue from"))?;
        // Glue has the functions of the crate, whatever either module goes without.
        ensure!(
            other.package == module.package,
            "{name} is not of the crate of a module that takes its glue"
        );
        Ok(&other.glue)
    }
}
