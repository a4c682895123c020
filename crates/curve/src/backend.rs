//! Which BLS12-381 lies below the facade: the one place that chooses.
//!
//! Natively arkworks' own field arithmetic is fast: it is written for a 64 × 64 → 128-bit multiplication. In
//! WebAssembly, which has none, it is [`baseline`](crate::baseline). Both keep numbers in the very same form.

#[cfg(not(any(target_family = "wasm", feature = "baseline")))]
pub(crate) use ark_bls12_381::{
    Fq, Fq2, FqConfig, Fr, FrConfig, G1Affine, G1Projective, G2Affine, G2Projective,
};

#[cfg(all(test, not(any(target_family = "wasm", feature = "baseline"))))]
pub(crate) use ark_bls12_381::{Bls12_381, Fq12};

#[cfg(any(target_family = "wasm", feature = "baseline"))]
pub(crate) use crate::baseline::{
    Fq, Fq2, FqConfig, Fr, FrConfig, G1Affine, G1Projective, G2Affine, G2Projective,
};

#[cfg(all(test, any(target_family = "wasm", feature = "baseline")))]
pub(crate) use crate::baseline::{Bls12_381, Fq12};
