//! `derive_setup MONOMIALS FOLDER`: works out Ethereum's points of the prover from the ceremony's powers of τ, and writes
//! them to `prover-setup.bin` and `prover-setup-extension.bin`, unless they are there. For the build (`cargo xtask
//! prover-setup`).

use blobcheck_kzg::commitment_setup::{write_points, CommitmentSetup};
use blobcheck_prover::{derive, ExtendedSetup};
use blobcheck_sha256::sha256;
use std::path::Path;
use std::process::ExitCode;

/// File names, and SHA-256 of what they hold.
const FILES: [(&str, [u8; 32]); 2] = [
    ("prover-setup.bin", CommitmentSetup::ETHEREUM_ID),
    ("prover-setup-extension.bin", ExtendedSetup::ETHEREUM_ID),
];

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let done = match arguments.as_slice() {
        [monomials, folder] => write(Path::new(monomials), Path::new(folder)),
        _ => Err("usage: derive_setup MONOMIALS FOLDER".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn write(monomials: &Path, folder: &Path) -> Result<(), String> {
    let is_there = |(name, id): &(&str, [u8; 32])| {
        std::fs::read(folder.join(name)).is_ok_and(|bytes| sha256(&[&bytes]) == *id)
    };
    if FILES.iter().all(is_there) {
        return Ok(());
    }
    let bytes = std::fs::read(monomials).map_err(|error| format!("{}: {error}", monomials.display()))?;
    let halves =
        derive::setup_points(bytes.as_chunks().0).map_err(|error| format!("a power of τ: {error:?}"))?;
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    for ((name, id), points) in FILES.iter().zip(halves) {
        let bytes = write_points(&points).map_err(|error| format!("{name}: {error}"))?;
        let found = sha256(&[&bytes]);
        if found != *id {
            return Err(format!("{name} would have SHA-256 {found:02x?}, pinned is {id:02x?}"));
        }
        std::fs::write(folder.join(name), bytes).map_err(|error| format!("{name}: {error}"))?;
        println!("{name} ← {}", monomials.display());
    }
    Ok(())
}
