pub mod chains;
pub mod json;
pub mod stream;
pub mod yaml;

#[path = "../../../../beacon/tests/beacon/support/vectors.rs"]
pub mod vectors;
