//! The points that commitments and proofs are sums of.
//!
//! A\[k\]\[i\] = \[τⁱ·(τ⁴⁰⁹⁶ − 1)/(τ⁶⁴ − D\[k\])\]₁ for the blob's own cells, k < 64, and \[τⁱ·(τ⁴⁰⁹⁶ + 1)/(τ⁶⁴ − D\[k\])\]₁ for
//! those of the extension; i < 64, and D is the domain of `blobcheck_kzg::roots`. Both are polynomials in τ, so that
//! [`crate::derive`] can work them out from the ceremony's powers.

use blobcheck_curve::{uncompressed, G1Affine};
use blobcheck_kzg::constants::{CELLS_PER_BLOB, FIELD_ELEMENTS_PER_BLOB, FIELD_ELEMENTS_PER_CELL};
use blobcheck_sha256::sha256;
use std::sync::Arc;

/// Points of one half: 64 cells of 64.
pub const POINTS: usize = FIELD_ELEMENTS_PER_BLOB;

/// Bytes of one half: 96 a point. Uncompressed, since the square roots of 4,096 points take longer than the commitment
/// that they are wanted for.
pub const SETUP_BYTES: usize = POINTS * 96;

/// Why bytes are not a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// Not [`SETUP_BYTES`] long.
    Length,
    /// Not what its hash says.
    Hash,
    /// The point with this number is not on the curve.
    Point(usize),
}

impl core::fmt::Display for SetupError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Length => write!(f, "a half of the prover's setup is {SETUP_BYTES} bytes"),
            Self::Hash => write!(f, "the prover's setup has another SHA-256"),
            Self::Point(i) => write!(f, "point {i} of the prover's setup is not on the curve"),
        }
    }
}

impl std::error::Error for SetupError {}

/// The points of the blob's own cells: all that commitments, and proofs of blobs, need.
#[derive(Clone, Debug)]
pub struct Setup {
    points: Vec<G1Affine>,
}

impl Setup {
    /// SHA-256 of the bytes for Ethereum's setup (the KZG ceremony of 2023).
    pub const ETHEREUM_ID: [u8; 32] = [
        0x55, 0x68, 0x09, 0xda, 0xa8, 0x2f, 0xe7, 0x1a, 0xcb, 0x4b, 0x38, 0x0c, 0x17, 0x84, 0x06, 0xe8, 0xc5,
        0x05, 0xe8, 0x05, 0x37, 0xde, 0xcd, 0x7c, 0x20, 0x7f, 0x77, 0x64, 0xce, 0xba, 0x88, 0x62,
    ];

    /// Ethereum's setup, known by its hash.
    ///
    /// # Errors
    /// [`SetupError::Hash`] for any other bytes.
    pub fn ethereum(bytes: &[u8]) -> Result<Self, SetupError> {
        Self::from_bytes(trusted(bytes, &Self::ETHEREUM_ID)?)
    }

    /// A setup of one's own: A\[0\]\[0\], A\[0\]\[1\] … A\[63\]\[63\], x ‖ y, 48 big-endian bytes each. That the points are of G1,
    /// and what they should be, is taken on trust.
    ///
    /// # Errors
    /// [`SetupError::Length`], [`SetupError::Point`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SetupError> {
        read(bytes).map(|points| Self { points })
    }

    /// All points, cell after cell.
    pub fn points(&self) -> &[G1Affine] {
        &self.points
    }
}

/// The points of all 128 cells: what proofs of cells need.
#[derive(Clone, Debug)]
pub struct ExtendedSetup {
    blob: Arc<Setup>,
    extension: Vec<G1Affine>,
}

impl ExtendedSetup {
    /// SHA-256 of the extension's bytes for Ethereum's setup.
    pub const ETHEREUM_ID: [u8; 32] = [
        0xd1, 0x20, 0x45, 0x04, 0x56, 0xb6, 0x9d, 0x42, 0xaf, 0x9b, 0x63, 0xc1, 0x19, 0x41, 0x01, 0x73, 0xec,
        0x4b, 0x14, 0xd4, 0xe7, 0x9f, 0xfc, 0xb6, 0x5b, 0x89, 0xe4, 0x4d, 0x2e, 0xc7, 0xe1, 0x1f,
    ];

    /// Ethereum's setup, with `blob` from [`Setup::ethereum`].
    ///
    /// # Errors
    /// [`SetupError::Hash`] for any other bytes.
    pub fn ethereum(blob: impl Into<Arc<Setup>>, extension: &[u8]) -> Result<Self, SetupError> {
        Self::from_bytes(blob, trusted(extension, &Self::ETHEREUM_ID)?)
    }

    /// A setup of one's own: A\[64\]\[0\] … A\[127\]\[63\], otherwise as [`Setup::from_bytes`].
    ///
    /// # Errors
    /// [`SetupError::Length`], [`SetupError::Point`].
    pub fn from_bytes(blob: impl Into<Arc<Setup>>, extension: &[u8]) -> Result<Self, SetupError> {
        read(extension).map(|extension| Self { blob: blob.into(), extension })
    }

    /// The blob's half.
    pub fn blob(&self) -> &Setup {
        &self.blob
    }

    /// The points of `count` cells from `first` on, which lie in one half; those that do are returned.
    pub(crate) fn cells(&self, first: usize, count: usize) -> &[G1Affine] {
        let (half, first) = match first.checked_sub(CELLS_PER_BLOB) {
            None => (&self.blob.points, first),
            Some(first) => (&self.extension, first),
        };
        let start = (first * FIELD_ELEMENTS_PER_CELL).min(half.len());
        let end = (start + count * FIELD_ELEMENTS_PER_CELL).min(half.len());
        half.get(start..end).unwrap_or(&[])
    }
}

fn trusted<'a>(bytes: &'a [u8], id: &[u8; 32]) -> Result<&'a [u8], SetupError> {
    (sha256(&[bytes]) == *id).then_some(bytes).ok_or(SetupError::Hash)
}

fn read(bytes: &[u8]) -> Result<Vec<G1Affine>, SetupError> {
    if bytes.len() != SETUP_BYTES {
        return Err(SetupError::Length);
    }
    let points = bytes.as_chunks().0.iter().enumerate();
    // That they lie in G1 is known by the bytes' hash, or taken on trust of whoever gives them.
    let point = |(i, bytes)| match uncompressed::from_uncompressed(bytes) {
        Some(point) => Ok(point.assume_in_subgroup()),
        None => Err(SetupError::Point(i)),
    };
    points.map(point).collect()
}
