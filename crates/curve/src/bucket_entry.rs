//! A point, or its place in a table, with the number of the sum to which it belongs: what is handed to `engine::sums`.

use crate::g1::G1Affine;

/// A point with the number of the sum that it is a term of.
pub(crate) type BucketEntry = (u32, G1Affine);

/// A term by its point's place in a table.
#[derive(Clone, Copy)]
pub(crate) struct SignedIndex {
    pub(crate) sum: u32,
    pub(crate) point: u32,
    /// Whether the point's opposite is meant.
    pub(crate) negative: bool,
}

impl SignedIndex {
    /// The point itself.
    pub(crate) fn of(sum: u32, point: u32) -> Self {
        Self { sum, point, negative: false }
    }
}
