//! Roots of light-client objects, against whole trees.

use crate::support::{naive, networks, ssz};
use blobcheck_beacon::gindex::subtree_index;
use blobcheck_beacon::light_client::{
    current_sync_committee_gindex_at_slot, execution_block_hash_gindex_at_slot,
    finalized_root_gindex_at_slot, next_sync_committee_gindex_at_slot, Execution, ExecutionPayloadHeader,
    SyncAggregate, SyncCommittee, EXECUTION_PAYLOAD_GINDEX,
};
use blobcheck_beacon::merkle::{
    is_valid_merkle_branch, is_valid_normalized_merkle_branch, merkle_branch_root,
};
use blobcheck_testing::{vectors, Rng};
use std::collections::BTreeMap;

#[test]
fn both_forms_of_execution_have_a_block_hash() {
    let header = ExecutionPayloadHeader { block_hash: [7; 32], ..Default::default() };
    assert_eq!(*Execution::Payload(header).block_hash(), [7; 32]);
    assert_eq!(*Execution::BlockHash([8; 32]).block_hash(), [8; 32]);
}

#[test]
fn roots_of_committees_of_any_size() {
    let mut random = Rng(41);
    for size in [1, 2, 3, 8, 24, 32, 33, 40, 512, 4096] {
        let pubkeys: Vec<[u8; 48]> = (0..size).map(|_| random.bytes()).collect();
        let aggregate: [u8; 48] = random.bytes();
        let leaves: Vec<_> = pubkeys.iter().map(naive::commitment_root).collect();
        let depth = (0..).find(|depth| 1 << depth >= size).unwrap();
        let keys = naive::root(&naive::tree(&leaves, depth));
        let expected = naive::hash(&keys, &naive::commitment_root(&aggregate));
        let committee = SyncCommittee::new(pubkeys, aggregate).unwrap();
        assert_eq!(*committee.hash_tree_root(), expected, "{size}");
        let mut bytes = Vec::new();
        committee.write_ssz(&mut bytes);
        assert_eq!(bytes.len(), SyncCommittee::ssz_bytes(size));
        assert_eq!(SyncCommittee::from_ssz(&bytes), Some(committee));
        assert_eq!(SyncCommittee::from_ssz(&bytes[1..]), None);
    }
    assert_eq!(SyncCommittee::new(vec![[0; 48]; 4097], [0; 48]), None);
    assert_eq!([SyncCommittee::from_ssz(&[]), SyncCommittee::from_ssz(&[0; 48])], [None, None]);
}

#[test]
fn committees_that_differ_anywhere_differ() {
    let mut random = Rng(42);
    let pubkeys: Vec<[u8; 48]> = (0..32).map(|_| random.bytes()).collect();
    let committee = SyncCommittee::new(pubkeys.clone(), [1; 48]).unwrap();
    for position in 0..32 {
        let mut other = pubkeys.clone();
        other[position][random.below(48) as usize] ^= 1;
        assert_ne!(SyncCommittee::new(other, [1; 48]).unwrap(), committee);
    }
    assert_ne!(SyncCommittee::new(pubkeys, [2; 48]).unwrap(), committee);
}

#[test]
fn roots_of_execution_headers() {
    let mut random = Rng(43);
    for length in [0, 1, 31, 32] {
        let header = ExecutionPayloadHeader {
            parent_hash: random.bytes(),
            fee_recipient: random.bytes(),
            state_root: random.bytes(),
            receipts_root: random.bytes(),
            logs_bloom: random.bytes(),
            prev_randao: random.bytes(),
            block_number: random.next() >> 1,
            gas_limit: random.next() >> 1,
            gas_used: random.next() >> 1,
            timestamp: random.next() >> 1,
            extra_data: random.bytes::<32>()[..length].to_vec(),
            base_fee_per_gas: random.bytes(),
            block_hash: random.bytes(),
            transactions_root: random.bytes(),
            withdrawals_root: random.bytes(),
            blob_gas_used: random.next() >> 1,
            excess_blob_gas: random.next() >> 1,
        };
        let padded = |bytes: &[u8]| {
            let mut chunk = [0; 32];
            chunk[..bytes.len()].copy_from_slice(bytes);
            chunk
        };
        let number = |number: u64| naive::length_chunk(number as usize);
        let bloom: Vec<_> = header.logs_bloom.chunks(32).map(padded).collect();
        let mut leaves = vec![
            header.parent_hash,
            padded(&header.fee_recipient),
            header.state_root,
            header.receipts_root,
            naive::root(&naive::tree(&bloom, 3)),
            header.prev_randao,
            number(header.block_number),
            number(header.gas_limit),
            number(header.gas_used),
            number(header.timestamp),
            naive::hash(&padded(&header.extra_data), &naive::length_chunk(length)),
            header.base_fee_per_gas,
            header.block_hash,
            header.transactions_root,
            header.withdrawals_root,
        ];
        assert_eq!(header.hash_tree_root(false), Some(naive::root(&naive::tree(&leaves, 4))));
        leaves.extend([number(header.blob_gas_used), number(header.excess_blob_gas)]);
        assert_eq!(header.hash_tree_root(true), Some(naive::root(&naive::tree(&leaves, 5))));
    }
    let too_long = ExecutionPayloadHeader { extra_data: vec![0; 33], ..Default::default() };
    assert_eq!(too_long.hash_tree_root(true), None);
}

