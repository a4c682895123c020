//! The specs' cases of gossiped data column sidecars, as far as the sidecar decides them by itself: structure, inclusion
//! and KZG. The others are named below, and pass.

use blobcheck_beacon::network::FAR_FUTURE_EPOCH;
use blobcheck_beacon::{DataColumnSidecar, NetworkConfig};
use blobcheck_kzg::{api::verify_cell_kzg_proof_batch, FreshSeed, Setup, ETHEREUM};
use blobcheck_reason::Stage;
use blobcheck_testing::vectors;
use std::collections::BTreeSet;
use std::path::Path;

/// The specs' reasons that a sidecar gives, and our stages.
const OURS: [(&str, Stage); 3] = [
    ("invalid sidecar", Stage::Structure),
    ("invalid sidecar inclusion proof", Stage::Inclusion),
    ("invalid sidecar kzg proofs", Stage::Kzg),
];

/// The cases that are out of this crate's scope, without `gossip_data_column_sidecar__`, and what deciding them takes. A
/// case that is neither decided nor named here fails.
const OTHERS: [(&str, &str); 11] = [
    ("ignore_already_seen", "a memory of what was seen"),
    ("ignore_future_slot", "a clock"),
    ("ignore_not_later_than_finalized_slot", "the finalized checkpoint"),
    ("ignore_parent_not_seen", "the parent block"),
    // `verify_proposer_signature` of crates/light-client; this case: tests/wasm/spec-gossip.test.ts.
    ("reject_invalid_proposer_signature", "the proposer's key"),
    ("reject_non_ancestor_finalized_checkpoint", "the chain of blocks"),
    ("reject_parent_failed_validation", "the parent block"),
    ("reject_proposer_index_out_of_range", "the validators"),
    ("reject_slot_not_higher_than_parent", "the parent block"),
    ("reject_wrong_proposer_index", "the shuffling"),
    ("reject_wrong_subnet", "the subnet that it came by"),
];

/// The scalars of a flat `KEY: value` file that tests need. `BLOB_SCHEDULE`'s entries are flattened in order.
fn network(case: &Path) -> NetworkConfig {
    let text =
        if vectors::exists(case.join("config.yaml")) { vectors::text(case.join("config.yaml")) } else { "" };
    let values = |key: &str| -> Vec<u64> {
        let lines = text.lines().map(|line| line.trim_start_matches([' ', '-']));
        lines.filter_map(|line| line.strip_prefix(key)?.strip_prefix(": ")?.parse().ok()).collect()
    };
    // Without a config file: the minimal preset, with Fulu from genesis and no schedule.
    let one = |key: &str, default| values(key).first().copied().unwrap_or(default);
    let mut max = values("MAX_BLOBS_PER_BLOCK").into_iter();
    // The key stands outside the schedule once, before it, and then in each entry.
    let max_deneb = max.next().unwrap_or(6);
    let mut words = vec![
        8,
        one("DENEB_FORK_EPOCH", 0),
        one("ELECTRA_FORK_EPOCH", 0),
        one("FULU_FORK_EPOCH", 0),
        one("GLOAS_FORK_EPOCH", FAR_FUTURE_EPOCH),
        FAR_FUTURE_EPOCH,
        max_deneb,
        one("MAX_BLOBS_PER_BLOCK_ELECTRA", 9),
    ];
    words.extend(values("EPOCH").into_iter().zip(max).flat_map(|(epoch, max)| [epoch, max]));
    NetworkConfig::from_words(&words).unwrap()
}

/// Where a sidecar is refused, if anywhere.
fn verify(ssz: &[u8], network: &NetworkConfig, setup: &Setup) -> Result<(), Stage> {
    let sidecar = DataColumnSidecar::from_ssz(ssz).map_err(|reason| reason.stage())?;
    sidecar.check(network, None).map_err(|reason| reason.stage())?;
    let commitments: Vec<&[u8]> = sidecar.commitments.iter().map(|bytes| &bytes[..]).collect();
    let cells: Vec<&[u8]> = sidecar.cells.iter().map(|bytes| &bytes[..]).collect();
    let proofs: Vec<&[u8]> = sidecar.proofs.iter().map(|bytes| &bytes[..]).collect();
    let indices = vec![sidecar.index; cells.len()];
    match verify_cell_kzg_proof_batch(
        setup,
        &commitments,
        &indices,
        &cells,
        &proofs,
        FreshSeed::from_csprng([5; 32]),
    ) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Stage::Kzg),
        Err(error) => Err(error.reason.stage()),
    }
}

#[test]
fn gossip_data_column_sidecar() {
    let folder = "spec/minimal-fulu/networking/gossip_data_column_sidecar";
    let setup = Setup::from_bytes(ETHEREUM).unwrap();
    let mut met = BTreeSet::new();
    for meta in vectors::find(folder, "meta.yaml") {
        let case = meta.parent().unwrap();
        let name =
            case.file_name().unwrap().to_str().unwrap().trim_start_matches("gossip_data_column_sidecar__");
        // Line breaks inside a flow mapping mean nothing.
        let text = vectors::text(&meta).split_whitespace().collect::<Vec<_>>().join(" ");
        for message in text.split("message: ").skip(1) {
            let file = message.split([',', '}']).next().unwrap().trim();
            let ssz = vectors::bytes(case.join(format!("{file}.ssz")));
            let reason = message.split("reason: ").nth(1).and_then(|rest| rest.split('}').next());
            let ours = OURS.iter().find(|(text, _)| Some(*text) == reason);
            let is_named = OTHERS.iter().any(|(other, _)| *other == name);
            assert!(reason.is_none() || ours.is_some() || is_named, "{name}: {reason:?}");
            let expected = ours.map_or(Ok(()), |(_, stage)| Err(*stage));
            met.insert(ours.map(|(text, _)| text));
            assert_eq!(verify(&ssz, &network(case), &setup), expected, "{name}");
        }
    }
    assert_eq!(met.len(), OURS.len() + 1, "not every way for a sidecar to end was seen");
}
