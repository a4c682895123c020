//! Hashing to G2: the suite `BLS12381G2_XMD:SHA-256_SSWU_RO_` of RFC 9380, always over batches.
//!
//! | module | what it holds |
//! |---|---|
//! | `expand` | `expand_message_xmd` and `hash_to_field`: a message to two elements of Fq2 |
//! | `map` | the simplified SWU map to a curve that is isogenous to ours |
//! | `isogeny` | from that curve to ours |
//!
//! Clearing the cofactor is with `psi`. Messages are public: nothing here runs in constant time.

mod expand;
mod isogeny;
mod map;

use crate::g2::{normalize, G2Affine, G2};
use crate::psi::clear_cofactor;

/// `hash_to_curve` for each message, with the domain separation tag `dst`: not empty, and where it is longer than 255 bytes, hashed first (RFC 9380, 5.3.3).
pub fn hash_to_g2(messages: &[&[u8]], dst: &[u8]) -> Vec<G2Affine> {
    let elements: Vec<_> = messages.iter().flat_map(|message| expand::hash_to_field(message, dst)).collect();
    let points = map::map_to_curve(&elements);
    let (pairs, _) = points.as_chunks::<2>();
    let sums: Vec<G2> = pairs
        .iter()
        .map(|[left, right]| clear_cofactor(&(isogeny::apply(left) + isogeny::apply(right))))
        .collect();
    normalize(&sums)
}
