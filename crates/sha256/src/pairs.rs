//! Nodes of Merkle trees: messages of 64 bytes, of which the second block is the padding, and always the same.

use crate::batch::FOUR_AT_ONCE_PAYS;
use crate::four::sha256_four_pairs;
use crate::single::sha256;

/// SHA-256 of each pair of nodes, in order: four at a time where lanes pay.
pub fn sha256_pairs(pairs: &[[[u8; 32]; 2]]) -> Vec<[u8; 32]> {
    let mut digests = Vec::with_capacity(pairs.len());
    let (fours, rest) = if FOUR_AT_ONCE_PAYS { pairs.as_chunks() } else { (&[][..], pairs) };
    for four in fours {
        digests.extend_from_slice(&sha256_four_pairs(four));
    }
    digests.extend(rest.iter().map(|pair| sha256(&[pair.as_flattened()])));
    digests
}

/// The roots of Merkle trees of zero chunks, by their depth: 32 bytes of zeros, and then the hash of the root before it, twice.
pub fn zero_roots<const N: usize>() -> [[u8; 32]; N] {
    let mut roots = [[0; 32]; N];
    for depth in 1..N {
        roots[depth] = sha256(&[roots[depth - 1].as_slice(); 2]);
    }
    roots
}
