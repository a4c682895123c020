//! The light client's steps on the invented chain of its tests: whatever is sent, no store holds a header that the chain does not have.

use crate::draw::below;
use arbitrary::{Result, Unstructured};
use blobcheck_beacon::light_client::LightClientUpdate;
use blobcheck_bls::FreshSeed;
use blobcheck_light_client::{
    process_light_client_store_force_update, process_light_client_update, process_updates, Committees,
    LightClientStore,
};

#[path = "../../light-client/tests/light_client/support"]
#[allow(dead_code, missing_docs, clippy::unwrap_used, clippy::expect_used)] // the tests' own
mod support {
    pub mod chains;
    pub mod json {
        pub use blobcheck_testing::vectors::unhex;
    }
    pub mod synthetic;
    pub mod upgrade;
    pub mod yaml;

    #[path = "../../../../beacon/tests/beacon/support/naive.rs"]
    pub mod naive;
}
use support::synthetic;
pub(crate) use support::synthetic::chain;

/// A slot of the chain, of any fork that it has.
fn slot(input: &mut Unstructured<'_>) -> Result<u64> {
    Ok(8 * (1 + below(input, 45)? as u64))
}

/// An update of the chain, of full honesty: most often of about the time of `near`, and signed by enough.
fn draw_update(input: &mut Unstructured<'_>, near: u64) -> Result<LightClientUpdate> {
    let attested = match below(input, 4)? {
        0 => slot(input)? + below(input, 4)? as u64,
        _ => (near + 1 + below(input, 48)? as u64).min(synthetic::UNSUPPORTED - 2),
    };
    let finalized = match below(input, 3)? {
        0 => None,
        _ => Some(attested.saturating_sub(8 * below(input, 4)? as u64) / 8 * 8),
    };
    let participants = if below(input, 4)? == 0 { 1 + below(input, 32)? } else { 22 + below(input, 11)? };
    let update = synthetic::update(attested, finalized, participants);
    Ok(if below(input, 4)? == 0 { synthetic::without_committee(update) } else { update })
}

/// A store of the chain, with and without each part.
pub(crate) fn draw_store(input: &mut Unstructured<'_>) -> Result<LightClientStore> {
    let slot = slot(input)?;
    let mut store =
        if input.arbitrary()? { synthetic::store_with_next(slot) } else { synthetic::store(slot) };
    for _ in 0..below(input, 3)? {
        let update = draw_update(input, slot)?;
        let _ = process_light_client_update(&chain(), &mut store, &update, u64::MAX, &mut Committees::new());
    }
    Ok(store)
}

/// Changes something that an update says.
fn forge(input: &mut Unstructured<'_>, update: &mut LightClientUpdate) -> Result<()> {
    let near = update.attested_header.beacon.slot;
    match below(input, 12)? {
        0 => update.attested_header.beacon.slot ^= 1 << below(input, 10)?,
        1 => update.attested_header.beacon.state_root[below(input, 32)?] ^= 1,
        2 => update.finalized_header.beacon.slot ^= 1 << below(input, 10)?,
        // Nothing of the execution layer hangs on these.
        3 => update.finalized_header.beacon.parent_root[below(input, 32)?] ^= 1,
        4 if input.arbitrary()? => update.finalized_header.beacon.proposer_index ^= 1,
        4 => synthetic::spoil(&mut update.attested_header),
        5 => update.finality_branch[below(input, 9)?][below(input, 32)?] ^= 1,
        6 => update.next_sync_committee_branch[below(input, 11)?][below(input, 32)?] ^= 1,
        7 => update.sync_aggregate.signature[below(input, 96)?] ^= 1 << below(input, 8)?,
        8 => {
            update.signature_slot =
                update.signature_slot.wrapping_add(input.int_in_range(-70i64..=70)? as u64)
        }
        9 => update.next_sync_committee = Some(synthetic::committee(below(input, 7)? as u64)),
        10 => {
            let other = draw_update(input, near)?;
            update.sync_aggregate = other.sync_aggregate;
        }
        _ => {
            let other = draw_update(input, near)?;
            (update.finalized_header, update.finality_branch) =
                (other.finalized_header, other.finality_branch);
        }
    }
    Ok(())
}

/// The headers of a store, and its committees, are those of the chain; its finalized header is not behind where it began.
fn assert_honest(store: &LightClientStore) {
    for header in [&store.finalized_header, &store.optimistic_header] {
        let slot = header.beacon.slot;
        // Which finalized block a block's state names does not show in what is random of it.
        let expected = synthetic::block(slot, None).header.beacon;
        assert_eq!(header.beacon.parent_root, expected.parent_root, "slot {slot}");
        assert_eq!(header.beacon.body_root, expected.body_root, "slot {slot}");
        assert_eq!(header.beacon.proposer_index, expected.proposer_index, "slot {slot}");
    }
    let period = store.finalized_header.beacon.slot / synthetic::PERIOD;
    assert_eq!(store.current_sync_committee, synthetic::committee(period));
    if let Some(next) = &store.next_sync_committee {
        assert_eq!(*next, synthetic::committee(period + 1));
    }
}

/// Any sequence of honest and forged updates, one by one, in one product, and by force.
pub fn steps(input: &mut Unstructured<'_>) -> Result<()> {
    let chain = chain();
    let mut committees = Committees::new();
    let start = slot(input)?;
    let mut store =
        if input.arbitrary()? { synthetic::store_with_next(start) } else { synthetic::store(start) };
    for _ in 0..2 + below(input, 5)? {
        let mut updates = Vec::new();
        for _ in 0..1 + below(input, 3)? {
            let mut update = draw_update(input, store.finalized_header.beacon.slot)?;
            if input.arbitrary()? {
                forge(input, &mut update)?;
            }
            updates.push(update);
        }
        let now = if below(input, 8)? == 0 { slot(input)? } else { u64::MAX };
        let before = store.clone();
        match below(input, 4)? {
            0 => {
                if process_light_client_store_force_update(&chain, &mut store, now).is_err() {
                    assert_eq!(store, before, "a step that fails changes nothing");
                }
            }
            // In one product, which must come to what one by one comes to.
            1 | 2 => {
                let seed = input.arbitrary::<bool>()?.then(|| FreshSeed::from_csprng([7; 32]));
                let processed = process_updates(&chain, &store, &updates, now, &mut committees, seed);
                let mut count = 0;
                let refusal = updates.iter().find_map(|update| {
                    let outcome =
                        process_light_client_update(&chain, &mut store, update, now, &mut committees);
                    count += usize::from(outcome.is_ok());
                    outcome.err()
                });
                assert_eq!((processed.count, processed.refusal), (count, refusal));
                assert_eq!(processed.store, store);
            }
            _ => {
                for update in &updates {
                    let before = store.clone();
                    let done = process_light_client_update(&chain, &mut store, update, now, &mut committees);
                    if done.is_err() {
                        assert_eq!(store, before, "a step that fails changes nothing");
                    }
                }
            }
        }
        assert_honest(&store);
        assert!(store.finalized_header.beacon.slot >= start);
        assert!(store.optimistic_header.beacon.slot >= store.finalized_header.beacon.slot);
    }
    Ok(())
}
