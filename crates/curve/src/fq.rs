//! The base field: bytes to numbers and back.

use crate::backend::{Fq, FqConfig};
use crate::limbs;
use crate::moduli::P;
use ark_ff::{BigInt, MontConfig, PrimeField};

/// Reads 48 big-endian bytes; `None` when the number is not below p. Out of line: turning bytes round takes much code in WebAssembly.
#[inline(never)]
pub(crate) fn from_be(bytes: &[u8; 48]) -> Option<Fq> {
    Fq::from_bigint(BigInt(limbs::from_be(bytes)))
}

/// A number below p from its limbs, least significant first. The product with R² undoes the factor R⁻¹ of reading
/// an integer as a Montgomery form; unlike `from_bigint` it has no case that fails.
pub(crate) fn from_limbs(value: [u64; 6]) -> Fq {
    debug_assert!(limbs::less(&value, &P));
    Fq::new_unchecked(BigInt(value)) * Fq::new_unchecked(<FqConfig as MontConfig<6>>::R2)
}

/// Writes 48 big-endian bytes.
pub(crate) fn to_be(value: Fq) -> [u8; 48] {
    let mut out = [0u8; 48];
    limbs::to_be(&value.into_bigint().0, &mut out);
    out
}

/// A product.
#[inline]
pub(crate) fn mul(a: &Fq, b: &Fq) -> Fq {
    *a * b
}

/// Whether y is larger than −y, both read as integers below p.
pub(crate) fn is_larger(y: &Fq) -> bool {
    limbs::less(&(-*y).into_bigint().0, &y.into_bigint().0)
}

/// Whether the number is odd, as an integer below p.
pub(crate) fn is_odd(value: &Fq) -> bool {
    value.into_bigint().0[0] & 1 == 1
}

/// Whether 48 big-endian bytes are a number below p.
pub(crate) fn is_canonical(bytes: &[u8; 48]) -> bool {
    limbs::less(&limbs::from_be(bytes), &P)
}
