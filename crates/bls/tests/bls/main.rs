//! Tests of `blobcheck-bls`: the official vectors, sync committees, and batches of signatures.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot read its input has failed

mod support;

mod batches;
mod committees;
mod vectors;
