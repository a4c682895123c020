//! Whether modules come out the same, byte by byte, wherever they are built: a copy of the sources is built in another folder, with cargo's
//! home at another path, and nothing of what was compiled before.

use crate::config::Config;
use crate::fingerprint::sha256_hex;
use crate::manifest;
use crate::steps;
use crate::wasm::{self, Request};
use anyhow::{ensure, Context, Result};
use std::io::ErrorKind;
use std::path::Path;
use std::{env, fs};

/// Builds the modules that are named, or all, elsewhere, and compares them with those of the out folder, which must be up to date.
///
/// Elsewhere is below `target`, as another workspace: every absolute path of it is another one, and what an interrupted run has left there is
/// found, and removed, by the next.
pub fn check(root: &Path, config: &Config, names: Vec<String>) -> Result<()> {
    let elsewhere = root.join("target").join("reproduced");
    remove(&elsewhere)?;
    fs::create_dir_all(&elsewhere)?;
    let result = build_and_compare(root, &elsewhere, config, names);
    remove(&elsewhere)?;
    result
}

/// Removes a folder, if it is there. Links in it are removed, and not what they lead to.
fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("removing {}", folder.display()))
        }
        _ => Ok(()),
    }
}

fn build_and_compare(root: &Path, elsewhere: &Path, config: &Config, names: Vec<String>) -> Result<()> {
    let folders = [root, elsewhere].map(|folder| folder.join(&config.build.out_dir));
    let (made_from, _) = manifest::read(&folders[0]);
    ensure!(
        made_from == wasm::inputs(root)?,
        "the modules here are not of these sources: run `cargo xtask wasm` first"
    );
    for input in wasm::INPUTS {
        copy(&root.join(input), &elsewhere.join(input))?;
    }
    for other in [steps::BINARYEN, "scripts", "wasm-counts.toml"] {
        link(&root.join(other), &elsewhere.join(other))?;
    }
    let home = elsewhere.join("home");
    for entry in fs::read_dir(steps::cargo_home()?)? {
        let entry = entry?;
        link(&entry.path(), &home.join(entry.file_name()))?;
    }
    env::set_var("CARGO_HOME", &home);
    wasm::build(elsewhere, config, &Request::read(names)?)?;

    let (_, built) = manifest::read(&folders[1]);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_interrupted_run_has_left_is_removed_but_for_what_it_links_to() {
        let folder = env::temp_dir().join(format!("blobcheck-left-{}", std::process::id()));
        let (left, kept) = (folder.join("left"), folder.join("kept"));
        fs::create_dir_all(&left).unwrap();
        fs::create_dir_all(&kept).unwrap();
        fs::write(kept.join("file"), "kept").unwrap();
        link(&kept, &left.join("wasm/linked")).unwrap();
        remove(&left).unwrap();
        remove(&left).unwrap();
        assert!(!left.exists());
        assert_eq!(fs::read(kept.join("file")).unwrap(), b"kept");
        remove(&folder).unwrap();
    }
}
