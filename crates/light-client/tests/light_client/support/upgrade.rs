//! The specification's `upgrade_lc_*_to_gloas` (`gloas/light-client/fork.md`), step by step, on whole trees. What is under
//! test keeps execution headers where these leave their hash, and both must come to the same.

use super::naive::{self, hash, length_chunk};
use blobcheck_beacon::light_client::{
    Execution, ExecutionPayloadHeader, LightClientBootstrap, LightClientHeader, LightClientUpdate,
};
use blobcheck_beacon::{ChainConfig, LightClientFork};
use blobcheck_light_client::LightClientStore;

/// Siblings of `block_hash`, field 12, in an execution header of 15 fields, or of 17 from Deneb on.
fn block_hash_branch(header: &ExecutionPayloadHeader, is_deneb: bool) -> Vec<[u8; 32]> {
    let padded = |bytes: &[u8]| [bytes, &[0; 32]].concat()[..32].try_into().unwrap();
    let bloom: Vec<[u8; 32]> = header.logs_bloom.chunks(32).map(padded).collect();
    let number = |number: u64| length_chunk(usize::try_from(number).unwrap());
    let mut leaves = vec![
        header.parent_hash,
        padded(&header.fee_recipient),
        header.state_root,
        header.receipts_root,
        naive::root(&naive::tree(&bloom, 3)),
        header.prev_randao,
        number(header.block_number),
        number(header.gas_limit),
        number(header.gas_used),
        number(header.timestamp),
        hash(&padded(&header.extra_data), &length_chunk(header.extra_data.len())),
        header.base_fee_per_gas,
        header.block_hash,
        header.transactions_root,
        header.withdrawals_root,
    ];
    if is_deneb {
        leaves.extend([number(header.blob_gas_used), number(header.excess_blob_gas)]);
    }
    naive::branch(&naive::tree(&leaves, if is_deneb { 5 } else { 4 }), 12)
}

/// `upgrade_lc_header_to_gloas`. What has Gloas's form already stays as it is.
pub fn header(chain: &ChainConfig, pre: &LightClientHeader) -> LightClientHeader {
    let empty = LightClientHeader::empty(LightClientFork::Gloas);
    let Execution::Payload(payload) = &pre.execution else { return pre.clone() };
    if *pre == LightClientHeader::default() {
        return empty;
    }
    let slot = pre.beacon.slot;
    if !chain.is_capella(slot) {
        return LightClientHeader { beacon: pre.beacon, ..empty };
    }
    let inner = block_hash_branch(payload, chain.is_deneb(slot));
    let branch = [&inner[..], &pre.execution_branch[7..]].concat();
    let mut execution_branch = [[0; 32]; 11];
    execution_branch[11 - branch.len()..].copy_from_slice(&branch);
    let execution = Execution::BlockHash(payload.block_hash);
    LightClientHeader { beacon: pre.beacon, execution, execution_branch }
}

/// `upgrade_lc_bootstrap_to_gloas`; branches have Gloas's length already.
pub fn bootstrap(chain: &ChainConfig, pre: &LightClientBootstrap) -> LightClientBootstrap {
    LightClientBootstrap { header: header(chain, &pre.header), ..pre.clone() }
}

/// `upgrade_lc_update_to_gloas`, likewise.
pub fn update(chain: &ChainConfig, pre: &LightClientUpdate) -> LightClientUpdate {
    LightClientUpdate {
        attested_header: header(chain, &pre.attested_header),
        finalized_header: header(chain, &pre.finalized_header),
        ..pre.clone()
    }
}

/// `upgrade_lc_store_to_gloas`.
pub fn store(chain: &ChainConfig, pre: &LightClientStore) -> LightClientStore {
    LightClientStore {
        finalized_header: header(chain, &pre.finalized_header),
        optimistic_header: header(chain, &pre.optimistic_header),
        best_valid_update: pre.best_valid_update.as_ref().map(|best| update(chain, best)),
        ..pre.clone()
    }
}
