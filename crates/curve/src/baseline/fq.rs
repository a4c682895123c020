//! The base field: arkworks' `Fp` over our kernels.

use super::{fq_kernels as kernels, inverse::inverse, words::fq as words};
use crate::features::SIMD;
use crate::moduli;
use ark_bls12_381::FqConfig as Arkworks;
use ark_ff::{BigInt, Fp384, MontBackend, MontConfig};

/// The base field's parameters.
pub struct FqConfig;

/// An integer modulo p, in Montgomery form with R = 2³⁸⁴ as in arkworks.
pub type Fq = Fp384<MontBackend<FqConfig, 6>>;

/// A number of arkworks' field in ours, which keeps it in the same form.
pub(super) const fn same(value: ark_bls12_381::Fq) -> Fq {
    Fq::new_unchecked(value.0)
}

impl MontConfig<6> for FqConfig {
    const MODULUS: BigInt<6> = BigInt(moduli::P);
    const GENERATOR: Fq = same(Arkworks::GENERATOR);
    const TWO_ADIC_ROOT_OF_UNITY: Fq = same(Arkworks::TWO_ADIC_ROOT_OF_UNITY);

    #[inline(always)]
    fn mul_assign(a: &mut Fq, b: &Fq) {
        kernels::mul(&mut a.0 .0, &b.0 .0);
    }

    #[inline(always)]
    fn square_in_place(a: &mut Fq) {
        if SIMD {
            // Beside the lanes a twentieth of a square's time is not worth a kernel's bytes.
            let b = a.0 .0;
            return kernels::mul(&mut a.0 .0, &b);
        }
        kernels::square(&mut a.0 .0);
    }

    #[inline(always)]
    fn sum_of_products<const M: usize>(a: &[Fq; M], b: &[Fq; M]) -> Fq {
        // arkworks asks for two products only. A kernel for them would be a fifth quicker; but what has many of them is on the engine's
        // kernels, and the rest is not worth its 1.6 kB.
        if let ([a, x], [b, y]) = (a.as_slice(), b.as_slice()) {
            return *a * b + *x * y;
        }
        a.iter().zip(b).map(|(a, b)| *a * b).sum()
    }

    #[inline(never)]
    fn add_assign(a: &mut Fq, b: &Fq) {
        a.0 .0 = words::add(&a.0 .0, &b.0 .0);
    }

    #[inline(never)]
    fn sub_assign(a: &mut Fq, b: &Fq) {
        a.0 .0 = words::sub(&a.0 .0, &b.0 .0);
    }

    #[inline(never)]
    fn double_in_place(a: &mut Fq) {
        a.0 .0 = words::add(&a.0 .0, &a.0 .0);
    }

    #[inline(never)]
    fn neg_in_place(a: &mut Fq) {
        a.0 .0 = words::sub(&[0; 6], &a.0 .0);
    }

    #[inline(never)]
    fn inverse(a: &Fq) -> Option<Fq> {
        // 1/(aR), and two products with R², each divided by R: R/a.
        let square = Fq::new_unchecked(Self::R2);
        inverse(&a.0 .0).map(|words| Fq::new_unchecked(BigInt(words)) * square * square)
    }

    #[inline(always)]
    fn into_bigint(mut a: Fq) -> BigInt<6> {
        // a/R: the product with the plain integer one.
        kernels::mul(&mut a.0 .0, &[1, 0, 0, 0, 0, 0]);
        a.0
    }
}
