//! Columns from chains, and columns computed from a real block.

use crate::support::networks::{always_fulu, holesky, mainnet, sepolia};
use crate::support::ssz::{hex, hexes, ColumnParts, HeaderParts};
use blobcheck_beacon::{DataColumnSidecar, NetworkConfig, Reason};
use blobcheck_testing::vectors;

fn check(bytes: &[u8], network: &NetworkConfig, anchor: Option<&[u8; 32]>) -> Result<(), Reason> {
    DataColumnSidecar::from_ssz(bytes)?.check(network, anchor)
}

#[test]
fn devnet_column() {
    let bytes = vectors::bytes("real/devnet_fulu_data_column_sidecar_41.ssz");
    let sidecar = DataColumnSidecar::from_ssz(&bytes).unwrap();
    let blobs = sidecar.commitments.len() as u64;
    let anchor = sidecar.signed_block_header.message.hash_tree_root();
    assert_eq!(sidecar.check(&always_fulu(blobs), Some(&anchor)), Ok(()));
    assert_eq!(sidecar.check(&always_fulu(blobs - 1), Some(&anchor)), Err(Reason::TooManyBlobs));
}

/// Columns in Fulu's container with a Deneb-era header: right under the synthetic config that is labelled so, and
/// refused under the network's own.
#[test]
fn columns_derived_from_holesky_block_1409759() {
    let answer = vectors::json("real/holesky_1409759_data_column_sidecars_sample.json");
    let columns: Vec<_> = vectors::items(&answer["data"]).iter().map(ColumnParts::from_json).collect();
    let anchor = columns[0].header.root();
    for bytes in columns.iter().map(ColumnParts::encode) {
        assert_eq!(check(&bytes, &always_fulu(6), Some(&anchor)), Ok(()));
        assert_eq!(check(&bytes, &holesky(), Some(&anchor)), Err(Reason::UnsupportedFork));
    }
}

/// Real headers, commitments and branches; cells and proofs are not at hand, and are not looked at here.
#[test]
fn sepolia_branches_of_whole_lists() {
    let blocks = vectors::json("real/sepolia_fulu_headers_commitments_proofs.json");
    for block in vectors::items(&blocks) {
        let anchor = hex(&block["block_root"]);
        let commitments: Vec<[u8; 48]> = hexes(&block["kzg_commitments"]);
        let mut parts = ColumnParts {
            index: 0,
            cells: vec![vec![0; 2048]; commitments.len()],
            proofs: vec![[0; 48]; commitments.len()],
            commitments,
            header: HeaderParts::from_json(&block["signed_block_header"]),
            branch: hexes(&block["kzg_commitments_inclusion_proof"]),
        };
        assert_eq!(check(&parts.encode(), &sepolia(), Some(&anchor)), Ok(()));
        parts.header.state_root[0] ^= 1;
        assert_eq!(check(&parts.encode(), &sepolia(), Some(&anchor)), Err(Reason::HeaderMismatch));
        parts.header.body_root[0] ^= 1;
        assert_eq!(check(&parts.encode(), &sepolia(), Some(&anchor)), Err(Reason::InclusionMismatch));
    }
}

#[test]
fn right_shapes_with_random_bytes_are_refused() {
    let answer = vectors::json("real/shape_only_data_column_sidecars_fulu.json");
    for sidecar in vectors::items(&answer["data"]) {
        let bytes = ColumnParts::from_json(sidecar).encode();
        assert!(DataColumnSidecar::from_ssz(&bytes).is_ok());
        assert_eq!(check(&bytes, &mainnet(), None), Err(Reason::InclusionMismatch));
    }
}
