//! Stores and updates in layouts of fixed size, for readers that know no SSZ. Numbers are little-endian `uint64`s.

use crate::LightClientStore;
use blobcheck_beacon::{
    light_client::{Execution, LightClientHeader, LightClientUpdate},
    ChainConfig,
};

/// Length of a header view: the beacon header in SSZ (112), its root (32), the root, hash, number and timestamp of its
/// execution block (32, 32, 8, 8), which are zero before Capella, its blob gas (8), and what is known of it (8): one of
/// [`NO_EXECUTION`], [`EXECUTION_HEADER`], [`OWN_BLOCK_HASH`] and [`PARENT_BLOCK_HASH`]. Where a hash is all that is known,
/// number and timestamp are zero and the blob gas is [`NO_BLOB_GAS`].
pub const HEADER_VIEW_BYTES: usize = 240;

/// Before Capella: nothing is known of an execution block.
pub const NO_EXECUTION: u64 = 0;

/// The execution header of the block's own payload.
pub const EXECUTION_HEADER: u64 = 1;

/// The hash of the block's own payload, and no more: of a block of before Gloas whose header came in Gloas's form.
pub const OWN_BLOCK_HASH: u64 = 2;

/// `bid.parent_block_hash`, of a block of Gloas: the hash of the last full payload before it, and no more.
pub const PARENT_BLOCK_HASH: u64 = 3;

/// The blob gas of a block before Deneb, which has none: no block can use so much.
pub const NO_BLOB_GAS: u64 = u64::MAX;

/// Appends a header view.
pub fn view_header(chain: &ChainConfig, header: &LightClientHeader, out: &mut Vec<u8>) {
    header.beacon.write_ssz(out);
    out.extend_from_slice(&header.beacon.hash_tree_root());
    // Only headers that were read are viewed, and these have a root.
    out.extend_from_slice(&header.execution_root(chain).unwrap_or_default());
    out.extend_from_slice(header.execution.block_hash());
    let slot = header.beacon.slot;
    let known = match &header.execution {
        _ if !chain.is_capella(slot) => [0, 0, NO_BLOB_GAS, NO_EXECUTION],
        Execution::Payload(execution) => {
            let blob_gas_used = if chain.is_deneb(slot) { execution.blob_gas_used } else { NO_BLOB_GAS };
            [execution.block_number, execution.timestamp, blob_gas_used, EXECUTION_HEADER]
        }
        Execution::BlockHash(_) if chain.is_gloas(slot) => [0, 0, NO_BLOB_GAS, PARENT_BLOCK_HASH],
        Execution::BlockHash(_) => [0, 0, NO_BLOB_GAS, OWN_BLOCK_HASH],
    };
    numbers(out, &known);
}

/// A store: views of its finalized and its optimistic header; then the periods of both, whether the next committee is
/// known (1 or 0), `previous_max_active_participants`, `current_max_active_participants`, the participants and the
/// attested slot of `best_valid_update` (0 where there is none), and the size of a committee. 544 bytes.
pub fn view_store(chain: &ChainConfig, store: &LightClientStore) -> Vec<u8> {
    let mut out = Vec::with_capacity(2 * HEADER_VIEW_BYTES + 64);
    view_header(chain, &store.finalized_header, &mut out);
    view_header(chain, &store.optimistic_header, &mut out);
    let best = store.best_valid_update.as_ref();
    numbers(
        &mut out,
        &[
            chain.sync_committee_period_at_slot(store.finalized_header.beacon.slot),
            chain.sync_committee_period_at_slot(store.optimistic_header.beacon.slot),
            u64::from(store.is_next_sync_committee_known()),
            store.previous_max_active_participants,
            store.current_max_active_participants,
            best.map_or(0, |update| update.sync_aggregate.participants()),
            best.map_or(0, |update| update.attested_header.beacon.slot),
            chain.sync_committee_size as u64,
        ],
    );
    out
}

/// An update, of which nothing is verified: views of its attested and its finalized header; then its signature's slot, its
/// participants, the attested header's period, and whether it brings a next committee and a finalized header (1 or 0). 520
/// bytes.
pub fn view_update(chain: &ChainConfig, update: &LightClientUpdate) -> Vec<u8> {
    let mut out = Vec::with_capacity(2 * HEADER_VIEW_BYTES + 40);
    view_header(chain, &update.attested_header, &mut out);
    view_header(chain, &update.finalized_header, &mut out);
    numbers(
        &mut out,
        &[
            update.signature_slot,
            update.sync_aggregate.participants(),
            chain.sync_committee_period_at_slot(update.attested_header.beacon.slot),
            u64::from(update.is_sync_committee_update()),
            u64::from(update.is_finality_update()),
        ],
    );
    out
}

fn numbers(out: &mut Vec<u8>, numbers: &[u64]) {
    out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}
