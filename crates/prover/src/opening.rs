//! Openings at a point: p(z), and the quotient (p(X) − p(z))/(X − z).

use blobcheck_curve::raw::Raw;
use blobcheck_curve::Scalar;

/// Divides a polynomial, given by its coefficients, by X − z (Horner's rule): leaves the quotient in its place, and
/// returns the remainder, p(z). For any z, in the domain or not.
pub fn divide(coefficients: &mut [Raw], z: Scalar) -> Raw {
    let mut carried = Raw::ZERO;
    for coefficient in coefficients.iter_mut().rev() {
        let value = *coefficient + carried * z;
        *coefficient = carried;
        carried = value;
    }
    carried
}
