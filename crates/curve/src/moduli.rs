//! The two primes of BLS12-381, least significant limb first.

use ark_bls12_381::{FqConfig, FrConfig};
use ark_ff::MontConfig;

/// p, the modulus of the base field: 381 bits.
pub(crate) const P: [u64; 6] = <FqConfig as MontConfig<6>>::MODULUS.0;

/// r, the order of G1 and G2, and the modulus of the scalar field: 255 bits.
pub(crate) const R: [u64; 4] = <FrConfig as MontConfig<4>>::MODULUS.0;
