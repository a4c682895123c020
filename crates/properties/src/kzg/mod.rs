//! The functions of the KZG specifications, and batches of units, against c-kzg.

mod bare;
mod cells;
mod claims;
mod polynomials;
mod prover;
mod spoil;
mod unit_bytes;

pub use bare::bare_blobs;
pub use cells::cells;
pub use claims::{batches, proofs, units};
pub use prover::prover;
pub use unit_bytes::unit_bytes;
