//! SHA-256, Merkle branches, and what is drawn with hashes.

use crate::draw::{array, below, rng};
use arbitrary::{Result, Unstructured};
use blobcheck_beacon::{custody, gindex, merkle, ChainConfig, NetworkConfig};
use blobcheck_sha256::{sha256, sha256_each, sha256_four, sha256_four_pairs, sha256_pairs};
use sha2::{Digest, Sha256};

/// Messages of any lengths, in parts, one by one and four at a time, as the crate `sha2` has it.
pub fn sha256_of_anything(input: &mut Unstructured<'_>) -> Result<()> {
    let mut random = rng(input)?;
    let lengths = [0, 1, 55, 56, 63, 64, 65, 119, 128, 1000];
    let mut messages: Vec<Vec<Vec<u8>>> = Vec::new();
    for _ in 0..below(input, 10)? {
        let mut parts = Vec::new();
        for _ in 0..1 + below(input, 3)? {
            let length = if input.arbitrary()? { *input.choose(&lengths)? } else { below(input, 300)? };
            parts.push(random.vec(length));
        }
        messages.push(parts);
    }
    let expected: Vec<[u8; 32]> =
        messages.iter().map(|parts| Sha256::digest(parts.concat()).into()).collect();
    assert_eq!(sha256_each(&messages), expected);
    for (parts, expected) in messages.iter().zip(&expected) {
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        assert_eq!(sha256(&parts), *expected);
    }
    let pairs: Vec<[[u8; 32]; 2]> =
        (0..below(input, 11)?).map(|_| [random.bytes(), random.bytes()]).collect();
    let expected: Vec<[u8; 32]> =
        pairs.iter().map(|pair| Sha256::digest(pair.as_flattened()).into()).collect();
    assert_eq!(sha256_pairs(&pairs), expected);
    if let (Some(four), Some(expected)) = (pairs.first_chunk(), expected.first_chunk()) {
        assert_eq!(sha256_four_pairs(four), *expected);
    }

    // In lanes, which only WebAssembly has for many messages: four of one length, cut anywhere.
    let length = if input.arbitrary()? { *input.choose(&lengths)? } else { below(input, 300)? };
    let messages: [Vec<u8>; 4] = core::array::from_fn(|_| random.vec(length));
    let cuts: [usize; 4] = core::array::from_fn(|_| random.below(length + 1));
    let parts = core::array::from_fn(|i| <[&[u8]; 2]>::from(messages[i].split_at(cuts[i])));
    let found = sha256_four(parts.each_ref().map(|parts: &[&[u8]; 2]| &parts[..]));
    assert_eq!(found, Some(messages.map(|message| Sha256::digest(message).into())));
    Ok(())
}

/// A branch proves exactly the root that hashing leads to, at its own depth.
pub fn merkle_branches(input: &mut Unstructured<'_>) -> Result<()> {
    let mut random = rng(input)?;
    let gindex: u64 = if input.arbitrary()? { input.arbitrary()? } else { 1 + below(input, 100_000)? as u64 };
    let gindex = gindex.max(1);
    let depth = gindex.ilog2() as usize;
    assert_eq!((gindex::depth(gindex), gindex::subtree_index(gindex)), (depth, gindex - (1 << depth)));
    let mut leaf = random.bytes::<32>();
    let mut branch = random.chunks(depth);
    let mut root = branch.iter().enumerate().fold(leaf, |node, (level, sibling)| {
        let pair = if gindex >> level & 1 == 0 { [node, *sibling] } else { [*sibling, node] };
        Sha256::digest(pair.as_flattened()).into()
    });
    let mut is_proven = true;
    match below(input, 6)? {
        0 => {
            leaf[below(input, 32)?] ^= 1;
            is_proven = false;
        }
        1 if depth > 0 => {
            branch[below(input, depth)?][below(input, 32)?] ^= 1;
            is_proven = false;
        }
        2 => {
            root[below(input, 32)?] ^= 1;
            is_proven = false;
        }
        3 => {
            branch.push(random.bytes());
            is_proven = false;
        }
        _ => {}
    }
    let index = gindex::subtree_index(gindex);
    assert_eq!(merkle::is_valid_merkle_branch(&leaf, &branch, depth, index, &root), is_proven);
    // Zero chunks before it are no harm to the other kind, and any others are.
    let mut before = vec![[0; 32]; below(input, 4)?];
    if !before.is_empty() && below(input, 3)? == 0 {
        let at = below(input, before.len())?;
        before[at][below(input, 32)?] = 1 + below(input, 255)? as u8;
        is_proven = false;
    }
    let normalized = [before, branch].concat();
    assert_eq!(merkle::is_valid_normalized_merkle_branch(&leaf, &normalized, gindex, &root), is_proven);
    Ok(())
}

/// Words of networks, and custody: anything is refused or understood, and nothing is endless.
pub fn networks(input: &mut Unstructured<'_>) -> Result<()> {
    let mut words = Vec::new();
    for _ in 0..below(input, 32)? {
        let small: bool = input.arbitrary()?;
        words.push(if small { below(input, 600)? as u64 } else { input.arbitrary()? });
    }
    let slot: u64 = input.arbitrary()?;
    if let Ok(network) = NetworkConfig::from_words(&words) {
        let epoch = network.epoch_at_slot(slot);
        assert_eq!(epoch, slot / words[0]);
        // The newest entry that has begun, by looking at all of them.
        let schedule = words[8..].chunks(2).filter(|entry| entry[0] <= epoch).max_by_key(|entry| entry[0]);
        let most = match network.fork_at(epoch) {
            blobcheck_beacon::Fork::BeforeDeneb => 0,
            blobcheck_beacon::Fork::Deneb => words[6],
            blobcheck_beacon::Fork::Electra => words[7],
            _ => schedule.map_or(words[7], |entry| entry[1]),
        };
        assert_eq!(network.max_blobs_per_block(epoch), most);
    }
    if let Ok(chain) = ChainConfig::from_words(&words) {
        assert!(chain.slots_per_period() > 0 && chain.sync_committee_size.is_multiple_of(8));
        assert!(chain.forks.is_sorted_by_key(|fork| fork.epoch));
        let _ = (chain.fork_version_at_slot(slot), chain.light_client_fork_at_slot(slot));
    }
    let node: [u8; 32] = if below(input, 8)? == 0 { [0xff; 32] } else { array(input)? };
    let count = below(input, 132)? as u64;
    let groups = custody::get_custody_groups(&node, count);
    assert_eq!(groups.is_some(), count <= 128);
    if let Some(groups) = groups {
        assert_eq!(groups.len() as u64, count);
        assert!(groups.is_sorted_by(|a, b| a < b) && groups.iter().all(|group| *group < 128));
    }
    Ok(())
}
