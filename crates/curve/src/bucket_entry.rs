//! A point and the sum to which it belongs: what `bucket` and the engine in `simd` hand to each other.

use crate::g1::G1Affine;

/// A point with the number of the sum that it is a term of.
pub(crate) type BucketEntry = (u32, G1Affine);
