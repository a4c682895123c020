//! What several suites share.

pub mod naive;
pub mod networks;
pub mod schemas;
pub mod ssz;
pub mod synthetic;
pub mod whole;
