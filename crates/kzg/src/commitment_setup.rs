//! The points that commitments to blobs, and proofs of them, are sums of: 4,096, an asset of its own of 262,176 bytes.
//!
//! A\[k\]\[i\] = \[τⁱ·(τ⁴⁰⁹⁶ − 1)/(τ⁶⁴ − D\[k\])\]₁ for the blob's own cells, k < 64, and i < 64; D is the domain of [`crate::roots`].
//! The crate `blobcheck-prover` works them out from the ceremony's powers, and has those of the extension's cells besides.

use crate::constants::FIELD_ELEMENTS_PER_BLOB;
use blobcheck_curve::{point_triples, uncompressed, G1Affine};
use blobcheck_sha256::sha256;

/// Points of the setup: 64 cells of 64.
pub const POINTS: usize = FIELD_ELEMENTS_PER_BLOB;

/// Bytes of the setup: 192 for each three points ([`point_triples`]), and 96 for the last one, which is left over. Compressed points would
/// take 196,608 bytes, and square roots that take longer than the commitment that they are wanted for.
pub const COMMITMENT_SETUP_BYTES: usize = POINTS / 3 * point_triples::BYTES + POINTS % 3 * 96;

/// Why bytes are not a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitmentSetupError {
    /// Not [`COMMITMENT_SETUP_BYTES`] long, or not [`POINTS`] points.
    Length,
    /// Not what its hash says.
    Hash,
    /// The point with this number, or one of three from this number on, is not on the curve.
    Point(usize),
    /// The three points from this number on cannot be written in four numbers.
    Triple(usize),
}

impl core::fmt::Display for CommitmentSetupError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Length => write!(f, "the points of 64 cells are {COMMITMENT_SETUP_BYTES} bytes"),
            Self::Hash => write!(f, "the points have another SHA-256"),
            Self::Point(i) => write!(f, "from number {i} on, the bytes are no points of the curve"),
            Self::Triple(i) => write!(f, "the three points from number {i} on have no form in four numbers"),
        }
    }
}

impl std::error::Error for CommitmentSetupError {}

/// The points of the blob's own cells: all that commitments, and proofs of blobs, need.
#[derive(Clone, Debug)]
pub struct CommitmentSetup {
    points: Vec<G1Affine>,
}

impl CommitmentSetup {
    /// SHA-256 of the bytes for Ethereum's setup (the KZG ceremony of 2023).
    pub const ETHEREUM_ID: [u8; 32] = [
        0x4f, 0xc3, 0x38, 0x31, 0x0c, 0x08, 0x7a, 0x0d, 0x4d, 0xe0, 0xb6, 0x8c, 0x30, 0xfb, 0xa7, 0x5e, 0xf5,
        0xa2, 0x5f, 0x5a, 0x6b, 0xb9, 0xd4, 0x29, 0x66, 0x8b, 0x46, 0x02, 0xbf, 0x27, 0x6b, 0x99,
    ];

    /// Ethereum's setup, known by its hash.
    ///
    /// # Errors
    /// [`CommitmentSetupError::Hash`] for any other bytes.
    pub fn ethereum(bytes: &[u8]) -> Result<Self, CommitmentSetupError> {
        Self::from_bytes(trusted(bytes, &Self::ETHEREUM_ID)?)
    }

    /// A setup of one's own: A\[0\]\[0\], A\[0\]\[1\] … A\[63\]\[63\], as [`read_points`] has them. That the points are of G1, and what
    /// they should be, is taken on trust.
    ///
    /// # Errors
    /// [`CommitmentSetupError::Length`], [`CommitmentSetupError::Point`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CommitmentSetupError> {
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
/// [`CommitmentSetupError::Hash`].
pub fn trusted<'a>(bytes: &'a [u8], id: &[u8; 32]) -> Result<&'a [u8], CommitmentSetupError> {
    (sha256(&[bytes]) == *id).then_some(bytes).ok_or(CommitmentSetupError::Hash)
}

/// Reads the points of 64 cells: for each three of them x₁ ‖ x₂ ‖ x₃ ‖ y₁ + y₂ + y₃, and x ‖ y for the last one; 48 big-endian bytes
/// each number.
///
/// # Errors
/// [`CommitmentSetupError::Length`], [`CommitmentSetupError::Point`].
pub fn read_points(bytes: &[u8]) -> Result<Vec<G1Affine>, CommitmentSetupError> {
    if bytes.len() != COMMITMENT_SETUP_BYTES {
        return Err(CommitmentSetupError::Length);
    }
    let (triples, rest) = bytes.as_chunks();
    let mut points = Vec::with_capacity(POINTS);
    // That they lie in G1 is known by the bytes' hash, or taken on trust of whoever gives them.
    for triple in point_triples::read_each(triples) {
        points.extend(
            triple.ok_or(CommitmentSetupError::Point(points.len()))?.map(|point| point.assume_in_subgroup()),
        );
    }
    for bytes in rest.as_chunks().0 {
        let point =
            uncompressed::from_uncompressed(bytes).ok_or(CommitmentSetupError::Point(points.len()))?;
        points.push(point.assume_in_subgroup());
    }
    Ok(points)
}

/// The bytes of the points of 64 cells, for [`read_points`].
///
/// # Errors
/// [`CommitmentSetupError::Length`]; [`CommitmentSetupError::Triple`] where [`point_triples::write`] says so.
pub fn write_points(points: &[G1Affine]) -> Result<Vec<u8>, CommitmentSetupError> {
    if points.len() != POINTS {
        return Err(CommitmentSetupError::Length);
    }
    let mut bytes = Vec::with_capacity(COMMITMENT_SETUP_BYTES);
    let (triples, rest) = points.as_chunks();
    for (i, triple) in triples.iter().enumerate() {
        bytes.extend(point_triples::write(triple).ok_or(CommitmentSetupError::Triple(3 * i))?);
    }
    bytes.extend(rest.iter().flat_map(uncompressed::to_uncompressed));
    Ok(bytes)
}
