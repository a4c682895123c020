//! Many updates, and one pairing product for their signatures.

use crate::{
    apply::accept, signature::claim, validate::validate_unsigned, Committees, LightClientStore, Reason,
};
use blobcheck_beacon::{light_client::LightClientUpdate, ChainConfig};
use blobcheck_bls::{verify, verify_many, Claim, FreshSeed};

/// Most updates that one call takes: `MAX_REQUEST_LIGHT_CLIENT_UPDATES`.
pub const MAX_UPDATES: usize = 128;

/// What became of updates.
#[derive(Clone, Debug)]
pub struct Processed {
    /// The store after those that were processed.
    pub store: LightClientStore,
    /// How many were, from the first on.
    pub count: usize,
    /// Why the next one was not; `None` where all were.
    pub refusal: Option<Reason>,
}

/// [`process_light_client_update`](crate::process_light_client_update) for each of `updates`, in order, up to the first
/// that is refused.
///
/// The store goes on in a copy, as if the signatures were true, while they are collected; one product of pairings, with
/// random weights from `seed`, then decides about all of them, and nothing is kept of which it has not decided. If it
/// fails, they are verified singly, so that the first false one is found, and only what came before it is kept. A false
/// signature passes with probability 2⁻¹²⁸: `blobcheck_bls::verify_many` says what is asked of the seed.
///
/// A liar can make us decompress the committees that his updates bring, one each, before the first false signature shows.
/// Whoever asks an endpoint that he does not know does well to begin with few updates.
pub fn process_updates(
    chain: &ChainConfig,
    store: &LightClientStore,
    updates: &[LightClientUpdate],
    current_slot: u64,
    committees: &mut Committees,
    seed: Option<FreshSeed>,
) -> Processed {
    let mut scratch = store.clone();
    let mut claims = Vec::new();
    let mut refusal = (updates.len() > MAX_UPDATES).then_some(Reason::TooMany);
    for update in updates.iter().take(MAX_UPDATES) {
        match step(chain, &mut scratch, update, current_slot, committees) {
            Ok(claim) => claims.push(claim),
            Err(reason) => {
                refusal = Some(reason);
                break;
            }
        }
    }
    if verify_many(&claims, seed) {
        return Processed { store: scratch, count: claims.len(), refusal };
    }
    let count = claims.iter().take_while(|claim| verify(claim)).count();
    let mut kept = store.clone();
    for update in &updates[..count] {
        // It was accepted by the very same store before.
        if let Err(reason) = accept(chain, &mut kept, update) {
            return Processed { store: store.clone(), count: 0, refusal: Some(reason) };
        }
    }
    Processed { store: kept, count, refusal: Some(Reason::SignatureMismatch) }
}

/// The store after one update, and the claim on which that depends.
fn step(
    chain: &ChainConfig,
    store: &mut LightClientStore,
    update: &LightClientUpdate,
    current_slot: u64,
    committees: &mut Committees,
) -> Result<Claim, Reason> {
    let committee = validate_unsigned(chain, store, update, current_slot)?;
    let claim = claim(chain, committees, committee, update)?;
    accept(chain, store, update)?;
    Ok(claim)
}
