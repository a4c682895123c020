//! What several suites share.

pub mod encoder;
pub mod random;
pub mod transaction;
pub mod vectors;
