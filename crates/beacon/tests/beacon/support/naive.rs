//! The slow, obvious Merkle trees: every leaf present, every layer kept.

use sha2::{Digest, Sha256};

pub type Layers = Vec<Vec<[u8; 32]>>;

pub fn hash(left: &[u8], right: &[u8]) -> [u8; 32] {
    Sha256::digest([left, right].concat()).into()
}

/// All layers, leaves first, of the tree over `leaves` padded with zeros to `2^depth`.
pub fn tree(leaves: &[[u8; 32]], depth: usize) -> Layers {
    let mut leaves = leaves.to_vec();
    leaves.resize(1 << depth, [0; 32]);
    let mut layers = vec![leaves];
    for _ in 0..depth {
        let below = layers.last().unwrap();
        layers.push(below.chunks(2).map(|pair| hash(&pair[0], &pair[1])).collect());
    }
    layers
}

pub fn root(layers: &Layers) -> [u8; 32] {
    layers.last().unwrap()[0]
}

/// Siblings from leaf `index` upwards.
pub fn branch(layers: &Layers, index: usize) -> Vec<[u8; 32]> {
    layers[..layers.len() - 1]
        .iter()
        .enumerate()
        .map(|(height, layer)| layer[(index >> height) ^ 1])
        .collect()
}

pub fn commitment_root(commitment: &[u8; 48]) -> [u8; 32] {
    hash(&commitment[..32], &[&commitment[32..], &[0; 16]].concat())
}

pub fn length_chunk(length: usize) -> [u8; 32] {
    let mut chunk = [0; 32];
    chunk[..8].copy_from_slice(&(length as u64).to_le_bytes());
    chunk
}
