//! Why bytes are not a point.

/// Why bytes are not the compressed form of a point of G1 or G2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointError {
    /// Flags that contradict each other or the rest, or x not below p.
    Encoding,
    /// No point of the curve has this x.
    NotOnCurve,
    /// On the curve, but outside the subgroup of order r.
    NotInSubgroup,
}
