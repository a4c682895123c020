//! Generalized indices, and those of a block body that sidecars prove (`ssz/merkle-proofs.md`).
//!
//! Node 1 is the root; the children of node `g` are `2g` and `2g + 1`.

/// `MAX_BLOB_COMMITMENTS_PER_BLOCK`: the SSZ limit of `blob_kzg_commitments` (presets/mainnet/deneb.yaml;
/// the minimal preset has the same).
pub const MAX_BLOB_COMMITMENTS_PER_BLOCK: usize = 4096;

/// `get_generalized_index(BeaconBlockBody, 'blob_kzg_commitments')`, Deneb to Fulu.
///
/// It is field 11 of a container of 12 fields (Deneb) or 13 (Electra, Fulu), hence of 16 leaves in each. Gloas
/// makes the body a progressive container and moves the list elsewhere.
pub const BLOB_KZG_COMMITMENTS_GINDEX: u64 = 16 + 11;

/// Depth of a `DataColumnSidecar`'s proof: `KZG_COMMITMENTS_INCLUSION_PROOF_DEPTH` (presets/mainnet/fulu.yaml).
pub const KZG_COMMITMENTS_INCLUSION_PROOF_DEPTH: usize = depth(BLOB_KZG_COMMITMENTS_GINDEX);

/// Depth of a `BlobSidecar`'s proof: `KZG_COMMITMENT_INCLUSION_PROOF_DEPTH` (presets/mainnet/deneb.yaml).
///
/// Four layers of the body, one for the list's length, twelve for the list.
pub const KZG_COMMITMENT_INCLUSION_PROOF_DEPTH: usize = depth(blob_kzg_commitment_gindex(0));

/// `get_generalized_index(BeaconBlockBody, 'blob_kzg_commitments', index)`, Deneb to Fulu.
///
/// `index` must be below [`MAX_BLOB_COMMITMENTS_PER_BLOCK`]: beyond it lie other nodes of the tree.
pub const fn blob_kzg_commitment_gindex(index: u16) -> u64 {
    // The list's root has two children, the contents (the left one, 2 * gindex) and the length.
    BLOB_KZG_COMMITMENTS_GINDEX * 2 * MAX_BLOB_COMMITMENTS_PER_BLOCK as u64 + index as u64
}

/// Number of layers between the root and node `gindex` (`floorlog2`); 0 for the root, and for 0, which is no node.
pub const fn depth(gindex: u64) -> usize {
    match gindex.checked_ilog2() {
        Some(log) => log as usize,
        None => 0,
    }
}

/// Position of node `gindex` within its layer, counted from the left.
///
/// Spec: `get_subtree_index`, `altair/light-client/sync-protocol.md`.
pub const fn subtree_index(gindex: u64) -> u64 {
    // depth <= 63, so the shift is in range; the leading one bit is what it takes away.
    gindex & !(1 << depth(gindex))
}
