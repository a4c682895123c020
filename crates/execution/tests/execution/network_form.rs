//! Both wrappers: their shapes, their counts, and the forks that take them.

use crate::support::encoder::{integer, list, string, Tree};
use crate::support::transaction::{body, eip4844, eip7594, envelope, wrapped, BLOBS, COMMITMENTS, PROOFS};
use blobcheck_execution::{BlobTransaction, Fork, Reason, WrapperVersion};
use blobcheck_testing::Rng;

fn check(wrapper: &Tree, fork: Fork) -> Result<(), Reason> {
    BlobTransaction::decode(&envelope(wrapper))?.check(fork)
}

fn decode(bytes: &[u8]) -> Result<(), Reason> {
    BlobTransaction::decode(bytes).map(|_| ())
}

const FORKS: [Fork; 3] = [Fork::Cancun, Fork::Prague, Fork::Osaka];

/// The wrappers with one blob, each with the fork that takes it and the position of its blobs.
fn both() -> [(Tree, Fork, usize); 2] {
    [(eip4844(1, 1), Fork::Prague, 1), (eip7594(1, 1), Fork::Osaka, 2)]
}

#[test]
fn the_view_holds_what_was_encoded() {
    for (count, per_blob) in [(1, 1), (3, 1), (2, 128)] {
        let parts = wrapped(&mut Rng(2), count, per_blob);
        let version = (per_blob == 128).then(|| integer(1));
        let fields = [body(&parts.versioned_hashes)].into_iter().chain(version).chain(parts.lists.clone());
        let bytes = envelope(&list(fields));
        let transaction = BlobTransaction::decode(&bytes).unwrap();
        assert_eq!(transaction.wrapper_version.proofs_per_blob(), per_blob);
        assert!(transaction.body.versioned_hashes.iter().copied().eq(&parts.versioned_hashes));
        let strings = |items: Vec<&[u8]>| list(items.into_iter().map(string));
        assert_eq!(strings(transaction.blobs.iter().map(|blob| &blob[..]).collect()), parts.lists[BLOBS]);
        assert_eq!(
            strings(transaction.commitments.iter().map(|c| &c[..]).collect()),
            parts.lists[COMMITMENTS]
        );
        assert_eq!(strings(transaction.proofs.iter().map(|proof| &proof[..]).collect()), parts.lists[PROOFS]);
        assert_eq!(transaction.blob_outcomes(), vec![Ok(()); count]);
    }
}

#[test]
fn each_fork_takes_one_wrapper() {
    let [(old, ..), (new, ..)] = both();
    assert_eq!(FORKS.map(|fork| check(&old, fork)), [Ok(()), Ok(()), Err(Reason::WrapperFork)]);
    assert_eq!(
        FORKS.map(|fork| check(&new, fork)),
        [Err(Reason::WrapperFork), Err(Reason::WrapperFork), Ok(())]
    );
    assert_eq!([WrapperVersion::Eip4844 as u8, WrapperVersion::Eip7594 as u8], [0, 1]);
}

#[test]
fn forks_have_numbers_and_other_numbers_are_no_fork() {
    let known = [Fork::Cancun, Fork::Prague, Fork::Osaka];
    assert_eq!([0, 1, 2].map(Fork::from_number), known.map(Some));
    assert!((3..=255).all(|number| Fork::from_number(number).is_none()));
}

#[test]
fn each_fork_has_its_number_of_blobs() {
    for (fork, max) in [(Fork::Cancun, 6), (Fork::Prague, 9), (Fork::Osaka, 6)] {
        let outcome = |count| match fork {
            Fork::Osaka => check(&eip7594(3, count), fork),
            _ => check(&eip4844(3, count), fork),
        };
        assert_eq!(fork.max_blobs_per_transaction(), max);
        assert_eq!(outcome(0), Err(Reason::BlobCount));
        assert_eq!(outcome(1), Ok(()));
        assert_eq!(outcome(max), Ok(()));
        assert_eq!(outcome(max + 1), Err(Reason::BlobCount));
    }
}

#[test]
fn counts_must_agree() {
    for (wrapper, fork, blobs) in both() {
        for place in blobs..blobs + 3 {
            let mut fewer = wrapper.clone();
            fewer.items()[place].items().pop();
            assert_eq!(check(&fewer, fork), Err(Reason::SidecarCounts));
            let mut more = wrapper.clone();
            let another = more.items()[place].items()[0].clone();
            more.items()[place].items().push(another);
            assert_eq!(check(&more, fork), Err(Reason::SidecarCounts));
        }
        let mut hashes = wrapper.clone();
        hashes.items()[0].items()[10].items().push(string(&[1; 32]));
        assert_eq!(check(&hashes, fork), Err(Reason::SidecarCounts));
        hashes.items()[0].items()[10] = list([]);
        assert_eq!(check(&hashes, fork), Err(Reason::BlobCount));
    }
    // The other wrapper's number of proofs.
    for (mut wrapper, count) in [(eip4844(4, 1), 128), (eip7594(4, 1), 1)] {
        let fork = if count == 1 { Fork::Osaka } else { Fork::Cancun };
        let proofs = wrapper.items().last_mut().unwrap();
        *proofs = list(vec![string(&[0xc0; 48]); count]);
        assert_eq!(check(&wrapper, fork), Err(Reason::SidecarCounts));
    }
}

