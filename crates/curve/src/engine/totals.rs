//! Σ 3ʲ·Q_j of families of rows, as many families at a time as the kernel has lanes.
//!
//! The additions of `jacobian` are wrong for P + P and for P + 0, and then give Z = 0, which stays. So a total that has a Z is right.

use super::jacobian::{coordinate, numbers, Addend, Jacobian};
use super::kernel::Kernel;
use crate::backend::Fq;
use crate::g1::{identity, G1Affine, G1};
use crate::trits::ROWS;
use ark_ec::AffineRepr;
use ark_ff::Field;

/// The total of each family of points of the curve. The identity says nothing of a family: one of its rows may be the identity, or one of
/// its sums may have met an exception.
pub(crate) fn totals<K: Kernel>(families: &[&[G1Affine; ROWS]]) -> Vec<G1> {
    let mut totals = Vec::with_capacity(families.len());
    for lanes in families.chunks(K::LANES) {
        let [Some(first), Some(last)] = [lanes.first(), lanes.last()] else { continue };
        let Jacobian { x, y, z } = together::<K>([first, last]);
        let [xs, ys, zs] = [x, y, z].map(|coordinate| numbers::<K>(&coordinate));
        for (rows, ((x, y), z)) in lanes.iter().zip(xs.into_iter().zip(ys).zip(zs)) {
            let is_whole = rows.iter().all(|row| !row.is_zero());
            totals.push(if is_whole { G1::new_unchecked(x, y, z) } else { identity() });
        }
    }
    totals
}

/// The totals of the first family and of the last one, of as many as there are lanes.
fn together<K: Kernel>(families: [&[G1Affine; ROWS]; 2]) -> Jacobian<K> {
    let row = |j: usize| {
        let [a, b] = families.map(|rows| &rows[j]);
        [coordinate::<K>(&[a.x, b.x]), coordinate::<K>(&[a.y, b.y])]
    };
    let [x, y] = row(ROWS - 1);
    let mut total = Jacobian { x, y, z: coordinate::<K>(&[Fq::ONE]) };
    for j in (0..ROWS - 1).rev() {
        let [x, y] = row(j);
        // 2P + P + Q.
        let addends = [Addend::jacobian(&total), Addend::affine(x, y)];
        total = addends.iter().fold(total.double(), |sum, addend| sum.add(addend));
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::g1::{generator, is_identity, normalize, times};
    use crate::g1_encoding::decompress_on_curve;
    use blobcheck_testing::torsion;

    /// Rows of these multiples of a point, from the first on; behind them those of other points of the curve.
    fn family(point: G1, multiples: &[i64], others: u64) -> [G1Affine; ROWS] {
        let mut rows: Vec<G1> =
            (0..ROWS as u64).map(|j| times(generator().into(), &[1 + j * others])).collect();
        // The top rows are the ones that are summed first.
        for (row, multiple) in rows.iter_mut().rev().zip(multiples) {
            *row = times(point, &[multiple.unsigned_abs()]);
            if *multiple < 0 {
                *row = -*row;
            }
        }
        normalize(&rows).try_into().unwrap()
    }

    /// Σ 3ʲ·Q_j by arkworks.
    fn expected(rows: &[G1Affine; ROWS]) -> G1 {
        rows.iter().rev().fold(identity(), |sum, row| sum + sum + sum + row)
    }

    /// Families whose sums meet no exception have their totals, in any lane, beside others that do and have none.
    fn families_over<K: Kernel>() {
        let order_3: G1 =
            (*decompress_on_curve(&[torsion::of_order(3)])[0].as_ref().unwrap().affine()).into();
        let point: G1 = generator().into();
        let plain = [family(point, &[1], 5), family(point, &[7, 1, -2], 9), family(order_3, &[0; 0], 2)];
        let exceptional = [
            family(order_3, &[1], 5),
            family(point, &[1, 3], 5),
            family(point, &[1, -3], 5),
            family(point, &[1, 1, 12], 5),
            family(point, &[0], 5),
            family(point, &[5, 0], 5),
            family(point, &[0; ROWS], 1),
        ];
        for plain in &plain {
            assert!(totals::<K>(&[plain])[0] == expected(plain));
            for other in &exceptional {
                assert!(is_identity(&totals::<K>(&[other])[0]));
                for families in [[plain, other, plain], [other, plain, other]] {
                    for (total, family) in totals::<K>(&families).iter().zip(families) {
                        assert_eq!(*total, if family == plain { expected(family) } else { identity() });
                    }
                }
            }
        }
        assert!(totals::<K>(&[]).is_empty());
    }

    over_each_kernel!(families: families_over);
}
