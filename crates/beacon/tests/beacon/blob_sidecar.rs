use crate::support::networks::{always_deneb, mainnet};
use crate::support::synthetic::Block;
use blobcheck_beacon::BlobSidecar;
use blobcheck_beacon::{NetworkConfig, Reason};
use blobcheck_testing::Rng;

const LENGTH: usize = BlobSidecar::SSZ_BYTES;

fn check(bytes: &[u8], network: &NetworkConfig, anchor: Option<&[u8; 32]>) -> Result<(), Reason> {
    BlobSidecar::from_ssz(bytes)?.check(network, anchor)
}

#[test]
fn every_sidecar_of_a_block_is_accepted_with_and_without_anchor() {
    assert_eq!(LENGTH, 131_928);
    let mut block = Block::new(1, 77, 6);
    for index in 0..6 {
        let parts = block.blob_sidecar(index);
        let bytes = parts.encode();
        let sidecar = BlobSidecar::from_ssz(&bytes).unwrap();
        assert_eq!(sidecar.index, index as u64);
        assert_eq!(sidecar.blob[..], parts.blob);
        assert_eq!(*sidecar.commitment, parts.commitment);
        assert_eq!(*sidecar.proof, parts.proof);
        assert_eq!(sidecar.signed_block_header.signature, parts.header.signature);
        assert_eq!(sidecar.inclusion_proof[..], parts.branch);
        assert_eq!(sidecar.check(&always_deneb(), None), Ok(()));
        assert_eq!(sidecar.check(&always_deneb(), Some(&block.header.root())), Ok(()));
        assert_eq!(sidecar.check(&always_deneb(), Some(&[9; 32])), Err(Reason::HeaderMismatch));
    }
}

#[test]
fn other_lengths_are_refused() {
    let mut bytes = Block::new(2, 77, 1).blob_sidecar(0).encode();
    for length in [0, 1, 7, 8, 9, 131_080, 131_128, 131_176, 131_288, 131_384, LENGTH - 32, LENGTH - 1] {
        assert_eq!(check(&bytes[..length], &always_deneb(), None), Err(Reason::SidecarLength), "{length}");
    }
    for extra in [1, 31, 32, LENGTH] {
        bytes.resize(LENGTH + extra, 0);
        assert_eq!(check(&bytes, &always_deneb(), None), Err(Reason::SidecarLength), "{extra} more");
    }
}

/// One bit of every byte outside the blob, and some inside.
#[test]
fn a_tampered_byte_has_the_reason_of_its_region() {
    let mut random = Rng(3);
    let mut block = Block::new(3, 77, 6);
    let anchor = block.header.root();
    let mut bytes = block.blob_sidecar(3).encode();
    let positions = (0..16).chain(131_070..LENGTH);
    for at in positions {
        let bit = 1 << random.below(8);
        bytes[at] ^= bit;
        let index = u64::from_le_bytes(bytes[..8].try_into().unwrap());
        // What follows from the sidecar alone, and what the anchor adds.
        let (alone, anchored) = match at {
            0..8 if index >= 6 => (Err(Reason::BlobIndex), Err(Reason::BlobIndex)),
            0..8 => (Err(Reason::InclusionMismatch), Err(Reason::InclusionMismatch)),
            8..131_080 => (Ok(()), Ok(())), // the blob: KZG's business
            131_080..131_128 => (Err(Reason::InclusionMismatch), Err(Reason::InclusionMismatch)), // commitment
            131_128..131_176 => (Ok(()), Ok(())), // proof: KZG's business
            131_176..131_256 => (Ok(()), Err(Reason::HeaderMismatch)), // slot to state root
            131_256..131_288 => (Err(Reason::InclusionMismatch), Err(Reason::InclusionMismatch)), // body root
            131_288..131_384 => (Ok(()), Ok(())), // signature: needs a key
            _ => (Err(Reason::InclusionMismatch), Err(Reason::InclusionMismatch)), // branch
        };
        assert_eq!(check(&bytes, &always_deneb(), None), alone, "byte {at}");
        assert_eq!(check(&bytes, &always_deneb(), Some(&anchor)), anchored, "byte {at}");
        bytes[at] ^= bit;
    }
    assert_eq!(check(&bytes, &always_deneb(), Some(&anchor)), Ok(()));
}

