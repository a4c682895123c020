//! Tests of `blobcheck-execution`: invented transactions for every rule, then real ones.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot read its input has failed

mod support;

mod body;
mod mutations;
mod network_form;
mod real_transactions;
mod rlp;
mod versioned_hash;
