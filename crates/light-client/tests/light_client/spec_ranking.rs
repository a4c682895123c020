//! The specs' lists of updates, from the best to the worst.

use crate::support::chains;
use crate::support::yaml::{self, Yaml};
use blobcheck_beacon::{light_client::LightClientUpdate, ChainConfig, LightClientFork};
use blobcheck_light_client::is_better_update;
use blobcheck_testing::vectors;
use std::path::Path;

fn updates(case: &Path, chain: &ChainConfig, fork: LightClientFork) -> Vec<LightClientUpdate> {
    let count = yaml::number(&yaml::read(&case.join("meta.yaml"))["updates_count"]).unwrap();
    let read = |number| {
        let ssz = vectors::bytes(case.join(format!("updates_{number}.ssz")));
        LightClientUpdate::from_ssz(chain, fork, &ssz).unwrap()
    };
    (0..count).map(read).collect()
}

#[test]
fn each_update_is_better_than_all_after_it() {
    for (preset, fork) in [
        ("spec/minimal-electra", LightClientFork::Electra),
        ("spec/minimal-fulu", LightClientFork::Fulu),
        ("gloas-light-client/minimal-gloas", LightClientFork::Gloas),
    ] {
        let case = format!("{preset}/light_client/update_ranking/pyspec_tests/update_ranking");
        // Ranking asks for periods alone, which do not depend on forks.
        let chain = chains::minimal(&Yaml::BadValue, &"0".repeat(64));
        let updates = updates(Path::new(&case), &chain, fork);
        assert!(updates.len() > 50);
        for (a, better) in updates.iter().enumerate() {
            for (b, worse) in updates.iter().enumerate() {
                assert_eq!(is_better_update(&chain, better, worse), a < b, "{preset}: {a}, {b}");
            }
        }
    }
}
