//! Whether a header's parts belong together.

use crate::Reason;
use blobcheck_beacon::{
    light_client::{Execution, ExecutionBranch, LightClientHeader},
    ChainConfig,
};

/// Whether what a header says of the execution layer is in its block: proven from Capella on, empty before.
///
/// # Errors
/// [`Reason::UnsupportedFork`], [`Reason::ExecutionUnexpected`], [`Reason::ExecutionMismatch`].
///
/// Spec: `is_valid_light_client_header`, `electra/light-client/sync-protocol.md`, `gloas/light-client/sync-protocol.md`.
pub fn is_valid_light_client_header(chain: &ChainConfig, header: &LightClientHeader) -> Result<(), Reason> {
    let slot = header.beacon.slot;
    if !chain.network.is_supported(slot) {
        return Err(Reason::UnsupportedFork);
    }
    if let Execution::Payload(execution) = &header.execution {
        if !chain.is_deneb(slot) && (execution.blob_gas_used, execution.excess_blob_gas) != (0, 0) {
            return Err(Reason::ExecutionUnexpected);
        }
    }
    if !chain.is_capella(slot) {
        let is_empty = header.execution.is_default() && header.execution_branch == ExecutionBranch::default();
        return if is_empty { Ok(()) } else { Err(Reason::ExecutionUnexpected) };
    }
    if header.is_execution_proven(chain) {
        Ok(())
    } else {
        Err(Reason::ExecutionMismatch)
    }
}
