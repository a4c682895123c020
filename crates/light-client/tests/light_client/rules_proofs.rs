//! Updates whose proofs are wrong in one thing alone.

use crate::support::cases::*;
use crate::support::synthetic::*;
use blobcheck_beacon::gindex::subtree_index;
use blobcheck_beacon::light_client::EXECUTION_PAYLOAD_GINDEX;
use blobcheck_beacon::merkle::merkle_branch_root;
use blobcheck_light_client::{is_valid_light_client_header, Reason};

/// An execution header that no container can hold has no root: in particular not that of zeros, which a body may have in its place.
#[test]
fn an_execution_header_without_a_root() {
    let mut header = update(FULU + 28, None, MOST).attested_header;
    assert_eq!(is_valid_light_client_header(&chain(), &header), Ok(()));
    payload(&mut header).extra_data = vec![1; 33];
    let index = subtree_index(EXECUTION_PAYLOAD_GINDEX);
    header.beacon.body_root = merkle_branch_root(&[0; 32], &header.execution_branch[7..], index);
    assert_eq!(is_valid_light_client_header(&chain(), &header), Err(Reason::ExecutionMismatch));
}

#[test]
fn execution_headers() {
    let flip = |bytes: &mut [u8; 32]| bytes[3] ^= 1;
    let capella = || update(CAPELLA + 28, Some(CAPELLA + 16), MOST);
    let mut cases = vec![
        case(
            "an execution header before Capella",
            store(8),
            tampered(update(28, None, MOST), |update| payload(&mut update.attested_header).gas_limit = 1),
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
            tampered(capella(), |update| payload(&mut update.attested_header).blob_gas_used = 1),
            Err(Reason::ExecutionUnexpected),
        ),
        case(
            "excess blob gas before Deneb",
            store(CAPELLA + 8),
            tampered(capella(), |update| payload(&mut update.attested_header).excess_blob_gas = 1),
            Err(Reason::ExecutionUnexpected),
        ),
        case(
            "in the finalized header",
            store(CAPELLA + 8),
            tampered(capella(), |update| payload(&mut update.finalized_header).block_number ^= 1),
            Err(Reason::ExecutionMismatch),
        ),
    ];
    for start in &STARTS[1..] {
        let start = *start;
        let honest = || update(start + 20, None, MOST);
        let refused = |name, update| case(name, store(start), update, Err(Reason::ExecutionMismatch));
        cases.push(refused("another block", tampered(honest(), |update| spoil(&mut update.attested_header))));
        cases.push(refused(
            "forged branch",
            tampered(honest(), |update| flip(&mut update.attested_header.execution_branch[10])),
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
            payload(&mut update.attested_header).blob_gas_used ^= 1
        }),
        Err(Reason::ExecutionMismatch),
    ));
    judge_all(&cases);
}

#[test]
fn finality() {
    let mut cases = Vec::new();
    for start in STARTS {
        let honest = || update(start + 20, Some(start + 8), MOST);
        let unproven = tampered(honest(), |update| update.finality_branch = Default::default());
        cases.push(case("no branch", store(start), unproven, Err(Reason::FinalityUnproven)));
        for height in 0..9 {
            let forged = tampered(honest(), |update| update.finality_branch[height][31] ^= 1);
            // The first chunks of an old branch are not of the proof; they must be zero all the same.
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
    for start in STARTS {
        let honest = || update(start + 20, None, MOST);
        let unproven = tampered(honest(), |update| update.next_sync_committee_branch = Default::default());
        cases.push(case("no branch", store(start), unproven, Err(Reason::NextCommitteeUnproven)));
        for height in 0..11 {
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
