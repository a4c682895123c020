//! Invented transactions, as trees that tests then bend.

use super::encoder::{integer, list, string, Tree};
use blobcheck_testing::Rng;
use sha2::{Digest, Sha256};

pub const BLOBS: usize = 0;
pub const COMMITMENTS: usize = 1;
pub const PROOFS: usize = 2;

/// A well-formed body of fourteen fields, naming `versioned_hashes`.
pub fn body(versioned_hashes: &[[u8; 32]]) -> Tree {
    let access = list([string(&[0x11; 20]), list([string(&[0x22; 32]), string(&[0; 32])])]);
    list([
        integer(11_155_111),
        integer(7),
        integer(1_000_000_000),
        integer(30_000_000_000),
        integer(21_000),
        string(&[0x33; 20]),
        integer(0),
        string(&[1, 2, 3]),
        list([access, list([string(&[0x44; 20]), list([])])]),
        integer(1),
        list(versioned_hashes.iter().map(|hash| string(hash))),
        integer(1),
        string(&[0x55; 32]),
        string(&[0x66; 31]),
    ])
}

/// What goes with `count` blobs in a wrapper with `proofs_per_blob`: `[blobs, commitments, proofs]`.
pub struct Wrapped {
    pub versioned_hashes: Vec<[u8; 32]>,
    pub lists: [Tree; 3],
}

pub fn wrapped(random: &mut Rng, count: usize, proofs_per_blob: usize) -> Wrapped {
    let commitments: Vec<[u8; 48]> = (0..count).map(|_| random.bytes()).collect();
    let versioned_hashes = commitments.iter().map(|commitment| {
        let mut hash: [u8; 32] = Sha256::digest(commitment).into();
        hash[0] = 1;
        hash
    });
    let proofs = (0..count * proofs_per_blob).map(|_| string(&random.bytes::<48>()));
    Wrapped {
        versioned_hashes: versioned_hashes.collect(),
        lists: [
            list((0..count).map(|number| string(&vec![number as u8; 131_072]))),
            list(commitments.iter().map(|commitment| string(commitment))),
            list(proofs),
        ],
    }
}

pub fn envelope(wrapper: &Tree) -> Vec<u8> {
    [vec![3], wrapper.encode()].concat()
}

/// A network form of EIP-4844 with `count` blobs, as a tree.
pub fn eip4844(seed: u64, count: usize) -> Tree {
    let Wrapped { versioned_hashes, lists } = wrapped(&mut Rng(seed), count, 1);
    list([body(&versioned_hashes)].into_iter().chain(lists))
}

/// A network form of EIP-7594 with `count` blobs, as a tree.
pub fn eip7594(seed: u64, count: usize) -> Tree {
    let Wrapped { versioned_hashes, lists } = wrapped(&mut Rng(seed), count, 128);
    list([body(&versioned_hashes), integer(1)].into_iter().chain(lists))
}
