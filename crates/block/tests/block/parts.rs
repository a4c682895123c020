//! The official cases of what blocks of Gloas consist of, the branches that lead to a block's root, and which payload a block builds on.

use crate::support::{cases, cases_in, part, Kind};
use crate::twin;
use blobcheck_block::merkle::hash_pair;
use blobcheck_block::{containers, hash_tree_root, read_block, BlockFork, Preset};
use blobcheck_testing::vectors::{bytes, files, text, unhex};
use std::path::Path;

/// Where each type stands in the body of a block: names of fields, and `[]` for the elements of a list.
const PARTS: [(&str, &[&str]); 10] = [
    ("Attestation", &["attestations", "[]"]),
    ("AttesterSlashing", &["attester_slashings", "[]"]),
    ("BeaconBlockHeader", &["proposer_slashings", "[]", "signed_header_1", "message"]),
    ("ExecutionPayload", &["execution_payload"]),
    ("ExecutionPayloadBid", &["signed_execution_payload_bid", "message"]),
    ("ExecutionRequests", &["execution_requests"]),
    ("IndexedAttestation", &["attester_slashings", "[]", "attestation_1"]),
    ("PayloadAttestation", &["payload_attestations", "[]"]),
    ("SignedExecutionPayloadBid", &["signed_execution_payload_bid"]),
    ("SyncAggregate", &["sync_aggregate"]),
];

#[test]
fn parts_of_blocks_have_the_official_roots() {
    let mut met = std::collections::BTreeSet::new();
    for case in cases_in("gloas") {
        let kind = case.name.split('/').nth(3).expect("a type");
        let (_, path) = PARTS.iter().find(|(name, _)| *name == kind).expect("a known type");
        // What a block of Gloas executes of requests is its parent's.
        let is_parents = kind == "ExecutionRequests" && case.fork == BlockFork::Gloas;
        let path = if is_parents { &["parent_execution_requests"][..] } else { path };
        let schema = part(containers::body(case.fork, case.preset), path);
        let root = hash_tree_root(schema, &case.ssz).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        assert_eq!(root, *case.root, "{}", case.name);
        let value = twin::read(schema, &case.ssz).expect("a value");
        assert_eq!(twin::root(schema, &value), root, "{}", case.name);
        met.insert(kind.to_owned());
    }
    assert_eq!(met.len(), PARTS.len(), "{met:?}");
}

/// What a proof says: a leaf, its generalized index, and the siblings on the way up.
fn read_proof(path: &Path) -> ([u8; 32], u64, Vec<[u8; 32]>) {
    let text = text(path);
    let chunk = |line: &str| -> [u8; 32] { unhex(line.trim_matches('\'')).try_into().expect("32 bytes") };
    let after = |key| text.lines().find_map(|line| line.strip_prefix(key)).expect("a line");
    let branch = text.lines().filter_map(|line| line.strip_prefix("- ")).map(chunk).collect();
    (chunk(after("leaf: ")), after("leaf_index: ").parse().expect("a number"), branch)
}

/// `BLOB_KZG_COMMITMENTS_GINDEX` of Gloas in the body, which upstream has no constant for; and in the block, whose fifth field the body is.
const COMMITMENTS_IN_BODY: u64 = 182_885;
const COMMITMENTS_IN_BLOCK: u64 = 1_624_677;

