//! Tests of `blobcheck-curve`: every function beside a slow twin or arkworks, on random and on extreme inputs, in whichever arithmetic the
//! features choose.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot read its input has failed

mod support;

mod batch_subgroup;
mod fold;
mod g2;
mod hash_to_curve;
// What the features choose among, whichever they choose: tested once.
#[cfg(not(feature = "simd"))]
mod kernels;
mod point_triples;
mod points;
mod scalars;
mod sums;
mod tables;
mod trits;
mod weights;
