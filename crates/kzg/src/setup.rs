//! The part of the trusted setup that verification needs: 3,264 bytes.

use blobcheck_curve::{
    g1, g1_encoding, g2, g2_encoding, msm, scalar, FixedBase, G1Affine, PointError, PreparedG2, Scalar, G1,
};
use blobcheck_sha256::sha256;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;

/// Bytes of a setup: 64 points of G1 and two of G2, compressed.
pub const SETUP_BYTES: usize = MONOMIALS * 48 + 2 * 96;

/// Ethereum's setup (the KZG ceremony of 2023), in the layout of [`Setup::from_bytes`].
pub const ETHEREUM: &[u8; SETUP_BYTES] = include_bytes!("../setup.bin");

/// SHA-256 of [`ETHEREUM`].
pub const ETHEREUM_ID: [u8; 32] = [
    0x4a, 0xab, 0xdf, 0x14, 0xb4, 0x6c, 0x84, 0xe0, 0xb4, 0x52, 0x9c, 0xde, 0xdb, 0xdc, 0x03, 0x8c, 0x07,
    0x55, 0x0a, 0xd9, 0x4a, 0x5c, 0x7e, 0x20, 0xa4, 0x09, 0x42, 0x25, 0xc0, 0xc1, 0x8c, 0xdc,
];

/// Powers of τ in G1: as many as an interpolated cell has coefficients.
const MONOMIALS: usize = 64;

/// Why bytes are not a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// The first point is not the generator of G1.
    Generator,
    /// Another point is not on its curve.
    Point(PointError),
}

/// A trusted setup with what has been worked out from it so far.
///
/// The bytes are trusted by their hash: points are checked to be on their curves and no more. For Ethereum's
/// own bytes, known by [`ETHEREUM_ID`], even that is put off until a point is needed, since the first verdict
/// after start rarely needs all.
pub struct Setup {
    bytes: [u8; SETUP_BYTES],
    id: [u8; 32],
    monomials: OnceLock<Option<Vec<G1Affine>>>,
    table: OnceLock<FixedBase>,
    /// Whether there was a commitment before.
    committed: AtomicBool,
    tau: OnceLock<Option<PreparedG2>>,
    tau64: OnceLock<Option<PreparedG2>>,
    one: OnceLock<PreparedG2>,
}

impl Setup {
    /// Reads `[τ⁰]₁ … [τ⁶³]₁` (48 bytes each) ‖ `[τ]₂` ‖ `[τ⁶⁴]₂` (96 bytes each), all compressed.
    ///
    /// # Errors
    /// The first point must be the generator; every point must be on its curve.
    pub fn from_bytes(bytes: &[u8; SETUP_BYTES]) -> Result<Self, SetupError> {
        let setup = Self {
            bytes: *bytes,
            id: sha256(&[bytes]),
            monomials: OnceLock::new(),
            table: OnceLock::new(),
            committed: AtomicBool::new(false),
            tau: OnceLock::new(),
            tau64: OnceLock::new(),
            one: OnceLock::new(),
        };
        if setup.id != ETHEREUM_ID {
            if *setup.g1_bytes(0) != g1_encoding::compress(&g1::generator()) {
                return Err(SetupError::Generator);
            }
            let points =
                g1_encoding::decompress_on_curve(setup.bytes.as_chunks().0.get(..MONOMIALS).unwrap_or(&[]));
            if let Some(error) = points.iter().find_map(|point| point.err()) {
                return Err(SetupError::Point(error));
            }
            for which in 0..2 {
                g2_encoding::decompress_on_curve(&setup.g2_bytes(which))
                    .map_err(SetupError::Point)
                    .map(drop)?;
            }
        }
        Ok(setup)
    }

    /// SHA-256 of the setup's bytes: part of every cache key.
    pub fn id(&self) -> [u8; 32] {
        self.id
    }

    /// The compressed `[τⁱ]₁`; beyond 63, `[τ⁰]₁`.
    pub fn g1_bytes(&self, i: usize) -> &[u8; 48] {
        let points = self.bytes.as_chunks::<48>().0;
        // The array is never empty, so that neither is the list.
        points.get(if i < MONOMIALS { i } else { 0 }).unwrap_or(&[0; 48])
    }

    fn g2_bytes(&self, which: usize) -> [u8; 96] {
        let mut out = [0; 96];
        let start = MONOMIALS * 48 + which.min(1) * 96;
        out.copy_from_slice(&self.bytes[start..start + 96]);
        out
    }

    fn prepare(&self, which: usize) -> Option<PreparedG2> {
        g2_encoding::decompress_on_curve(&self.g2_bytes(which)).ok().map(PreparedG2::new)
    }

    /// The lines of `[τ]₂`. `None` cannot happen for a setup that `from_bytes` let through; whoever meets it
    /// must refuse the claim at hand.
    pub(crate) fn tau(&self) -> Option<&PreparedG2> {
        self.tau.get_or_init(|| self.prepare(0)).as_ref()
    }

    /// The lines of `[τ⁶⁴]₂`; `None` as for [`Self::tau`].
    pub(crate) fn tau64(&self) -> Option<&PreparedG2> {
        self.tau64.get_or_init(|| self.prepare(1)).as_ref()
    }

    /// The lines of the generator of G2.
    pub(crate) fn one(&self) -> &PreparedG2 {
        self.one.get_or_init(|| PreparedG2::new(g2::generator()))
    }

    /// `[p(τ)]₁` for a polynomial with up to 64 coefficients, the constant first; `None` as for
    /// [`Self::tau`].
    pub(crate) fn commit(&self, coefficients: &[Scalar; MONOMIALS]) -> Option<G1> {
        if coefficients.iter().all(|coefficient| *coefficient == scalar::ZERO) {
            return Some(g1::identity());
        }
        // A table costs what it saves in four commitments: a first verdict does without.
        if !self.committed.swap(true, Ordering::Relaxed) && self.table.get().is_none() {
            return self.monomials().map(|points| msm(points, coefficients));
        }
        self.table().map(|table| table.msm(coefficients))
    }

    fn monomials(&self) -> Option<&[G1Affine]> {
        let read = || {
            let points = g1_encoding::decompress_on_curve(self.bytes.as_chunks().0.get(..MONOMIALS)?);
            // That they lie in G1 is known by the setup's hash, or taken on trust of whoever gives it.
            points.into_iter().map(|point| Some(point.ok()?.assume_in_subgroup())).collect()
        };
        self.monomials.get_or_init(read).as_deref()
    }

    /// The table for commitments; `None` as for [`Self::tau`].
    pub(crate) fn table(&self) -> Option<&FixedBase> {
        let points = self.monomials()?;
        Some(self.table.get_or_init(|| FixedBase::new(points)))
    }
}
