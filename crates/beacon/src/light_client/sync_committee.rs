//! `SyncCommittee` (`altair/beacon-chain.md`).

use crate::chain::MAX_SYNC_COMMITTEE_SIZE;
use crate::hash::{hash_pair, hash_pairs};
use crate::merkle::ZERO_HASHES;
use crate::Bytes32;
use std::sync::OnceLock;

/// The keys that sign for one period, with their root.
///
/// The root, a thousand hashes, is worked out when it is asked for: who knows the committee already compares its keys.
#[derive(Clone, Debug)]
pub struct SyncCommittee {
    pubkeys: Vec<[u8; 48]>,
    aggregate_pubkey: [u8; 48],
    root: OnceLock<Bytes32>,
}

impl SyncCommittee {
    /// Size of its SSZ encoding, in bytes, for a committee of `size` keys.
    pub const fn ssz_bytes(size: usize) -> usize {
        48 * (size + 1)
    }

    /// The committee of these compressed points of G1, which are not looked at. None of no keys or more than 4,096.
    pub fn new(pubkeys: Vec<[u8; 48]>, aggregate_pubkey: [u8; 48]) -> Option<Self> {
        let some = (1..=MAX_SYNC_COMMITTEE_SIZE).contains(&pubkeys.len());
        some.then_some(Self { pubkeys, aggregate_pubkey, root: OnceLock::new() })
    }

    /// Reads the SSZ encoding: the keys, then their sum. `None` for bytes of another length than that of any committee.
    pub fn from_ssz(bytes: &[u8]) -> Option<Self> {
        let (keys, []) = bytes.as_chunks::<48>() else { return None };
        let (aggregate_pubkey, pubkeys) = keys.split_last()?;
        Self::new(pubkeys.to_vec(), *aggregate_pubkey)
    }

    /// Appends the SSZ encoding.
    pub fn write_ssz(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.pubkeys.as_flattened());
        out.extend_from_slice(&self.aggregate_pubkey);
    }

    /// `pubkeys`: compressed, not known to be points, and possibly the same key several times.
    pub fn pubkeys(&self) -> &[[u8; 48]] {
        &self.pubkeys
    }

    /// `aggregate_pubkey`: compressed, not known to be their sum.
    pub fn aggregate_pubkey(&self) -> &[u8; 48] {
        &self.aggregate_pubkey
    }

    /// `hash_tree_root(committee)`.
    pub fn hash_tree_root(&self) -> &Bytes32 {
        self.root
            .get_or_init(|| hash_pair(&pubkeys_root(&self.pubkeys), &pubkey_root(&self.aggregate_pubkey)))
    }
}

impl PartialEq for SyncCommittee {
    fn eq(&self, other: &Self) -> bool {
        self.pubkeys == other.pubkeys && self.aggregate_pubkey == other.aggregate_pubkey
    }
}

impl Eq for SyncCommittee {}

/// Root of a `BLSPubkey`: two chunks, the second zero-padded from 16 bytes.
fn pubkey_root(pubkey: &[u8; 48]) -> Bytes32 {
    let [first, second] = pubkey_chunks(pubkey);
    hash_pair(&first, &second)
}

fn pubkey_chunks(pubkey: &[u8; 48]) -> [Bytes32; 2] {
    let mut chunks = [[0; 32]; 2];
    chunks.as_flattened_mut()[..48].copy_from_slice(pubkey);
    chunks
}

/// Root of the `Vector[BLSPubkey, n]` of these keys, at least one and at most 4,096, a layer at a time: some thousand hashes.
fn pubkeys_root(pubkeys: &[[u8; 48]]) -> Bytes32 {
    // Below the tree of keys, each key is a tree of two chunks.
    let depth = pubkeys.len().next_power_of_two().ilog2() as usize;
    let mut layer = hash_pairs(&pubkeys.iter().flat_map(pubkey_chunks).collect::<Vec<_>>());
    for zero in ZERO_HASHES.iter().take(depth) {
        // An odd layer's last node is paired with the root of the zero tree beside it: the vector's padding is zero
        // chunks, not zero keys.
        if layer.len() % 2 == 1 {
            layer.push(*zero);
        }
        layer = hash_pairs(&layer);
    }
    layer.first().copied().unwrap_or_default()
}
