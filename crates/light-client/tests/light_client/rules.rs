//! One update for each rule that breaks this rule alone: were its check removed, the update would pass. Here those of slots,
//! periods and participants.

use crate::support::cases::*;
use crate::support::synthetic::*;
use blobcheck_light_client::validate::validate_unsigned;
use blobcheck_light_client::{validate_light_client_update, Committees, Reason};

#[test]
fn honest_updates_of_every_fork_pass() {
    let mut cases = Vec::new();
    for start in STARTS {
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
    // Without finality, the finalized header is an empty one, of slot 0: not after what attests genesis.
    cases.push(case("genesis is attested", store(8), update(0, None, MOST), Ok(())));
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
        case(
            "of a fork unknown",
            store_with_next(GLOAS + 8),
            update(UNSUPPORTED, None, MOST),
            Err(Reason::UnsupportedFork),
        ),
        case(
            "signed under a fork unknown",
            store_with_next(GLOAS + 8),
            changed(update(UNSUPPORTED - 1, None, MOST), |update| update.signature_slot = UNSUPPORTED + 1),
            Err(Reason::UnsupportedFork),
        ),
        case("the last under Gloas", store_with_next(GLOAS + 8), update(UNSUPPORTED - 1, None, MOST), Ok(())),
        case("nobody signed", store(at), update(at + 20, None, 0), Err(Reason::NoParticipants)),
    ];
    for (current_slot, expected) in
        [(at + 20, Err(Reason::SignatureInFuture)), (at + 21, Ok(())), (u64::MAX, Ok(()))]
    {
        cases.push(Case { current_slot, ..case("the clock", store(at), honest(), expected) });
    }
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
            let mut update = crate::support::synthetic::update(20, Some(16), MOST);
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
