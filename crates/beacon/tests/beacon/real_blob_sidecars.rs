//! Sidecars that were on a chain.

use crate::support::networks::{always_deneb, holesky, mainnet, sepolia};
use crate::support::ssz::{hex, hexes, BlobSidecarParts, HeaderParts};
use blobcheck_beacon::{BlobSidecar, NetworkConfig, Reason};
use blobcheck_testing::vectors;

fn check(bytes: &[u8], network: &NetworkConfig, anchor: Option<&[u8; 32]>) -> Result<(), Reason> {
    BlobSidecar::from_ssz(bytes)?.check(network, anchor)
}

#[test]
fn holesky_block_1409759() {
    let answer = vectors::holesky_sidecars();
    let sidecars: Vec<_> = vectors::items(&answer["data"]).iter().map(BlobSidecarParts::from_json).collect();
    let anchor = sidecars[0].header.root();
    for parts in &sidecars {
        let bytes = parts.encode();
        assert_eq!(check(&bytes, &holesky(), Some(&anchor)), Ok(()));
        let header = BlobSidecar::from_ssz(&bytes).unwrap().signed_block_header.message;
        assert_eq!(header.hash_tree_root(), anchor);
        // The same slot was not Deneb on another network.
        assert_eq!(check(&bytes, &mainnet(), Some(&anchor)), Err(Reason::UnsupportedFork));
        // Neither its neighbours' index nor their commitment will do.
        for other in sidecars.iter().filter(|other| other.index != parts.index) {
            let moved = BlobSidecarParts { index: other.index, ..parts.clone() };
            assert_eq!(check(&moved.encode(), &holesky(), Some(&anchor)), Err(Reason::InclusionMismatch));
            let swapped = BlobSidecarParts { commitment: other.commitment, ..parts.clone() };
            assert_eq!(check(&swapped.encode(), &holesky(), Some(&anchor)), Err(Reason::InclusionMismatch));
        }
    }
}

#[test]
fn mainnet_block_12035999() {
    let bytes = vectors::bytes("real/mainnet_12035999_blob_sidecar_0.ssz");
    assert_eq!(check(&bytes, &mainnet(), None), Ok(()));
    let header = BlobSidecar::from_ssz(&bytes).unwrap().signed_block_header.message;
    assert_eq!(header.slot, 12_035_999);
    assert_eq!(check(&bytes, &mainnet(), Some(&header.hash_tree_root())), Ok(()));
    assert_eq!(check(&bytes, &mainnet(), Some(&header.parent_root)), Err(Reason::HeaderMismatch));
}

/// Real headers, commitments and branches, in Fulu; the blobs are not at hand, and are not looked at here.
#[test]
fn sepolia_branches_of_single_commitments() {
    let blocks = vectors::json("real/sepolia_fulu_headers_commitments_proofs.json");
    for block in vectors::items(&blocks) {
        let anchor = hex(&block["block_root"]);
        let commitments = hexes(&block["kzg_commitments"]);
        let branches = vectors::items(&block["kzg_commitment_inclusion_proofs"]);
        assert_eq!(commitments.len(), branches.len());
        for (index, (commitment, branch)) in commitments.into_iter().zip(branches).enumerate() {
            let parts = BlobSidecarParts {
                index: index as u64,
                blob: vec![0; 131_072],
                commitment,
                proof: [0; 48],
                header: HeaderParts::from_json(&block["signed_block_header"]),
                branch: hexes(branch),
            };
            assert_eq!(check(&parts.encode(), &sepolia(), Some(&anchor)), Ok(()));
        }
    }
}

#[test]
fn right_shapes_with_random_bytes_are_refused() {
    let answer = vectors::json("real/shape_only_blob_sidecars.json");
    for sidecar in vectors::items(&answer["data"]) {
        let bytes = BlobSidecarParts::from_json(sidecar).encode();
        assert!(BlobSidecar::from_ssz(&bytes).is_ok());
        assert_eq!(check(&bytes, &always_deneb(), None), Err(Reason::InclusionMismatch));
        assert!(check(&bytes, &mainnet(), None).is_err());
    }
}
