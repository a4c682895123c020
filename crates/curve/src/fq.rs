//! The base field: bytes to numbers and back.

use crate::backend::{Fq, FqConfig};
use crate::limbs;
use ark_ff::{BigInt, MontConfig, PrimeField};

/// The field's prime p.
pub(crate) const MODULUS: [u64; 6] = <FqConfig as MontConfig<6>>::MODULUS.0;

/// Reads 48 big-endian bytes; `None` when the number is not below p.
pub(crate) fn from_be(bytes: &[u8; 48]) -> Option<Fq> {
    Fq::from_bigint(BigInt(limbs::from_be(bytes)))
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

/// Whether 48 big-endian bytes are a number below p.
pub(crate) fn is_canonical(bytes: &[u8; 48]) -> bool {
    limbs::less(&limbs::from_be(bytes), &MODULUS)
}