#[test]
fn branches_lead_from_the_bid_to_the_roots() {
    let mut lists = 0;
    let mut paths = files("gloas");
    paths.retain(|path| path.ends_with("proof.yaml"));
    for path in &paths {
        let name = path.to_string_lossy();
        let is_block = name.contains("/BeaconBlock/");
        let preset = if name.contains("mainnet") { Preset::Mainnet } else { Preset::Minimal };
        let schema = if is_block { containers::block } else { containers::body }(BlockFork::Gloas, preset);
        let object = bytes(path.with_file_name("object.ssz"));
        let root = hash_tree_root(schema, &object).unwrap_or_else(|error| panic!("{name}: {error}"));
        let told = text(path.with_file_name("roots.yaml"));
        assert_eq!(root[..], unhex(told.split('\'').nth(1).expect("a root")), "{name}");

        let (leaf, gindex, branch) = read_proof(path);
        assert_eq!(branch.len(), gindex.ilog2() as usize, "{name}");
        let up = |from: [u8; 32], index: u64| {
            branch.iter().enumerate().fold(from, |node, (height, sibling)| match index >> height & 1 {
                0 => hash_pair(&node, sibling),
                _ => hash_pair(sibling, &node),
            })
        };
        assert_eq!(up(leaf, gindex), root, "{name}");
        assert_ne!(up(leaf, gindex ^ (1 << (branch.len() - 1))), root, "{name}");

        if ![COMMITMENTS_IN_BODY, COMMITMENTS_IN_BLOCK].contains(&gindex) {
            continue;
        }
        // The leaf is the root of the list that is read out of the block.
        lists += 1;
        let list = part(
            containers::body(BlockFork::Gloas, preset),
            &["signed_execution_payload_bid", "message", "blob_kzg_commitments"],
        );
        if is_block {
            let read = read_block(&object, BlockFork::Gloas, preset).expect("a block");
            assert_eq!(hash_tree_root(list, read.commitments.as_flattened()), Ok(leaf), "{name}");
        }
    }
    assert!(paths.len() > 70 && lists > 10, "{} and {lists}", paths.len());
}

/// Counted out by hand: where the offset of the payload is in a body (96 + 72 + 32 bytes, five offsets, and a sync aggregate before it),
/// and where the hash is in a payload.
#[test]
fn the_hash_of_the_execution_block_is_read_out_of_the_payload() {
    let mut met = 0;
    for case in cases().iter().filter(|case| case.kind == Kind::Signed) {
        let read = read_block(&case.ssz, case.fork, case.preset).expect("a block");
        if case.fork == BlockFork::Gloas {
            assert_eq!(read.block_hash, None, "{}", case.name);
            continue;
        }
        let body = &case.ssz[100 + 84..];
        let committee_bits = if case.preset == Preset::Mainnet { 64 } else { 4 };
        let at = 96 + 72 + 32 + 5 * 4 + committee_bits + 96;
        let payload = u32::from_le_bytes(body[at..at + 4].try_into().expect("an offset")) as usize;
        assert_eq!(read.block_hash.expect("a hash")[..], body[payload + 472..payload + 504], "{}", case.name);
        met += 1;
    }
    assert!(met > 10, "{met}");
}

/// `get_parent_payload_status` (gloas/fork-choice.md): a block's parent is full where the block's bid builds on the payload of the parent's.
#[test]
fn a_child_tells_what_became_of_the_payload() {
    let mut met = std::collections::BTreeMap::<String, usize>::new();
    for meta in files("gloas/mainnet-gloas/fork_choice").iter().filter(|path| path.ends_with("meta.yaml")) {
        let read = |name: &str| {
            let block = bytes(meta.with_file_name(name));
            let read = read_block(&block, BlockFork::Gloas, Preset::Mainnet).expect("a block");
            (read.root, read.parent_root, *read.bid.expect("a bid").0)
        };
        let ((parent_root, _, parent), (child_root, of_child, child)) =
            (read("parent.ssz"), read("child.ssz"));
        let told = text(meta);
        let value =
            |key| told.lines().find_map(|line| line.strip_prefix(key)).expect("a line").trim_matches('\'');
        assert_eq!(parent_root[..], unhex(value("parent_root: ")));
        assert_eq!(child_root[..], unhex(value("child_root: ")));
        assert_eq!(of_child[..], parent_root);
        // The child's `parent_block_hash`, the parent's `block_hash`.
        let status = if child[..32] == parent[64..96] { "full" } else { "empty" };
        assert_eq!(status, value("parent_payload_status: "), "{}", meta.display());
        *met.entry(status.to_owned()).or_default() += 1;
    }
    assert_eq!(met.len(), 2, "{met:?}");
}
