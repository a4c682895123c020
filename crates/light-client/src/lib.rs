//! The light-client sync protocol of the consensus specs, Altair to Fulu: pure functions over a plain store.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod reason;

pub use reason::Reason;
