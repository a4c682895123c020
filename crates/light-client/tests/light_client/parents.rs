//! Chains of headers.

use blobcheck_beacon::BeaconBlockHeader;
use blobcheck_light_client::parent_chain::PARENT_CHAIN_LIMIT;
use blobcheck_light_client::{verify_parent_chain, Reason};
use blobcheck_testing::Rng;

/// A chain of blocks, newest first.
fn headers(count: usize) -> Vec<BeaconBlockHeader> {
    let mut random = Rng(3);
    let mut parent_root = random.bytes();
    let mut headers: Vec<BeaconBlockHeader> = (0..count as u64)
        .map(|slot| {
            let header = BeaconBlockHeader {
                slot: 3 * slot,
                proposer_index: random.next(),
                parent_root,
                state_root: random.bytes(),
                body_root: random.bytes(),
            };
            parent_root = header.hash_tree_root();
            header
        })
        .collect();
    headers.reverse();
    headers
}

#[test]
fn trust_goes_from_child_to_parent() {
    let headers = headers(40);
    let (trusted, parents) = headers.split_first().unwrap();
    let roots = verify_parent_chain(trusted, parents).unwrap();
    assert_eq!(roots, parents.iter().map(BeaconBlockHeader::hash_tree_root).collect::<Vec<_>>());
    assert_eq!(verify_parent_chain(trusted, &[]), Ok(Vec::new()));

    for position in 0..parents.len() {
        type Change = fn(&mut BeaconBlockHeader);
        let changes: [Change; 4] = [
            |header| header.slot ^= 1,
            |header| header.proposer_index ^= 1,
            |header| header.state_root[0] ^= 1,
            |header| header.body_root[31] ^= 1,
        ];
        for change in changes {
            let mut altered = parents.to_vec();
            change(&mut altered[position]);
            assert_eq!(verify_parent_chain(trusted, &altered), Err((position, Reason::ParentMismatch)));
        }
        let mut missing = parents.to_vec();
        missing.remove(position);
        let expected =
            if position < missing.len() { Err((position, Reason::ParentMismatch)) } else { Ok(()) };
        assert_eq!(verify_parent_chain(trusted, &missing).map(|_| ()), expected);
    }
}

#[test]
fn a_chain_has_a_limit() {
    let headers = headers(PARENT_CHAIN_LIMIT + 2);
    assert!(verify_parent_chain(&headers[0], &headers[1..=PARENT_CHAIN_LIMIT]).is_ok());
    let beyond = verify_parent_chain(&headers[0], &headers[1..]);
    assert_eq!(beyond, Err((PARENT_CHAIN_LIMIT, Reason::TooMany)));
}
