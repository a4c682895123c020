//! Fiat–Shamir challenges of the specifications.

use crate::constants::{
    Blob, Bytes48, Cell, FIAT_SHAMIR_PROTOCOL_DOMAIN, FIELD_ELEMENTS_PER_BLOB, FIELD_ELEMENTS_PER_CELL,
    RANDOM_CHALLENGE_KZG_CELL_BATCH_DOMAIN,
};
use blobcheck_curve::scalar::{scalar_reduce_be, Scalar};
use blobcheck_sha256::{sha256_each, Sha256};

/// How the message of `compute_challenge` begins: domain ‖ number of field elements (16 bytes, big-endian).
/// What follows is blob ‖ commitment.
pub(crate) const TRANSCRIPT_START: &[u8; 32] = &{
    let degree = (FIELD_ELEMENTS_PER_BLOB as u128).to_be_bytes();
    let mut start = [0; 32];
    let mut i = 0;
    while i < 16 {
        start[i] = FIAT_SHAMIR_PROTOCOL_DOMAIN[i];
        start[16 + i] = degree[i];
        i += 1;
    }
    start
};

/// `compute_challenge` for each blob with its commitment: the point z at which the blob is opened.
pub fn compute_challenges(items: &[(&Blob, &Bytes48)]) -> Vec<Scalar> {
    let messages: Vec<[&[u8]; 3]> = items
        .iter()
        .map(|(blob, commitment)| [&TRANSCRIPT_START[..], blob.as_slice(), commitment.as_slice()])
        .collect();
    sha256_each(&messages).iter().map(challenge_of).collect()
}

/// The challenge that the hash of the message is reduced to.
pub(crate) fn challenge_of(hash: &[u8; 32]) -> Scalar {
    scalar_reduce_be(hash)
}

/// One cell of `compute_verify_cell_kzg_proof_batch_challenge`.
pub struct ChallengeCell<'a> {
    /// Position among the distinct commitments.
    pub commitment_index: u64,
    /// Column.
    pub cell_index: u64,
    /// The cell's evaluations.
    pub cell: &'a Cell,
    /// The cell's proof, compressed.
    pub proof: &'a Bytes48,
}

/// `compute_verify_cell_kzg_proof_batch_challenge`. Our own batches draw independent coefficients instead
/// ([`crate::randomness`]); this is for those who compare with the specification.
pub fn compute_cell_batch_challenge(commitments: &[&Bytes48], cells: &[ChallengeCell<'_>]) -> Scalar {
    let mut hasher = Sha256::new();
    hasher.update(RANDOM_CHALLENGE_KZG_CELL_BATCH_DOMAIN);
    for count in [FIELD_ELEMENTS_PER_BLOB, FIELD_ELEMENTS_PER_CELL, commitments.len(), cells.len()] {
        hasher.update(&(count as u64).to_be_bytes());
    }
    for commitment in commitments {
        hasher.update(*commitment);
    }
    for cell in cells {
        hasher.update(&cell.commitment_index.to_be_bytes());
        hasher.update(&cell.cell_index.to_be_bytes());
        hasher.update(cell.cell);
        hasher.update(cell.proof);
    }
    scalar_reduce_be(&hasher.finish())
}
