//! Fails early, and says what to do, where the setup has not been extracted yet.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=setup.bin");
    println!("cargo::rerun-if-changed=build.rs");
    let bytes = std::fs::metadata(Path::new("setup.bin")).map(|file| file.len());
    if !matches!(bytes, Ok(3264)) {
        println!(
            "cargo::error=crates/kzg/setup.bin is missing or not 3,264 bytes long: run `npm start` or `cargo xtask data`"
        );
    }
}
