//! Defects: points of the curve outside G1, of small order, and points that have them.
#![allow(dead_code)]

use blobcheck_curve::{g1, g1_encoding, G1};
use blobcheck_testing::torsion;

/// A point of order `prime`.
pub fn torsion(prime: u64) -> G1 {
    on_curve(&torsion::of_order(prime))
}

/// All points of [`torsion::of_g1`].
pub fn all_torsion() -> Vec<G1> {
    torsion::of_g1().iter().map(|found| on_curve(&found.point)).collect()
}

/// A compressed point with a defect added.
pub fn plus(bytes: &[u8; 48], defect: G1) -> [u8; 48] {
    g1_encoding::compress(&g1::normalize(&[defect + on_curve(bytes)])[0])
}

fn on_curve(bytes: &[u8; 48]) -> G1 {
    g1_encoding::decompress_on_curve(&[*bytes])[0].expect("a point").assume_in_subgroup().into()
}
