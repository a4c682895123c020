//! The specs' YAML, read by a parser that keeps numbers beyond 64 bits as text.

use super::json::unhex;
use std::path::Path;
pub use yaml_rust2::Yaml;

pub fn read(path: &Path) -> Yaml {
    yaml_rust2::YamlLoader::load_from_str(blobcheck_testing::vectors::text(path)).unwrap().remove(0)
}

/// A number, decimal or `0x` hex; `None` where there is nothing.
pub fn number(value: &Yaml) -> Option<u64> {
    match value {
        Yaml::BadValue => None,
        Yaml::Integer(number) => Some(u64::try_from(*number).unwrap()),
        Yaml::Real(digits) => Some(digits.parse().unwrap()),
        other => panic!("{other:?} is no number"),
    }
}

/// `0x` hex, of `N` bytes.
pub fn bytes<const N: usize>(value: &Yaml) -> [u8; N] {
    unhex(value.as_str().unwrap()).try_into().unwrap()
}
