//! Transactions that were in pools, and their spoilt twins.

use crate::support::transactions::transactions;
use blobcheck_execution::{BlobTransaction, Fork, Reason, WrapperVersion};

#[test]
fn eip_4844_transactions() {
    for (name, bytes) in transactions("real/txs-4844") {
        let transaction = BlobTransaction::decode(&bytes).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        assert_eq!(transaction.wrapper_version, WrapperVersion::Eip4844, "{name}");
        assert_eq!(transaction.check(Fork::Cancun), Ok(()), "{name}");
        assert_eq!(transaction.check(Fork::Prague), Ok(()), "{name}");
        assert_eq!(transaction.check(Fork::Osaka), Err(Reason::WrapperFork), "{name}");
        assert!(transaction.blob_outcomes().iter().all(Result::is_ok), "{name}");
        assert_truncations_are_refused(&bytes);
    }
}

#[test]
fn eip_7594_transactions() {
    for (name, bytes) in transactions("real/txs-7594") {
        let transaction = BlobTransaction::decode(&bytes).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        assert_eq!(transaction.wrapper_version, WrapperVersion::Eip7594, "{name}");
        assert_eq!(transaction.check(Fork::Osaka), Ok(()), "{name}");
        assert_eq!(transaction.check(Fork::Prague), Err(Reason::WrapperFork), "{name}");
        assert!(transaction.blob_outcomes().iter().all(Result::is_ok), "{name}");
        assert_truncations_are_refused(&bytes);
    }
}

/// The spoilt twins are well-formed. Where a commitment is wrong, its versioned hash tells, and only its; a wrong
/// proof passes, and is for KZG to find. The files are named after what is wrong.
#[test]
fn spoilt_eip_7594_transactions() {
    for (name, bytes) in transactions("real/txs-7594-invalid") {
        let transaction = BlobTransaction::decode(&bytes).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        assert_eq!(transaction.check(Fork::Osaka), Ok(()), "{name}");
        let outcomes = transaction.blob_outcomes();
        let bad = outcomes.iter().filter(|outcome| outcome.is_err()).count();
        assert_eq!(bad, usize::from(name.ends_with("commitment.rlp")), "{name}: {outcomes:?}");
        assert!(bad < outcomes.len(), "{name}: a bad blob hides the others");
    }
}

fn assert_truncations_are_refused(bytes: &[u8]) {
    for length in (0..600).chain(bytes.len() - 600..bytes.len()).chain((0..bytes.len()).step_by(997)) {
        assert!(BlobTransaction::decode(&bytes[..length]).is_err());
    }
    assert_eq!(BlobTransaction::decode(&[bytes, &[0]].concat()).map(|_| ()), Err(Reason::Rlp));
}
