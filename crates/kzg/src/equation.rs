//! The one equation that a batch comes down to.

use crate::bisect::Discrepancy;
use crate::setup::Setup;
use blobcheck_curve::scalar::{scalar_from_be, scalar_to_be, Scalar, ZERO};
use blobcheck_curve::uncompressed::{from_uncompressed, to_uncompressed};
use blobcheck_curve::{g1, PairingProduct, G1};
use core::array::from_fn;

/// Coefficients of an interpolated cell.
const COEFFICIENTS: usize = 64;
const POINT: usize = 96;
const SCALARS_AT: usize = 3 * POINT;

/// Bytes of an equation on its way between workers.
pub(crate) const EQUATION_BYTES: usize = SCALARS_AT + COEFFICIENTS * 32;

/// A sum of weighted claims, of blobs and of cells alike. All of them are true (but for an error of 2⁻¹²⁸)
/// exactly if
///
/// e(`tau`, \[τ\]₂) · e(`tau64`, \[τ⁶⁴\]₂) = e(`rest` − Σᵢ `interpolation`ᵢ·\[τⁱ\]₁, \[1\]₂).
///
/// - a blob with commitment C, proof π, opened at z to y, with coefficient r (EIP-4844), adds rπ to `tau`,
///   rC + rzπ − ry·\[1\]₁ to `rest`; ry could as well go to `interpolation`₀, but in `rest` it shares its doublings with z;
/// - cell k with commitment C, proof π, interpolation polynomial I, with coefficient r (EIP-7594), adds rπ to
///   `tau64`, rC + r·h_k⁶⁴·π to `rest`, and rI to `interpolation`.
#[derive(Clone, Debug)]
pub(crate) struct Equation {
    pub(crate) tau: G1,
    pub(crate) tau64: G1,
    pub(crate) rest: G1,
    pub(crate) interpolation: [Scalar; COEFFICIENTS],
}

impl Equation {
    /// The sum of no claims: true.
    pub(crate) fn empty() -> Self {
        let identity = g1::identity();
        Self { tau: identity, tau64: identity, rest: identity, interpolation: [ZERO; COEFFICIENTS] }
    }

    /// The sum of both.
    pub(crate) fn merge(&self, other: &Self) -> Self {
        Self {
            tau: self.tau + other.tau,
            tau64: self.tau64 + other.tau64,
            rest: self.rest + other.rest,
            interpolation: from_fn(|i| self.interpolation[i] + other.interpolation[i]),
        }
    }

    /// Whether the equation holds: one product of at most three pairings.
    pub(crate) fn holds(&self, setup: &Setup) -> bool {
        self.sides(setup).is_neutral()
    }

    /// The left side over the right one, to some power: 1 exactly where the equation holds, and of two merged equations the product of
    /// theirs. `None` where the setup lacks a point that the equation needs, which `Setup::from_bytes` rules out.
    pub(crate) fn sides(&self, setup: &Setup) -> Option<PairingProduct> {
        let right = setup.commit(&self.interpolation)? - self.rest;
        let sums = [self.tau, self.tau64, right];
        let [tau, tau64, affine_right] = g1::normalize(&sums)[..] else { return None };
        let mut pairs = Vec::with_capacity(3);
        // Lines are prepared on first use: a page that checks blobs only never prepares those of τ⁶⁴.
        if !g1::is_identity(&self.tau) {
            pairs.push((tau, setup.tau()?));
        }
        if !g1::is_identity(&self.tau64) {
            pairs.push((tau64, setup.tau64()?));
        }
        if !g1::is_identity(&right) {
            pairs.push((affine_right, setup.one()));
        }
        // Where all three are the identity, the equation reads 1 = 1.
        PairingProduct::of(&pairs)
    }

    /// tau ‖ tau64 ‖ rest, uncompressed, ‖ the 64 scalars, all big-endian.
    pub(crate) fn to_bytes(&self) -> [u8; EQUATION_BYTES] {
        let mut out = [0; EQUATION_BYTES];
        let (points, scalars) = out.split_at_mut(SCALARS_AT);
        let affine = g1::normalize(&[self.tau, self.tau64, self.rest]);
        for (slot, point) in points.chunks_exact_mut(POINT).zip(&affine) {
            slot.copy_from_slice(&to_uncompressed(point));
        }
        for (slot, scalar) in scalars.chunks_exact_mut(32).zip(&self.interpolation) {
            slot.copy_from_slice(&scalar_to_be(scalar));
        }
        out
    }

    /// Reads what [`Self::to_bytes`] wrote; `None` for anything that is not an accumulator.
    ///
    /// Points are checked to be on the curve, **not** to be in G1: the bytes come from our own workers. Bytes
    /// from elsewhere prove nothing, whatever is checked.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; EQUATION_BYTES] = bytes.try_into().ok()?;
        let (points, scalars) = bytes.split_at(SCALARS_AT);
        let [tau, tau64, rest] = points.as_chunks::<POINT>().0 else { return None };
        let mut interpolation = [ZERO; COEFFICIENTS];
        for (slot, bytes) in interpolation.iter_mut().zip(scalars.as_chunks().0) {
            *slot = scalar_from_be(bytes)?;
        }
        let point = |bytes| Some(G1::from(from_uncompressed(bytes)?.assume_in_subgroup()));
        Some(Self { tau: point(tau)?, tau64: point(tau64)?, rest: point(rest)?, interpolation })
    }
}

/// None is no quotient of sides, and shows nothing to be true.
impl Discrepancy for Option<PairingProduct> {
    fn is_neutral(&self) -> bool {
        self.is_some_and(|sides| sides.is_one())
    }

    fn without(&self, part: &Self) -> Self {
        self.zip(*part).map(|(sides, part)| sides.without(&part))
    }
}
