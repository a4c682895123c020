//! A batch's sum, with where its coefficients came from in its type.

use crate::equation::{Equation, EQUATION_BYTES};
use crate::randomness::FreshSeed;
use crate::setup::Setup;
use core::fmt;
use core::marker::PhantomData;

/// Bytes of an accumulator on its way between workers.
pub const ACCUMULATOR_BYTES: usize = EQUATION_BYTES;

/// A sum of weighted claims, of blobs and of cells alike, whose coefficients came from a seed of the source `S`
/// ([`crate::randomness::SeedSource`]). If it closes, all of the claims are true, but for an error of 2⁻¹²⁸.
///
/// Accumulators of different batches, each with coefficients of a **random** seed of its own, may be merged. Those of
/// [`FiatShamir`](crate::randomness::FiatShamir) may be closed, and no more: whoever makes many batches can look for
/// ones whose errors cancel (Wagner's generalised birthday), since the hash of one does not bind the others. So only
/// `Accumulator<FreshSeed>` has [`merge`](Self::merge):
///
/// ```
/// use blobcheck_kzg::{collect, randomness::FreshSeed};
///
/// let one = collect(&[], FreshSeed::from_csprng([1; 32])).accumulator;
/// let other = collect(&[], FreshSeed::from_csprng([2; 32])).accumulator;
/// let both = one.merge(&other);
/// # let _ = both;
/// ```
///
/// The other kind closes:
///
/// ```
/// use blobcheck_kzg::{collect, randomness::FiatShamir, Setup, ETHEREUM};
///
/// let one = collect(&[], FiatShamir).accumulator;
/// assert!(one.close(&Setup::from_bytes(ETHEREUM).unwrap()));
/// ```
///
/// It is merged neither into the first kind nor with itself:
///
/// ```compile_fail,E0308
/// use blobcheck_kzg::{collect, randomness::{FiatShamir, FreshSeed}};
///
/// let one = collect(&[], FreshSeed::from_csprng([1; 32])).accumulator;
/// let other = collect(&[], FiatShamir).accumulator;
/// let both = one.merge(&other);
/// ```
///
/// ```compile_fail,E0599
/// use blobcheck_kzg::{collect, randomness::FiatShamir};
///
/// let one = collect(&[], FiatShamir).accumulator;
/// let twice = one.merge(&one);
/// ```
pub struct Accumulator<S> {
    pub(crate) equation: Equation,
    source: PhantomData<fn() -> S>,
}

impl<S> Accumulator<S> {
    /// `equation` has coefficients of a seed of the source `S`.
    pub(crate) fn of(equation: Equation) -> Self {
        Self { equation, source: PhantomData }
    }

    /// Whether all claims of the sum are true: one product of at most three pairings.
    pub fn close(&self, setup: &Setup) -> bool {
        self.equation.holds(setup)
    }

    /// \[τ\] sum ‖ \[τ⁶⁴\] sum ‖ rest, uncompressed points of 96 bytes, ‖ the 64 scalars of 32 bytes, all big-endian.
    pub fn to_bytes(&self) -> [u8; ACCUMULATOR_BYTES] {
        self.equation.to_bytes()
    }
}

impl Accumulator<FreshSeed> {
    /// The sum of no claims, which closes.
    pub fn empty() -> Self {
        Self::of(Equation::empty())
    }

    /// The sum of both. Each of them has coefficients of a random seed of its own.
    #[must_use]
    pub fn merge(&self, other: &Self) -> Self {
        Self::of(self.equation.merge(&other.equation))
    }

    /// Reads what [`Self::to_bytes`] wrote; `None` for anything that is not an accumulator.
    ///
    /// Points are checked to be on the curve, **not** to be in G1: the bytes come from our own workers, who sum up with fresh
    /// seeds what travels. Bytes from elsewhere prove nothing, whatever is checked.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Equation::from_bytes(bytes).map(Self::of)
    }
}

impl<S> Clone for Accumulator<S> {
    fn clone(&self) -> Self {
        Self::of(self.equation.clone())
    }
}

impl<S> fmt::Debug for Accumulator<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.equation.fmt(f)
    }
}
