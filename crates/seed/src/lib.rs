//! Random seeds of batches.
//!
//! The coefficients of a batch protect it only if whoever made the proofs could not know them. Two batches with one seed have
//! the same coefficients, and what is learnt from the first is known of the second. So a seed is a value that is moved into its
//! batch, and gone.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

use core::fmt;

/// 32 bytes of a CSPRNG, drawn for one batch after its inputs were fixed.
///
/// It is neither `Copy` nor `Clone`: the batch that takes it is the only one.
///
/// ```
/// use blobcheck_seed::FreshSeed;
///
/// fn batch(seed: FreshSeed) {
///     let _ = seed.into_bytes();
/// }
///
/// let seed = FreshSeed::from_csprng([7; 32]);
/// batch(seed);
/// ```
///
/// A second use does not compile:
///
/// ```compile_fail,E0382
/// use blobcheck_seed::FreshSeed;
///
/// fn batch(seed: FreshSeed) {
///     let _ = seed.into_bytes();
/// }
///
/// let seed = FreshSeed::from_csprng([7; 32]);
/// batch(seed);
/// batch(seed);
/// ```
pub struct FreshSeed([u8; 32]);

impl FreshSeed {
    /// A seed of bytes that a CSPRNG has just given, and that nobody else keeps.
    pub fn from_csprng(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes, for the batch that the seed was drawn for to expand into its coefficients.
    pub fn into_bytes(self) -> [u8; 32] {
        self.0
    }
}

impl fmt::Debug for FreshSeed {
    /// Without the bytes, which are a secret until the batch is decided.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FreshSeed(..)")
    }
}
