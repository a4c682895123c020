//! Updates one by one.

use crate::{
    apply::accept, signature::claim, validate::validate_unsigned, Committees, LightClientStore, Reason,
};
use blobcheck_beacon::{light_client::LightClientUpdate, ChainConfig};

/// `validate_light_client_update(store, update, current_slot, genesis_validators_root)`.
///
/// # Errors
/// What [`validate_unsigned`] finds; [`Reason::CommitteeKeys`]; [`Reason::SignatureMismatch`].
pub fn validate_light_client_update(
    chain: &ChainConfig,
    store: &LightClientStore,
    update: &LightClientUpdate,
    current_slot: u64,
    committees: &mut Committees,
) -> Result<(), Reason> {
    let committee = validate_unsigned(chain, store, update, current_slot)?;
    if blobcheck_bls::verify(&claim(chain, committees, committee, update)?) {
        Ok(())
    } else {
        Err(Reason::SignatureMismatch)
    }
}

/// `process_light_client_update(store, update, current_slot, genesis_validators_root)`.
///
/// Finality and optimistic updates are processed by it, too: read with `LightClientUpdate::from_finality_ssz` and
/// `from_optimistic_ssz`, they are the updates that `process_light_client_finality_update` and
/// `process_light_client_optimistic_update` make of them.
///
/// # Errors
/// Those of [`validate_light_client_update`]; the store is then as it was.
pub fn process_light_client_update(
    chain: &ChainConfig,
    store: &mut LightClientStore,
    update: &LightClientUpdate,
    current_slot: u64,
    committees: &mut Committees,
) -> Result<(), Reason> {
    validate_light_client_update(chain, store, update, current_slot, committees)?;
    accept(chain, store, update)
}
