//! The prover's points, worked out from the ceremony's powers of τ.

use crate::{config::Config, data};
use anyhow::{ensure, Context, Result};
use std::{path::Path, process::Command};

/// Writes `prover-setup.bin` and `prover-setup-extension.bin` to the modules' folder. The program that derives them knows
/// their hashes; it is built as the tests are, who need the same crates.
pub fn build(root: &Path, config: &Config) -> Result<()> {
    data::extract(root, config)?;
    let status = Command::new(env!("CARGO"))
        .current_dir(root)
        .args(["run", "--quiet", "--package", "blobcheck-prover", "--bin", "derive_setup", "--"])
        .args([&config.data.prover_setup.out, &config.build.out_dir])
        .status()
        .context("running cargo")?;
    ensure!(status.success(), "deriving the prover's setup failed");
    Ok(())
}
