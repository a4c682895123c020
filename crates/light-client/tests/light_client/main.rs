//! Tests of `blobcheck-light-client`: an invented chain for every rule, then the specs' own cases and real chain data.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot read its input has failed

mod support;

mod across_gloas;
mod bootstraps;
mod catching_up;
mod containers;
mod parents;
mod progress;
mod ranking;
mod real_chains;
mod rules;
mod rules_proofs;
mod rules_signatures;
mod spec_ranking;
mod spec_ssz_static;
mod spec_sync;
mod stored;
mod views;
