//! The points that commitments to blobs, and proofs of them, are sums of: 4,096, an asset of its own of 393,216 bytes.
//!
//! A\[k\]\[i\] = \[τⁱ·(τ⁴⁰⁹⁶ − 1)/(τ⁶⁴ − D\[k\])\]₁ for the blob's own cells, k < 64, and i < 64; D is the domain of [`crate::roots`].
//! The crate `blobcheck-prover` works them out from the ceremony's powers, and has those of the extension's cells besides.

use crate::constants::FIELD_ELEMENTS_PER_BLOB;
use blobcheck_curve::{uncompressed, G1Affine};
use blobcheck_sha256::sha256;

/// Points of the setup: 64 cells of 64.
pub const POINTS: usize = FIELD_ELEMENTS_PER_BLOB;

/// Bytes of the setup: 96 a point. Uncompressed, since the square roots of 4,096 points take longer than the commitment that they are
/// wanted for.
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
            Self::Length => write!(f, "the points of 64 cells are {SETUP_BYTES} bytes"),
            Self::Hash => write!(f, "the points have another SHA-256"),
            Self::Point(i) => write!(f, "point {i} is not on the curve"),
        }
    }
}

impl std::error::Error for SetupError {}

/// The points of the blob's own cells: all that commitments, and proofs of blobs, need.
#[derive(Clone, Debug)]
pub struct CommitmentSetup {
    points: Vec<G1Affine>,
}

impl CommitmentSetup {
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
        read_points(bytes).map(|points| Self { points })
    }

    /// All points, cell after cell.
    pub fn points(&self) -> &[G1Affine] {
        &self.points
    }
}

/// The bytes, if their SHA-256 is `id`.
///
/// # Errors
/// [`SetupError::Hash`].
pub fn trusted<'a>(bytes: &'a [u8], id: &[u8; 32]) -> Result<&'a [u8], SetupError> {
    (sha256(&[bytes]) == *id).then_some(bytes).ok_or(SetupError::Hash)
}

/// Reads the points of 64 cells, x ‖ y, 48 big-endian bytes each.
///
/// # Errors
/// [`SetupError::Length`], [`SetupError::Point`].
pub fn read_points(bytes: &[u8]) -> Result<Vec<G1Affine>, SetupError> {
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
