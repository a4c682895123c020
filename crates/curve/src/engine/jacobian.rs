//! As many points at a time as the kernel has lanes, in Jacobian coordinates: (X/Z², Y/Z³), and Z = 0 for the identity.
//!
//! The formulas have no branches, since the points would not take the same. They are right for all points but these,
//! where they give Z = 0, the identity, in place of the right sum: P + P, and P + 0. What has Z = 0 keeps it through
//! every further sum and doubling.

use super::kernel::{Bounded, Kernel, LanesOf};
use crate::backend::Fq;
use ark_ff::AdditiveGroup;

/// A coordinate of each point.
pub(super) type Coordinate<K> = LanesOf<K, 1>;

/// A coordinate of some points, the last of which stands for those that lack.
#[inline(never)]
pub(super) fn coordinate<K: Kernel>(numbers: &[Fq]) -> Coordinate<K> {
    Bounded::of_each(numbers)
}

/// A coordinate of the first two points, fully reduced; 0 where there is but one.
#[inline(never)]
pub(super) fn numbers<K: Kernel>(coordinate: &Coordinate<K>) -> [Fq; 2] {
    const { assert!(K::LANES <= 2) }
    let mut numbers = [Fq::ZERO; 2];
    coordinate.give_numbers(|at, number| {
        if let Some(slot) = numbers.get_mut(at) {
            *slot = number;
        }
    });
    numbers
}

/// Points in Jacobian coordinates.
#[derive(Clone, Copy)]
pub(super) struct Jacobian<K: Kernel> {
    pub(super) x: Coordinate<K>,
    pub(super) y: Coordinate<K>,
    pub(super) z: Coordinate<K>,
}

/// What an addition needs of its second point.
pub(super) struct Addend<K: Kernel> {
    x: Coordinate<K>,
    y: Coordinate<K>,
    /// Z, Z² and Z³, unless Z = 1.
    z: Option<[Coordinate<K>; 3]>,
}

impl<K: Kernel> Addend<K> {
    /// A point whose Z is 1.
    pub(super) fn affine(x: Coordinate<K>, y: Coordinate<K>) -> Self {
        Self { x, y, z: None }
    }

    /// Any point.
    pub(super) fn jacobian(point: &Jacobian<K>) -> Self {
        let square = point.z.square();
        Self { x: point.x, y: point.y, z: Some([point.z, square, square.mul(&point.z)]) }
    }
}

impl<K: Kernel> Jacobian<K> {
    /// 2P: 2 multiplications and 5 squarings ("dbl-2009-l" of the Explicit-Formulas Database). The curve has no
    /// point of order 2, so that Y is zero for none.
    #[inline(never)]
    pub(super) fn double(&self) -> Self {
        let a = self.x.square();
        let b = self.y.square();
        let c = b.square();
        let d = (self.x + b).square() - a - c; // 2XB
        let d = (d + d).reduce();
        let e = (a + a + a).reduce();
        let x = (e.square() - (d + d)).reduce();
        let c2 = c + c;
        let c4 = c2 + c2;
        let y = (e.mul(&(d - x)) - (c4 + c4)).reduce();
        let z = (self.y + self.y).mul(&self.z);
        Self { x, y, z }
    }

    /// P + Q: 8 multiplications and 3 squarings, 4 multiplications more where Q has a Z.
    ///
    /// Z₃ = Z₁·Z₂·H is zero exactly where H is, Q = ±P, or where a Z is.
    #[inline(never)]
    pub(super) fn add(&self, other: &Addend<K>) -> Self {
        let zz = self.z.square();
        let (x2, y2) = (other.x.mul(&zz), other.y.mul(&self.z.mul(&zz)));
        let (x1, y1, z1) = match &other.z {
            None => (self.x, self.y, self.z),
            Some([z, square, cube]) => (self.x.mul(square), self.y.mul(cube), self.z.mul(z)),
        };
        let h = x2 - x1;
        let r = y2 - y1;
        let square = h.square();
        let cube = h.mul(&square);
        let v = x1.mul(&square);
        let x = (r.square() - cube - (v + v)).reduce();
        let y = (r.mul(&(v - x)) - y1.mul(&cube)).reduce();
        let z = z1.mul(&h);
        Self { x, y, z }
    }
}
