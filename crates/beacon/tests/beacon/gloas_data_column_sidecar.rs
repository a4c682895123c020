use blobcheck_beacon::{BeaconBlockHeader, ColumnAnchor, GloasDataColumnSidecar, NetworkConfig, Reason};
use blobcheck_testing::vectors::{bytes, entries};

const FOLDER: &str = "blocks/mainnet-gloas/networking/verify_data_column_sidecar/extra";
const INDEX: usize = 0;
const SLOT: usize = 16;
const ROOT: usize = 24;

/// Mainnet's rules, and Gloas from an epoch on.
fn gloas_from(epoch: u64) -> NetworkConfig {
    NetworkConfig { gloas_fork_epoch: epoch, ..crate::support::networks::mainnet() }
}

/// A column of three blobs.
fn good() -> Vec<u8> {
    bytes(format!("{FOLDER}/valid__3_blobs__column_1/sidecar.ssz"))
}

fn check(ssz: &[u8], network: &NetworkConfig, anchor: ColumnAnchor<'_>) -> Result<(), Reason> {
    GloasDataColumnSidecar::from_ssz(ssz)?.check(network, 3, anchor)
}

#[test]
fn verify_data_column_sidecar_rule_by_rule() {
    let ssz = good();
    let any = |ssz: &[u8]| check(ssz, &gloas_from(420_000), ColumnAnchor::Any);
    assert_eq!(any(&ssz), Ok(()));
    let with = |at: usize, value: u64| {
        let mut ssz = ssz.clone();
        ssz[at..at + 8].copy_from_slice(&value.to_le_bytes());
        ssz
    };
    for index in [128, 256, u64::MAX] {
        assert_eq!(any(&with(INDEX, index)), Err(Reason::ColumnIndex));
    }
    assert_eq!(any(&with(INDEX, 127)), Ok(()));
    assert_eq!(any(&with(SLOT, 32 * 420_000)), Ok(()));
    assert_eq!(any(&with(SLOT, 32 * 420_000 - 1)), Err(Reason::UnsupportedFork));
    let sidecar = GloasDataColumnSidecar::from_ssz(&ssz).expect("a sidecar");
    for commitments in [0, 2, 4] {
        let found = sidecar.check(&gloas_from(420_000), commitments, ColumnAnchor::Any);
        assert_eq!(found, Err(Reason::ColumnLengths));
    }
    // As many cells as commitments, and a proof less; as many proofs, and a cell less.
    let fewer_proofs = &ssz[..ssz.len() - 48];
    assert_eq!(any(fewer_proofs), Err(Reason::ColumnLengths));
    let proofs_at = u32::from_le_bytes(ssz[12..16].try_into().unwrap()) - 2048;
    let fewer_cells = [&ssz[..12], &proofs_at.to_le_bytes(), &ssz[16..56], &ssz[56 + 2048..]].concat();
    assert_eq!(any(&fewer_cells), Err(Reason::ColumnLengths));
    let empty = [&ssz[..8], &56u32.to_le_bytes(), &56u32.to_le_bytes(), &ssz[16..56]].concat();
    assert_eq!(any(&empty), Err(Reason::ColumnEmpty));
}

#[test]
fn the_block_is_the_anchors() {
    let header = BeaconBlockHeader { slot: 32 * 420_000, proposer_index: 7, ..BeaconBlockHeader::default() };
    let mut ssz = good();
    ssz[SLOT..SLOT + 8].copy_from_slice(&header.slot.to_le_bytes());
    ssz[ROOT..ROOT + 32].copy_from_slice(&header.hash_tree_root());
    let network = gloas_from(420_000);
    assert_eq!(check(&ssz, &network, ColumnAnchor::Header(&header)), Ok(()));
    assert_eq!(check(&ssz, &network, ColumnAnchor::Root(&header.hash_tree_root())), Ok(()));
    assert_eq!(check(&ssz, &network, ColumnAnchor::Root(&[1; 32])), Err(Reason::HeaderMismatch));
    // The root is right, and the slot is not its slot.
    ssz[SLOT] += 1;
    assert_eq!(check(&ssz, &network, ColumnAnchor::Header(&header)), Err(Reason::HeaderMismatch));
    assert_eq!(check(&ssz, &network, ColumnAnchor::Root(&header.hash_tree_root())), Ok(()));
    ssz[SLOT] -= 1;
    ssz[ROOT] ^= 1;
    assert_eq!(check(&ssz, &network, ColumnAnchor::Header(&header)), Err(Reason::HeaderMismatch));
}

#[test]
fn every_offset_and_length_counts() {
    for path in entries(FOLDER) {
        let ssz = bytes(path.join("sidecar.ssz"));
        assert!(GloasDataColumnSidecar::from_ssz(&ssz).is_ok(), "{}", path.display());
        for length in (0..56).chain([ssz.len() - 1]) {
            assert!(GloasDataColumnSidecar::from_ssz(&ssz[..length]).is_err());
        }
        let longer = [&ssz[..], &[0]].concat();
        assert_eq!(GloasDataColumnSidecar::from_ssz(&longer).err(), Some(Reason::SidecarOffsets));
        for place in 8..16 {
            let mut altered = ssz.clone();
            altered[place] ^= 1;
            assert_eq!(GloasDataColumnSidecar::from_ssz(&altered).err(), Some(Reason::SidecarOffsets));
        }
    }
}
