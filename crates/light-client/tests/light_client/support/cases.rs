//! Updates with what is wrong with them, and the one function that verifies them all.

use super::synthetic::{chain, sign};
use blobcheck_beacon::{light_client::LightClientUpdate, ChainConfig};
use blobcheck_light_client::{
    process_light_client_update, process_updates, validate_light_client_update, Committees, LightClientStore,
    Reason,
};

/// A store, an update, the current slot, and what is wrong.
pub struct Case {
    pub name: &'static str,
    pub store: LightClientStore,
    pub update: LightClientUpdate,
    pub current_slot: u64,
    pub expected: Result<(), Reason>,
}

pub fn case(
    name: &'static str,
    store: LightClientStore,
    update: LightClientUpdate,
    expected: Result<(), Reason>,
) -> Case {
    Case { name, store, current_slot: update.signature_slot, update, expected }
}

/// The update with something changed, and signed after that.
pub fn changed(
    mut update: LightClientUpdate,
    change: impl FnOnce(&mut LightClientUpdate),
) -> LightClientUpdate {
    change(&mut update);
    sign(&mut update);
    update
}

/// The update with something changed that its signature does not cover.
pub fn tampered(
    mut update: LightClientUpdate,
    change: impl FnOnce(&mut LightClientUpdate),
) -> LightClientUpdate {
    change(&mut update);
    update
}

pub fn verify(case: &Case, chain: &ChainConfig) {
    let Case { name, store, update, current_slot, expected } = case;
    let mut committees = Committees::new();
    let validated = validate_light_client_update(chain, store, update, *current_slot, &mut committees);
    assert_eq!(validated, *expected, "{name}");

    let mut processed = store.clone();
    let outcome = process_light_client_update(chain, &mut processed, update, *current_slot, &mut committees);
    assert_eq!(outcome, *expected, "{name}");
    if outcome.is_err() {
        assert_eq!(processed, *store, "{name} changed the store");
    }
    let many =
        process_updates(chain, store, core::slice::from_ref(update), *current_slot, &mut committees, None);
    assert_eq!((many.store, many.refusal), (processed, expected.err()), "{name}");
}

pub fn judge_all(cases: &[Case]) {
    let chain = chain();
    cases.iter().for_each(|case| verify(case, &chain));
}

/// Participants of an honest update, all but one.
pub const MOST: usize = 31;
