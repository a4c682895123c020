//! What the pipeline deduplicates, caches, batches and verifies: one canonical byte string.
//!
//! | kind (byte 0) | rest of the head | body |
//! |---|---|---|
//! | 1 blob | proof 48 | `FSBLOBVERIFY_V1_` ‖ 4096 as u128, big-endian ‖ blob 131,072 ‖ commitment 48 |
//! | 2 column | | index u8 ‖ n u16, little-endian, ≥ 1 ‖ n commitments ‖ n proofs ‖ n cells of 2,048 |
//! | 3 extended blob | | commitment 48 ‖ 128 proofs ‖ blob 131,072 |
//!
//! Kinds 5 and 6 are blobs without proofs ([`crate::bare_blob`]); 4 is no unit.
//!
//! A single cell is a column of one row. An extended blob is what an EIP-7594 transaction carries: the proofs
//! are those of the 128 cells of `compute_cells(blob)`.
//!
//! The body is what is long, and is hashed once. The body of a blob is the very message that
//! `compute_challenge` hashes, so that one hash serves both the unit's digest and its challenge; and it is one
//! piece, so that whoever has a faster SHA-256 at hand can hash it.

use crate::challenge::TRANSCRIPT_START;
use crate::constants::{
    Blob, Bytes48, Cell, BLOB_OF_COMMITMENT, BYTES_PER_CELL, BYTES_PER_POINT, CELLS_PER_EXT_BLOB,
};
use crate::reason::{InputError, Reason};
use crate::setup::Setup;
use blobcheck_sha256::{sha256, sha256_each};
use core::slice::from_ref;

const BLOB: u8 = 1;
const COLUMN: u8 = 2;
const EXTENDED_BLOB: u8 = 3;

/// Changes whenever the layout or the meaning of a cached verdict does.
const FORMAT: &[u8] = b"blobcheck/2";

/// A unit, its parts borrowed from where they lie.
#[derive(Clone, Copy, Debug)]
pub enum Unit<'a> {
    /// "`proof` proves that `blob` is what `commitment` commits to" (EIP-4844).
    Blob {
        /// The commitment.
        commitment: &'a Bytes48,
        /// The blob's proof.
        proof: &'a Bytes48,
        /// The blob.
        blob: &'a Blob,
        /// The hash of the unit's body, where someone has it: what `compute_challenge` reduces.
        hash: Option<[u8; 32]>,
    },
    /// "Each `cells[i]` is cell `index` of the blob that `commitments[i]` commits to" (EIP-7594). The lists
    /// are equally long.
    Column {
        /// Column, or cell, index.
        index: u8,
        /// One commitment a row.
        commitments: &'a [Bytes48],
        /// One proof a row.
        proofs: &'a [Bytes48],
        /// One cell a row.
        cells: &'a [Cell],
    },
    /// "`proofs[k]` proves cell k of `blob`, which `commitment` commits to", for all 128 cells.
    ExtendedBlob {
        /// The commitment.
        commitment: &'a Bytes48,
        /// One proof a cell.
        proofs: &'a [Bytes48; CELLS_PER_EXT_BLOB],
        /// The blob, not extended.
        blob: &'a Blob,
    },
}

impl<'a> Unit<'a> {
    /// The unit of a blob.
    ///
    /// # Errors
    /// A length: commitment, proof, blob, in this order.
    pub fn blob(commitment: &'a [u8], proof: &'a [u8], blob: &'a [u8]) -> Result<Self, InputError> {
        Ok(Self::Blob {
            commitment: sized(commitment, Reason::CommitmentLength)?,
            proof: sized(proof, Reason::ProofLength)?,
            blob: sized(blob, Reason::BlobLength)?,
            hash: None,
        })
    }

    /// The unit of a single cell: a column of one row.
    ///
    /// # Errors
    /// A length: commitment, proof, cell, in this order; then the index.
    pub fn cell(
        index: u64,
        commitment: &'a [u8],
        proof: &'a [u8],
        cell: &'a [u8],
    ) -> Result<Self, InputError> {
        let commitment = from_ref(sized(commitment, Reason::CommitmentLength)?);
        let proof = from_ref(sized(proof, Reason::ProofLength)?);
        Self::column(index, commitment, proof, from_ref(sized(cell, Reason::CellLength)?))
    }

    /// The unit of a column.
    ///
    /// # Errors
    /// [`Reason::ArrayLengths`] where the lists differ, are empty or longer than 65,535; then the index.
    pub fn column(
        index: u64,
        commitments: &'a [Bytes48],
        proofs: &'a [Bytes48],
        cells: &'a [Cell],
    ) -> Result<Self, InputError> {
        let rows = 1..=usize::from(u16::MAX);
        if !rows.contains(&cells.len()) || [commitments.len(), proofs.len()] != [cells.len(); 2] {
            return Err(InputError::at(Reason::ArrayLengths, 0));
        }
        Ok(Self::Column { index: cell_index(index, 0)?, commitments, proofs, cells })
    }

    /// The unit's bytes, which [`Self::parse`] reads, from where they lie: piece by piece, in order.
    pub fn write(&self, to: &mut dyn FnMut(&[u8])) {
        match *self {
            Self::Blob { commitment, proof, blob, .. } => {
                [&[BLOB], &proof[..], TRANSCRIPT_START, blob, commitment].into_iter().for_each(to);
            }
            Self::Column { index, commitments, proofs, cells } => {
                // No more than 65,535 by `column` and `parse`.
                let [n0, n1, ..] = cells.len().to_le_bytes();
                to(&[COLUMN, index, n0, n1]);
                [commitments.as_flattened(), proofs.as_flattened(), cells.as_flattened()]
                    .into_iter()
                    .for_each(to);
            }
            Self::ExtendedBlob { commitment, proofs, blob } => {
                [&[EXTENDED_BLOB], &commitment[..], proofs.as_flattened(), blob].into_iter().for_each(to);
            }
        }
    }

