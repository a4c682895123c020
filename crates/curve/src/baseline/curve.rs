//! The curves and the pairing: arkworks' formulas, with arkworks' constants, over our fields.

use super::fq::{same, Fq};
use super::fr::{self, Fr};
use super::tower::{same2, Fq12Config, Fq2, Fq2Config, Fq6Config};
use ark_bls12_381 as arkworks;
use ark_ec::bls12::{self, Bls12, Bls12Config, TwistType};
use ark_ec::{short_weierstrass::SWCurveConfig, CurveConfig};
use ark_ff::AdditiveGroup;

/// The pairing.
pub type Bls12_381 = Bls12<Config>;
/// A point of G1, affine.
pub type G1Affine = bls12::G1Affine<Config>;
/// A point of G1, in Jacobian coordinates.
pub type G1Projective = bls12::G1Projective<Config>;
/// A point of G2, affine.
pub type G2Affine = bls12::G2Affine<Config>;
/// A point of G2, in Jacobian coordinates.
pub type G2Projective = bls12::G2Projective<Config>;

/// Parameters of the pairing.
#[derive(Clone, Copy)]
pub struct Config;
/// y² = x³ + 4 over Fq.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct G1Config;
/// y² = x³ + 4(1 + u) over Fq2.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct G2Config;

impl Bls12Config for Config {
    const X: &'static [u64] = arkworks::Config::X;
    const X_IS_NEGATIVE: bool = arkworks::Config::X_IS_NEGATIVE;
    const TWIST_TYPE: TwistType = arkworks::Config::TWIST_TYPE;
    type Fp = Fq;
    type Fp2Config = Fq2Config;
    type Fp6Config = Fq6Config;
    type Fp12Config = Fq12Config;
    type G1Config = G1Config;
    type G2Config = G2Config;
}

impl CurveConfig for G1Config {
    type BaseField = Fq;
    type ScalarField = Fr;
    const COFACTOR: &'static [u64] = arkworks::g1::Config::COFACTOR;
    const COFACTOR_INV: Fr = fr::same(arkworks::g1::Config::COFACTOR_INV);
}

impl SWCurveConfig for G1Config {
    const COEFF_A: Fq = Fq::ZERO;
    const COEFF_B: Fq = same(arkworks::g1::Config::COEFF_B);
    const GENERATOR: G1Affine =
        G1Affine::new_unchecked(same(arkworks::g1::G1_GENERATOR_X), same(arkworks::g1::G1_GENERATOR_Y));
    /// (0, 0) is not on the curve, and stands for the identity.
    type ZeroFlag = ();

    #[inline(always)]
    fn mul_by_a(_: Fq) -> Fq {
        Fq::ZERO
    }
}

impl CurveConfig for G2Config {
    type BaseField = Fq2;
    type ScalarField = Fr;
    const COFACTOR: &'static [u64] = arkworks::g2::Config::COFACTOR;
    const COFACTOR_INV: Fr = fr::same(arkworks::g2::Config::COFACTOR_INV);
}

impl SWCurveConfig for G2Config {
    const COEFF_A: Fq2 = Fq2::new(Fq::ZERO, Fq::ZERO);
    const COEFF_B: Fq2 = same2(arkworks::g2::Config::COEFF_B);
    const GENERATOR: G2Affine =
        G2Affine::new_unchecked(same2(arkworks::g2::G2_GENERATOR_X), same2(arkworks::g2::G2_GENERATOR_Y));
    /// (0, 0) is not on the curve, and stands for the identity.
    type ZeroFlag = ();

    #[inline(always)]
    fn mul_by_a(_: Fq2) -> Fq2 {
        Fq2::new(Fq::ZERO, Fq::ZERO)
    }
}
