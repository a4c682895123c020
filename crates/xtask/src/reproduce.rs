//! Whether modules come out the same, byte by byte, wherever they are built: a copy of the sources is built in another folder, with cargo's
//! home at another path, and nothing of what was compiled before.

use crate::config::Config;
use crate::fingerprint::sha256_hex;
use crate::wasm::{self, Request};
use anyhow::{ensure, Context, Result};
use std::path::Path;
use std::{env, fs};

/// Builds the modules that are named, or all, elsewhere, and compares them with those of the out folder, which must be up to date.
pub fn check(root: &Path, config: &Config, names: Vec<String>) -> Result<()> {
    let elsewhere = env::temp_dir().join(format!("blobcheck-reproduced-{}", std::process::id()));
    fs::create_dir_all(&elsewhere)?;
    let result = build_and_compare(root, &elsewhere, config, names);
    fs::remove_dir_all(&elsewhere)?;
    result
}

fn build_and_compare(root: &Path, elsewhere: &Path, config: &Config, names: Vec<String>) -> Result<()> {
    let folders = [root, elsewhere].map(|folder| folder.join(&config.build.out_dir));
    let (made_from, _) = wasm::read_manifest(&folders[0]);
    ensure!(
        made_from == wasm::inputs(root)?,
        "the modules here are not of these sources: run `cargo xtask wasm` first"
    );
    for input in wasm::INPUTS {
        copy(&root.join(input), &elsewhere.join(input))?;
    }
    for other in [wasm::BINARYEN, "scripts", "wasm-counts.toml"] {
        link(&root.join(other), &elsewhere.join(other))?;
    }
    let home = elsewhere.join("home");
    for entry in fs::read_dir(wasm::cargo_home()?)? {
        let entry = entry?;
        link(&entry.path(), &home.join(entry.file_name()))?;
    }
    env::set_var("CARGO_HOME", &home);
    wasm::build(elsewhere, config, &Request::read(names)?)?;

    let (_, built) = wasm::read_manifest(&folders[1]);
    let mut differing = Vec::new();
    for name in built.keys() {
        let file = format!("{name}.wasm");
        let [here, there] = folders.each_ref().map(|folder| fs::read(folder.join(&file)));
        let (here, there) = (sha256_hex(&here.context("a module is missing")?), sha256_hex(&there?));
        println!("{} {file}", if here == there { "the same  " } else { "DIFFERENT " });
        println!("  {here}");
        if here != there {
            println!("  {there} elsewhere");
            differing.push(file);
        }
    }
    ensure!(differing.is_empty(), "these modules depend on where they are built: {}", differing.join(", "));
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    if !from.is_dir() {
        fs::create_dir_all(to.parent().unwrap_or(to))?;
        fs::copy(from, to).with_context(|| format!("copying {}", from.display()))?;
        return Ok(());
    }
    for entry in fs::read_dir(from)? {
        let name = entry?.file_name();
        copy(&from.join(&name), &to.join(&name))?;
    }
    Ok(())
}

/// A link to what is only read.
#[cfg(unix)]
fn link(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    std::os::unix::fs::symlink(from, to).with_context(|| format!("linking {}", to.display()))
}

/// Links need a privilege there.
#[cfg(not(unix))]
fn link(from: &Path, to: &Path) -> Result<()> {
    copy(from, to)
}