    /// The same in one piece.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(&mut |piece| bytes.extend_from_slice(piece));
        bytes
    }

    /// Reads a unit. Only the layout is checked here; for the contents see [`crate::check::check`].
    ///
    /// # Errors
    /// [`Reason::UnitLayout`].
    pub fn parse(bytes: &'a [u8]) -> Result<Self, InputError> {
        Self::parse_layout(bytes).ok_or(InputError::at(Reason::UnitLayout, 0))
    }

    fn parse_layout(bytes: &'a [u8]) -> Option<Self> {
        let (kind, rest) = bytes.split_first()?;
        match *kind {
            BLOB => {
                let (proof, rest) = rest.split_first_chunk()?;
                let rest = rest.strip_prefix(TRANSCRIPT_START)?;
                let (blob, commitment) = rest.split_first_chunk()?;
                Some(Self::Blob { commitment: commitment.try_into().ok()?, proof, blob, hash: None })
            }
            COLUMN => {
                let ([index, n0, n1], rest) = rest.split_first_chunk()?;
                let n = usize::from(u16::from_le_bytes([*n0, *n1]));
                // At most 65,535 · 2,144 bytes: no overflow, even in 32 bits.
                if n == 0 || rest.len() != n * (2 * BYTES_PER_POINT + BYTES_PER_CELL) {
                    return None;
                }
                let (commitments, rest) = rest.split_at(n * BYTES_PER_POINT);
                let (proofs, cells) = rest.split_at(n * BYTES_PER_POINT);
                Some(Self::Column {
                    index: *index,
                    commitments: commitments.as_chunks().0,
                    proofs: proofs.as_chunks().0,
                    cells: cells.as_chunks().0,
                })
            }
            EXTENDED_BLOB => {
                let (commitment, rest) = rest.split_first_chunk()?;
                let (proofs, blob) = rest.split_at_checked(CELLS_PER_EXT_BLOB * BYTES_PER_POINT)?;
                let proofs: &[Bytes48] = proofs.as_chunks().0;
                Some(Self::ExtendedBlob {
                    commitment,
                    proofs: proofs.try_into().ok()?,
                    blob: blob.try_into().ok()?,
                })
            }
            _ => None,
        }
    }

    /// The same unit with the hash of its body ([`body_hashes`]), if known, which is then not computed again.
    ///
    /// Whoever gives it vouches for it: a blob is opened at the point that the hash names, and an opening at
    /// another point proves nothing.
    #[must_use]
    pub fn with_body_hash(mut self, known: Option<[u8; 32]>) -> Self {
        if let Self::Blob { hash, .. } = &mut self {
            *hash = known;
        }
        self
    }

    /// Number of proofs in the unit: 1, the rows of a column, or 128.
    pub fn rows(&self) -> usize {
        match self {
            Self::Blob { .. } => 1,
            Self::Column { cells, .. } => cells.len(),
            Self::ExtendedBlob { proofs, .. } => proofs.len(),
        }
    }

    /// The commitments, one for each row of a column, else one.
    pub fn commitments(&self) -> &'a [Bytes48] {
        match *self {
            Self::Blob { commitment, .. } | Self::ExtendedBlob { commitment, .. } => from_ref(commitment),
            Self::Column { commitments, .. } => commitments,
        }
    }

    /// The commitment of each row: a column has its own for each, the others have one for all.
    pub fn commitment_of_rows(&self) -> impl Iterator<Item = &'a Bytes48> {
        let commitments = self.commitments();
        (0..self.rows()).map(move |row| &commitments[if commitments.len() == 1 { 0 } else { row }])
    }

    /// The proofs, one for each row.
    pub fn proofs(&self) -> &'a [Bytes48] {
        match *self {
            Self::Blob { proof, .. } => from_ref(proof),
            Self::Column { proofs, .. } => proofs,
            Self::ExtendedBlob { proofs, .. } => proofs,
        }
    }
}

/// Bytes of a unit of this kind before its body.
pub fn head_length(kind: u8) -> usize {
    match kind {
        BLOB | BLOB_OF_COMMITMENT => 1 + BYTES_PER_POINT,
        _ => 1,
    }
}

/// SHA-256 of each unit's body.
pub fn body_hashes(units: &[&[u8]]) -> Vec<[u8; 32]> {
    let body = |unit: &[u8]| head_length(unit.first().copied().unwrap_or(0)).min(unit.len());
    let messages: Vec<[&[u8]; 1]> =
        units.iter().map(|unit| [unit.get(body(unit)..).unwrap_or(&[])]).collect();
    sha256_each(&messages)
}

/// A unit's cache key: SHA-256(format version ‖ setup id ‖ head ‖ SHA-256(body)). The first byte of the head
/// tells how long it is, so that no two units share a key but by a collision of SHA-256.
pub fn digest(setup: &Setup, head: &[u8], body_hash: &[u8; 32]) -> [u8; 32] {
    sha256(&[FORMAT, &setup.id(), head, body_hash])
}

/// A cell index, below 128.
pub(crate) fn cell_index(index: u64, at: usize) -> Result<u8, InputError> {
    u8::try_from(index)
        .ok()
        .filter(|i| usize::from(*i) < CELLS_PER_EXT_BLOB)
        .ok_or(InputError::at(Reason::CellIndex, at))
}

fn sized<const N: usize>(bytes: &[u8], reason: Reason) -> Result<&[u8; N], InputError> {
    bytes.try_into().map_err(|_| InputError::at(reason, 0))
}
