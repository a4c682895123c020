//! The baseline's towers, groups and pairing against arkworks'.
//!
//! They share arkworks' formulas, so that what is judged is the constants, the overridden non-residues, and the
//! kernels on the values that such formulas really meet.

use crate::support::Rng;
use ark_bls12_381 as stock;
use ark_ec::{pairing::Pairing, short_weierstrass::SWCurveConfig, AffineRepr, CurveConfig, PrimeGroup};
use ark_ff::{BigInt, CyclotomicMultSubgroup, FftField, Field, MontConfig, PrimeField};
use blobcheck_curve::baseline as ours;

fn fq(rng: &mut Rng) -> stock::Fq {
    match rng.below(8) {
        0 => stock::Fq::from(0),
        1 => -stock::Fq::from(1),
        _ => stock::Fq::from_be_bytes_mod_order(&[rng.bytes::<32>(), rng.bytes::<32>()].concat()),
    }
}

fn fq2(rng: &mut Rng) -> stock::Fq2 {
    stock::Fq2::new(fq(rng), fq(rng))
}

fn fq12(rng: &mut Rng) -> stock::Fq12 {
    stock::Fq12::from_base_prime_field_elems((0..12).map(|_| fq(rng))).expect("12 elements")
}

// The same numbers, by their forms.

fn our_fq(x: &stock::Fq) -> ours::Fq {
    ours::Fq::new_unchecked(x.0)
}

fn our_fq2(x: &stock::Fq2) -> ours::Fq2 {
    ours::Fq2::new(our_fq(&x.c0), our_fq(&x.c1))
}

fn our_fq12(x: &stock::Fq12) -> ours::Fq12 {
    ours::Fq12::from_base_prime_field_elems(x.to_base_prime_field_elements().map(|c| our_fq(&c)))
        .expect("12 elements")
}

fn our_g1(point: &stock::G1Affine) -> ours::G1Affine {
    point
        .xy()
        .map_or(ours::G1Affine::identity(), |(x, y)| ours::G1Affine::new_unchecked(our_fq(&x), our_fq(&y)))
}

fn our_g2(point: &stock::G2Affine) -> ours::G2Affine {
    point
        .xy()
        .map_or(ours::G2Affine::identity(), |(x, y)| ours::G2Affine::new_unchecked(our_fq2(&x), our_fq2(&y)))
}

#[test]
fn parameters() {
    fn field<A: MontConfig<N>, B: MontConfig<N>, const N: usize>() {
        assert_eq!((A::MODULUS, A::R, A::R2, A::INV), (B::MODULUS, B::R, B::R2, B::INV));
        assert_eq!(A::GENERATOR.0, B::GENERATOR.0);
        assert_eq!(A::TWO_ADIC_ROOT_OF_UNITY.0, B::TWO_ADIC_ROOT_OF_UNITY.0);
        let exact = A::TWO_ADIC_ROOT_OF_UNITY
            .pow([1 << (ark_ff::Fp::<ark_ff::MontBackend<A, N>, N>::TWO_ADICITY - 1)]);
        assert_eq!(exact, -A::GENERATOR.pow([0u64]));
    }
    field::<ours::FqConfig, stock::FqConfig, 6>();
    field::<ours::FrConfig, stock::FrConfig, 4>();
    assert_eq!(our_g1(&stock::G1Affine::generator()), ours::G1Affine::generator());
    assert_eq!(our_g2(&stock::G2Affine::generator()), ours::G2Affine::generator());
    fn curve<A: SWCurveConfig, B: SWCurveConfig>() {
        assert_eq!(A::COFACTOR, B::COFACTOR);
        assert_eq!(A::COEFF_B.to_string(), B::COEFF_B.to_string());
        assert!(A::GENERATOR.is_on_curve());
        assert_eq!(
            <A as CurveConfig>::COFACTOR_INV.to_string(),
            <B as CurveConfig>::COFACTOR_INV.to_string()
        );
    }
    curve::<<ours::G1Affine as AffineRepr>::Config, stock::g1::Config>();
    curve::<<ours::G2Affine as AffineRepr>::Config, stock::g2::Config>();
}

#[test]
fn towers() {
    let mut rng = Rng(31);
    for round in 0..400 {
        let (a, b) = (fq2(&mut rng), fq2(&mut rng));
        let (x, y) = (our_fq2(&a), our_fq2(&b));
        assert_eq!(our_fq2(&(a * b)), x * y);
        assert_eq!(our_fq2(&a.square()), x.square());
        assert_eq!(a.inverse().map(|v| our_fq2(&v)), x.inverse());
        assert_eq!(a.sqrt().map(|v| our_fq2(&v)), x.sqrt());
        assert_eq!(our_fq2(&a.frobenius_map(1)), x.frobenius_map(1));
        let (a, b) = (fq12(&mut rng), fq12(&mut rng));
        let (x, y) = (our_fq12(&a), our_fq12(&b));
        assert_eq!(our_fq12(&(a * b)), x * y);
        assert_eq!(our_fq12(&a.square()), x.square());
        assert_eq!(a.inverse().map(|v| our_fq12(&v)), x.inverse());
        assert_eq!(our_fq12(&a.frobenius_map(round % 13)), x.frobenius_map(round % 13));
        assert_eq!(our_fq12(&a.cyclotomic_square()), x.cyclotomic_square());
    }
}

#[test]
fn groups() {
    let mut rng = Rng(32);
    let mut random = || BigInt::<4>(core::array::from_fn(|_| rng.next()));
    for _ in 0..20 {
        let (m, n) = (random(), random());
        let p = stock::G1Projective::generator().mul_bigint(m);
        let q = stock::G1Projective::generator().mul_bigint(n);
        let x = ours::G1Projective::generator().mul_bigint(m);
        let y = ours::G1Projective::generator().mul_bigint(n);
        for (theirs, found) in [(p + q, x + y), (p - q, x - y), (p - p, x - x), (p + p, x + x), (-p, -x)] {
            assert_eq!(our_g1(&theirs.into()), ours::G1Affine::from(found));
        }
        let mixed = (p + stock::G1Affine::from(q), x + ours::G1Affine::from(y));
        assert_eq!(our_g1(&mixed.0.into()), ours::G1Affine::from(mixed.1));
        let g2 = stock::G2Affine::generator().mul_bigint(m);
        let found = ours::G2Affine::generator().mul_bigint(m);
        assert_eq!(our_g2(&g2.into()), ours::G2Affine::from(found));
    }
}

#[test]
fn pairings() {
    let mut rng = Rng(33);
    for _ in 0..4 {
        let p: [stock::G1Affine; 3] =
            core::array::from_fn(|_| stock::G1Affine::generator().mul_bigint([rng.next()]).into());
        let q: [stock::G2Affine; 3] =
            core::array::from_fn(|_| stock::G2Affine::generator().mul_bigint([rng.next()]).into());
        let theirs = stock::Bls12_381::multi_pairing(p, q).0;
        let found = ours::Bls12_381::multi_pairing(p.map(|p| our_g1(&p)), q.map(|q| our_g2(&q))).0;
        assert_eq!(our_fq12(&theirs), found);
        // Of order r exactly: no constant of the final exponentiation is off.
        assert_eq!(found.pow(ours::Fr::MODULUS), ours::Fq12::from(1));
    }
}
