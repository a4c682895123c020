//! One update for each rule that breaks this rule alone: were its check removed, the update would pass.

use crate::support::synthetic::{self, *};
use blobcheck_beacon::light_client::{LightClientUpdate, SyncCommittee};
use blobcheck_beacon::ChainConfig;
use blobcheck_light_client::signature::signing_root;
use blobcheck_light_client::validate::validate_unsigned;
use blobcheck_light_client::{
    process_light_client_update, process_updates, validate_light_client_update, Committees, LightClientStore,
    Reason,
};

/// A store, an update, the current slot, and what is wrong.
struct Case {
    name: &'static str,
    store: LightClientStore,
    update: LightClientUpdate,
    current_slot: u64,
    expected: Result<(), Reason>,
}

fn case(
    name: &'static str,
    store: LightClientStore,
    update: LightClientUpdate,
    expected: Result<(), Reason>,
) -> Case {
    Case { name, store, current_slot: update.signature_slot, update, expected }
}

/// The update with something changed, and signed after that.
fn changed(mut update: LightClientUpdate, change: impl FnOnce(&mut LightClientUpdate)) -> LightClientUpdate {
    change(&mut update);
    sign(&mut update);
    update
}

/// The update with something changed that its signature does not cover.
fn tampered(mut update: LightClientUpdate, change: impl FnOnce(&mut LightClientUpdate)) -> LightClientUpdate {
    change(&mut update);
    update
}

fn judge(case: &Case, chain: &ChainConfig) {
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
    let many = process_updates(
        chain,
        store,
        core::slice::from_ref(update),
        *current_slot,
        &mut committees,
        &[0; 32],
    );
    assert_eq!((many.store, many.refusal), (processed, expected.err()), "{name}");
}

fn judge_all(cases: &[Case]) {
    let chain = chain();
    cases.iter().for_each(|case| judge(case, &chain));
}

const MOST: usize = 31;

#[test]
fn honest_updates_of_every_fork_pass() {
    let mut cases = Vec::new();
    for start in [8, CAPELLA + 8, DENEB + 8, ELECTRA + 8, FULU + 8] {
        for finalized in [None, Some(start + 8)] {
            let whole = update(start + 20, finalized, MOST);
            cases.push(case("whole", store(start), whole.clone(), Ok(())));
            cases.push(case("known committee", store_with_next(start), whole.clone(), Ok(())));
            cases.push(case("without committee", store(start), without_committee(whole), Ok(())));
        }
        cases.push(case("one participant", store(start), update(start + 20, None, 1), Ok(())));
        cases.push(case("all participants", store(start), update(start + 20, None, SIZE), Ok(())));
    }
    cases.push(case("genesis is final", store(8), update(20, Some(0), MOST), Ok(())));
    cases.push(case("the next period", store_with_next(8), update(CAPELLA + 4, Some(40), MOST), Ok(())));
    // Older than what is finalized, but it brings the committee that the store lacks.
    cases.push(case("a committee late", store(CAPELLA + 20), update(CAPELLA + 10, None, MOST), Ok(())));
    judge_all(&cases);
}

#[test]
fn slots_and_periods() {
    let at = CAPELLA + 8;
    let honest = || update(at + 20, Some(at + 8), MOST);
    let attested_is_finalized = changed(honest(), |update| update.signature_slot = at + 20);
    let finalized_later = update(at + 20, Some(at + 24), MOST);
    let mut cases = vec![
        case("signed in the attested slot", store(at), attested_is_finalized, Err(Reason::SlotOrder)),
        case("finalizes what comes later", store(at), finalized_later, Err(Reason::SlotOrder)),
        case(
            "a committee that is not known yet",
            store(at),
            changed(honest(), |update| update.signature_slot = DENEB + 1),
            Err(Reason::PeriodUnknown),
        ),
        case(
            "the committee after the next",
            store_with_next(at),
            changed(honest(), |update| update.signature_slot = ELECTRA + 1),
            Err(Reason::PeriodUnknown),
        ),
        case("the committee before", store(at), update(CAPELLA - 10, None, MOST), Err(Reason::PeriodUnknown)),
        case("not newer", store_with_next(at), update(at, None, MOST), Err(Reason::NotRelevant)),
        case("older", store_with_next(at), update(at - 4, None, MOST), Err(Reason::NotRelevant)),
        case(
            "older, without a committee",
            store(at),
            without_committee(update(at - 4, None, MOST)),
            Err(Reason::NotRelevant),
        ),
        case("of Gloas", store(FULU + 8), update(GLOAS, None, MOST), Err(Reason::ForkUnsupported)),
        case("nobody signed", store(at), update(at + 20, None, 0), Err(Reason::NoParticipants)),
    ];
    for (current_slot, expected) in
        [(at + 20, Err(Reason::SignatureInFuture)), (at + 21, Ok(())), (u64::MAX, Ok(()))]
    {
        cases.push(Case { current_slot, ..case("the clock", store(at), honest(), expected) });
    }
    judge_all(&cases);
}

