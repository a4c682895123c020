//! `LightClientHeader` (`capella/light-client/sync-protocol.md`, `gloas/light-client/sync-protocol.md`).

use super::error::ObjectError;
use super::execution::ExecutionPayloadHeader;
use super::gindex::{execution_block_hash_gindex_at_slot, ExecutionBranch};
use super::gindex::{EXECUTION_PAYLOAD_DEPTH, EXECUTION_PAYLOAD_GINDEX};
use crate::bytes::{take, take_offset, take_slice};
use crate::chain::{ChainConfig, LightClientFork};
use crate::gindex::{depth, subtree_index};
use crate::header::BeaconBlockHeader;
use crate::merkle::{is_valid_normalized_merkle_branch, merkle_branch_root};
use crate::Bytes32;

/// A beacon header, from Capella on with what its block says of the execution layer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LightClientHeader {
    /// The block's header.
    pub beacon: BeaconBlockHeader,
    /// What the block says of the execution layer; empty before Capella.
    pub execution: Execution,
    /// The proof that the block says so; zero before Capella. Shorter branches have zero chunks before them.
    pub execution_branch: ExecutionBranch,
}

/// What a header says of the execution layer, in one of the two forms that there are.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant)] // few headers are held at a time, and most have the larger form
pub enum Execution {
    /// Of containers up to Fulu: the header of the block's payload.
    Payload(ExecutionPayloadHeader),
    /// Of Gloas's containers: a hash alone. In a header of Gloas it is `bid.parent_block_hash`, the hash of the last full
    /// payload before the block; in an older one, which has been brought into this form, that of the block's own.
    BlockHash(Bytes32),
}

impl Default for Execution {
    fn default() -> Self {
        Self::Payload(ExecutionPayloadHeader::default())
    }
}

impl Execution {
    /// `execution.block_hash`, or `execution_block_hash`.
    pub fn block_hash(&self) -> &Bytes32 {
        match self {
            Self::Payload(header) => &header.block_hash,
            Self::BlockHash(hash) => hash,
        }
    }

    /// Whether all of it is zero.
    pub fn is_default(&self) -> bool {
        match self {
            Self::Payload(header) => *header == ExecutionPayloadHeader::default(),
            Self::BlockHash(hash) => *hash == [0; 32],
        }
    }
}

impl LightClientHeader {
    /// Length of the part before the execution header, from Capella to Fulu.
    const FIXED_BYTES: usize = BeaconBlockHeader::SSZ_BYTES + 4 + 32 * EXECUTION_PAYLOAD_DEPTH;

    /// Length of Gloas's container, all of it.
    pub(super) const GLOAS_BYTES: usize = BeaconBlockHeader::SSZ_BYTES + 32 + size_of::<ExecutionBranch>();

    /// `LightClientHeader()`, in the form that a fork's containers have.
    pub fn empty(fork: LightClientFork) -> Self {
        match fork {
            LightClientFork::Gloas => Self { execution: Execution::BlockHash([0; 32]), ..Self::default() },
            _ => Self::default(),
        }
    }

    /// Whether it is `LightClientHeader()`, in either form.
    pub fn is_default(&self) -> bool {
        self.beacon == BeaconBlockHeader::default()
            && self.execution.is_default()
            && self.execution_branch == ExecutionBranch::default()
    }

    /// Whether it has the form of Gloas's container.
    pub fn has_gloas_form(&self) -> bool {
        matches!(self.execution, Execution::BlockHash(_))
    }

    /// Reads the SSZ encoding of a fork's container, strictly. That of an earlier fork is brought into the one form of this
    /// module, as `upgrade_lc_*` of the specification does.
    ///
    /// # Errors
    /// [`ObjectError`].
    pub fn from_ssz(bytes: &[u8], fork: LightClientFork) -> Result<Self, ObjectError> {
        match fork {
            LightClientFork::Altair => {
                let beacon = BeaconBlockHeader::from_ssz(bytes).ok_or(ObjectError::Length)?;
                Ok(Self { beacon, ..Self::default() })
            }
            LightClientFork::Gloas => Self::from_gloas_ssz(bytes).ok_or(ObjectError::Length),
            _ => {
                let (header, offset, execution) = Self::parts(bytes).ok_or(ObjectError::Length)?;
                if offset != Self::FIXED_BYTES {
                    return Err(ObjectError::Offsets);
                }
                let execution = Execution::Payload(ExecutionPayloadHeader::from_ssz(execution, fork)?);
                Ok(Self { execution, ..header })
            }
        }
    }

