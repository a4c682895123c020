//! Powers of p in Fp12.

use super::fp12::{of_fq2, Fp12};
use super::fp6::Fp6;
use super::kernel::{Fp2, Kernel};
use crate::backend::{Fq, Fq2};
use ark_bls12_381::Fq12Config;
use ark_ff::Fp12Config;

/// γ = ξ^((p − 1)/6), by arkworks' words, which have the form of any backend.
const GAMMA: ark_bls12_381::Fq2 = Fq12Config::FROBENIUS_COEFF_FP12_C1[1];

/// γ, γ² … γ⁵.
pub(super) struct Frobenius<K: Kernel>([Fp2<K, 1>; 5]);

impl<K: Kernel> Frobenius<K> {
    pub(super) fn new() -> Self {
        let [c0, c1] = [GAMMA.c0, GAMMA.c1].map(|number| Fq::new_unchecked(number.0));
        let mut powers = [of_fq2::<K>(&Fq2::new(c0, c1)); 5];
        for i in 1..5 {
            powers[i] = powers[i - 1].mul_fp2(&powers[0]);
        }
        Self(powers)
    }

    /// To the power p. In the basis of 1, w, w², … w⁵ that conjugates the coefficients, and as w⁶ = ξ, wⁱ becomes γⁱ·wⁱ.
    #[inline(never)]
    pub(super) fn power_p(&self, number: &Fp12<K>) -> Fp12<K> {
        let [one, two, three, four, five] = &self.0;
        let (Fp6([a0, a2, a4]), Fp6([a1, a3, a5])) = (&number.0, &number.1);
        Fp12(
            Fp6([a0.conjugate(), a2.conjugate().mul_fp2(two), a4.conjugate().mul_fp2(four)]),
            Fp6([a1.conjugate().mul_fp2(one), a3.conjugate().mul_fp2(three), a5.conjugate().mul_fp2(five)]),
        )
    }
}
