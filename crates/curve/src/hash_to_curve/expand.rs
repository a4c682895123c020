//! `expand_message_xmd` with SHA-256 and `hash_to_field` (RFC 9380, sections 5.3.1 and 5.2).

use crate::backend::{Fq, Fq2};
use crate::{fq, limbs};
use ark_ff::MontFp;
use blobcheck_sha256::sha256;

/// Bytes that an element of Fq is reduced from: 128 more bits than p has.
const L: usize = 64;

/// 2²⁵⁶.
const TWO_TO_256: Fq =
    MontFp!("115792089237316195423570985008687907853269984665640564039457584007913129639936");

/// Two elements of Fq2, close to uniform.
pub(super) fn hash_to_field(message: &[u8], dst: &[u8]) -> [Fq2; 2] {
    let blocks = expand_message(message, dst);
    let [a, b, c, d] = core::array::from_fn(|i| reduce(&blocks[2 * i], &blocks[2 * i + 1]));
    [Fq2::new(a, b), Fq2::new(c, d)]
}

/// 256 = 4·[`L`] bytes, as the digests they consist of.
fn expand_message(message: &[u8], dst: &[u8]) -> [[u8; 32]; 4 * L / 32] {
    const LENGTH: [u8; 2] = [1, 0];
    const BLOCK: [u8; 64] = [0; 64];
    let hashed;
    let dst = match u8::try_from(dst.len()) {
        Ok(_) => dst,
        Err(_) => {
            hashed = sha256(&[b"H2C-OVERSIZE-DST-", dst]);
            &hashed
        }
    };
    let tail = [dst.len() as u8];
    let first = sha256(&[&BLOCK, message, &LENGTH, &[0], dst, &tail]);
    let mut last = [0u8; 32];
    core::array::from_fn(|i| {
        let mixed: [u8; 32] = core::array::from_fn(|j| first[j] ^ last[j]);
        last = sha256(&[&mixed, &[i as u8 + 1], dst, &tail]);
        last
    })
}

/// (high ‖ low) modulo p. Both halves are below 2²⁵⁶, and so below p.
fn reduce(high: &[u8; 32], low: &[u8; 32]) -> Fq {
    let number = |half: &[u8; 32]| {
        let [a, b, c, d] = limbs::from_be(half);
        fq::from_limbs([a, b, c, d, 0, 0])
    };
    fq::mul(&number(high), &TWO_TO_256) + number(low)
}