#[test]
fn bits_are_lowest_first() {
    let mut bits = [false; 32];
    for position in [0, 9, 31] {
        bits[position] = true;
    }
    let aggregate = SyncAggregate::new(&bits, [7; 96]);
    assert_eq!(aggregate.sync_committee_bits(), bits);
    assert_eq!((aggregate.size(), aggregate.participants()), (32, 3));
    let ssz = [&[1, 2, 0, 128][..], &[7; 96]].concat();
    assert_eq!(SyncAggregate::from_ssz(&ssz), Some(aggregate));
    assert_eq!(SyncAggregate::from_ssz(&ssz[5..]), None);
}

/// `is_valid_normalized_merkle_branch` of `electra/light-client/sync-protocol.md`, on whole trees.
#[test]
fn longer_branches_must_begin_with_zeros() {
    let mut random = Rng(44);
    for depth in 0..8 {
        let leaves = random.chunks(1 << depth);
        let layers = naive::tree(&leaves, depth);
        let root = naive::root(&layers);
        let index = random.below(1 << depth) as usize;
        let gindex = (1 << depth) + index as u64;
        let branch = naive::branch(&layers, index);
        for extra in 0..4 {
            let longer = [&vec![[0; 32]; extra][..], &branch].concat();
            assert!(is_valid_normalized_merkle_branch(&leaves[index], &longer, gindex, &root));
            for position in 0..longer.len() {
                let mut altered = longer.clone();
                altered[position][random.below(32) as usize] ^= 1;
                assert!(!is_valid_normalized_merkle_branch(&leaves[index], &altered, gindex, &root));
            }
        }
        if let Some((_, shorter)) = branch.split_first() {
            assert!(!is_valid_normalized_merkle_branch(&leaves[index], shorter, gindex, &root));
        }
        assert!(!is_valid_normalized_merkle_branch(&root, &branch, gindex ^ 1, &root) || depth == 0);
    }
    assert!(is_valid_normalized_merkle_branch(&[5; 32], &[], 1, &[5; 32]));
    assert!(!is_valid_normalized_merkle_branch(&[5; 32], &[], u64::MAX, &[5; 32]));
}

#[test]
fn places_in_the_state_are_those_of_its_fork() {
    let chain = networks::sepolia_chain();
    let (electra, gloas) = (222_464 * 32, 11_296_768);
    for (slot, expected) in [
        (0, [105, 54, 55]),
        (electra - 1, [105, 54, 55]),
        (electra, [169, 86, 87]),
        (gloas - 1, [169, 86, 87]),
        (gloas, [735, 2945, 2946]),
    ] {
        let found = [
            finalized_root_gindex_at_slot(&chain, slot),
            current_sync_committee_gindex_at_slot(&chain, slot),
            next_sync_committee_gindex_at_slot(&chain, slot),
        ];
        assert_eq!(found, expected);
    }
    assert_eq!(EXECUTION_PAYLOAD_GINDEX, 25);
    let (capella, deneb) = (56_832 * 32, 132_608 * 32);
    for (slot, expected) in [
        (capella - 1, None),
        (capella, Some(412)),
        (deneb - 1, Some(412)),
        (deneb, Some(812)),
        (gloas - 1, Some(812)),
        (gloas, Some(2856)),
    ] {
        assert_eq!(execution_block_hash_gindex_at_slot(&chain, slot), expected, "{slot}");
    }
}

/// The specs' single proofs in states and bodies from Electra to Gloas lead where the protocol looks.
#[test]
fn the_specs_proofs_are_at_these_places() {
    let chain = networks::sepolia_chain();
    let mut seen = 0;
    let mut roots = BTreeMap::new();
    for (folder, slot) in [
        ("spec/minimal-electra", 222_464 * 32),
        ("spec/minimal-fulu", 222_464 * 32),
        ("gloas-light-client/minimal-gloas", 11_296_768),
        ("gloas-light-client/mainnet-gloas", 11_296_768),
    ] {
        for path in vectors::find(format!("{folder}/light_client/single_merkle_proof"), "proof.yaml") {
            let text = vectors::text(&path);
            let place = path.display().to_string();
            let gindex = match path.parent().unwrap().file_name().unwrap().to_str().unwrap() {
                "current_sync_committee_merkle_proof" => current_sync_committee_gindex_at_slot(&chain, slot),
                "next_sync_committee_merkle_proof" => next_sync_committee_gindex_at_slot(&chain, slot),
                "finality_root_merkle_proof" => finalized_root_gindex_at_slot(&chain, slot),
                "execution_merkle_proof" => EXECUTION_PAYLOAD_GINDEX,
                "execution_block_hash_merkle_proof" => {
                    execution_block_hash_gindex_at_slot(&chain, slot).unwrap()
                }
                other => panic!("unknown case {other}"),
            };
            assert!(text.contains(&format!("leaf_index: {gindex}\n")), "{place}");
            // No root is given. Whoever proves things about one object proves them of one root.
            let chunk = |line: &str| ssz::hex::<32>(&serde_json::Value::from(line.trim_matches('\'')));
            let leaf = text.lines().find_map(|line| line.strip_prefix("leaf: ")).map(chunk).unwrap();
            let branch: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("- ")).map(chunk).collect();
            let root = merkle_branch_root(&leaf, &branch, subtree_index(gindex));
            assert!(is_valid_normalized_merkle_branch(&leaf, &branch, gindex, &root), "{place}");
            let object = vectors::bytes(path.with_file_name("object.ssz"));
            assert_eq!(*roots.entry(object).or_insert(root), root, "{place}");
            seen += 1;
        }
    }
    assert_eq!(seen, 7 + 6);
    assert!(roots.len() < seen);
    // An empty branch proves the root itself.
    assert!(is_valid_merkle_branch(&[1; 32], &[], 0, 0, &[1; 32]));
}
