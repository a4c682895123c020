use crate::support::networks::{always_fulu, mainnet};
use crate::support::ssz::ColumnParts;
use crate::support::synthetic::Block;
use blobcheck_beacon::{DataColumnSidecar, NetworkConfig, Reason};
use blobcheck_testing::Rng;

fn check(bytes: &[u8], network: &NetworkConfig, anchor: Option<&[u8; 32]>) -> Result<(), Reason> {
    DataColumnSidecar::from_ssz(bytes)?.check(network, anchor)
}

fn alone(parts: &ColumnParts) -> Result<(), Reason> {
    check(&parts.encode(), &always_fulu(21), None)
}

#[test]
fn columns_of_any_allowed_size_are_accepted() {
    for blobs in [1, 2, 6, 21] {
        let mut block = Block::new(1, 77, blobs);
        for index in [0, 1, 127] {
            let parts = block.column(index);
            let bytes = parts.encode();
            let sidecar = DataColumnSidecar::from_ssz(&bytes).unwrap();
            assert_eq!(sidecar.index, index);
            assert_eq!(sidecar.cells.as_flattened(), parts.cells.concat());
            assert_eq!(sidecar.commitments, parts.commitments);
            assert_eq!(sidecar.proofs, parts.proofs);
            assert_eq!(sidecar.inclusion_proof[..], parts.branch);
            assert_eq!(sidecar.signed_block_header.signature, parts.header.signature);
            assert_eq!(sidecar.check(&always_fulu(21), None), Ok(()));
            assert_eq!(sidecar.check(&always_fulu(21), Some(&block.header.root())), Ok(()));
            assert_eq!(sidecar.check(&always_fulu(21), Some(&[0; 32])), Err(Reason::HeaderMismatch));
        }
    }
}

#[test]
fn verify_data_column_sidecar_rule_by_rule() {
    let mut block = Block::new(2, 77, 6);
    let good = block.column(5);
    assert_eq!(alone(&good), Ok(()));
    for index in [128, 129, 255, 256, 1 << 32, u64::MAX] {
        assert_eq!(alone(&ColumnParts { index, ..good.clone() }), Err(Reason::ColumnIndex));
    }
    assert_eq!(alone(&Block::new(3, 77, 0).column(0)), Err(Reason::ColumnEmpty));
    assert_eq!(alone(&Block::new(3, 77, 22).column(0)), Err(Reason::TooManyBlobs));
    assert_eq!(alone(&Block::new(3, 77, 21).column(0)), Ok(()));

    let mut parts = good.clone();
    parts.cells.pop();
    assert_eq!(alone(&parts), Err(Reason::ColumnLengths));
    let mut parts = good.clone();
    parts.proofs.pop();
    assert_eq!(alone(&parts), Err(Reason::ColumnLengths));
    let mut parts = good.clone();
    parts.commitments.pop();
    assert_eq!(alone(&parts), Err(Reason::ColumnLengths));
    // One blob fewer throughout: shapes agree, the list is another.
    parts.cells.pop();
    parts.proofs.pop();
    assert_eq!(alone(&parts), Err(Reason::InclusionMismatch));
    // Two commitments exchanged.
    let mut parts = good;
    parts.commitments.swap(0, 1);
    assert_eq!(alone(&parts), Err(Reason::InclusionMismatch));
}

/// A list's root depends on its length: a trailing zero commitment is another list, though its leaf is not zero.
#[test]
fn appended_zero_commitments_are_another_list() {
    let mut parts = Block::new(4, 77, 3).column(0);
    parts.commitments.push([0; 48]);
    parts.cells.push(vec![0; 2048]);
    parts.proofs.push([0; 48]);
    assert_eq!(alone(&parts), Err(Reason::InclusionMismatch));
}

#[test]
fn the_epoch_decides_on_fork_and_maximum() {
    let network = mainnet();
    let outcome = |slot: u64, blobs| check(&Block::new(5, slot, blobs).column(0).encode(), &network, None);
    assert_eq!(outcome(411_392 * 32 - 1, 1), Err(Reason::UnsupportedFork));
    for (epoch, max) in [(411_392, 9), (412_671, 9), (412_672, 15), (419_071, 15), (419_072, 21)] {
        assert_eq!(outcome(epoch * 32, max), Ok(()), "epoch {epoch}");
        assert_eq!(outcome(epoch * 32, max + 1), Err(Reason::TooManyBlobs), "epoch {epoch}");
    }
    assert_eq!(outcome(u64::MAX, 21), Ok(()));

    let mut network = mainnet();
    network.gloas_fork_epoch = 500_000;
    for (slot, expected) in [(500_000 * 32 - 1, Ok(())), (500_000 * 32, Err(Reason::UnsupportedFork))] {
        assert_eq!(check(&Block::new(5, slot, 1).column(0).encode(), &network, None), expected);
    }
}

