//! `LightClientHeader` (`capella/light-client/sync-protocol.md`).

use super::error::ObjectError;
use super::execution::ExecutionPayloadHeader;
use super::gindex::EXECUTION_PAYLOAD_GINDEX;
use crate::bytes::{take, take_offset};
use crate::chain::{ChainConfig, LightClientFork};
use crate::gindex::depth;
use crate::header::BeaconBlockHeader;
use crate::Bytes32;

/// `ExecutionBranch`: siblings from the execution header up to the body's root.
pub type ExecutionBranch = [Bytes32; depth(EXECUTION_PAYLOAD_GINDEX)];

/// A beacon header, from Capella on with the execution header in its block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LightClientHeader {
    /// The block's header.
    pub beacon: BeaconBlockHeader,
    /// Its execution header; empty before Capella.
    pub execution: ExecutionPayloadHeader,
    /// The proof that the execution header is the block's; zero before Capella.
    pub execution_branch: ExecutionBranch,
}

impl LightClientHeader {
    /// Length of the part before the execution header, from Capella on.
    const FIXED_BYTES: usize = BeaconBlockHeader::SSZ_BYTES + 4 + 32 * depth(EXECUTION_PAYLOAD_GINDEX);

    /// Reads the SSZ encoding of a fork's container, strictly, and upgrades it to Electra's.
    ///
    /// # Errors
    /// [`ObjectError`].
    pub fn from_ssz(bytes: &[u8], fork: LightClientFork) -> Result<Self, ObjectError> {
        if fork == LightClientFork::Altair {
            let beacon = BeaconBlockHeader::from_ssz(bytes).ok_or(ObjectError::Length)?;
            return Ok(Self { beacon, ..Self::default() });
        }
        let (beacon, offset, execution_branch, execution) = Self::parts(bytes).ok_or(ObjectError::Length)?;
        if offset != Self::FIXED_BYTES {
            return Err(ObjectError::Offsets);
        }
        Ok(Self { beacon, execution: ExecutionPayloadHeader::from_ssz(execution, fork)?, execution_branch })
    }

    fn parts(bytes: &[u8]) -> Option<(BeaconBlockHeader, usize, ExecutionBranch, &[u8])> {
        let mut rest = bytes;
        let beacon = BeaconBlockHeader::take(&mut rest)?;
        let offset = take_offset(&mut rest)?;
        let execution_branch = [*take(&mut rest)?, *take(&mut rest)?, *take(&mut rest)?, *take(&mut rest)?];
        Some((beacon, offset, execution_branch, rest))
    }

    /// Appends the SSZ encoding of Electra's container.
    pub fn write_ssz(&self, out: &mut Vec<u8>) {
        self.beacon.write_ssz(out);
        out.extend_from_slice(&(Self::FIXED_BYTES as u32).to_le_bytes());
        out.extend_from_slice(self.execution_branch.as_flattened());
        self.execution.write_ssz(out);
    }

    /// `get_lc_execution_root(header)`: zero before Capella, and the root of the container of the header's own fork. `None` for
    /// `extra_data` that no container can hold, which no header that was read has.
    ///
    /// Spec: `electra/light-client/sync-protocol.md`.
    pub fn execution_root(&self, chain: &ChainConfig) -> Option<Bytes32> {
        if !chain.is_capella(self.beacon.slot) {
            return Some([0; 32]);
        }
        self.execution.hash_tree_root(chain.is_deneb(self.beacon.slot))
    }
}
