//! The specs' cases of light-client sync, in the minimal preset.
//!
//! Each case is followed twice: as it is, and with everything upgraded to Gloas as soon as it is read, which the specification
//! allows at any time. The two must come to the same headers. `upgrade_store` changes nothing in the first of them, since a store
//! may hold older headers as they are.

use crate::support::yaml::{self, Yaml};
use crate::support::{chains, upgrade};
use blobcheck_beacon::domain::light_client_fork_of_digest;
use blobcheck_beacon::light_client::{LightClientBootstrap, LightClientHeader, LightClientUpdate};
use blobcheck_beacon::{ChainConfig, LightClientFork};
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

/// What was in a case.
#[derive(Default)]
struct Followed {
    updates: usize,
    /// Updates of Gloas, and those among them whose finalized header is of before.
    of_gloas: usize,
    mixed: usize,
}

/// Follows a case.
fn follow(case: &Path) -> Followed {
    let meta = yaml::read(&case.join("meta.yaml"));
    let root = meta["genesis_validators_root"].as_str().unwrap();
    let chain = chains::minimal(&yaml::read(&case.join("config.yaml")), root);
    let fork = |digest: &Yaml| light_client_fork_of_digest(&chain, yaml::bytes(digest));

    let bootstrap = vectors::bytes(case.join("bootstrap.ssz"));
    let fork_of_bootstrap = fork(&meta["bootstrap_fork_digest"]).unwrap();
    let bootstrap = LightClientBootstrap::from_ssz(&chain, fork_of_bootstrap, &bootstrap).unwrap();
    let trusted = yaml::bytes(&meta["trusted_block_root"]);
    let mut upgraded =
        initialize_light_client_store(&chain, &trusted, upgrade::bootstrap(&chain, &bootstrap)).unwrap();
    let mut store = initialize_light_client_store(&chain, &trusted, bootstrap).unwrap();
    assert_eq!(upgrade::store(&chain, &store), upgraded, "{}", case.display());
    let mut committees = Committees::new();

    let mut followed = Followed::default();
    for (number, step) in yaml::read(&case.join("steps.yaml")).as_vec().unwrap().iter().enumerate() {
        let place = format!("{} step {number}", case.display());
        let (kind, step) = step.as_hash().unwrap().iter().next().unwrap();
        let current_slot = yaml::number(&step["current_slot"]);
        match kind.as_str().unwrap() {
            "process_update" => {
                let fork = fork(&step["update_fork_digest"]).unwrap();
                let name = step["update"].as_str().unwrap();
                let ssz = vectors::bytes(case.join(format!("{name}.ssz")));
                let update = LightClientUpdate::from_ssz(&chain, fork, &ssz).unwrap();
                // In the containers of Electra and Gloas objects are written as they were read; those of Deneb are upgraded.
                assert_eq!(update.to_ssz(32) == ssz, fork >= LightClientFork::Electra, "{place}");
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
                let update = upgrade::update(&chain, &update);
                process_light_client_update(&chain, &mut upgraded, &update, current_slot, &mut committees)
                    .unwrap_or_else(|reason| panic!("{place}, upgraded: {reason}"));
                followed.updates += 1;
                followed.of_gloas += usize::from(fork == LightClientFork::Gloas);
                let finalized = &update.finalized_header;
                let is_mixed = fork == LightClientFork::Gloas
                    && !finalized.is_default()
                    && !chain.is_gloas(finalized.beacon.slot);
                followed.mixed += usize::from(is_mixed);
            }
            "force_update" => {
                for store in [&mut store, &mut upgraded] {
                    process_light_client_store_force_update(&chain, store, current_slot.unwrap()).unwrap();
                }
            }
            "upgrade_store" => {}
            other => panic!("unknown step {other}"),
        }
        check_store(&chain, &store, &step["checks"], &place);
        check_store(&chain, &upgraded, &step["checks"], &place);
        assert_eq!(upgrade::store(&chain, &store), upgraded, "{place}");
    }
    followed
}

fn follow_all(set: &str) -> Followed {
    let mut all = Followed::default();
    for steps in vectors::find(set, "steps.yaml") {
        let case = steps.parent().unwrap();
        // The other kind of case, data collection, is about what a full node serves.
        if vectors::exists(case.join("bootstrap.ssz")) {
            let Followed { updates, of_gloas, mixed } = follow(case);
            assert!(updates > 0, "{}", case.display());
            all.updates += updates;
            all.of_gloas += of_gloas;
            all.mixed += mixed;
        }
    }
    all
}

#[test]
fn the_cases_of_sync() {
    let all = follow_all("spec");
    assert!(all.updates >= 30, "only {} updates were found", all.updates);
    assert!(all.of_gloas > 0);
}

#[test]
fn the_cases_of_sync_in_gloas_and_on_the_way_there() {
    let all = follow_all("gloas-light-client");
    assert!(all.updates >= 20, "only {} updates were found", all.updates);
    assert!(all.of_gloas >= 10, "only {} are of Gloas", all.of_gloas);
    assert!(all.mixed > 0, "none finalizes what is of before the fork");
}
