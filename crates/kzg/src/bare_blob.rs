//! Blobs that come without a proof, with what is known of their commitments: units of [`mod@crate::unit`]'s kind, each one byte string.
//!
//! | kind (byte 0) | rest of the head | body |
//! |---|---|---|
//! | 5 blob of a commitment | commitment 48 | blob 131,072 |
//! | 6 blob of a versioned hash | | n versioned hashes of 32, 1 ≤ n ≤ 4,096 ‖ blob 131,072 |
//!
//! The first says: `commitment` is `blob_to_kzg_commitment(blob)`. The second: the versioned hash of that commitment is in the list.

use crate::check::scalars;
use crate::constants::{Blob, Bytes48, BLOB_OF_COMMITMENT, BYTES_PER_BLOB};
use crate::reason::{InputError, Reason};
use blobcheck_curve::g1_encoding;

const BLOB_OF_VERSIONED_HASH: u8 = 6;

/// The longest list of versioned hashes: `MAX_BLOB_COMMITMENTS_PER_BLOCK`.
const MOST_HASHES: usize = 4096;

/// What is known of a blob's commitment.
#[derive(Clone, Copy, Debug)]
pub enum Named<'a> {
    /// It is this one.
    Commitment(&'a Bytes48),
    /// Its versioned hash is one of these.
    VersionedHashes(&'a [[u8; 32]]),
}

/// A blob without a proof, its parts borrowed from where they lie.
#[derive(Clone, Copy, Debug)]
pub struct BareBlob<'a> {
    /// What its commitment is to be.
    pub named: Named<'a>,
    /// The blob.
    pub blob: &'a Blob,
}

impl<'a> BareBlob<'a> {
    /// A blob of which the commitment is known.
    ///
    /// # Errors
    /// A length: commitment, blob, in this order.
    pub fn of_commitment(commitment: &'a [u8], blob: &'a [u8]) -> Result<Self, InputError> {
        let commitment = commitment.try_into().map_err(|_| InputError::at(Reason::CommitmentLength, 0))?;
        Ok(Self { named: Named::Commitment(commitment), blob: blob_of(blob)? })
    }

    /// A blob of which it is known that its commitment's versioned hash is one of `hashes`, 32 bytes each.
    ///
    /// # Errors
    /// [`Reason::ArrayLengths`] unless there are from one to 4,096 whole hashes; [`Reason::BlobLength`].
    pub fn of_versioned_hashes(hashes: &'a [u8], blob: &'a [u8]) -> Result<Self, InputError> {
        let hashes = hashes_of(hashes).ok_or(InputError::at(Reason::ArrayLengths, 0))?;
        Ok(Self { named: Named::VersionedHashes(hashes), blob: blob_of(blob)? })
    }

    /// The unit's bytes, which [`Self::parse`] reads, from where they lie: piece by piece, in order.
    pub fn write(&self, to: &mut dyn FnMut(&[u8])) {
        match self.named {
            Named::Commitment(commitment) => [&[BLOB_OF_COMMITMENT], &commitment[..]].map(&mut *to),
            Named::VersionedHashes(hashes) => {
                [&[BLOB_OF_VERSIONED_HASH], hashes.as_flattened()].map(&mut *to)
            }
        };
        to(self.blob);
    }

    /// The same in one piece.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(&mut |piece| bytes.extend_from_slice(piece));
        bytes
    }

    /// Reads a unit. Only the layout is checked here; for the contents see [`Self::check`].
    ///
    /// # Errors
    /// [`Reason::UnitLayout`].
    pub fn parse(bytes: &'a [u8]) -> Result<Self, InputError> {
        Self::parse_layout(bytes).ok_or(InputError::at(Reason::UnitLayout, 0))
    }

    fn parse_layout(bytes: &'a [u8]) -> Option<Self> {
        let (kind, rest) = bytes.split_first()?;
        let (named, blob) = rest.split_at(rest.len().checked_sub(BYTES_PER_BLOB)?);
        let named = match *kind {
            BLOB_OF_COMMITMENT => Named::Commitment(named.try_into().ok()?),
            BLOB_OF_VERSIONED_HASH => Named::VersionedHashes(hashes_of(named)?),
            _ => return None,
        };
        Some(Self { named, blob: blob.try_into().ok()? })
    }

    /// The cheap checks: the commitment well encoded, the blob's field elements below r, in this order.
    ///
    /// # Errors
    /// [`Reason::CommitmentEncoding`], [`Reason::ScalarNotCanonical`].
    pub fn check(&self) -> Result<(), InputError> {
        if let Named::Commitment(commitment) = self.named {
            if g1_encoding::check_encoding(commitment).is_err() {
                return Err(InputError::at(Reason::CommitmentEncoding, 0));
            }
        }
        scalars(self.blob, 0)
    }
}

fn blob_of(bytes: &[u8]) -> Result<&Blob, InputError> {
    bytes.try_into().map_err(|_| InputError::at(Reason::BlobLength, 0))
}

fn hashes_of(bytes: &[u8]) -> Option<&[[u8; 32]]> {
    let (hashes, rest) = bytes.as_chunks();
    (rest.is_empty() && (1..=MOST_HASHES).contains(&hashes.len())).then_some(hashes)
}
