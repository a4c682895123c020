//! The specs' cases of light-client sync, in the minimal preset.
//!
//! Gloas is out of scope: a case is followed up to its first object of that fork, which must be refused as one of a fork
//! that is not supported. `upgrade_store` changes nothing here, since a store has but one shape.

use crate::support::chains;
use crate::support::yaml::{self, Yaml};
use blobcheck_beacon::domain::light_client_fork_of_digest;
use blobcheck_beacon::light_client::{LightClientBootstrap, LightClientHeader, LightClientUpdate};
use blobcheck_beacon::ChainConfig;
use blobcheck_bls::FreshSeed;
use blobcheck_light_client::{
    encoding, initialize_light_client_store, process_light_client_store_force_update,
    process_light_client_update, process_updates, Committees, LightClientStore,
};
use blobcheck_testing::vectors;
use std::path::Path;

fn check_header(chain: &ChainConfig, header: &LightClientHeader, expected: &Yaml, place: &str) {
    assert_eq!(Some(header.beacon.slot), yaml::number(&expected["slot"]), "{place}");
    assert_eq!(header.beacon.hash_tree_root(), yaml::bytes(&expected["beacon_root"]), "{place}");
    assert_eq!(header.execution_root(chain), Some(yaml::bytes(&expected["execution_root"])), "{place}");
}

fn check_store(chain: &ChainConfig, store: &LightClientStore, checks: &Yaml, place: &str) {
    check_header(chain, &store.finalized_header, &checks["finalized_header"], place);
    check_header(chain, &store.optimistic_header, &checks["optimistic_header"], place);
    assert_eq!(encoding::decode(chain, &encoding::encode(chain, store)).as_ref(), Ok(store), "{place}");
}

/// Follows a case; the number of updates that it was given, and whether it came to Gloas.
fn follow(case: &Path) -> (usize, bool) {
    let meta = yaml::read(&case.join("meta.yaml"));
    let root = meta["genesis_validators_root"].as_str().unwrap();
    let chain = chains::minimal(&yaml::read(&case.join("config.yaml")), root);
    let fork = |digest: &Yaml| light_client_fork_of_digest(&chain, yaml::bytes(digest));

    let bootstrap = vectors::bytes(case.join("bootstrap.ssz"));
    let fork_of_bootstrap = fork(&meta["bootstrap_fork_digest"]).unwrap();
    let bootstrap = LightClientBootstrap::from_ssz(&chain, fork_of_bootstrap, &bootstrap).unwrap();
    let trusted = yaml::bytes(&meta["trusted_block_root"]);
    let mut store = initialize_light_client_store(&chain, &trusted, bootstrap).unwrap();
    let mut committees = Committees::new();

    let mut updates = 0;
    for (number, step) in yaml::read(&case.join("steps.yaml")).as_vec().unwrap().iter().enumerate() {
        let place = format!("{} step {number}", case.display());
        let (kind, step) = step.as_hash().unwrap().iter().next().unwrap();
        let current_slot = yaml::number(&step["current_slot"]);
        match kind.as_str().unwrap() {
            "process_update" => {
                let Some(fork) = fork(&step["update_fork_digest"]) else { return (updates, true) };
                let name = step["update"].as_str().unwrap();
                let ssz = vectors::bytes(case.join(format!("{name}.ssz")));
                let update = LightClientUpdate::from_ssz(&chain, fork, &ssz).unwrap();
                // In Electra's container, which these objects have, they are read and written alike.
                assert_eq!(update.to_ssz(32), ssz, "{place}");
                let current_slot = current_slot.unwrap();
                let list = [update.clone()];
                let many = process_updates(
                    &chain,
                    &store,
                    &list,
                    current_slot,
                    &mut committees,
                    Some(FreshSeed::from_csprng([7; 32])),
                );
                process_light_client_update(&chain, &mut store, &update, current_slot, &mut committees)
                    .unwrap_or_else(|reason| panic!("{place}: {reason}"));
                assert_eq!((many.store, many.refusal), (store.clone(), None), "{place}");
                updates += 1;
            }
            "force_update" => {
                process_light_client_store_force_update(&chain, &mut store, current_slot.unwrap()).unwrap();
            }
            "upgrade_store" => {}
            other => panic!("unknown step {other}"),
        }
        check_store(&chain, &store, &step["checks"], &place);
    }
    (updates, false)
}

#[test]
fn the_cases_of_sync() {
    let mut to_gloas = Vec::new();
    let mut updates = 0;
    for steps in vectors::find("spec", "steps.yaml") {
        let case = steps.parent().unwrap();
        // The other kind of case, data collection, is about what a full node serves.
        if vectors::exists(case.join("bootstrap.ssz")) {
            let (count, came_to_gloas) = follow(case);
            assert!(count > 0, "{}", case.display());
            updates += count;
            if came_to_gloas {
                to_gloas.push(case.file_name().unwrap().to_owned());
            }
        }
    }
    assert_eq!(to_gloas, ["gloas_fork"]);
    assert!(updates >= 30, "only {updates} updates were found");
}
