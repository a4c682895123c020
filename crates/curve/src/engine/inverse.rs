//! Inverses in the tower, each by the norm to the field below: at the bottom one inverse of an integer.

use super::fp12::Fp12;
use super::fp6::Fp6;
use super::kernel::{Bounded, Fp2, Kernel};
use ark_ff::Field;

impl<K: Kernel> Fp12<K> {
    /// 1/(a + b·w) = (a − b·w)/(a² − v·b²); `None` for zero.
    pub(super) fn inverse(&self) -> Option<Self> {
        let (a, b) = (&self.0, &self.1);
        let norm = a.mul(a).add(&b.mul(b).times_v().negative()).inverse()?;
        Some(Self(a.mul(&norm), b.negative().mul(&norm)))
    }
}

impl<K: Kernel> Fp6<K> {
    /// The product with A + B·v + C·v² is in Fp2, where A = c0² − ξ·c1·c2, B = ξ·c2² − c0·c1 and C = c1² − c0·c2.
    fn inverse(&self) -> Option<Self> {
        let [c0, c1, c2] = &self.0;
        let a = (c0.square_fp2() - c1.mul_fp2(c2).times_xi::<2>()).reduce();
        let b = (c2.square_fp2().times_xi::<2>() - c0.mul_fp2(c1)).reduce();
        let c = (c1.square_fp2() - c0.mul_fp2(c2)).reduce();
        let high = c2.mul_fp2(&b) + c1.mul_fp2(&c);
        let norm = inverse_fp2::<K>(&(c0.mul_fp2(&a) + high.times_xi::<4>()).reduce())?;
        Some(Self([a, b, c].map(|c| c.mul_fp2(&norm))))
    }
}

/// 1/(x + y·u) = (x − y·u)/(x² + y²).
fn inverse_fp2<K: Kernel>(number: &Fp2<K, 1>) -> Option<Fp2<K, 1>> {
    let [x, y] = number.numbers();
    let norm = (x * x + y * y).inverse()?;
    Some(Bounded::of(&x, &-y).mul_each(&Bounded::of(&norm, &norm)))
}