#[test]
fn execution_headers() {
    let flip = |bytes: &mut [u8; 32]| bytes[3] ^= 1;
    let capella = || update(CAPELLA + 28, Some(CAPELLA + 16), MOST);
    let mut cases = vec![
        case(
            "an execution header before Capella",
            store(8),
            tampered(update(28, None, MOST), |update| update.attested_header.execution.gas_limit = 1),
            Err(Reason::ExecutionUnexpected),
        ),
        case(
            "an execution branch before Capella",
            store(8),
            tampered(update(28, None, MOST), |update| update.attested_header.execution_branch[0][0] = 1),
            Err(Reason::ExecutionUnexpected),
        ),
        case(
            "blob gas before Deneb",
            store(CAPELLA + 8),
            tampered(capella(), |update| update.attested_header.execution.blob_gas_used = 1),
            Err(Reason::ExecutionUnexpected),
        ),
        case(
            "excess blob gas before Deneb",
            store(CAPELLA + 8),
            tampered(capella(), |update| update.attested_header.execution.excess_blob_gas = 1),
            Err(Reason::ExecutionUnexpected),
        ),
        case(
            "in the finalized header",
            store(CAPELLA + 8),
            tampered(capella(), |update| update.finalized_header.execution.block_number ^= 1),
            Err(Reason::ExecutionMismatch),
        ),
    ];
    for start in [CAPELLA + 8, DENEB + 8, ELECTRA + 8, FULU + 8] {
        let honest = || update(start + 20, None, MOST);
        let refused = |name, update| case(name, store(start), update, Err(Reason::ExecutionMismatch));
        cases.push(refused(
            "another block",
            tampered(honest(), |update| flip(&mut update.attested_header.execution.block_hash)),
        ));
        cases.push(refused(
            "forged branch",
            tampered(honest(), |update| flip(&mut update.attested_header.execution_branch[3])),
        ));
        cases.push(refused(
            "another body",
            changed(honest(), |update| flip(&mut update.attested_header.beacon.body_root)),
        ));
        cases.push(refused(
            "no execution header",
            tampered(honest(), |update| update.attested_header.execution = Default::default()),
        ));
    }
    cases.push(case(
        "other blob gas",
        store(DENEB + 8),
        tampered(update(DENEB + 28, None, MOST), |update| {
            update.attested_header.execution.blob_gas_used ^= 1
        }),
        Err(Reason::ExecutionMismatch),
    ));
    judge_all(&cases);
}

#[test]
fn finality() {
    let mut cases = Vec::new();
    for start in [8, CAPELLA + 8, DENEB + 8, ELECTRA + 8, FULU + 8] {
        let honest = || update(start + 20, Some(start + 8), MOST);
        let unproven = tampered(honest(), |update| update.finality_branch = Default::default());
        cases.push(case("no branch", store(start), unproven, Err(Reason::FinalityUnproven)));
        for height in 0..7 {
            let forged = tampered(honest(), |update| update.finality_branch[height][31] ^= 1);
            // The first chunk of an old branch is not of the proof; it must be zero all the same.
            cases.push(case("forged branch", store(start), forged, Err(Reason::FinalityMismatch)));
        }
        let other = tampered(honest(), |update| update.finalized_header = block(start + 9, None).header);
        cases.push(case("another header", store(start), other, Err(Reason::FinalityMismatch)));
    }
    let genesis = || update(20, Some(0), MOST);
    cases.push(case(
        "a header of the genesis slot",
        store(8),
        tampered(genesis(), |update| update.finalized_header = block(0, None).header),
        Err(Reason::FinalityUnproven),
    ));
    cases.push(case(
        "an empty header that is not proven",
        store(8),
        tampered(update(20, Some(16), MOST), |update| update.finalized_header = Default::default()),
        Err(Reason::FinalityMismatch),
    ));
    judge_all(&cases);
}

