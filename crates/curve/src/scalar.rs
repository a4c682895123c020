//! The scalar field: integers modulo r, the order of G1 (`BLS_MODULUS` in the specifications).

use crate::backend::{Fr, FrConfig};
use crate::limbs;
use crate::moduli;
use ark_ff::{AdditiveGroup, BigInt, Field, MontConfig, PrimeField};

/// An integer modulo r. `+`, `−`, `*` and unary `−` are the field's.
pub type Scalar = Fr;

/// r, least significant limb first.
pub const MODULUS: [u64; 4] = moduli::R;

/// Zero.
pub const ZERO: Scalar = Fr::ZERO;

/// One.
pub const ONE: Scalar = Fr::ONE;

/// Whether 32 big-endian bytes are a number below r. It is asked 4,096 times of a blob, and nearly always the first
/// four bytes tell.
#[inline]
pub fn is_canonical(bytes: &[u8; 32]) -> bool {
    let [a, b, c, d, ..] = *bytes;
    u64::from(u32::from_be_bytes([a, b, c, d])) < MODULUS[3] >> 32
        || limbs::less(&limbs::from_be(bytes), &MODULUS)
}

/// `bytes_to_bls_field`: reads 32 big-endian bytes; `None` when the number is not below r.
pub fn scalar_from_be(bytes: &[u8; 32]) -> Option<Scalar> {
    Fr::from_bigint(BigInt(limbs::from_be(bytes)))
}

/// The reduction in `hash_to_bls_field`: 32 big-endian bytes modulo r.
pub fn scalar_reduce_be(bytes: &[u8; 32]) -> Scalar {
    from_limbs(reduce(limbs::from_be(bytes)))
}

/// `bls_field_to_bytes`: 32 big-endian bytes.
pub fn scalar_to_be(value: &Scalar) -> [u8; 32] {
    let mut out = [0u8; 32];
    limbs::to_be(&value.into_bigint().0, &mut out);
    out
}

/// A 128-bit number as a scalar.
pub fn from_u128(value: u128) -> Scalar {
    from_limbs([value as u64, (value >> 64) as u64, 0, 0])
}

/// `base` to the power `exponent`.
#[inline(never)]
pub fn pow(base: Scalar, exponent: u64) -> Scalar {
    base.pow([exponent])
}

/// The inverse of each value, zeros left as they are. One inversion, and three multiplications a value (Montgomery's trick).
#[inline(never)]
pub fn invert_all(values: &mut [Scalar]) {
    let mut product = ONE;
    let mut before = Vec::with_capacity(values.len());
    for value in values.iter().filter(|value| **value != ZERO) {
        before.push(product);
        product *= value;
    }
    // Fermat's 1/x = x^(r−2): recovering is all that inverts, and 380 multiplications are not worth the code of a faster way.
    let mut exponent = MODULUS;
    exponent[0] -= 2; // r ends with a one, 31 zeros before it, and ones
    let mut inverse = product.pow(exponent);
    for value in values.iter_mut().rev().filter(|value| **value != ZERO) {
        let rest = inverse * *value;
        *value = inverse * before.pop().unwrap_or(ONE);
        inverse = rest;
    }
}

/// 2⁻ᵏ for k from 2 to 256. The Montgomery form of x is x·2²⁵⁶ modulo r; 2²⁵⁶⁻ᵏ is below r, and so it is that of 2⁻ᵏ.
pub const fn two_to_minus(k: u32) -> Scalar {
    assert!(2 <= k && k <= 256);
    let bit = 256 - k;
    let mut limbs = [0; 4];
    limbs[bit as usize / 64] = 1 << (bit % 64);
    Fr::new_unchecked(BigInt(limbs))
}

/// A primitive `2^log2`-th root of unity, 7^((r−1)/2^log2) as in the specifications
/// (`compute_roots_of_unity`).
///
/// r − 1 is divisible by 2³² and by no higher power of two; `log2` above 32 is read as 32.
#[inline(never)]
pub fn root_of_unity(log2: u32) -> Scalar {
    let log2 = log2.min(32);
    let mut exponent = MODULUS;
    exponent[0] -= 1; // r is odd
    for _ in 0..log2 {
        for i in 0..4 {
            let above = if i < 3 { exponent[i + 1] } else { 0 };
            exponent[i] = exponent[i] >> 1 | above << 63;
        }
    }
    from_u128(7).pow(exponent)
}

/// A 256-bit number modulo r. 2²⁵⁶ < 3r, so that two subtractions are enough.
pub(crate) fn reduce(mut value: [u64; 4]) -> [u64; 4] {
    for _ in 0..2 {
        if !limbs::less(&value, &MODULUS) {
            value = limbs::minus(&value, &MODULUS);
        }
    }
    value
}

/// A number below r as a scalar.
///
/// The product with R² undoes the factor R⁻¹ of reading the integer as a Montgomery form; unlike
/// `from_bigint` it has no case that fails.
#[inline]
pub(crate) fn from_limbs(value: [u64; 4]) -> Scalar {
    debug_assert!(limbs::less(&value, &MODULUS));
    Fr::new_unchecked(BigInt(value)) * Fr::new_unchecked(<FrConfig as MontConfig<4>>::R2)
}
