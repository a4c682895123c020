//! Fp12 = Fp6(w), w² = v.

use super::fp6::Fp6;
use super::kernel::{Bounded, Fp2, Kernel};
#[cfg(test)]
use crate::backend::Fq12;
use crate::backend::{Fq, Fq2};
use crate::endomorphism::X;
use ark_ff::{AdditiveGroup, Field};

/// c0 + c1·w.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fp12<K: Kernel>(pub(super) Fp6<K>, pub(super) Fp6<K>);

impl<K: Kernel> Fp12<K> {
    pub(crate) fn one() -> Self {
        let [zero, one] = [Fq::ZERO, Fq::ONE].map(|number| Bounded::of(&number, &Fq::ZERO));
        Self(Fp6([one, zero, zero]), Fp6([zero; 3]))
    }

    pub(crate) fn is_one(&self) -> bool {
        let one = Self::one();
        let coefficients = [(&self.0, &one.0), (&self.1, &one.1)];
        let mut pairs = coefficients.iter().flat_map(|(a, b)| a.0.iter().zip(&b.0));
        pairs.all(|(a, b)| (*a - *b).reduce().is_zero_once_reduced() == [true; 2])
    }

    /// A number of arkworks' field as one of this engine's.
    #[cfg(test)]
    pub(super) fn of(number: &Fq12) -> Self {
        let [c0, c1] = [&number.c0, &number.c1].map(|c| Fp6([&c.c0, &c.c1, &c.c2].map(of_fq2::<K>)));
        Self(c0, c1)
    }

    /// The number in arkworks' field, fully reduced.
    #[cfg(test)]
    pub(super) fn number(&self) -> Fq12 {
        let mut out = Fq12::ZERO;
        let fill = |[c0, c1, c2]: [&mut Fq2; 3], from: &Fp6<K>| {
            for (to, from) in [c0, c1, c2].into_iter().zip(from.0) {
                [to.c0, to.c1] = from.numbers();
            }
        };
        fill([&mut out.c0.c0, &mut out.c0.c1, &mut out.c0.c2], &self.0);
        fill([&mut out.c1.c0, &mut out.c1.c1, &mut out.c1.c2], &self.1);
        out
    }

    #[inline(never)]
    pub(crate) fn mul(&self, other: &Self) -> Self {
        let (v0, v1) = (self.0.mul(&other.0), self.1.mul(&other.1));
        let both = self.0.add(&self.1).mul(&other.0.add(&other.1));
        Self(v0.add(&v1.times_v()), less::<K>(&both, &v0, &v1))
    }

    #[inline(never)]
    pub(super) fn square(&self) -> Self {
        let product = self.0.mul(&self.1);
        let high = product.times_v();
        let both = self.0.add(&self.1).mul(&self.0.add(&self.1.times_v()));
        Self(less::<K>(&both, &product, &high), product.add(&product))
    }

    /// The product with a line c0 + c1·v + v·w: 10 multiplications.
    #[inline(never)]
    pub(super) fn mul_by_line(&self, [c0, c1]: &[Fp2<K, 1>; 2]) -> Self {
        let (Fp6([a0, a1, a2]), Fp6([b0, b1, b2])) = (self.0, self.1);
        // v²·b and v·a, v³ = ξ.
        let left = [b1.times_xi(), b2.times_xi(), b0.widen()];
        let right = [a2.times_xi(), a0.widen(), a1.widen()];
        Self(self.0.mul_by_01(c0, c1, &left), self.1.mul_by_01(c0, c1, &right))
    }

    /// c0 − c1·w: to the power p⁶. In the cyclotomic subgroup, the inverse.
    pub(crate) fn conjugate(&self) -> Self {
        Self(self.0, self.1.negative())
    }

    /// The square of a number of the cyclotomic subgroup (Granger, Scott, eprint 2009/565): three squares in Fp4.
    #[inline(never)]
    pub(super) fn cyclotomic_square(&self) -> Self {
        let (Fp6([z0, z4, z3]), Fp6([z2, z1, z5])) = (self.0, self.1);
        let [t0, t1] = square_fp4::<K>(&z0, &z1);
        let [t2, t3] = square_fp4::<K>(&z2, &z3);
        let [t4, t5] = square_fp4::<K>(&z4, &z5);
        let xi_t5 = t5.times_xi::<2>().reduce();
        Self(
            Fp6([
                thrice_less_twice::<K>(&t0, &z0),
                thrice_less_twice::<K>(&t2, &z4),
                thrice_less_twice::<K>(&t4, &z3),
            ]),
            Fp6([
                thrice_and_twice::<K>(&xi_t5, &z2),
                thrice_and_twice::<K>(&t1, &z1),
                thrice_and_twice::<K>(&t3, &z5),
            ]),
        )
    }

    /// To the power x, the curve's parameter, which is negative; in the cyclotomic subgroup.
    pub(super) fn power_x(&self) -> Self {
        let mut power = *self;
        for bit in (0..63).rev() {
            power = power.cyclotomic_square();
            if X >> bit & 1 == 1 {
                power = power.mul(self);
            }
        }
        power.conjugate()
    }
}

/// a − b − c.
#[inline(never)]
fn less<K: Kernel>(
    Fp6([a0, a1, a2]): &Fp6<K>,
    Fp6([b0, b1, b2]): &Fp6<K>,
    Fp6([c0, c1, c2]): &Fp6<K>,
) -> Fp6<K> {
    Fp6([(*a0 - *b0 - *c0).reduce(), (*a1 - *b1 - *c1).reduce(), (*a2 - *b2 - *c2).reduce()])
}

/// (a + b·s)² in Fp4 = Fp2(s), s² = ξ: a² + ξ·b² and 2ab.
#[inline(never)]
fn square_fp4<K: Kernel>(a: &Fp2<K, 1>, b: &Fp2<K, 1>) -> [Fp2<K, 1>; 2] {
    let (aa, bb) = (a.square_fp2(), b.square_fp2());
    let both = (*a + *b).reduce().square_fp2();
    [(bb.times_xi::<2>() + aa).reduce(), (both - (aa + bb)).reduce()]
}

/// 3t − 2z.
#[inline(always)]
fn thrice_less_twice<K: Kernel>(t: &Fp2<K, 1>, z: &Fp2<K, 1>) -> Fp2<K, 1> {
    (*t + *t + *t - (*z + *z)).reduce()
}

/// 3t + 2z.
#[inline(always)]
fn thrice_and_twice<K: Kernel>(t: &Fp2<K, 1>, z: &Fp2<K, 1>) -> Fp2<K, 1> {
    (*t + *t + *t + (*z + *z)).reduce()
}

/// A number of arkworks' field as one of this engine's.
pub(super) fn of_fq2<K: Kernel>(number: &Fq2) -> Fp2<K, 1> {
    Bounded::of(&number.c0, &number.c1)
}
