//! Tests of `blobcheck-beacon`: invented blocks for every rule, then real chain data and the specs' own cases.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot read its input has failed

mod support;

mod blob_sidecar;
mod chain;
mod custody;
mod data_column_sidecar;
mod gloas_data_column_sidecar;
mod header;
mod light_client;
mod merkle;
mod network;
mod real_blob_sidecars;
mod real_data_columns;
mod spec_gossip;
mod spec_merkle_proofs;
mod spec_scope;
