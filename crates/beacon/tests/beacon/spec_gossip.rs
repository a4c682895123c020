//! The specs' cases of gossiped data column sidecars, as far as they concern this crate: conditions that need a
//! clock, a store of blocks, a subnet, a proposer's key or KZG are somebody else's, and pass here.

use blobcheck_beacon::network::FAR_FUTURE_EPOCH;
use blobcheck_beacon::{DataColumnSidecar, NetworkConfig};
use blobcheck_reason::Stage;
use blobcheck_testing::vectors;
use std::path::Path;

/// The scalars of a flat `KEY: value` file that tests need. `BLOB_SCHEDULE`'s entries are flattened in order.
fn network(case: &Path) -> NetworkConfig {
    let text = std::fs::read_to_string(case.join("config.yaml")).unwrap_or_default();
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
        max_deneb,
        one("MAX_BLOBS_PER_BLOCK_ELECTRA", 9),
    ];
    words.extend(values("EPOCH").into_iter().zip(max).flat_map(|(epoch, max)| [epoch, max]));
    NetworkConfig::from_words(&words).unwrap()
}

#[test]
fn gossip_data_column_sidecar() {
    let Some(folder) = vectors::folder("gossip_data_column_sidecar") else { return };
    let folder = folder.join("spec/minimal-fulu/networking/gossip_data_column_sidecar");
    let mut refused = 0;
    for meta in vectors::find(&folder, "meta.yaml") {
        let case = meta.parent().unwrap();
        // Line breaks inside a flow mapping mean nothing.
        let text = std::fs::read_to_string(&meta).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
        for message in text.split("message: ").skip(1) {
            let name = message.split([',', '}']).next().unwrap().trim();
            let bytes = vectors::snappy(&case.join(format!("{name}.ssz_snappy")));
            let outcome =
                DataColumnSidecar::from_ssz(&bytes).and_then(|sidecar| sidecar.check(&network(case), None));
            let reason = message.split("reason: ").nth(1).and_then(|rest| rest.split('}').next());
            let expected = match reason {
                Some("invalid sidecar") => Err(Stage::Structure),
                Some("invalid sidecar inclusion proof") => Err(Stage::Inclusion),
                _ => Ok(()),
            };
            refused += usize::from(expected.is_err());
            assert_eq!(outcome.map_err(|reason| reason.stage()), expected, "{} {outcome:?}", case.display());
        }
    }
    assert!(refused >= 3, "the cases of this crate's concern were not found");
}
