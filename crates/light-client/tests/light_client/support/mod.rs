pub mod cases;
pub mod chains;
pub mod json;
pub mod ssz;
pub mod stream;
pub mod synthetic;
pub mod upgrade;
pub mod yaml;

#[path = "../../../../beacon/tests/beacon/support/naive.rs"]
#[allow(dead_code)]
pub mod naive;
