//! `cargo xtask`: what the build needs besides cargo.
//!
//! - `data`: take the trusted setup and the sample block out of published packages ([`data`]).
//! - `prover-setup`: work out the prover's points ([`prover_setup`]), some seconds; needs `data`.
//! - `wasm [MODULE…]`: build the modules of `wasm-pack.toml`, all or those named ([`wasm`]); needs `data` and the npm
//!   packages. `--without TOOL,…` leaves tools out that change linked modules ([`post_link`]), and `--out FOLDER` writes elsewhere.
//! - `reproduce [MODULE…]`: build modules, all or those named, in another folder, and hold them against those that are there ([`reproduce`]).
//! - `counts`: write what these tools found in the modules that were built last to `wasm-counts.toml`.
//!
//! `data`, `prover-setup` and `wasm` do nothing, quickly, when nothing has changed.

mod config;
mod data;
mod fingerprint;
mod function_order;
mod glue;
mod kernels;
mod manifest;
mod memory_copies;
mod panic_locations;
mod panics;
mod post_link;
mod prover_setup;
mod reproduce;
mod steps;
mod wasm;

use anyhow::{bail, Context, Result};
use std::env;
use std::path::Path;

/// The build matrix: it says which folder is the workspace's.
const MATRIX: &str = "wasm-pack.toml";

fn main() -> Result<()> {
    let here = env::current_dir()?;
    let root = workspace_root(&here)?;
    let config = config::Config::read(&root.join(MATRIX))?;
    let words: Vec<String> = env::args().skip(2).collect();
    match env::args().nth(1).as_deref() {
        Some("data") => data::extract(root, &config),
        Some("prover-setup") => prover_setup::build(root, &config),
        Some("wasm") => wasm::build(root, &config, &wasm::Request::read(words)?),
        Some("reproduce") => reproduce::check(root, &config, words),
        Some("counts") => wasm::write_counts(root, &config),
        _ => bail!(
            "usage: cargo xtask <data|prover-setup|wasm [--without TOOL,…] [--out FOLDER] [MODULE…]|reproduce [MODULE…]|counts>"
        ),
    }
}

/// The workspace that a folder is in. It is looked for at run time: in a checkout that was moved or copied with its `target`, cargo takes this
/// program for current, and the path that it was compiled at is that of another checkout.
fn workspace_root(folder: &Path) -> Result<&Path> {
    let root = folder.ancestors().find(|folder| folder.join(MATRIX).is_file());
    root.with_context(|| {
        format!("neither {} nor a folder above it has {MATRIX}: run this in the workspace", folder.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_workspace_is_that_of_the_current_folder() {
        let outside = env::temp_dir().join(format!("blobcheck-root-{}", std::process::id()));
        let copy = outside.join("copy");
        fs::create_dir_all(copy.join("crates/kzg")).unwrap();
        fs::write(copy.join(MATRIX), "").unwrap();
        assert_eq!(workspace_root(&copy).unwrap(), copy);
        assert_eq!(workspace_root(&copy.join("crates/kzg")).unwrap(), copy);
        let error = workspace_root(&outside).unwrap_err().to_string();
        assert!(error.contains("has wasm-pack.toml: run this in the workspace"), "{error}");
        fs::remove_dir_all(outside).unwrap();
    }
}
