//! Folding against Lagrange's formula, from which it takes nothing but the domain.

use crate::support::{r_be, Draw, Rng};
use blobcheck_curve::fold::{Folding, VALUES};
use blobcheck_curve::scalar::{invert_all, pow, root_of_unity, scalar_reduce_be, ONE, ZERO};
use blobcheck_curve::Scalar;

/// Σ vᵢ·Π_{j≠i} (z − xⱼ)/(xᵢ − xⱼ) over the 4,096th roots of unity: (z⁴⁰⁹⁶ − 1)/4096 · Σ vᵢ·xᵢ/(z − xᵢ).
fn lagrange(values: &[Scalar], z: Scalar) -> Scalar {
    let root = root_of_unity(12);
    let points: Vec<Scalar> = (0..4096u32).map(|i| pow(root, u64::from(i.reverse_bits() >> 20))).collect();
    if let Some(at) = points.iter().position(|point| *point == z) {
        return values[at];
    }
    let mut inverses: Vec<Scalar> = points.iter().map(|point| z - point).collect();
    invert_all(&mut inverses);
    let mut all = [Scalar::from(4096u64)];
    invert_all(&mut all);
    let sum: Scalar =
        values.iter().zip(&points).zip(&inverses).map(|((v, x), inverse)| *v * x * inverse).sum();
    (pow(z, 4096) - ONE) * all[0] * sum
}

/// Random values, the largest there are, those around r, and a single one in either half; at points of the domain, too.
#[test]
fn values_anywhere() {
    let mut rng = Rng(31);
    let folding = Folding::new();
    let single = |at: usize| {
        let mut bytes = vec![0; 32 * VALUES];
        bytes[32 * at + 31] = 1;
        bytes
    };
    let blobs = [
        (0..VALUES).flat_map(|_| rng.bytes::<32>()).collect(),
        vec![0xff; 32 * VALUES],
        r_be().repeat(VALUES),
        single(0),
        single(VALUES / 2 - 1),
        single(VALUES / 2),
        single(VALUES - 1),
    ];
    let root = root_of_unity(12);
    let points = [ZERO, ONE, -ONE, root, pow(root, 2049), rng.scalar(), rng.scalar()];
    for (which, blob) in blobs.iter().enumerate() {
        let values: Vec<Scalar> = blob.as_chunks().0.iter().map(scalar_reduce_be).collect();
        let blob = blob.as_slice().try_into().expect("4,096 values");
        for z in points {
            assert_eq!(folding.value(blob, z), lagrange(&values, z), "{which} {z}");
        }
    }
}
