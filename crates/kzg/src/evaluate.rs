//! p(z) from a blob.

use crate::constants::Blob;
use blobcheck_curve::fold::Folding;
use blobcheck_curve::Scalar;
use std::sync::OnceLock;

/// `evaluate_polynomial_in_evaluation_form`: the value at `z` of the polynomial of degree < 4,096 that takes
/// the blob's values on the bit-reversed domain.
///
/// The blob has passed [`crate::check`]; an element that is not below r would be read modulo r.
pub fn evaluate(blob: &Blob, z: Scalar) -> Scalar {
    static FOLDING: OnceLock<Folding> = OnceLock::new();
    FOLDING.get_or_init(Folding::new).value(blob, z)
}
