//! Powers of p in Fp12.

use super::fp::{each, FpPair};
use super::fp12::Fp12;
use super::fp2::Fp2;
use super::fp6::Fp6;
use super::vector::F64x2;
use ark_bls12_381::{Fq12Config, Fq2};
use ark_ff::Fp12Config;

/// γ = ξ^((p − 1)/6), by arkworks' words.
const GAMMA: Fq2 = Fq12Config::FROBENIUS_COEFF_FP12_C1[1];

/// γ, γ², … γ⁵.
pub(super) struct Frobenius([Fp2<1>; 5]);

impl Frobenius {
    pub(super) fn new() -> Self {
        let mut powers = [FpPair::new(&GAMMA.c0.0 .0, &GAMMA.c1.0 .0); 5];
        for i in 1..5 {
            powers[i] = powers[i - 1].mul_fp2(&powers[0]);
        }
        Self(powers)
    }

    /// To the power p. In the basis of 1, w, w², … w⁵ that conjugates the coefficients, and as w⁶ = ξ, wⁱ becomes γⁱ·wⁱ.
    #[inline(never)]
    pub(super) fn power_p(&self, number: &Fp12) -> Fp12 {
        let [one, two, three, four, five] = &self.0;
        let (Fp6([a0, a2, a4]), Fp6([a1, a3, a5])) = (&number.0, &number.1);
        Fp12(
            Fp6([conjugate(a0), conjugate(a2).mul_fp2(two), conjugate(a4).mul_fp2(four)]),
            Fp6([conjugate(a1).mul_fp2(one), conjugate(a3).mul_fp2(three), conjugate(a5).mul_fp2(five)]),
        )
    }
}

/// c0 − c1·u: to the power p, in Fp2.
#[inline(never)]
fn conjugate(number: &Fp2<1>) -> Fp2<1> {
    let signs = F64x2::new(1.0, -1.0);
    FpPair(each(&number.0, &number.0, |x, _| x * signs))
}
