//! Points of the curves outside G1 and G2: at least one of each prime order that divides a cofactor.
//!
//! The cofactor of G1 is (x − 1)²/3 = 3 · 11² · 10177² · 859267² · 52437899². The points of the curve whose order is prime to r are
//! Z/3 × (Z/ℓ)², ℓ each of the four other primes: the squares stand for two independent points of order ℓ, and no point has the
//! order ℓ². Both points are here.
//!
//! Of ℓ = 10177 and 859267, which are 1 modulo 3, they are the ones that the endomorphism φ(X, Y) = (βX, Y) takes to multiples of
//! themselves: the points that a test of sums P + φ(Q) would overlook most easily (theorem 2 of `docs/subgroup.md`).
//!
//! The cofactor of G2 is 13² · 23² · 2713 · 11953 · 262069 · q with a prime q of 135 digits; here, too, the squares stand for two points.
//!
//! The points are compressed, so that the tests of every crate can have them, and those of the package, which read the same
//! file. The tests of `blobcheck-curve` show that they have the orders that the file gives them.

use crate::vectors::unhex;
use serde_json::Value;

/// A point of the curve, compressed, whose order is a prime that the group of order r does not have.
#[derive(Clone, Debug)]
pub struct Torsion<const N: usize> {
    /// The order, big-endian.
    pub order: Vec<u8>,
    /// The point.
    pub point: [u8; N],
}

impl<const N: usize> Torsion<N> {
    /// The point's opposite: the bit that tells y from −y is the third.
    pub fn opposite(&self) -> [u8; N] {
        let mut point = self.point;
        point[0] ^= 0x20;
        point
    }
}

/// Points outside G1 of the orders 3, 11, 10177, 859267 and 52437899, in this order.
pub fn of_g1() -> Vec<Torsion<48>> {
    read("g1")
}

/// The first point of [`of_g1`] of this order.
pub fn of_order(order: u64) -> [u8; 48] {
    let is_wanted =
        |found: &Torsion<48>| found.order.iter().fold(0, |n, byte| n << 8 | u64::from(*byte)) == order;
    of_g1().into_iter().find(is_wanted).expect("a prime of the cofactor").point
}

/// Points outside G2 of the orders 13, 23, 2713, 11953, 262069 and q, in this order.
pub fn of_g2() -> Vec<Torsion<96>> {
    read("g2")
}

fn read<const N: usize>(group: &str) -> Vec<Torsion<N>> {
    let all: Value = serde_json::from_str(include_str!("torsion.json")).expect("JSON");
    let text = |value: &Value| unhex(value.as_str().expect("a 0x string"));
    let of = |entry: &Value| {
        let points = entry["points"].as_array().expect("a list").clone();
        let order = text(&entry["order"]);
        points.into_iter().map(move |point| Torsion {
            order: order.clone(),
            point: text(&point).try_into().expect("a compressed point"),
        })
    };
    all[group].as_array().expect("a list").iter().flat_map(of).collect()
}
