//! `BeaconBlockHeader` and its signed form (`phase0/beacon-chain.md`).

use crate::bytes::{take, take_u64};
use crate::hash::hash_pair;
use crate::merkle::{chunk_from_u64, ZERO_HASHES};
use crate::Bytes32;

/// A block header: the block with its body replaced by the body's root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BeaconBlockHeader {
    /// Slot of the block.
    pub slot: u64,
    /// Validator index of its proposer.
    pub proposer_index: u64,
    /// `hash_tree_root` of the parent's header.
    pub parent_root: Bytes32,
    /// `hash_tree_root` of the state after the block.
    pub state_root: Bytes32,
    /// `hash_tree_root` of the block's body.
    pub body_root: Bytes32,
}

impl BeaconBlockHeader {
    /// Size of its SSZ encoding, in bytes.
    pub const SSZ_BYTES: usize = 112;

    /// Reads the SSZ encoding; `None` where `bytes` are not exactly [`Self::SSZ_BYTES`] long.
    pub fn from_ssz(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let header = Self::take(&mut rest)?;
        rest.is_empty().then_some(header)
    }

    /// Takes a header off the front of `rest`, for the containers that hold one.
    pub(crate) fn take(rest: &mut &[u8]) -> Option<Self> {
        Some(Self {
            slot: take_u64(rest)?,
            proposer_index: take_u64(rest)?,
            parent_root: *take(rest)?,
            state_root: *take(rest)?,
            body_root: *take(rest)?,
        })
    }

    /// Appends the SSZ encoding.
    pub fn write_ssz(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.slot.to_le_bytes());
        out.extend_from_slice(&self.proposer_index.to_le_bytes());
        for root in [&self.parent_root, &self.state_root, &self.body_root] {
            out.extend_from_slice(root);
        }
    }

    /// `hash_tree_root(header)`, which is also the root of the block: the name by which a light client knows it.
    pub fn hash_tree_root(&self) -> Bytes32 {
        // Five fields under a tree of eight leaves; the last three are zero.
        let slot_and_proposer = hash_pair(&chunk_from_u64(self.slot), &chunk_from_u64(self.proposer_index));
        let parent_and_state = hash_pair(&self.parent_root, &self.state_root);
        let body_and_zero = hash_pair(&self.body_root, &ZERO_HASHES[0]);
        hash_pair(
            &hash_pair(&slot_and_proposer, &parent_and_state),
            &hash_pair(&body_and_zero, &ZERO_HASHES[1]),
        )
    }
}

/// A header with its proposer's BLS signature, which this type does not verify.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedBeaconBlockHeader {
    /// The header.
    pub message: BeaconBlockHeader,
    /// Compressed G2 point: the proposer's signature over `message`.
    pub signature: [u8; 96],
}

impl SignedBeaconBlockHeader {
    /// Size of its SSZ encoding, in bytes.
    pub const SSZ_BYTES: usize = BeaconBlockHeader::SSZ_BYTES + 96;

    /// Reads the SSZ encoding; `None` where `bytes` are not exactly [`Self::SSZ_BYTES`] long.
    pub fn from_ssz(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let header = Self::take(&mut rest)?;
        rest.is_empty().then_some(header)
    }

    /// Takes a signed header off the front of `rest`, for the containers that hold one.
    pub(crate) fn take(rest: &mut &[u8]) -> Option<Self> {
        Some(Self { message: BeaconBlockHeader::take(rest)?, signature: *take(rest)? })
    }
}
