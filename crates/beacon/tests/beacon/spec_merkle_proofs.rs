//! The specs' single Merkle proofs. The cases give no root: it is computed here from the whole object, leaf by leaf. And
//! the list of commitments hashes to the leaf.

use crate::support::schemas::{beacon_block_body, beacon_state, MAINNET, MINIMAL};
use crate::support::whole::hash_tree_root;
use blobcheck_beacon::commitments::commitments_root;
use blobcheck_beacon::gindex::{depth, subtree_index, BLOB_KZG_COMMITMENTS_GINDEX};
use blobcheck_beacon::merkle::{is_valid_merkle_branch, is_valid_normalized_merkle_branch};
use blobcheck_testing::vectors;
use std::collections::BTreeSet;
use std::path::Path;

struct Proof {
    leaf: [u8; 32],
    gindex: u64,
    branch: Vec<[u8; 32]>,
}

fn read(path: &Path) -> Proof {
    let text = vectors::text(path);
    let chunk = |line: &str| crate::support::ssz::hex(&serde_json::Value::from(line.trim_matches('\'')));
    let after = |key| text.lines().find_map(|line| line.strip_prefix(key)).unwrap();
    Proof {
        leaf: chunk(after("leaf: ")),
        gindex: after("leaf_index: ").parse().unwrap(),
        branch: text.lines().filter_map(|line| line.strip_prefix("- ")).map(chunk).collect(),
    }
}

#[test]
fn proofs_lead_to_the_roots_of_their_objects() {
    let mut kinds = BTreeSet::new();
    for path in vectors::find("spec", "proof.yaml") {
        let Proof { leaf, gindex, branch } = read(&path);
        let names: Vec<&str> = path.iter().map(|part| part.to_str().unwrap()).collect();
        let is = |name: &str| names.contains(&name);
        let preset = if is("mainnet-fulu") { &MAINNET } else { &MINIMAL };
        let kind = match (is("BeaconState"), is("BeaconBlockBody")) {
            (true, false) => beacon_state(preset, is("minimal-fulu")),
            (false, true) => beacon_block_body(preset),
            _ => panic!("{} is about an object that no schema is here for", path.display()),
        };
        kinds.insert((is("BeaconState"), is("minimal-electra")));
        let root = hash_tree_root(&kind, &vectors::bytes(path.with_file_name("object.ssz")));
        let (depth, index) = (depth(gindex), subtree_index(gindex));
        assert!(is_valid_merkle_branch(&leaf, &branch, depth, index, &root), "{}", path.display());
        assert!(is_valid_normalized_merkle_branch(&leaf, &branch, gindex, &root), "{}", path.display());
        assert!(!is_valid_merkle_branch(&leaf, &branch, depth, index ^ 2, &root), "{}", path.display());
        assert!(!is_valid_merkle_branch(&leaf, &branch[1..], depth, index, &root), "{}", path.display());
    }
    assert_eq!(kinds.len(), 4, "states and bodies of Electra and Fulu");
}

/// `BeaconBlockBody` has its variable fields behind a table of offsets; that of `blob_kzg_commitments` stands at
/// 388 in the mainnet preset, and the next field's, where the list ends, behind it.
#[test]
fn the_list_of_commitments_hashes_to_the_leaf() {
    let folder = "spec/mainnet-fulu/merkle_proof/single_merkle_proof/BeaconBlockBody";
    for path in vectors::find(folder, "proof.yaml") {
        let proof = read(&path);
        assert_eq!(proof.gindex, BLOB_KZG_COMMITMENTS_GINDEX);
        let body = vectors::bytes(path.with_file_name("object.ssz"));
        let offset = |at: usize| u32::from_le_bytes(body[at..at + 4].try_into().unwrap()) as usize;
        let (commitments, rest) = body[offset(388)..offset(392)].as_chunks();
        assert!(rest.is_empty());
        assert_eq!(commitments_root(commitments), Some(proof.leaf), "{}", path.display());
    }
}
