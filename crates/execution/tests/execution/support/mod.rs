//! What several suites share.

pub mod encoder;
pub mod transaction;
pub mod transactions;
