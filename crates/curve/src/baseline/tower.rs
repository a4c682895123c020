//! The extensions Fq2, Fq6 and Fq12: arkworks' towers, with arkworks' constants, over our [`Fq`].
//!
//! Fq2 = Fq\[u\]/(u² + 1), Fq6 = Fq2\[v\]/(v³ − (1 + u)), Fq12 = Fq6\[w\]/(w² − v).

use super::fq::{same, Fq};
use ark_bls12_381 as arkworks;
use ark_ff::fields::{Fp12, Fp12Config, Fp2, Fp2Config, Fp6, Fp6Config};
use ark_ff::AdditiveGroup;

/// c0 + c1·u.
pub type Fq2 = Fp2<Fq2Config>;
/// c0 + c1·v + c2·v².
pub type Fq6 = Fp6<Fq6Config>;
/// c0 + c1·w, where pairings have their values.
pub type Fq12 = Fp12<Fq12Config>;

/// Parameters of [`Fq2`].
pub struct Fq2Config;
/// Parameters of [`Fq6`].
#[derive(Clone, Copy)]
pub struct Fq6Config;
/// Parameters of [`Fq12`].
#[derive(Clone, Copy)]
pub struct Fq12Config;

pub(super) const fn same2(value: arkworks::Fq2) -> Fq2 {
    Fq2::new(same(value.c0), same(value.c1))
}

const fn all_same2<const N: usize>(values: &[arkworks::Fq2]) -> [Fq2; N] {
    let mut out = [Fq2::new(Fq::ZERO, Fq::ZERO); N];
    let mut i = 0;
    while i < N {
        out[i] = same2(values[i]);
        i += 1;
    }
    out
}

impl Fp2Config for Fq2Config {
    type Fp = Fq;
    const NONRESIDUE: Fq = same(arkworks::Fq2Config::NONRESIDUE);
    const FROBENIUS_COEFF_FP2_C1: &'static [Fq] = &[
        same(arkworks::Fq2Config::FROBENIUS_COEFF_FP2_C1[0]),
        same(arkworks::Fq2Config::FROBENIUS_COEFF_FP2_C1[1]),
    ];

    // The non-residue is −1.

    #[inline(always)]
    fn mul_fp_by_nonresidue_in_place(x: &mut Fq) -> &mut Fq {
        x.neg_in_place()
    }

    #[inline(always)]
    fn mul_fp_by_nonresidue_and_add(y: &mut Fq, x: &Fq) {
        *y = *x - *y;
    }

    #[inline(always)]
    fn mul_fp_by_nonresidue_plus_one_and_add(y: &mut Fq, x: &Fq) {
        *y = *x;
    }

    #[inline(always)]
    fn sub_and_mul_fp_by_nonresidue(y: &mut Fq, x: &Fq) {
        *y += x;
    }
}

impl Fp6Config for Fq6Config {
    type Fp2Config = Fq2Config;
    const NONRESIDUE: Fq2 = same2(arkworks::Fq6Config::NONRESIDUE);
    const FROBENIUS_COEFF_FP6_C1: &'static [Fq2] =
        &all_same2::<6>(arkworks::Fq6Config::FROBENIUS_COEFF_FP6_C1);
    const FROBENIUS_COEFF_FP6_C2: &'static [Fq2] =
        &all_same2::<6>(arkworks::Fq6Config::FROBENIUS_COEFF_FP6_C2);

    /// (1 + u)(c0 + c1·u) = (c0 − c1) + (c0 + c1)·u.
    fn mul_fp2_by_nonresidue_in_place(x: &mut Fq2) -> &mut Fq2 {
        let c0 = x.c0;
        x.c0 -= &x.c1;
        x.c1 += &c0;
        x
    }
}

impl Fp12Config for Fq12Config {
    type Fp6Config = Fq6Config;
    const NONRESIDUE: Fq6 = Fq6::new(
        same2(arkworks::Fq12Config::NONRESIDUE.c0),
        same2(arkworks::Fq12Config::NONRESIDUE.c1),
        same2(arkworks::Fq12Config::NONRESIDUE.c2),
    );
    const FROBENIUS_COEFF_FP12_C1: &'static [Fq2] =
        &all_same2::<12>(arkworks::Fq12Config::FROBENIUS_COEFF_FP12_C1);
}
