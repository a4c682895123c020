//! Encoders of the containers, plain and from the Beacon API's JSON.

use super::naive;
use serde_json::Value;

#[derive(Clone)]
pub struct HeaderParts {
    pub slot: u64,
    pub proposer_index: u64,
    pub parent_root: [u8; 32],
    pub state_root: [u8; 32],
    pub body_root: [u8; 32],
    pub signature: [u8; 96],
}

impl HeaderParts {
    pub fn from_json(signed: &Value) -> Self {
        let message = &signed["message"];
        Self {
            slot: number(&message["slot"]),
            proposer_index: number(&message["proposer_index"]),
            parent_root: hex(&message["parent_root"]),
            state_root: hex(&message["state_root"]),
            body_root: hex(&message["body_root"]),
            signature: hex(&signed["signature"]),
        }
    }

    /// SSZ of the `SignedBeaconBlockHeader`, 208 bytes.
    pub fn encode(&self) -> Vec<u8> {
        [
            &self.slot.to_le_bytes()[..],
            &self.proposer_index.to_le_bytes(),
            &self.parent_root,
            &self.state_root,
            &self.body_root,
            &self.signature,
        ]
        .concat()
    }

    /// `hash_tree_root` of the bare header, over all eight leaves.
    pub fn root(&self) -> [u8; 32] {
        let [slot, proposer_index] =
            [self.slot, self.proposer_index].map(|n| naive::length_chunk(n as usize));
        naive::root(&naive::tree(
            &[slot, proposer_index, self.parent_root, self.state_root, self.body_root],
            3,
        ))
    }
}

#[derive(Clone)]
pub struct BlobSidecarParts {
    pub index: u64,
    pub blob: Vec<u8>,
    pub commitment: [u8; 48],
    pub proof: [u8; 48],
    pub header: HeaderParts,
    pub branch: Vec<[u8; 32]>,
}

impl BlobSidecarParts {
    pub fn from_json(sidecar: &Value) -> Self {
        Self {
            index: number(&sidecar["index"]),
            blob: unhex(&sidecar["blob"]),
            commitment: hex(&sidecar["kzg_commitment"]),
            proof: hex(&sidecar["kzg_proof"]),
            header: HeaderParts::from_json(&sidecar["signed_block_header"]),
            branch: hexes(&sidecar["kzg_commitment_inclusion_proof"]),
        }
    }

    pub fn encode(&self) -> Vec<u8> {
        [
            &self.index.to_le_bytes()[..],
            &self.blob,
            &self.commitment,
            &self.proof,
            &self.header.encode(),
            self.branch.as_flattened(),
        ]
        .concat()
    }
}

#[derive(Clone)]
pub struct ColumnParts {
    pub index: u64,
    pub cells: Vec<Vec<u8>>,
    pub commitments: Vec<[u8; 48]>,
    pub proofs: Vec<[u8; 48]>,
    pub header: HeaderParts,
    pub branch: Vec<[u8; 32]>,
}

impl ColumnParts {
    pub fn from_json(sidecar: &Value) -> Self {
        Self {
            index: number(&sidecar["index"]),
            cells: sidecar["column"].as_array().unwrap().iter().map(unhex).collect(),
            commitments: hexes(&sidecar["kzg_commitments"]),
            proofs: hexes(&sidecar["kzg_proofs"]),
            header: HeaderParts::from_json(&sidecar["signed_block_header"]),
            branch: hexes(&sidecar["kzg_commitments_inclusion_proof"]),
        }
    }

    pub fn encode(&self) -> Vec<u8> {
        let cells = self.cells.concat();
        let commitments = 356 + cells.len();
        let proofs = commitments + self.commitments.as_flattened().len();
        [
            &self.index.to_le_bytes()[..],
            &356u32.to_le_bytes(),
            &(commitments as u32).to_le_bytes(),
            &(proofs as u32).to_le_bytes(),
            &self.header.encode(),
            self.branch.as_flattened(),
            &cells,
            self.commitments.as_flattened(),
            self.proofs.as_flattened(),
        ]
        .concat()
    }
}

pub fn number(value: &Value) -> u64 {
    value.as_str().unwrap().parse().unwrap()
}

pub fn unhex(value: &Value) -> Vec<u8> {
    let digits = value.as_str().unwrap().strip_prefix("0x").unwrap();
    assert!(digits.len().is_multiple_of(2));
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

pub fn hex<const N: usize>(value: &Value) -> [u8; N] {
    unhex(value).try_into().unwrap()
}

pub fn hexes<const N: usize>(values: &Value) -> Vec<[u8; N]> {
    values.as_array().unwrap().iter().map(hex).collect()
}
