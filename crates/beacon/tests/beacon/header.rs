use crate::support::synthetic::Block;
use blobcheck_beacon::{BeaconBlockHeader, SignedBeaconBlockHeader};
use blobcheck_testing::Rng;

#[test]
fn fields_and_root_of_a_header() {
    for (seed, slot) in [(1, 0), (2, 1), (3, 12_035_999), (4, u64::MAX)] {
        let parts = Block::new(seed, slot, 1).header;
        let bytes = parts.encode();
        let signed = SignedBeaconBlockHeader::from_ssz(&bytes).unwrap();
        assert_eq!(signed.message.slot, slot);
        assert_eq!(signed.message.proposer_index, parts.proposer_index);
        assert_eq!(signed.message.parent_root, parts.parent_root);
        assert_eq!(signed.message.state_root, parts.state_root);
        assert_eq!(signed.message.body_root, parts.body_root);
        assert_eq!(signed.signature, parts.signature);
        assert_eq!(BeaconBlockHeader::from_ssz(&bytes[..112]), Some(signed.message));
        assert_eq!(signed.message.hash_tree_root(), parts.root());
    }
}

#[test]
fn other_lengths_are_no_header() {
    let bytes: [u8; 300] = Rng(1).bytes();
    for length in 0..bytes.len() {
        assert_eq!(BeaconBlockHeader::from_ssz(&bytes[..length]).is_some(), length == 112);
        assert_eq!(SignedBeaconBlockHeader::from_ssz(&bytes[..length]).is_some(), length == 208);
    }
}