#[test]
fn next_committees() {
    let mut cases = Vec::new();
    for start in [8, CAPELLA + 8, DENEB + 8, ELECTRA + 8, FULU + 8] {
        let honest = || update(start + 20, None, MOST);
        let unproven = tampered(honest(), |update| update.next_sync_committee_branch = Default::default());
        cases.push(case("no branch", store(start), unproven, Err(Reason::NextCommitteeUnproven)));
        for height in 0..6 {
            let forged = tampered(honest(), |update| update.next_sync_committee_branch[height][0] ^= 1);
            cases.push(case("forged branch", store(start), forged, Err(Reason::NextCommitteeMismatch)));
        }
        let swapped =
            tampered(honest(), |update| update.next_sync_committee = Some(committee(start / PERIOD)));
        cases.push(case("swapped", store(start), swapped, Err(Reason::NextCommitteeMismatch)));
        let empty = tampered(honest(), |update| update.next_sync_committee = None);
        cases.push(case("a branch alone", store(start), empty, Err(Reason::NextCommitteeMismatch)));
        let mut mistaken = store(start);
        mistaken.next_sync_committee = Some(committee(99));
        cases.push(case("another is known", mistaken, honest(), Err(Reason::NextCommitteeConflict)));
    }
    judge_all(&cases);
}

#[test]
fn signatures() {
    let at = DENEB + 8;
    let chain = chain();
    let honest = || update(at + 20, Some(at + 8), MOST);
    let mut other_genesis = chain.clone();
    other_genesis.genesis_validators_root[5] ^= 1;
    let mut cases = vec![
        case(
            "another network",
            store(at),
            tampered(honest(), |update| sign_as(update, &other_genesis, 2)),
            Err(Reason::SignatureMismatch),
        ),
        case(
            "another committee",
            store_with_next(at),
            tampered(honest(), |update| sign_as(update, &chain, 3)),
            Err(Reason::SignatureMismatch),
        ),
        case(
            "the header without a domain",
            store(at),
            tampered(honest(), |update| {
                let root = update.attested_header.beacon.hash_tree_root();
                sign_message(update, &root, 2);
            }),
            Err(Reason::SignatureMismatch),
        ),
        case(
            "one who did not sign",
            store(at),
            tampered(honest(), |update| {
                let signature = update.sync_aggregate.signature;
                update.sync_aggregate = aggregate(MOST + 1, signature);
            }),
            Err(Reason::SignatureMismatch),
        ),
        case(
            "one who signed and is not named",
            store(at),
            tampered(honest(), |update| {
                let signature = update.sync_aggregate.signature;
                update.sync_aggregate = aggregate(MOST - 1, signature);
            }),
            Err(Reason::SignatureMismatch),
        ),
        case(
            "another proposer",
            store(at),
            tampered(honest(), |update| update.attested_header.beacon.proposer_index ^= 1),
            Err(Reason::SignatureMismatch),
        ),
        case(
            "infinity",
            store(at),
            tampered(honest(), |update| {
                update.sync_aggregate.signature = blobcheck_bls::api::G2_POINT_AT_INFINITY
            }),
            Err(Reason::SignatureMismatch),
        ),
        case(
            "no point",
            store(at),
            tampered(honest(), |update| update.sync_aggregate.signature = [0; 96]),
            Err(Reason::SignatureMismatch),
        ),
        // Signed by the next committee, about the last slot of this one.
        case(
            "over the period's end",
            store_with_next(at),
            changed(update(ELECTRA - 1, None, MOST), |update| update.signature_slot = ELECTRA),
            Ok(()),
        ),
    ];
    for bit in 0..768 {
        if bit % 61 == 0 {
            let flipped =
                tampered(honest(), |update| update.sync_aggregate.signature[bit / 8] ^= 1 << (bit % 8));
            cases.push(case("a flipped bit", store(at), flipped, Err(Reason::SignatureMismatch)));
        }
    }
    judge_all(&cases);
}

