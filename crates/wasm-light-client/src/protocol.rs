//! The specification's functions, over a store.

use crate::codes::thrown;
use blobcheck_light_client::Reason;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// `initialize_light_client_store`: a store from a `LightClientBootstrap` and the root of the block that the user trusts.
#[wasm_bindgen(js_name = initializeStore)]
pub fn initialize_store(
    network: &[u64],
    fork: u8,
    trusted_block_root: &[u8],
    bootstrap: &[u8],
) -> Result<Vec<u8>, JsValue> {
    let _ = (network, fork, trusted_block_root, bootstrap);
    Err(thrown(Reason::NetworkConfig))
}

/// `process_light_client_update` for each of up to 128 `LightClientUpdate`s, in order, their signatures in one pairing
/// product. `updates` are their bytes, one after the other; `forks` and `lengths` have an entry for each. `seed`: 32 bytes
/// of a CSPRNG, or none.
///
/// Answers with a code (1 byte; 0: all of them were processed), the number of updates that were (uint32, little-endian),
/// and the store after those. The code is why the next one was refused. Throws where the network or the store is not one.
#[wasm_bindgen(js_name = processUpdates)]
pub fn process_updates(
    network: &[u64],
    store: &[u8],
    forks: &[u8],
    updates: &[u8],
    lengths: &[u32],
    current_slot: u64,
    seed: &[u8],
) -> Result<Vec<u8>, JsValue> {
    let _ = (network, store, forks, updates, lengths, current_slot, seed);
    Err(thrown(Reason::NetworkConfig))
}

/// `process_light_client_finality_update`: the store after a `LightClientFinalityUpdate`.
#[wasm_bindgen(js_name = processFinalityUpdate)]
pub fn process_finality_update(
    network: &[u64],
    store: &[u8],
    fork: u8,
    update: &[u8],
    current_slot: u64,
) -> Result<Vec<u8>, JsValue> {
    let _ = (network, store, fork, update, current_slot);
    Err(thrown(Reason::NetworkConfig))
}

/// `process_light_client_optimistic_update`: the store after a `LightClientOptimisticUpdate`.
#[wasm_bindgen(js_name = processOptimisticUpdate)]
pub fn process_optimistic_update(
    network: &[u64],
    store: &[u8],
    fork: u8,
    update: &[u8],
    current_slot: u64,
) -> Result<Vec<u8>, JsValue> {
    let _ = (network, store, fork, update, current_slot);
    Err(thrown(Reason::NetworkConfig))
}

/// `process_light_client_store_force_update`: the store after it, which is the same where the timeout has not elapsed.
#[wasm_bindgen(js_name = forceUpdate)]
pub fn force_update(network: &[u64], store: &[u8], current_slot: u64) -> Result<Vec<u8>, JsValue> {
    let _ = (network, store, current_slot);
    Err(thrown(Reason::NetworkConfig))
}

/// `validate_light_client_update`, signature and all: 0, or why the `LightClientUpdate` is refused. Throws where the
/// network or the store is not one.
#[wasm_bindgen(js_name = validateUpdate)]
pub fn validate_update(
    network: &[u64],
    store: &[u8],
    fork: u8,
    update: &[u8],
    current_slot: u64,
) -> Result<u8, JsValue> {
    let _ = (network, store, fork, update, current_slot);
    Err(thrown(Reason::NetworkConfig))
}

/// `is_better_update(a, b)`, for two `LightClientUpdate`s. Neither is verified.
#[wasm_bindgen(js_name = isBetterUpdate)]
pub fn is_better_update(
    network: &[u64],
    fork_a: u8,
    a: &[u8],
    fork_b: u8,
    b: &[u8],
) -> Result<bool, JsValue> {
    let _ = (network, fork_a, a, fork_b, b);
    Err(thrown(Reason::NetworkConfig))
}

/// Verifies that each header is the parent of the one before it, beginning with the parent of `trusted`: up to 8,192
/// `BeaconBlockHeader`s of 112 bytes, newest first. Answers with their roots, 32 bytes each; throws code + 256 · index.
#[wasm_bindgen(js_name = parentChain)]
pub fn parent_chain(trusted: &[u8], headers: &[u8]) -> Result<Vec<u8>, JsValue> {
    let _ = (trusted, headers);
    Err(thrown(Reason::NetworkConfig))
}