    fn from_gloas_ssz(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let beacon = BeaconBlockHeader::take(&mut rest)?;
        let execution = Execution::BlockHash(*take(&mut rest)?);
        let mut execution_branch = ExecutionBranch::default();
        (rest.len() == size_of::<ExecutionBranch>()).then_some(())?;
        // As long as one another: it was just compared.
        execution_branch.as_flattened_mut().copy_from_slice(rest);
        Some(Self { beacon, execution, execution_branch })
    }

    /// The header without its execution header, the offset of that, and its bytes.
    fn parts(bytes: &[u8]) -> Option<(Self, usize, &[u8])> {
        let mut rest = bytes;
        let beacon = BeaconBlockHeader::take(&mut rest)?;
        let offset = take_offset(&mut rest)?;
        let siblings = take_slice(&mut rest, 32 * EXECUTION_PAYLOAD_DEPTH)?;
        let mut execution_branch = ExecutionBranch::default();
        let zeros = execution_branch.len() - EXECUTION_PAYLOAD_DEPTH;
        execution_branch[zeros..].as_flattened_mut().copy_from_slice(siblings);
        Some((Self { beacon, execution_branch, ..Self::default() }, offset, rest))
    }

    /// Appends the SSZ encoding of Electra's container, or of Gloas's where it has that form.
    pub fn write_ssz(&self, out: &mut Vec<u8>) {
        self.beacon.write_ssz(out);
        match &self.execution {
            Execution::Payload(header) => {
                out.extend_from_slice(&(Self::FIXED_BYTES as u32).to_le_bytes());
                let zeros = self.execution_branch.len() - EXECUTION_PAYLOAD_DEPTH;
                out.extend_from_slice(self.execution_branch[zeros..].as_flattened());
                header.write_ssz(out);
            }
            Execution::BlockHash(hash) => {
                out.extend_from_slice(hash);
                out.extend_from_slice(self.execution_branch.as_flattened());
            }
        }
    }

    /// Whether what it says of the execution layer is in the block's body, at the place that the fork of its own slot has it.
    /// That slot must be of Capella or later.
    ///
    /// Spec: the Merkle branches of `is_valid_light_client_header`, `capella/light-client/sync-protocol.md` for an execution
    /// header, `gloas/light-client/sync-protocol.md` for a hash.
    pub fn is_execution_proven(&self, chain: &ChainConfig) -> bool {
        let slot = self.beacon.slot;
        let place = match &self.execution {
            // From Gloas on there is no payload in a body.
            Execution::Payload(_) if chain.is_gloas(slot) => None,
            Execution::Payload(header) => {
                header.hash_tree_root(chain.is_deneb(slot)).map(|root| (root, EXECUTION_PAYLOAD_GINDEX))
            }
            Execution::BlockHash(hash) => {
                execution_block_hash_gindex_at_slot(chain, slot).map(|gindex| (*hash, gindex))
            }
        };
        place.is_some_and(|(leaf, gindex)| {
            is_valid_normalized_merkle_branch(&leaf, &self.execution_branch, gindex, &self.beacon.body_root)
        })
    }

    /// `get_lc_execution_root(header)`: zero before Capella; up to Fulu the root of the execution header of the header's own
    /// fork, which the branch of a hash leads to; from Gloas on the hash itself. `None` for `extra_data` that no container
    /// can hold, which no header that was read has.
    ///
    /// Spec: `electra/light-client/sync-protocol.md`, `gloas/light-client/sync-protocol.md`.
    pub fn execution_root(&self, chain: &ChainConfig) -> Option<Bytes32> {
        let slot = self.beacon.slot;
        let Some(gindex) = execution_block_hash_gindex_at_slot(chain, slot) else { return Some([0; 32]) };
        match &self.execution {
            Execution::BlockHash(hash) if chain.is_gloas(slot) => Some(*hash),
            Execution::Payload(header) => header.hash_tree_root(chain.is_deneb(slot)),
            Execution::BlockHash(_) if slot == 0 => {
                ExecutionPayloadHeader::default().hash_tree_root(chain.is_deneb(slot))
            }
            Execution::BlockHash(hash) => {
                // The part of the branch that is inside of the execution header.
                let inner = depth(gindex) - EXECUTION_PAYLOAD_DEPTH;
                let end = self.execution_branch.len() - EXECUTION_PAYLOAD_DEPTH;
                let index = subtree_index(gindex) & ((1 << inner) - 1);
                Some(merkle_branch_root(hash, &self.execution_branch[end - inner..end], index))
            }
        }
    }
}