/// At a fork's boundary three versions could be meant: that of the attested slot, of the signature's, and of the one before
/// the signature's, which is right.
#[test]
fn domains_at_a_forks_boundary() {
    let chain = chain();
    for fork in [BELLATRIX, CAPELLA, DENEB, ELECTRA, FULU] {
        let store = || store_with_next(fork - 20);
        for (attested, signed) in
            [(fork - 1, fork), (fork - 1, fork + 1), (fork - 4, fork + 3), (fork, fork + 1)]
        {
            let honest = changed(update(attested, None, MOST), |update| update.signature_slot = signed);
            for slot in [attested, signed - 1, signed] {
                let mut update = honest.clone();
                // A signature's domain depends on its slot alone.
                let mut dated = update.clone();
                dated.signature_slot = slot + 1;
                sign_message(&mut update, &signing_root(&chain, &dated), signed / PERIOD);
                let right = chain.fork_version_at_slot(slot) == chain.fork_version_at_slot(signed - 1);
                let expected = if right { Ok(()) } else { Err(Reason::SignatureMismatch) };
                judge(&case("boundary", store(), update, expected), &chain);
            }
        }
    }
}

#[test]
fn committees_that_are_none() {
    let at = DENEB + 8;
    let honest = || update(at + 20, None, MOST);
    let keys = committee(2);
    type Change = fn(&mut Vec<[u8; 48]>, &mut [u8; 48]);
    let with = |change: Change| {
        let (mut pubkeys, mut aggregate) = (keys.pubkeys().to_vec(), *keys.aggregate_pubkey());
        change(&mut pubkeys, &mut aggregate);
        LightClientStore {
            current_sync_committee: SyncCommittee::new(pubkeys, aggregate).unwrap(),
            ..store(at)
        }
    };
    const INFINITY: [u8; 48] = {
        let mut bytes = [0; 48];
        bytes[0] = 0xc0;
        bytes
    };
    let cases = [
        case("the very same", with(|_, _| {}), honest(), Ok(())),
        case("another sum", with(|keys, sum| *sum = keys[0]), honest(), Err(Reason::CommitteeKeys)),
        case("infinity", with(|keys, _| keys[31] = INFINITY), honest(), Err(Reason::CommitteeKeys)),
        case("no point", with(|keys, _| keys[31] = [0xff; 48]), honest(), Err(Reason::CommitteeKeys)),
        case("a key too few", with(|keys, _| keys.truncate(31)), honest(), Err(Reason::CommitteeKeys)),
        case("another order", with(|keys, _| keys.swap(0, 31)), honest(), Err(Reason::SignatureMismatch)),
    ];
    judge_all(&cases);
}

/// Nobody's signature is refused before anything is asked of the committee.
#[test]
fn nobody_signs_nothing() {
    let update = update(DENEB + 28, None, 0);
    let store = store(DENEB + 8);
    let outcome = validate_unsigned(&chain(), &store, &update, u64::MAX);
    assert_eq!(outcome, Err(Reason::NoParticipants));
}

/// Whatever the store's fields say, there is an answer.
#[test]
fn extreme_slots() {
    let chain = chain();
    for slot in [0, 1, u64::MAX - 1, u64::MAX] {
        for signature_slot in [0, 1, u64::MAX] {
            let mut store = store_with_next(8);
            store.finalized_header.beacon.slot = slot;
            let mut update = synthetic::update(20, Some(16), MOST);
            update.signature_slot = signature_slot;
            for attested in [0, 20, u64::MAX - 1] {
                update.attested_header.beacon.slot = attested;
                let outcome =
                    validate_light_client_update(&chain, &store, &update, u64::MAX, &mut Committees::new());
                assert!(outcome.is_err());
            }
        }
    }
}
