//! `SyncAggregate` (`altair/beacon-chain.md`).

use crate::bytes::{take, take_slice};

/// Who of a committee signed, and their signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncAggregate {
    /// `sync_committee_bits`: 8 to a byte, the lowest bit first. The committee's size is a multiple of 8.
    bits: Vec<u8>,
    /// Compressed G2 point, not yet known to be one.
    pub signature: [u8; 96],
}

impl SyncAggregate {
    /// Size of its SSZ encoding, in bytes, for a committee of `size` keys.
    pub const fn ssz_bytes(size: usize) -> usize {
        size / 8 + 96
    }

    /// The aggregate of a committee with these bits; those beyond a multiple of 8 are left out.
    pub fn new(sync_committee_bits: &[bool], signature: [u8; 96]) -> Self {
        let bytes = sync_committee_bits.as_chunks::<8>().0.iter();
        let bits =
            bytes.map(|bits| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit))).collect();
        Self { bits, signature }
    }

    /// Reads the SSZ encoding of the aggregate of a committee of any size: its bits, then the signature. `None` for less than
    /// a signature.
    pub fn from_ssz(bytes: &[u8]) -> Option<Self> {
        let (bits, signature) = bytes.split_last_chunk()?;
        Some(Self { bits: bits.to_vec(), signature: *signature })
    }

    /// Takes the aggregate of a committee of `size` keys off the front of `rest`.
    pub(super) fn take(rest: &mut &[u8], size: usize) -> Option<Self> {
        Some(Self { bits: take_slice(rest, size / 8)?.to_vec(), signature: *take(rest)? })
    }

    /// Appends the SSZ encoding.
    pub(super) fn write_ssz(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.bits);
        out.extend_from_slice(&self.signature);
    }

    /// `sync_committee_bits`, one by one.
    pub fn sync_committee_bits(&self) -> Vec<bool> {
        self.bits.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1)).collect()
    }

    /// `len(sync_committee_bits)`: the size of the committee.
    pub fn size(&self) -> u64 {
        // No overflow: no slice has 2⁶¹ bytes.
        8 * self.bits.len() as u64
    }

    /// `sum(sync_committee_bits)`: how many signed.
    pub fn participants(&self) -> u64 {
        self.bits.iter().map(|byte| u64::from(byte.count_ones())).sum()
    }
}
