//! Which of the crate's optional engines are compiled in.

/// Whether batches run on [`crate::simd`], where that has a way for them (feature `simd`).
pub(crate) const SIMD: bool = cfg!(feature = "simd");
