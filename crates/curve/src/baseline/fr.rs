//! The scalar field: arkworks' `Fp` over our kernels.

use super::{fr_kernels as kernels, words::fr as words};
use crate::features::SIMD;
use crate::moduli;
use ark_bls12_381::FrConfig as Arkworks;
use ark_ff::{AdditiveGroup, BigInt, Fp256, MontBackend, MontConfig};

/// The scalar field's parameters.
pub struct FrConfig;

/// An integer modulo r, in Montgomery form with R = 2²⁵⁶ as in arkworks.
pub type Fr = Fp256<MontBackend<FrConfig, 4>>;

/// A number of arkworks' field in ours, which keeps it in the same form.
pub(super) const fn same(value: ark_bls12_381::Fr) -> Fr {
    Fr::new_unchecked(value.0)
}

impl MontConfig<4> for FrConfig {
    const MODULUS: BigInt<4> = BigInt(moduli::R);
    const GENERATOR: Fr = same(Arkworks::GENERATOR);
    const TWO_ADIC_ROOT_OF_UNITY: Fr = same(Arkworks::TWO_ADIC_ROOT_OF_UNITY);

    #[inline(always)]
    fn mul_assign(a: &mut Fr, b: &Fr) {
        kernels::mul(&mut a.0 .0, &b.0 .0);
    }

    #[inline(always)]
    fn square_in_place(a: &mut Fr) {
        if SIMD {
            // Beside the lanes a twentieth of a square's time is not worth a kernel's bytes.
            let b = a.0 .0;
            return kernels::mul(&mut a.0 .0, &b);
        }
        kernels::square(&mut a.0 .0);
    }

    #[inline(never)]
    fn add_assign(a: &mut Fr, b: &Fr) {
        a.0 .0 = words::add(&a.0 .0, &b.0 .0);
    }

    #[inline(never)]
    fn sub_assign(a: &mut Fr, b: &Fr) {
        a.0 .0 = words::sub(&a.0 .0, &b.0 .0);
    }

    fn double_in_place(a: &mut Fr) {
        let b = *a;
        Self::add_assign(a, &b);
    }

    fn neg_in_place(a: &mut Fr) {
        let b = core::mem::replace(a, Fr::ZERO);
        Self::sub_assign(a, &b);
    }

    #[inline(always)]
    fn into_bigint(mut a: Fr) -> BigInt<4> {
        // a/R: the product with the plain integer one.
        kernels::mul(&mut a.0 .0, &[1, 0, 0, 0]);
        a.0
    }
}
