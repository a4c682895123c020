//! `ExecutionPayloadHeader` (`deneb/beacon-chain.md`), of which Capella's is a part.

use super::error::ObjectError;
use crate::bytes::{take, take_offset, take_u64};
use crate::chain::LightClientFork;
use crate::merkle::{chunk_from_u64, merkleize, mix_in_length};
use crate::Bytes32;

/// `MAX_EXTRA_DATA_BYTES`.
const MAX_EXTRA_DATA_BYTES: usize = 32;

/// Length of the fields before `extra_data`'s contents, in Capella.
const CAPELLA_FIXED_BYTES: usize = 568;

/// And with `blob_gas_used` and `excess_blob_gas`, from Deneb on.
const DENEB_FIXED_BYTES: usize = CAPELLA_FIXED_BYTES + 16;

/// The header of an execution block, as the beacon block commits to it. One of before Deneb has no blob gas.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the specification's fields
pub struct ExecutionPayloadHeader {
    pub parent_hash: Bytes32,
    pub fee_recipient: [u8; 20],
    pub state_root: Bytes32,
    pub receipts_root: Bytes32,
    pub logs_bloom: [u8; 256],
    pub prev_randao: Bytes32,
    pub block_number: u64,
    pub gas_limit: u64,
    pub gas_used: u64,
    pub timestamp: u64,
    /// At most 32 bytes.
    pub extra_data: Vec<u8>,
    /// Little-endian.
    pub base_fee_per_gas: [u8; 32],
    pub block_hash: Bytes32,
    pub transactions_root: Bytes32,
    pub withdrawals_root: Bytes32,
    pub blob_gas_used: u64,
    pub excess_blob_gas: u64,
}

impl Default for ExecutionPayloadHeader {
    /// `ExecutionPayloadHeader()`: all zero.
    fn default() -> Self {
        Self {
            parent_hash: [0; 32],
            fee_recipient: [0; 20],
            state_root: [0; 32],
            receipts_root: [0; 32],
            logs_bloom: [0; 256],
            prev_randao: [0; 32],
            block_number: 0,
            gas_limit: 0,
            gas_used: 0,
            timestamp: 0,
            extra_data: Vec::new(),
            base_fee_per_gas: [0; 32],
            block_hash: [0; 32],
            transactions_root: [0; 32],
            withdrawals_root: [0; 32],
            blob_gas_used: 0,
            excess_blob_gas: 0,
        }
    }
}

impl ExecutionPayloadHeader {
    /// Reads the SSZ encoding of Capella's container or of Deneb's, strictly.
    ///
    /// # Errors
    /// [`ObjectError`]; of the length, also where `extra_data` has more than 32 bytes.
    pub fn from_ssz(bytes: &[u8], fork: LightClientFork) -> Result<Self, ObjectError> {
        let has_blob_gas = fork >= LightClientFork::Deneb;
        let (header, offset, extra_data) =
            Self::read_fixed(bytes, has_blob_gas).ok_or(ObjectError::Length)?;
        if offset != if has_blob_gas { DENEB_FIXED_BYTES } else { CAPELLA_FIXED_BYTES } {
            return Err(ObjectError::Offsets);
        }
        if extra_data.len() > MAX_EXTRA_DATA_BYTES {
            return Err(ObjectError::Length);
        }
        Ok(Self { extra_data: extra_data.to_vec(), ..header })
    }

    /// The fields of fixed size, the offset of `extra_data`, and what follows.
    fn read_fixed(bytes: &[u8], has_blob_gas: bool) -> Option<(Self, usize, &[u8])> {
        let mut rest = bytes;
        let rest = &mut rest;
        let mut header = Self {
            parent_hash: *take(rest)?,
            fee_recipient: *take(rest)?,
            state_root: *take(rest)?,
            receipts_root: *take(rest)?,
            logs_bloom: *take(rest)?,
            prev_randao: *take(rest)?,
            block_number: take_u64(rest)?,
            gas_limit: take_u64(rest)?,
            gas_used: take_u64(rest)?,
            timestamp: take_u64(rest)?,
            ..Self::default()
        };
        let offset = take_offset(rest)?;
        header.base_fee_per_gas = *take(rest)?;
        header.block_hash = *take(rest)?;
        header.transactions_root = *take(rest)?;
        header.withdrawals_root = *take(rest)?;
        if has_blob_gas {
            header.blob_gas_used = take_u64(rest)?;
            header.excess_blob_gas = take_u64(rest)?;
        }
        Some((header, offset, rest))
    }

    /// Appends the SSZ encoding of Deneb's container.
    pub(super) fn write_ssz(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.parent_hash);
        out.extend_from_slice(&self.fee_recipient);
        out.extend_from_slice(&self.state_root);
        out.extend_from_slice(&self.receipts_root);
        out.extend_from_slice(&self.logs_bloom);
        out.extend_from_slice(&self.prev_randao);
        for number in [self.block_number, self.gas_limit, self.gas_used, self.timestamp] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&(DENEB_FIXED_BYTES as u32).to_le_bytes());
        out.extend_from_slice(&self.base_fee_per_gas);
        out.extend_from_slice(&self.block_hash);
        out.extend_from_slice(&self.transactions_root);
        out.extend_from_slice(&self.withdrawals_root);
        out.extend_from_slice(&self.blob_gas_used.to_le_bytes());
        out.extend_from_slice(&self.excess_blob_gas.to_le_bytes());
        out.extend_from_slice(&self.extra_data);
    }

    /// `hash_tree_root` of Deneb's container, or, without the blob gas, of Capella's. `None` for `extra_data` that no
    /// container can hold.
    pub fn hash_tree_root(&self, has_blob_gas: bool) -> Option<Bytes32> {
        let mut fee_recipient = [0; 32];
        fee_recipient[..20].copy_from_slice(&self.fee_recipient);
        let mut extra_data = [0; 32];
        extra_data.get_mut(..self.extra_data.len())?.copy_from_slice(&self.extra_data);
        let mut leaves = vec![
            self.parent_hash,
            fee_recipient,
            self.state_root,
            self.receipts_root,
            merkleize(self.logs_bloom.as_chunks().0.to_vec(), 3)?,
            self.prev_randao,
            chunk_from_u64(self.block_number),
            chunk_from_u64(self.gas_limit),
            chunk_from_u64(self.gas_used),
            chunk_from_u64(self.timestamp),
            mix_in_length(&extra_data, self.extra_data.len() as u64),
            self.base_fee_per_gas,
            self.block_hash,
            self.transactions_root,
            self.withdrawals_root,
        ];
        if has_blob_gas {
            leaves.extend([chunk_from_u64(self.blob_gas_used), chunk_from_u64(self.excess_blob_gas)]);
        }
        merkleize(leaves, if has_blob_gas { 5 } else { 4 })
    }
}
