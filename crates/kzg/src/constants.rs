//! Sizes and domain separators (EIP-4844, EIP-7594, consensus specs `deneb` and `fulu`).

/// FIELD_ELEMENTS_PER_BLOB.
pub const FIELD_ELEMENTS_PER_BLOB: usize = 4096;
/// FIELD_ELEMENTS_PER_EXT_BLOB: the blob and its extension.
pub const FIELD_ELEMENTS_PER_EXT_BLOB: usize = 8192;
/// FIELD_ELEMENTS_PER_CELL.
pub const FIELD_ELEMENTS_PER_CELL: usize = 64;
/// CELLS_PER_EXT_BLOB, which is NUMBER_OF_COLUMNS.
pub const CELLS_PER_EXT_BLOB: usize = 128;
/// The first cells of an extended blob are the blob itself.
pub const CELLS_PER_BLOB: usize = 64;
/// BYTES_PER_BLOB.
pub const BYTES_PER_BLOB: usize = 131_072;
/// BYTES_PER_CELL.
pub const BYTES_PER_CELL: usize = 2048;
/// Bytes of a compressed point of G1: a commitment or a proof.
pub const BYTES_PER_POINT: usize = 48;

/// FIAT_SHAMIR_PROTOCOL_DOMAIN, of `compute_challenge`.
pub const FIAT_SHAMIR_PROTOCOL_DOMAIN: &[u8; 16] = b"FSBLOBVERIFY_V1_";
/// RANDOM_CHALLENGE_KZG_CELL_BATCH_DOMAIN, of `compute_verify_cell_kzg_proof_batch_challenge`.
pub const RANDOM_CHALLENGE_KZG_CELL_BATCH_DOMAIN: &[u8; 16] = b"RCKZGCBATCH__V1_";

/// The first byte of a unit that is a blob of a known commitment, without a proof ([`crate::bare_blob`]). [`mod@crate::unit`] needs it, too,
/// to know how long its head is.
pub(crate) const BLOB_OF_COMMITMENT: u8 = 5;

/// 4,096 field elements, 32 big-endian bytes each.
pub type Blob = [u8; BYTES_PER_BLOB];
/// 64 field elements, 32 big-endian bytes each.
pub type Cell = [u8; BYTES_PER_CELL];
/// A compressed point of G1.
pub type Bytes48 = [u8; BYTES_PER_POINT];

/// The 32-byte field elements of a blob or cell.
pub(crate) fn elements(data: &[u8]) -> &[[u8; 32]] {
    data.as_chunks().0
}
