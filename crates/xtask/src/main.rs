//! `cargo xtask`: what the build needs besides cargo.
//!
//! - `data`: take the trusted setup and the sample block out of published packages ([`data`]).
//! - `prover-setup`: work out the prover's points ([`prover_setup`]), some seconds; needs `data`.
//! - `wasm [MODULE…]`: build the modules of `wasm-pack.toml`, all or those named ([`wasm`]); needs `data` and the npm
//!   packages. `--without TOOL,…` leaves tools out that change linked modules ([`post_link`]), and `--out FOLDER` writes elsewhere.
//! - `reproduce [MODULE…]`: build modules, all or those named, in another folder, and hold them against those that are there ([`reproduce`]).
//! - `counts`: write what these tools found in the modules that were built last to `wasm-counts.toml`.
//!
//! All do nothing, quickly, when nothing has changed.

mod config;
mod data;
mod fingerprint;
mod function_order;
mod glue;
mod kernels;
mod memory_copies;
mod panic_locations;
mod panics;
mod post_link;
mod prover_setup;
mod reproduce;
mod wasm;

use anyhow::{bail, Result};
use std::path::{Path, PathBuf};

fn main() -> Result<()> {
    let root = workspace_root();
    let config = config::Config::read(&root.join("wasm-pack.toml"))?;
    let words: Vec<String> = std::env::args().skip(2).collect();
    match std::env::args().nth(1).as_deref() {
        Some("data") => data::extract(&root, &config),
        Some("prover-setup") => prover_setup::build(&root, &config),
        Some("wasm") => wasm::build(&root, &config, &wasm::Request::read(words)?),
        Some("reproduce") => reproduce::check(&root, &config, words),
        Some("counts") => wasm::write_counts(&root, &config),
        _ => bail!(
            "usage: cargo xtask <data|prover-setup|wasm [--without TOOL,…] [--out FOLDER] [MODULE…]|reproduce [MODULE…]|counts>"
        ),
    }
}

/// The folder of the workspace's Cargo.toml: two above this package's.
fn workspace_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new(".")).to_path_buf()
}
