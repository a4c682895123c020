//! Invented blocks: random commitments in a body that is a real tree. Every plain clone can make them.

use super::naive;
use super::ssz::{BlobSidecarParts, ColumnParts, HeaderParts};
use blobcheck_testing::Rng;

pub struct Block {
    pub header: HeaderParts,
    pub commitments: Vec<[u8; 48]>,
    list: naive::Layers,
    body: naive::Layers,
    random: Rng,
}

impl Block {
    pub fn new(seed: u64, slot: u64, blobs: usize) -> Self {
        let mut random = Rng(seed);
        let commitments: Vec<[u8; 48]> = (0..blobs).map(|_| random.bytes()).collect();
        let leaves: Vec<_> = commitments.iter().map(naive::commitment_root).collect();
        let list = naive::tree(&leaves, 12);
        let mut fields = random.chunks(13);
        fields[11] = naive::hash(&naive::root(&list), &naive::length_chunk(blobs));
        let body = naive::tree(&fields, 4);
        let header = HeaderParts {
            slot,
            proposer_index: random.next(),
            parent_root: random.bytes(),
            state_root: random.bytes(),
            body_root: naive::root(&body),
            signature: random.bytes(),
        };
        Self { header, commitments, list, body, random }
    }

    /// The sidecar at list position `index`, which may lie beyond the list's length: then for a zero commitment.
    pub fn blob_sidecar(&mut self, index: usize) -> BlobSidecarParts {
        let mut branch = naive::branch(&self.list, index);
        branch.push(naive::length_chunk(self.commitments.len()));
        branch.extend(naive::branch(&self.body, 11));
        BlobSidecarParts {
            index: index as u64,
            blob: vec![self.random.next() as u8; 131_072],
            commitment: self.commitments.get(index).copied().unwrap_or([0; 48]),
            proof: self.random.bytes(),
            header: self.header.clone(),
            branch,
        }
    }

    pub fn column(&mut self, index: u64) -> ColumnParts {
        let blobs = self.commitments.len();
        ColumnParts {
            index,
            cells: (0..blobs).map(|_| vec![self.random.next() as u8; 2048]).collect(),
            commitments: self.commitments.clone(),
            proofs: (0..blobs).map(|_| self.random.bytes()).collect(),
            header: self.header.clone(),
            branch: naive::branch(&self.body, 11),
        }
    }
}
