//! wasm-bindgen shell over beacon blocks. No logic: bytes in, bytes out.
//!
//! - `fork` says which containers the bytes are: 0 Deneb, 1 Electra and Fulu, 2 Gloas.
//! - `preset` is 0 for mainnet's, 1 for the minimal one.
//! - Blocks come as SSZ, signed or not.
//! - What is malformed is thrown as a string: the fault's name, a space, and the path to it, which may be empty. So is another `fork` or `preset`.
//!
//! There is one variant: nothing here would be faster with relaxed SIMD.
#![deny(missing_docs)]

use blobcheck_block::{block, containers, describe, hash_tree_root, read_block, BlockFork, Preset, SszError};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: blobcheck_allocator::Allocator = blobcheck_allocator::Allocator::new();

/// The type `BeaconBlock` as JSON: see `crates/block/src/describe.rs`.
#[wasm_bindgen(js_name = blockSchema)]
pub fn block_schema(fork: u8, preset: u8) -> Result<String, JsValue> {
    Ok(describe::describe(containers::block(read_fork(fork)?, read_preset(preset)?)))
}

/// The slot of a block, of which the first 184 bytes are enough; undefined where the bytes end before it.
#[wasm_bindgen(js_name = slotOf)]
pub fn slot_of(bytes: &[u8]) -> Option<u64> {
    block::slot_of(bytes)
}

/// Decodes a block: its `BeaconBlockHeader` (112 bytes), its root (32), the hash of its execution block (32) or in Gloas the fixed part of
/// its bid (224), and then its commitments, 48 bytes each.
#[wasm_bindgen(js_name = readBlock)]
pub fn read(bytes: &[u8], fork: u8, preset: u8) -> Result<Vec<u8>, JsValue> {
    let read = read_block(bytes, read_fork(fork)?, read_preset(preset)?).map_err(thrown)?;
    let mut out = Vec::with_capacity(368 + read.commitments.as_flattened().len());
    out.extend_from_slice(&read.slot.to_le_bytes());
    out.extend_from_slice(&read.proposer_index.to_le_bytes());
    for root in [&read.parent_root, &read.state_root, &read.body_root, &read.root] {
        out.extend_from_slice(root);
    }
    if let Some(hash) = read.block_hash {
        out.extend_from_slice(&hash);
    }
    if let Some(bid) = read.bid {
        out.extend_from_slice(bid.0);
    }
    out.extend_from_slice(read.commitments.as_flattened());
    Ok(out)
}

/// `hash_tree_root` of a `BeaconBlockHeader` of 112 bytes. Throws for another length, as for a block that is malformed.
#[wasm_bindgen(js_name = headerRoot)]
pub fn header_root(ssz: &[u8]) -> Result<Vec<u8>, JsValue> {
    Ok(hash_tree_root(&containers::HEADER, ssz).map_err(thrown)?.to_vec())
}

fn thrown(error: SszError) -> JsValue {
    JsValue::from_str(&[error.fault.name(), " ", &error.path()].concat())
}

fn read_fork(fork: u8) -> Result<BlockFork, JsValue> {
    BlockFork::from_number(fork).ok_or_else(unsupported)
}

fn read_preset(preset: u8) -> Result<Preset, JsValue> {
    Preset::from_number(preset).ok_or_else(unsupported)
}

fn unsupported() -> JsValue {
    JsValue::from_str("unsupported-fork ")
}
