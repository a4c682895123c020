//! Whether a header's parts belong together.

use crate::Reason;
use blobcheck_beacon::{
    gindex::{depth, subtree_index},
    light_client::{ExecutionBranch, ExecutionPayloadHeader, LightClientHeader, EXECUTION_PAYLOAD_GINDEX},
    merkle::is_valid_merkle_branch,
    ChainConfig,
};

/// Whether the execution header is the block's: proven from Capella on, empty before.
///
/// # Errors
/// [`Reason::ForkUnsupported`] from Gloas on, [`Reason::ExecutionUnexpected`], [`Reason::ExecutionMismatch`].
///
/// Spec: `is_valid_light_client_header`, `electra/light-client/sync-protocol.md`.
pub fn is_valid_light_client_header(chain: &ChainConfig, header: &LightClientHeader) -> Result<(), Reason> {
    let slot = header.beacon.slot;
    if chain.is_gloas(slot) {
        return Err(Reason::ForkUnsupported);
    }
    let execution = &header.execution;
    if !chain.is_deneb(slot) && (execution.blob_gas_used, execution.excess_blob_gas) != (0, 0) {
        return Err(Reason::ExecutionUnexpected);
    }
    if !chain.is_capella(slot) {
        let is_empty = *execution == ExecutionPayloadHeader::default()
            && header.execution_branch == ExecutionBranch::default();
        return if is_empty { Ok(()) } else { Err(Reason::ExecutionUnexpected) };
    }
    let execution_root = header.execution_root(chain).ok_or(Reason::ExecutionMismatch)?;
    let proven = is_valid_merkle_branch(
        &execution_root,
        &header.execution_branch,
        depth(EXECUTION_PAYLOAD_GINDEX),
        subtree_index(EXECUTION_PAYLOAD_GINDEX),
        &header.beacon.body_root,
    );
    if proven {
        Ok(())
    } else {
        Err(Reason::ExecutionMismatch)
    }
}
