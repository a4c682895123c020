//! Which of the specs' cases are in scope, and which are not. A folder of cases that nobody reads fails here, so that none
//! is passed over in silence.

use blobcheck_testing::vectors;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Folders of cases, and who reads all that is in them: native Rust, and both modules (`tests/wasm`).
const READ: [(&str, &str); 10] = [
    ("mainnet-fulu/merkle_proof/single_merkle_proof", "spec_merkle_proofs.rs; spec-light-client.test.ts"),
    ("minimal-electra/light_client/single_merkle_proof", "spec_merkle_proofs.rs; spec-light-client.test.ts"),
    ("minimal-fulu/light_client/single_merkle_proof", "spec_merkle_proofs.rs; spec-light-client.test.ts"),
    (
        "minimal-electra/light_client/update_ranking",
        "light-client's spec_ranking.rs; spec-light-client.test.ts",
    ),
    ("minimal-fulu/light_client/update_ranking", "light-client's spec_ranking.rs; spec-light-client.test.ts"),
    ("minimal-electra/light_client/sync", "light-client's spec_sync.rs; spec-sync.test.ts"),
    ("minimal-fulu/light_client/sync", "light-client's spec_sync.rs; spec-sync.test.ts"),
    ("minimal-fulu/networking/get_custody_groups", "custody.rs; spec-light-client.test.ts"),
    ("minimal-fulu/networking/compute_columns_for_custody_group", "custody.rs; spec-light-client.test.ts"),
    // In it, some cases are out of scope one by one: spec_gossip.rs names them.
    ("minimal-fulu/networking/gossip_data_column_sidecar", "spec_gossip.rs; spec-gossip.test.ts"),
];

/// Those of the set of Gloas: of that fork, and of those on the way there. What it has of light clients alone is packed.
const READ_OF_GLOAS: [(&str, &str); 13] = [
    ("minimal-deneb/light_client/sync", "light-client's spec_sync.rs; spec-sync.test.ts"),
    ("minimal-electra/light_client/sync", "light-client's spec_sync.rs; spec-sync.test.ts"),
    ("minimal-fulu/light_client/sync", "light-client's spec_sync.rs; spec-sync.test.ts"),
    ("minimal-gloas/light_client/sync", "light-client's spec_sync.rs; spec-sync.test.ts"),
    (
        "minimal-gloas/light_client/update_ranking",
        "light-client's spec_ranking.rs; spec-light-client.test.ts",
    ),
    // Where the branches lead. That a whole state hashes to their root is not in question here: no state is decoded.
    ("minimal-gloas/light_client/single_merkle_proof", "light_client.rs; spec-light-client.test.ts"),
    ("mainnet-gloas/light_client/single_merkle_proof", "light_client.rs; spec-light-client.test.ts"),
    ("minimal-deneb/ssz_static", "light-client's spec_ssz_static.rs; spec-light-client-ssz.test.ts"),
    ("mainnet-deneb/ssz_static", "light-client's spec_ssz_static.rs; spec-light-client-ssz.test.ts"),
    ("minimal-electra/ssz_static", "light-client's spec_ssz_static.rs; spec-light-client-ssz.test.ts"),
    ("mainnet-electra/ssz_static", "light-client's spec_ssz_static.rs; spec-light-client-ssz.test.ts"),
    ("minimal-gloas/ssz_static", "light-client's spec_ssz_static.rs; spec-light-client-ssz.test.ts"),
    ("mainnet-gloas/ssz_static", "light-client's spec_ssz_static.rs; spec-light-client-ssz.test.ts"),
];

/// The rest of that set: proofs about blocks, payloads, custody, gossip, and the parts of blocks.
const READ_OF_GLOAS_BLOCKS: [(&str, &str); 12] = [
    ("mainnet-gloas/fork_choice/get_parent_payload_status", "block's parts.rs; blocks.test.ts"),
    ("mainnet-gloas/merkle_proof/single_merkle_proof", "block's parts.rs; spec-light-client.test.ts"),
    ("minimal-gloas/merkle_proof/single_merkle_proof", "block's parts.rs; spec-light-client.test.ts"),
    ("minimal-gloas/networking/get_custody_groups", "custody.rs; spec-light-client.test.ts"),
    ("minimal-gloas/networking/compute_columns_for_custody_group", "custody.rs; spec-light-client.test.ts"),
    // What a sidecar and its block decide; the test names the others.
    ("minimal-gloas/networking/gossip_data_column_sidecar", "gloas-gossip.test.ts"),
    ("mainnet-deneb/ssz_static", "block's parts.rs"),
    ("minimal-deneb/ssz_static", "block's parts.rs"),
    ("mainnet-fulu/ssz_static", "block's parts.rs"),
    ("minimal-fulu/ssz_static", "block's parts.rs"),
    ("mainnet-gloas/ssz_static", "block's parts.rs"),
    ("minimal-gloas/ssz_static", "block's parts.rs"),
];

/// Folders that are out of scope, and why.
const OUT: [(&str, &str); 1] = [(
    "minimal-fulu/light_client/data_collection",
    "which objects a full node makes of its blocks and states, and keeps; a client is given them",
)];

#[test]
fn every_case_is_read_or_named() {
    check("spec", &READ.iter().chain(&OUT).collect::<Vec<_>>());
    check("gloas-light-client", &READ_OF_GLOAS.iter().collect::<Vec<_>>());
    check("gloas", &READ_OF_GLOAS_BLOCKS.iter().collect::<Vec<_>>());
}

fn check(set: &str, known: &[&(&str, &str)]) {
    let folder_of = |path: PathBuf| path.parent()?.strip_prefix(set).ok()?.to_str().map(str::to_owned);
    let found: BTreeSet<String> = vectors::files(set).into_iter().filter_map(folder_of).collect();
    let is_below = |case: &str, (folder, _): &(&str, &str)| {
        case.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    };
    let unnamed: Vec<_> =
        found.iter().filter(|case| !known.iter().any(|entry| is_below(case, entry))).collect();
    assert!(unnamed.is_empty(), "neither read nor named as out of scope: {unnamed:#?}");
    for entry in known {
        assert!(found.iter().any(|case| is_below(case, entry)), "{} is not there", entry.0);
    }
}
