//! The specification's functions, over a store.

use crate::{
    codes::thrown,
    inputs::{committees, read_chain, read_fork, read_headers, read_seed, read_store, split, Object},
};
use blobcheck_beacon::{
    chain::ChainConfig,
    light_client::{LightClientBootstrap, LightClientUpdate},
};
use blobcheck_light_client::{
    encoding, initialize_light_client_store, process_light_client_store_force_update,
    process_light_client_update, validate_light_client_update, verify_parent_chain, Reason,
};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// `initialize_light_client_store`: a store from a `LightClientBootstrap` and the root of the block that the user trusts.
#[wasm_bindgen(js_name = initializeStore)]
pub fn initialize_store(
    network: &[u64],
    fork: u8,
    trusted_block_root: &[u8],
    bootstrap: &[u8],
) -> Result<Vec<u8>, JsValue> {
    (|| {
        let chain = read_chain(network)?;
        let trusted_block_root = trusted_block_root.try_into().map_err(|_| Reason::TrustedRootMismatch)?;
        let bootstrap = LightClientBootstrap::from_ssz(&chain, read_fork(fork)?, bootstrap)?;
        let store = initialize_light_client_store(&chain, trusted_block_root, bootstrap)?;
        Ok(encoding::encode(&chain, &store))
    })()
    .map_err(thrown)
}

/// `process_light_client_update` for each of up to 128 `LightClientUpdate`s, in order, their signatures in one pairing
/// product. `updates` are their bytes, one after the other; `forks` and `lengths` have an entry for each. `seed`: 32 bytes
/// of a CSPRNG, or none where there is no CSPRNG.
///
/// Answers with a code (1 byte; 0: all of them were processed), the number of updates that were (uint32, little-endian),
/// and the store after those. The code is why the next one was refused. Throws where the network or the store is not one, where
/// there are not as many forks as lengths, where the lengths do not add up to the bytes, and for a seed of another length.
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
    (|| {
        let chain = read_chain(network)?;
        let store = read_store(&chain, store)?;
        // Without a CSPRNG the weights are of the claims alone, which suffices: see `blobcheck_bls::verify_many`.
        let seed = read_seed(seed)?;
        // What cannot be read ends the list: it is refused only if everything before it is accepted.
        let read = split(forks, updates, lengths)?.into_iter().map(|Object { fork, ssz }| {
            LightClientUpdate::from_ssz(&chain, read_fork(fork)?, ssz).map_err(Reason::from)
        });
        let mut unreadable = None;
        let readable: Vec<_> =
            read.map_while(|update| update.map_err(|reason| unreadable = Some(reason)).ok()).collect();
        let processed = committees(|committees| {
            blobcheck_light_client::process_updates(&chain, &store, &readable, current_slot, committees, seed)
        });
        let refusal = processed.refusal.or(unreadable);
        let mut answer = vec![refusal.map_or(0, Reason::code)];
        answer.extend_from_slice(&(processed.count as u32).to_le_bytes());
        answer.extend(encoding::encode(&chain, &processed.store));
        Ok(answer)
    })()
    .map_err(thrown)
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
    process_one(network, store, current_slot, |chain| {
        LightClientUpdate::from_finality_ssz(chain, read_fork(fork)?, update).map_err(Reason::from)
    })
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
    process_one(network, store, current_slot, |chain| {
        LightClientUpdate::from_optimistic_ssz(chain, read_fork(fork)?, update).map_err(Reason::from)
    })
}

/// `process_light_client_update`: the store after the update that is read.
fn process_one(
    network: &[u64],
    store: &[u8],
    current_slot: u64,
    read: impl FnOnce(&ChainConfig) -> Result<LightClientUpdate, Reason>,
) -> Result<Vec<u8>, JsValue> {
    (|| {
        let chain = read_chain(network)?;
        let mut store = read_store(&chain, store)?;
        let update = read(&chain)?;
        committees(|committees| {
            process_light_client_update(&chain, &mut store, &update, current_slot, committees)
        })?;
        Ok(encoding::encode(&chain, &store))
    })()
    .map_err(thrown)
}

/// `process_light_client_store_force_update`: the store after it, which is the same where the timeout has not elapsed.
#[wasm_bindgen(js_name = forceUpdate)]
pub fn force_update(network: &[u64], store: &[u8], current_slot: u64) -> Result<Vec<u8>, JsValue> {
    (|| {
        let chain = read_chain(network)?;
        let mut store = read_store(&chain, store)?;
        process_light_client_store_force_update(&chain, &mut store, current_slot)?;
        Ok(encoding::encode(&chain, &store))
    })()
    .map_err(thrown)
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
    (|| {
        let chain = read_chain(network)?;
        let store = read_store(&chain, store)?;
        let validated = read_fork(fork).and_then(|fork| {
            let update = LightClientUpdate::from_ssz(&chain, fork, update)?;
            committees(|committees| {
                validate_light_client_update(&chain, &store, &update, current_slot, committees)
            })
        });
        Ok(validated.err().map_or(0, Reason::code))
    })()
    .map_err(thrown)
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
    (|| {
        let chain = read_chain(network)?;
        let a = LightClientUpdate::from_ssz(&chain, read_fork(fork_a)?, a)?;
        let b = LightClientUpdate::from_ssz(&chain, read_fork(fork_b)?, b)?;
        Ok(blobcheck_light_client::is_better_update(&chain, &a, &b))
    })()
    .map_err(thrown)
}

/// Verifies that each header is the parent of the one before it, beginning with the parent of `trusted`: up to 8,192
/// `BeaconBlockHeader`s of 112 bytes, newest first. Answers with their roots, 32 bytes each; throws code + 256 · index.
#[wasm_bindgen(js_name = parentChain)]
pub fn parent_chain(trusted: &[u8], parents: &[u8]) -> Result<Vec<u8>, JsValue> {
    let [trusted] = read_headers(trusted).map_err(thrown)?[..] else {
        return Err(thrown(Reason::ObjectLength));
    };
    verify_parent_chain(&trusted, &read_headers(parents).map_err(thrown)?)
        .map(Vec::into_flattened)
        .map_err(|(index, reason)| JsValue::from(u32::from(reason.code()) + 256 * index as u32))
}
