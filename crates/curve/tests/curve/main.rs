//! Tests of `blobcheck-curve`: every function beside a slow twin or arkworks, on random and on extreme inputs, in whichever arithmetic the
//! features choose.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot read its input has failed

mod extremes;
mod support;

mod baseline;
mod baseline_curve;
mod batch_subgroup;
mod fold;
mod g2;
mod generated_kernels;
mod hash_to_curve;
mod packed;
mod point_triples;
mod points;
mod scalars;
mod simd;
mod simd_scalars;
mod sums;
mod tables;
mod trits;
mod weights;
