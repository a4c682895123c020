//! What several suites share.

pub mod naive;
pub mod networks;
pub mod random;
pub mod ssz;
pub mod synthetic;
pub mod vectors;