#[test]
fn indices_out_of_range_are_refused_before_the_branch() {
    let mut block = Block::new(4, 77, 6);
    let mut parts = block.blob_sidecar(0);
    // 131072 = 2^17 shares all bits with 0 that a branch of depth 17 looks at.
    for index in [6, 7, 4096, 1 << 16, 1 << 17, 1 << 32, u64::MAX] {
        parts.index = index;
        assert_eq!(check(&parts.encode(), &always_deneb(), None), Err(Reason::BlobIndex));
    }
}

/// An absurd maximum must not let an index reach out of the list, into other parts of the body.
#[test]
fn no_config_lets_an_index_leave_the_list() {
    let mut network = always_deneb();
    network.max_blobs_per_block_deneb = u64::MAX;
    let mut block = Block::new(5, 77, 6);
    let mut parts = block.blob_sidecar(0);
    for index in [4096, 8191, 65_535, 65_536, 1 << 17, u64::MAX] {
        parts.index = index;
        assert_eq!(check(&parts.encode(), &network, None), Err(Reason::BlobIndex));
    }
    parts = block.blob_sidecar(5);
    assert_eq!(check(&parts.encode(), &network, None), Ok(()));
    let mut full = Block::new(6, 77, 4096);
    assert_eq!(check(&full.blob_sidecar(4095).encode(), &network, None), Ok(()));
}

#[test]
fn nothing_is_included_beyond_the_end_of_the_list() {
    let mut block = Block::new(7, 77, 3);
    for index in 3..6 {
        assert_eq!(
            check(&block.blob_sidecar(index).encode(), &always_deneb(), None),
            Err(Reason::InclusionMismatch)
        );
    }
}

#[test]
fn the_epoch_decides_on_fork_and_maximum() {
    let network = mainnet();
    let outcome = |epoch: u64, index| {
        let mut block = Block::new(8, epoch.saturating_mul(32), 21);
        check(&block.blob_sidecar(index).encode(), &network, None)
    };
    assert_eq!(outcome(0, 0), Err(Reason::UnsupportedFork));
    assert_eq!(outcome(269_567, 0), Err(Reason::UnsupportedFork));
    for (epoch, max) in [(269_568, 6), (364_032, 9), (411_392, 9), (412_672, 15), (419_072, 21)] {
        assert_eq!(outcome(epoch, max - 1), Ok(()), "epoch {epoch}");
        assert_eq!(outcome(epoch, max), Err(Reason::BlobIndex), "epoch {epoch}");
    }
    assert_eq!(outcome(u64::MAX, 0), Ok(())); // slot 2^64 - 1 is a Fulu slot like another

    let mut network = mainnet();
    network.gloas_fork_epoch = 500_000;
    let mut block = Block::new(9, 500_000 * 32, 1);
    assert_eq!(check(&block.blob_sidecar(0).encode(), &network, None), Err(Reason::UnsupportedFork));
    network.slots_per_epoch = std::num::NonZeroU64::MIN;
    let mut block = Block::new(9, u64::MAX, 1);
    assert_eq!(check(&block.blob_sidecar(0).encode(), &network, None), Err(Reason::UnsupportedFork));
}

/// In Fulu's time nodes have no proofs of blobs: infinity, or 48 zeros, stand for none. Before, every proof is meant as one.
#[test]
fn a_proof_is_lacking_in_fulu_alone() {
    let network = mainnet();
    let first_of_fulu = 32 * network.fulu_fork_epoch;
    let with = |first: u8, last: u8, slot: u64| {
        let mut parts = Block::new(7, slot, 1).blob_sidecar(0);
        parts.proof = [0; 48];
        (parts.proof[0], parts.proof[47]) = (first, last);
        BlobSidecar::from_ssz(&parts.encode()).unwrap().lacks_proof(&network)
    };
    for (first, last, is_none) in [
        (0, 0, true),
        (0xc0, 0, true),
        (0, 1, false),
        (0xc0, 1, false),
        (0x80, 0, false),
        (0xe0, 0, false),
        (0x93, 7, false),
    ] {
        assert_eq!(with(first, last, first_of_fulu), is_none, "{first:x} … {last:x}");
        assert!(!with(first, last, first_of_fulu - 1), "{first:x} … {last:x} before Fulu");
    }
}