#[test]
fn parts_of_a_wrong_length_are_named() {
    for (wrapper, _, blobs) in both() {
        for (place, length, reason) in [
            (blobs, 131_072, Reason::TransactionBlobLength),
            (blobs + 1, 48, Reason::TransactionCommitmentLength),
            (blobs + 2, 48, Reason::TransactionProofLength),
        ] {
            for wrong in [0, 1, length - 1, length + 1, 2 * length] {
                let mut bent = wrapper.clone();
                bent.items()[place].items()[0] = string(&vec![0x81; wrong]);
                assert_eq!(decode(&envelope(&bent)), Err(reason), "{wrong} bytes");
            }
            let mut bent = wrapper.clone();
            bent.items()[place].items()[0] = list([]);
            assert_eq!(decode(&envelope(&bent)), Err(Reason::TransactionFields));
        }
    }
}

#[test]
fn the_type_byte_comes_first() {
    let bytes = envelope(&eip4844(5, 1));
    for first in (0..=255).filter(|first| *first != 3) {
        let other = [&[first], &bytes[1..]].concat();
        assert_eq!(decode(&other), Err(Reason::TransactionType));
    }
    assert_eq!(decode(&[]), Err(Reason::TransactionType));
    assert_eq!(decode(&bytes[1..]), Err(Reason::TransactionType)); // a list, as a legacy transaction is
    assert_eq!(decode(&string(&bytes).encode()), Err(Reason::TransactionType)); // as in a list of a p2p message
}

#[test]
fn a_transaction_without_its_blobs_is_told_apart() {
    assert_eq!(decode(&envelope(&body(&[[1; 32]]))), Err(Reason::NotNetworkForm));
}

#[test]
fn the_wrapper_has_its_shape() {
    let fields = Err(Reason::TransactionFields);
    assert_eq!(decode(&[3]), Err(Reason::Rlp));
    assert_eq!(decode(&envelope(&string(&[]))), fields);
    assert_eq!(decode(&envelope(&list([]))), fields);
    for (wrapper, ..) in both() {
        let length = wrapper.clone().items().len();
        for count in 1..length {
            let mut shorter = wrapper.clone();
            shorter.items().truncate(count);
            assert_eq!(decode(&envelope(&shorter)), fields, "{count} items");
        }
        let mut longer = wrapper.clone();
        longer.items().push(list([]));
        assert_eq!(decode(&envelope(&longer)), fields);
        for place in length - 2..length {
            let mut bent = wrapper.clone();
            bent.items()[place] = string(&[]);
            assert_eq!(decode(&envelope(&bent)), fields);
        }
        let trailing = [envelope(&wrapper), vec![0]].concat();
        assert_eq!(decode(&trailing), Err(Reason::Rlp));
    }
}

#[test]
fn unknown_wrapper_versions_are_refused() {
    let mut wrapper = eip7594(6, 1);
    for version in [&[][..], &[0], &[2], &[3], &[0x7f], &[0x80], &[0xff], &[0, 1], &[1, 0], &[1, 1]] {
        wrapper.items()[1] = string(version);
        assert_eq!(decode(&envelope(&wrapper)), Err(Reason::WrapperVersion), "{version:?}");
    }
}

#[test]
fn one_bad_versioned_hash_does_not_hide_the_others() {
    let mut parts = wrapped(&mut Rng(7), 4, 1);
    parts.versioned_hashes[1][31] ^= 1;
    parts.versioned_hashes[2][0] = 2;
    let bytes = envelope(&list([body(&parts.versioned_hashes)].into_iter().chain(parts.lists.clone())));
    let transaction = BlobTransaction::decode(&bytes).unwrap();
    assert_eq!(transaction.check(Fork::Cancun), Err(Reason::VersionedHashVersion));
    let expected = [Ok(()), Err(Reason::VersionedHashMismatch), Err(Reason::VersionedHashVersion), Ok(())];
    assert_eq!(transaction.blob_outcomes(), expected);

    parts.versioned_hashes[2][0] = 1;
    parts.versioned_hashes.swap(0, 3);
    let bytes = envelope(&list([body(&parts.versioned_hashes)].into_iter().chain(parts.lists)));
    let transaction = BlobTransaction::decode(&bytes).unwrap();
    assert_eq!(transaction.check(Fork::Cancun), Ok(()));
    let mismatch = Err(Reason::VersionedHashMismatch);
    assert_eq!(transaction.blob_outcomes(), [mismatch, mismatch, Ok(()), mismatch]);
}

#[test]
fn outcomes_of_disagreeing_counts_do_not_panic() {
    let mut wrapper = eip4844(8, 2);
    wrapper.items()[2].items().pop();
    let bytes = envelope(&wrapper);
    let transaction = BlobTransaction::decode(&bytes).unwrap();
    assert_eq!(transaction.blob_outcomes(), [Ok(()), Err(Reason::SidecarCounts)]);
    wrapper.items()[0].items()[10] = list([]);
    assert_eq!(BlobTransaction::decode(&envelope(&wrapper)).unwrap().blob_outcomes(), []);
}
