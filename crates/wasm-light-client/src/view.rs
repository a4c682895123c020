//! What is in a store, an update, a header or a digest, in layouts of fixed size. Integers are little-endian uint64.
//!
//! A *header view* has 240 bytes:
//!
//! ```text
//!   0  112  the BeaconBlockHeader in SSZ: slot, proposer_index, parent_root, state_root, body_root
//! 112   32  its root, which is the block's
//! 144   32  get_lc_execution_root: the root of the execution header; in Gloas the hash again
//! 176   32  an execution block's hash: the block's own, or in Gloas that of the last full payload before the block
//! 208    8  the execution block's number
//! 216    8  the execution block's timestamp
//! 224    8  its blob_gas_used; all ones before Deneb
//! 232    8  what is known: 0 nothing (before Capella), 1 all of it, 2 the own hash alone, 3 the hash of before alone (Gloas)
//! ```
//!
//! What follows the root, but for the blob gas, is zero before Capella, where headers have no execution header. Where a hash
//! is all that is known, number and timestamp are zero, and the blob gas all ones.

use crate::{
    codes::thrown,
    inputs::{read_chain, read_fork, read_store},
};
use blobcheck_beacon::{
    domain::light_client_fork_of_digest, light_client::LightClientUpdate, BeaconBlockHeader, LightClientFork,
};
use blobcheck_light_client::{view, Reason};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// What is in a store, in 544 bytes.
///
/// ```text
///   0  240  finalized_header, a header view
/// 240  240  optimistic_header, a header view
/// 480    8  the finalized header's sync committee period
/// 488    8  the optimistic header's
/// 496    8  1 where the next sync committee is known, else 0
/// 504    8  previous_max_active_participants
/// 512    8  current_max_active_participants
/// 520    8  participants of best_valid_update; 0 where there is none
/// 528    8  its attested slot
/// 536    8  size of a sync committee
/// ```
#[wasm_bindgen(js_name = storeView)]
pub fn store_view(network: &[u64], store: &[u8]) -> Result<Vec<u8>, JsValue> {
    (|| {
        let chain = read_chain(network)?;
        Ok(view::view_store(&chain, &read_store(&chain, store)?))
    })()
    .map_err(thrown)
}

/// What an update says, in 520 bytes. Nothing of it is verified. `kind`: 0 `LightClientUpdate`, 1
/// `LightClientFinalityUpdate`, 2 `LightClientOptimisticUpdate`; another number throws.
///
/// ```text
///   0  240  attested_header, a header view
/// 240  240  finalized_header, a header view; of an empty header where there is none
/// 480    8  signature_slot
/// 488    8  number of participants
/// 496    8  the attested header's sync committee period
/// 504    8  1 where it brings a next sync committee, else 0
/// 512    8  1 where it brings a finalized header, else 0
/// ```
#[wasm_bindgen(js_name = updateView)]
pub fn update_view(network: &[u64], kind: u8, fork: u8, update: &[u8]) -> Result<Vec<u8>, JsValue> {
    (|| {
        let chain = read_chain(network)?;
        let read = match kind {
            0 => LightClientUpdate::from_ssz,
            1 => LightClientUpdate::from_finality_ssz,
            2 => LightClientUpdate::from_optimistic_ssz,
            _ => return Err(Reason::UnsupportedFork),
        };
        Ok(view::view_update(&chain, &read(&chain, read_fork(fork)?, update)?))
    })()
    .map_err(|reason: Reason| thrown(reason))
}

/// `hash_tree_root` of a `BeaconBlockHeader` of 112 bytes. Another length throws.
#[wasm_bindgen(js_name = headerRoot)]
pub fn header_root(ssz: &[u8]) -> Result<Vec<u8>, JsValue> {
    let header = BeaconBlockHeader::from_ssz(ssz).ok_or_else(|| thrown(Reason::ObjectLength))?;
    Ok(header.hash_tree_root().to_vec())
}

/// The fork of the objects that a 4-byte fork digest announces: of the light-client objects' numbers, or undefined where
/// the digest is none of the network's, or of a fork that is not supported. From Fulu on, each entry of the blob schedule
/// has a digest of its own.
#[wasm_bindgen(js_name = forkOfDigest)]
pub fn fork_of_digest(network: &[u64], digest: &[u8]) -> Result<Option<u8>, JsValue> {
    let chain = read_chain(network).map_err(thrown)?;
    let fork = digest.try_into().ok().and_then(|digest| light_client_fork_of_digest(&chain, digest));
    Ok(fork.map(LightClientFork::number))
}

/// The number of the fork that is in force at a slot; undefined before Altair, and from a fork on that is not supported.
#[wasm_bindgen(js_name = forkAtSlot)]
pub fn fork_at_slot(network: &[u64], slot: u64) -> Result<Option<u8>, JsValue> {
    let chain = read_chain(network).map_err(thrown)?;
    Ok(chain.light_client_fork_at_slot(slot).map(LightClientFork::number))
}
