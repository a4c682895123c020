//! A point of a batch whose subgroup test is summed up with it ([`crate::subgroup::tested`]).

use crate::curve_point::CurvePoint;
use crate::trits::Trits;

/// A point that is to be tested, together with its coefficient: no point can be without one, and so none goes untested.
///
/// ```
/// # use blobcheck_curve::{g1, BatchPoint, Trits};
/// let coefficient = Trits::from_bytes(&[7; 32]);
/// let tested = BatchPoint { point: g1::generator().into(), coefficient };
/// # let _ = tested;
/// ```
///
/// ```compile_fail,E0063
/// # use blobcheck_curve::{g1, BatchPoint};
/// let untested = BatchPoint { point: g1::generator().into() };
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BatchPoint {
    /// A point of the curve.
    pub point: CurvePoint,
    /// Its coefficient, which no other point of any family of the batch has: drawn at random after all points are fixed.
    pub coefficient: Trits,
}
