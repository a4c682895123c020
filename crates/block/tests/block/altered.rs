//! Bytes that somebody altered. What is accepted must be what the twin reads, writes again byte for byte, and gives the same root;
//! what is refused must be something that the twin cannot read, or would write otherwise.

use crate::support::{cases, Case, Kind};
use crate::twin;
use blobcheck_block::{hash_tree_root, read_block, validate, BlockFork, Fault, Schema};
use blobcheck_testing::Rng;

/// Holds an answer against the twin's; says whether the bytes were accepted.
fn agree(schema: &Schema, bytes: &[u8], name: &str) -> bool {
    let value = twin::read(schema, bytes).filter(|value| twin::write(schema, value) == bytes);
    match (hash_tree_root(schema, bytes), value) {
        (Ok(root), Some(value)) => {
            assert_eq!(root, twin::root(schema, &value), "{name}");
            true
        }
        (Err(_), None) => false,
        (Ok(_), None) => panic!("{name}: accepted, and not the encoding of a value"),
        (Err(error), Some(_)) => panic!("{name}: refused ({error}), and the encoding of a value"),
    }
}

fn small() -> Vec<Case> {
    let mut all = cases();
    all.retain(|case| {
        case.kind == Kind::Block && case.name.contains("minimal") && !case.name.contains("fulu")
    });
    all
}

#[test]
fn no_prefix_is_a_block_and_nothing_may_follow() {
    let mut rng = Rng(1);
    for case in cases() {
        let (schema, ssz) = case.inside();
        for _ in 0..12 {
            let length = rng.below(ssz.len());
            agree(schema, &ssz[..length], &case.name);
        }
        for length in 0..64.min(ssz.len()) {
            assert!(validate(schema, &ssz[..length]).is_err(), "{}", case.name);
            agree(schema, &ssz[..ssz.len() - length], &case.name);
        }
        agree(schema, &[ssz, &[0]].concat(), &case.name);
        agree(schema, &[ssz, &[1, 2, 3, 4]].concat(), &case.name);
    }
}

#[test]
fn flipped_bits_are_what_the_twin_says() {
    let mut rng = Rng(2);
    let (mut accepted, mut refused) = (0, 0);
    for case in small() {
        let (schema, ssz) = case.inside();
        for _ in 0..40 {
            let mut altered = ssz.to_vec();
            for _ in 0..=rng.below(3u64) {
                let at = rng.below(altered.len());
                altered[at] ^= 1 << rng.below(8u64);
            }
            if agree(schema, &altered, &case.name) {
                accepted += 1;
            } else {
                refused += 1;
            }
        }
    }
    assert!(accepted > 100 && refused > 20, "{accepted} {refused}");
}

/// Every four bytes of the fixed parts, and many others, as an offset that is a little wrong, or very.
#[test]
fn altered_offsets_are_what_the_twin_says() {
    let mut rng = Rng(3);
    let mut refused = 0;
    for case in small() {
        let (schema, ssz) = case.inside();
        // Four bytes that could be an offset: that point into the bytes, and are not all zero.
        let places: Vec<usize> = (0..ssz.len() - 4)
            .filter(|&at| {
                let offset = u32::from_le_bytes(ssz[at..at + 4].try_into().expect("four")) as usize;
                offset != 0 && offset <= ssz.len()
            })
            .collect();
        for _ in 0..60 {
            let at = places[rng.below(places.len())];
            let mut altered = ssz.to_vec();
            let offset = u32::from_le_bytes(ssz[at..at + 4].try_into().expect("four"));
            let wrong = match rng.below(6u64) {
                0 => offset.wrapping_add(1),
                1 => offset.wrapping_sub(1),
                2 => offset.wrapping_add(4),
                3 => offset.wrapping_sub(4),
                4 => ssz.len() as u32,
                _ => u32::MAX,
            };
            altered[at..at + 4].copy_from_slice(&wrong.to_le_bytes());
            refused += usize::from(!agree(schema, &altered, &case.name));
        }
    }
    assert!(refused > 100, "{refused}");
}

/// Bytes taken out, put in, and moved.
#[test]
fn cut_and_pasted_bytes_are_what_the_twin_says() {
    let mut rng = Rng(4);
    for case in small() {
        let (schema, ssz) = case.inside();
        for _ in 0..40 {
            let mut altered = ssz.to_vec();
            let (from, to) = (rng.below(ssz.len()), rng.below(ssz.len()));
            let length = rng.below((ssz.len() - from).min(200));
            match rng.below(3u64) {
                0 => drop(altered.drain(from..from + length)),
                1 => drop(altered.splice(to..to, ssz[from..from + length].iter().copied())),
                _ => {
                    let length = length.min(ssz.len() - to);
                    altered.copy_within(from..from + length, to);
                }
            }
            agree(schema, &altered, &case.name);
        }
    }
}

#[test]
fn bytes_at_random_never_panic() {
    let mut rng = Rng(5);
    for _ in 0..2_000 {
        let length = rng.below(600usize);
        let mut bytes = rng.vec(length);
        // Offsets that are likely to lead somewhere.
        for four in bytes.chunks_exact_mut(4) {
            if rng.below(3u64) == 0 {
                four.copy_from_slice(&(rng.below(700u64) as u32).to_le_bytes());
            }
        }
        for fork in [BlockFork::Deneb, BlockFork::Electra, BlockFork::Gloas] {
            let schema = blobcheck_block::containers::block(fork, blobcheck_block::Preset::Minimal);
            agree(schema, &bytes, "random");
            drop(read_block(&bytes, fork, blobcheck_block::Preset::Minimal));
        }
    }
}

/// A block of another fork is no block of this one, for the blocks that have anything in them.
#[test]
fn forks_are_not_confused() {
    for case in cases().iter().filter(|case| case.kind != Kind::Body) {
        for fork in [BlockFork::Deneb, BlockFork::Electra, BlockFork::Gloas] {
            let same = fork == case.fork;
            assert_eq!(read_block(&case.ssz, fork, case.preset).is_ok(), same, "{} as {fork:?}", case.name);
        }
    }
}

#[test]
fn the_path_says_where() {
    let case = cases()
        .into_iter()
        .find(|case| {
            case.kind == Kind::Block && case.fork == BlockFork::Gloas && case.name.contains("ssz_random/")
        })
        .expect("a block");
    let (schema, ssz) = case.inside();
    // The first slashing's second header has its own place; a list of them has no offsets, so that one byte less is a remainder.
    let body_at = 84;
    let mut altered = ssz.to_vec();
    altered[body_at + 200] ^= 1; // the offset of `proposer_slashings`, behind reveal, eth1 data and graffiti
    let error = validate(schema, &altered).expect_err("an offset");
    assert_eq!((error.fault, error.path().as_str()), (Fault::Offset, "body"));
    assert_eq!(error.to_string(), "body: offset");
    let error = validate(schema, &ssz[..83]).expect_err("short");
    assert_eq!((error.fault, error.path().as_str()), (Fault::Length, ""));
    assert_eq!(error.to_string(), ": length");
}
