//! What several suites share.

pub mod naive;
pub mod networks;
pub mod ssz;
pub mod synthetic;
