//! Tests of `blobcheck-kzg`: the official vectors, a naive twin of each function, and batches with every kind of false and malformed unit.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot read its input has failed

mod support;

mod against_naive;
mod bare_blobs;
mod batches;
mod hostile;
mod inputs;
mod membership;
mod parts;
mod shared;
mod transforms;
mod units;
mod vectors;