/// One bit of every byte of a column of two blobs.
#[test]
fn a_tampered_byte_has_the_reason_of_its_region() {
    let mut random = Rng(6);
    let mut block = Block::new(6, 77, 2);
    let anchor = block.header.root();
    let mut bytes = block.column(9).encode();
    for at in 0..bytes.len() {
        let bit = 1 << random.below(8);
        bytes[at] ^= bit;
        let index = u64::from_le_bytes(bytes[..8].try_into().unwrap());
        let included = Err(Reason::InclusionMismatch);
        let (alone, anchored) = match at {
            0..8 if index >= 128 => (Err(Reason::ColumnIndex), Err(Reason::ColumnIndex)),
            0..8 => (Ok(()), Ok(())), // another column: KZG's business
            8..20 => (Err(Reason::SidecarOffsets), Err(Reason::SidecarOffsets)),
            20..100 => (Ok(()), Err(Reason::HeaderMismatch)), // slot to state root
            100..132 => (included, included),                 // body root
            132..228 => (Ok(()), Ok(())),                     // signature: needs a key
            228..356 => (included, included),                 // branch
            356..4452 => (Ok(()), Ok(())),                    // cells: KZG's business
            4452..4548 => (included, included),               // commitments
            _ => (Ok(()), Ok(())),                            // proofs: KZG's business
        };
        assert_eq!(check(&bytes, &always_fulu(21), None), alone, "byte {at}");
        assert_eq!(check(&bytes, &always_fulu(21), Some(&anchor)), anchored, "byte {at}");
        bytes[at] ^= bit;
    }
}

#[test]
fn truncations_and_extensions_are_never_accepted() {
    let bytes = Block::new(7, 77, 2).column(0).encode();
    for length in 0..bytes.len() {
        let outcome = check(&bytes[..length], &always_fulu(21), None);
        let expected = match length {
            0..356 => Reason::SidecarLength,
            _ if length >= 4548 && (length - 4548).is_multiple_of(48) => Reason::ColumnLengths,
            _ => Reason::SidecarOffsets,
        };
        assert_eq!(outcome, Err(expected), "{length} bytes");
    }
    for (extra, expected) in
        [(1, Reason::SidecarOffsets), (48, Reason::ColumnLengths), (2144, Reason::SidecarOffsets)]
    {
        let longer = [&bytes[..], &vec![0; extra]].concat();
        assert_eq!(check(&longer, &always_fulu(21), None), Err(expected));
    }
}

fn with_offsets(bytes: &[u8], offsets: [u32; 3]) -> Vec<u8> {
    [&bytes[..8], offsets.map(u32::to_le_bytes).as_flattened(), &bytes[20..]].concat()
}

#[test]
fn hostile_offsets_are_refused() {
    let bytes = Block::new(8, 77, 2).column(0).encode();
    let length = bytes.len() as u32;
    assert_eq!(check(&with_offsets(&bytes, [356, 4452, 4548]), &always_fulu(21), None), Ok(()));
    for offsets in [
        [0, 4452, 4548],
        [355, 4452, 4548],
        [357, 4452, 4548],
        [2404, 4452, 4548],            // a gap of one cell behind the fixed part
        [404, 4452, 4548],             // a gap behind the fixed part
        [308, 4452, 4548],             // overlapping it
        [356, 355, 4548],              // descending
        [356, 4452, 4451],             // descending
        [356, 4548, 4452],             // descending
        [356, 4451, 4548],             // a cell cut
        [356, 4452, 4549],             // a commitment cut
        [356, 4452, length + 1],       // beyond the end
        [356, length + 1, length + 1], // beyond the end
        [356, u32::MAX, u32::MAX],
        [u32::MAX, u32::MAX, u32::MAX],
        [356, 4452, u32::MAX],
        [356, 0, 0],
        [0, 0, 0],
    ] {
        let outcome = DataColumnSidecar::from_ssz(&with_offsets(&bytes, offsets)).map(|_| ());
        assert_eq!(outcome, Err(Reason::SidecarOffsets), "{offsets:?}");
    }
    // Well-formed lists of other lengths.
    for (offsets, expected) in [
        ([356, 356, 4548], Reason::SidecarOffsets), // 4,192 bytes of commitments: not 48s
        ([356, 4452, 4452], Reason::ColumnEmpty),
        ([356, 4452, 4500], Reason::ColumnLengths),
        ([356, 4452, length], Reason::ColumnLengths),
    ] {
        assert_eq!(
            check(&with_offsets(&bytes, offsets), &always_fulu(21), None),
            Err(expected),
            "{offsets:?}"
        );
    }
}

#[test]
fn lists_longer_than_their_type_are_refused() {
    let mut parts = Block::new(9, 77, 0).column(0);
    parts.commitments = vec![[0; 48]; 4096];
    assert_eq!(alone(&parts), Err(Reason::TooManyBlobs));
    parts.commitments.push([0; 48]);
    assert_eq!(alone(&parts), Err(Reason::SidecarLength));
    parts.commitments.clear();
    parts.proofs = vec![[0; 48]; 4097];
    assert_eq!(alone(&parts), Err(Reason::SidecarLength));
    parts.proofs.clear();
    parts.cells = vec![vec![0; 2048]; 4097];
    assert_eq!(alone(&parts), Err(Reason::SidecarLength));
    // A full list does not overflow the tree, whatever the config allows.
    let mut full = Block::new(9, 77, 4096);
    assert_eq!(check(&full.column(0).encode(), &always_fulu(u64::MAX), None), Ok(()));
}

#[test]
fn random_bytes_never_panic() {
    let mut random = Rng(10);
    let template = Block::new(10, 77, 1).column(0).encode();
    for _ in 0..20_000 {
        let length = random.below(template.len() as u64 + 100) as usize;
        let mut bytes = template.clone();
        bytes.resize(length, 0);
        for _ in 0..random.below(6) {
            if let Some(byte) = bytes.get_mut(random.below(24) as usize) {
                *byte = random.next() as u8;
            }
        }
        let _ = check(&bytes, &always_fulu(21), Some(&[0; 32]));
    }
}
