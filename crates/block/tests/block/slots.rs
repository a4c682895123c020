//! Signed or not: the first bytes tell, and where they could be either, the place of the body does.

use crate::support::{cases, Kind};
use blobcheck_block::block::{message, slot_of};
use blobcheck_block::{read_block, BlockFork, Fault};

#[test]
fn a_block_of_slot_100_is_no_signed_one() {
    for case in cases().iter().filter(|case| case.kind == Kind::Block) {
        let mut ssz = case.ssz.clone();
        ssz[..8].copy_from_slice(&100u64.to_le_bytes());
        assert_eq!(message(&ssz).len(), ssz.len(), "{}", case.name);
        assert_eq!(read_block(&ssz, case.fork, case.preset).expect("a block").slot, 100);
    }
}

#[test]
fn a_block_has_the_same_root_with_a_signature_and_without() {
    for case in cases().iter().filter(|case| case.kind == Kind::Signed) {
        let signed = read_block(&case.ssz, case.fork, case.preset).expect("a block");
        assert_eq!(read_block(&case.ssz[100..], case.fork, case.preset), Ok(signed), "{}", case.name);
    }
}

#[test]
fn short_bytes_have_no_slot() {
    assert_eq!(slot_of(&[]), None);
    assert_eq!(slot_of(&[1; 7]), None);
    assert_eq!(slot_of(&[1; 8]), Some(0x0101_0101_0101_0101));
    assert_eq!(slot_of(&[100, 0, 0, 0]), None);
}

#[test]
fn a_block_of_more_than_ten_megabytes_is_not_looked_at() {
    let case = cases().into_iter().find(|case| case.kind == Kind::Block).expect("a block");
    let mut ssz = case.ssz;
    let mut refused = |length: usize| {
        ssz.resize(length, 0);
        read_block(&ssz, BlockFork::Deneb, case.preset).expect_err("too long")
    };
    let error = refused((10 << 20) + 1);
    assert_eq!((error.fault, error.path().as_str()), (Fault::Limit, ""));
    // One of ten megabytes is, and found to have what does not belong there.
    assert_ne!(refused(10 << 20).path(), "");
}
