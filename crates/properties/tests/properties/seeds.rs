//! The fuzz targets are one for each property, and the inputs that once reached most still hold.

use blobcheck_properties::{hold, PROPERTIES};
use blobcheck_testing::vectors::unhex;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn fuzz(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(folder)
}

#[test]
fn each_property_has_a_target() {
    let files = fs::read_dir(fuzz("fuzz_targets")).unwrap();
    let stems: BTreeSet<String> =
        files.map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into()).collect();
    let names: BTreeSet<String> = PROPERTIES.iter().map(|property| property.name.into()).collect();
    assert_eq!(stems, names);
    let manifest = fs::read_to_string(fuzz("Cargo.toml")).unwrap();
    for name in names {
        let target = fs::read_to_string(fuzz("fuzz_targets").join(format!("{name}.rs"))).unwrap();
        assert!(target.contains(&format!("hold(\"{name}\", bytes)")), "{target}");
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")));
    }
}

fn try_all(is_arithmetic: bool) {
    for property in PROPERTIES.iter().filter(|property| property.is_arithmetic == is_arithmetic) {
        let seeds = fs::read_to_string(fuzz("seeds").join(format!("{}.hex", property.name))).unwrap();
        assert!(!seeds.is_empty(), "{}", property.name);
        for seed in seeds.lines() {
            hold(property.name, &unhex(seed));
        }
    }
}

#[test]
fn arithmetic() {
    try_all(true);
}

#[test]
fn decoders() {
    try_all(false);
}
