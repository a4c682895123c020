//! Nothing that is done to the bytes makes the decoder panic, and no change outside the data passes unseen.

use crate::support::encoder::{integer, list, string, Tree};
use crate::support::transaction::{body, eip4844, envelope};
use blobcheck_execution::{BlobTransaction, Fork};
use blobcheck_testing::Rng;

/// All that can be asked of the bytes.
fn exercise(bytes: &[u8]) -> bool {
    let Ok(transaction) = BlobTransaction::decode(bytes) else { return false };
    let outcomes = transaction.blob_outcomes();
    for fork in [Fork::Cancun, Fork::Prague, Fork::Osaka] {
        let _ = transaction.check(fork);
    }
    transaction.check(Fork::Cancun).is_ok() && outcomes.iter().all(Result::is_ok)
}

/// Small wrappers, with and without a version, whose lists are empty or short.
fn small() -> Vec<Vec<u8>> {
    let hashes = [[1; 32]];
    let commitments = list([string(&[0xc0; 48])]);
    let empty = || list([]);
    let wrappers: [Vec<Tree>; 4] = [
        vec![body(&hashes), empty(), commitments.clone(), commitments.clone()],
        vec![body(&hashes), integer(1), empty(), commitments.clone(), commitments],
        vec![body(&[]), empty(), empty(), empty()],
        vec![body(&[]), integer(1), empty(), empty(), empty()],
    ];
    wrappers.into_iter().map(|items| envelope(&list(items))).chain([envelope(&body(&hashes))]).collect()
}

#[test]
fn every_bit_flip_and_truncation_of_small_transactions() {
    for bytes in small() {
        for at in 0..bytes.len() {
            assert!(BlobTransaction::decode(&bytes[..at]).is_err());
            for bit in 0..8 {
                let mut mutant = bytes.clone();
                mutant[at] ^= 1 << bit;
                assert!(!exercise(&mutant));
            }
        }
    }
}

#[test]
fn random_splices_of_small_transactions() {
    let mut random = Rng(1);
    let seeds = small();
    for _ in 0..50_000 {
        let mut mutant = seeds[random.below(seeds.len() as u64) as usize].clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(mutant.len() as u64) as usize;
            match random.below(4) {
                0 => mutant[at] = random.next() as u8,
                1 => mutant.truncate(at + 1),
                2 => mutant.insert(at, [0x80, 0xb8, 0xbf, 0xc0, 0xf8, 0xff][random.below(6) as usize]),
                _ => drop(mutant.splice(at.., random.vec(9))),
            }
        }
        assert!(!exercise(&mutant));
    }
}

/// In a whole transaction, of the bits outside blob and proof those of fees, addresses and the like may change (a
/// signature would tell); those of the versioned hash, the commitment and all lengths may not.
#[test]
fn bits_of_a_whole_transaction() {
    let bytes = envelope(&eip4844(2, 1));
    assert!(exercise(&bytes));
    let transaction = BlobTransaction::decode(&bytes).unwrap();
    let place = |part: &[u8]| bytes.windows(part.len()).position(|window| window == part).unwrap();
    let hash = place(transaction.body.versioned_hashes[0]);
    let commitment = place(transaction.commitments[0]);
    for at in (hash..hash + 32).chain(commitment - 2..commitment + 48).chain(0..5) {
        for bit in 0..8 {
            let mut mutant = bytes.clone();
            mutant[at] ^= 1 << bit;
            assert!(!exercise(&mutant), "bit {bit} of byte {at}");
        }
    }
}

/// Many tiny items cost time and memory in proportion to the bytes, and no more.
#[test]
fn floods_of_tiny_items_are_refused_at_once() {
    let flood = |item: u8| [vec![0xfa, 0x10, 0x00, 0x00], vec![item; 1 << 20]].concat();
    for item in [0x00, 0x80, 0xc0] {
        let items = [body(&[[1; 32]]).encode(), flood(item), flood(item), flood(item)].concat();
        let header = [vec![3, 0xfa], (items.len() as u32).to_be_bytes()[1..].to_vec()].concat();
        assert!(BlobTransaction::decode(&[header, items].concat()).is_err());
    }
}
