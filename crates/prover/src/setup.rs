//! The points that cell proofs are sums of: those of the blob's own cells ([`CommitmentSetup`]), and those of the extension's cells.
//!
//! For the extension's, A\[k\]\[i\] = \[τⁱ·(τ⁴⁰⁹⁶ + 1)/(τ⁶⁴ − D\[k\])\]₁; 64 ≤ k < 128, i < 64, and D is the domain of `blobcheck_kzg::roots`.
//! Like the others they are polynomials in τ, so that [`crate::derive`] can work them out from the ceremony's powers.

use blobcheck_curve::G1Affine;
use blobcheck_kzg::commitment_setup::{read_points, trusted, CommitmentSetup, CommitmentSetupError};
use blobcheck_kzg::constants::{CELLS_PER_BLOB, FIELD_ELEMENTS_PER_CELL};
use std::sync::Arc;

/// The points of all 128 cells: what proofs of cells need.
#[derive(Clone, Debug)]
pub struct ExtendedSetup {
    blob: Arc<CommitmentSetup>,
    extension: Vec<G1Affine>,
}

impl ExtendedSetup {
    /// SHA-256 of the extension's bytes for Ethereum's setup.
    pub const ETHEREUM_ID: [u8; 32] = [
        0x98, 0x59, 0xf9, 0xf1, 0xa1, 0x60, 0x6d, 0xd5, 0x9f, 0xaa, 0x22, 0x58, 0xff, 0x73, 0xcd, 0xcb, 0xe7,
        0x98, 0x0c, 0x0d, 0x51, 0xeb, 0x9e, 0x4b, 0x8e, 0xee, 0x9b, 0x62, 0xad, 0x80, 0x94, 0x71,
    ];

    /// Ethereum's setup, with `blob` from [`CommitmentSetup::ethereum`].
    ///
    /// # Errors
    /// [`CommitmentSetupError::Hash`] for any other bytes.
    pub fn ethereum(
        blob: impl Into<Arc<CommitmentSetup>>,
        extension: &[u8],
    ) -> Result<Self, CommitmentSetupError> {
        Self::from_bytes(blob, trusted(extension, &Self::ETHEREUM_ID)?)
    }

    /// A setup of one's own: A\[64\]\[0\] … A\[127\]\[63\], otherwise as [`CommitmentSetup::from_bytes`].
    ///
    /// # Errors
    /// [`CommitmentSetupError::Length`], [`CommitmentSetupError::Point`].
    pub fn from_bytes(
        blob: impl Into<Arc<CommitmentSetup>>,
        extension: &[u8],
    ) -> Result<Self, CommitmentSetupError> {
        read_points(extension).map(|extension| Self { blob: blob.into(), extension })
    }

    /// The blob's half.
    pub fn blob(&self) -> &CommitmentSetup {
        &self.blob
    }

    /// The points of `count` cells from `first` on, which lie in one half; those that do are returned.
    pub(crate) fn cells(&self, first: usize, count: usize) -> &[G1Affine] {
        let (half, first) = match first.checked_sub(CELLS_PER_BLOB) {
            None => (self.blob.points(), first),
            Some(first) => (&self.extension[..], first),
        };
        let start = (first * FIELD_ELEMENTS_PER_CELL).min(half.len());
        let end = (start + count * FIELD_ELEMENTS_PER_CELL).min(half.len());
        half.get(start..end).unwrap_or(&[])
    }
}
