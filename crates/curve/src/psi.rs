//! ψ, the endomorphism of the curve over Fq2 that acts on G2 as multiplication by x, and how
//! it clears the cofactor. The subgroup test with it is in `g2_subgroup`.
//!
//! ψ takes (X, Y) to y² = x³ + 4 over Fq12, where the twist comes from, raises it to the p-th power and takes it back:
//! (X̄/(1+u)^((p−1)/3), Ȳ/(1+u)^((p−1)/2)).
//!
//! *The cofactor* is cleared by (x² − x − 1)P + (x − 1)ψ(P) + ψ²(2P) (Budroni, Pintore, eprint 2017/419), which is the
//! multiplication by h_eff in RFC 9380, section 8.8.2.

use crate::backend::{Fq, Fq2};
use crate::endomorphism::BETA;
use crate::engine::{self, Summing};
use crate::g2::{G2Affine, G2};
use ark_ec::AffineRepr;
use ark_ff::{AdditiveGroup, Field, MontFp};

/// (1 + u)^−((p−1)/3).
const X_FACTOR: Fq2 = Fq2::new(
    Fq::ZERO,
    MontFp!(
        "4002409555221667392624310435006688643935503118305586438271171395842971157480381377015405980053539358417135540939437"
    ),
);

/// (1 + u)^−((p−1)/2).
const Y_FACTOR: Fq2 = Fq2::new(
    MontFp!(
        "2973677408986561043442465346520108879172042883009249989176415018091420807192182638567116318576472649347015917690530"
    ),
    MontFp!(
        "1028732146235106349975324479215795277384839936929757896155643118032610843298655225875571310552543014690878354869257"
    ),
);

/// ψ(P). Conjugation fits Jacobian coordinates as they are: x = X/Z², y = Y/Z³.
pub(crate) fn psi(point: &G2) -> G2 {
    G2::new_unchecked(conjugate(&point.x) * X_FACTOR, conjugate(&point.y) * Y_FACTOR, conjugate(&point.z))
}

/// ψ²(P) = (β²x, −y), which is x²·P on G2: (1 + u)^((p²−1)/2) is −1, as 1 + u is no square, and (1 + u)^−((p²−1)/3) is β².
pub(crate) fn psi_squared(point: &G2Affine) -> G2Affine {
    let Some((mut x, y)) = point.xy() else { return *point };
    // 1 + β + β² = 0
    x.mul_assign_by_fp(&-(BETA + Fq::ONE));
    G2Affine::new_unchecked(x, -y)
}

/// A point of G2 from one of the curve: the cofactor's multiple that RFC 9380 takes.
pub(crate) fn clear_cofactor(point: &G2) -> G2 {
    let image = psi(point);
    // x(xP + ψ(P)) − (xP + ψ(P)) − P + ψ²(2P)
    let sum = image - times_x(point);
    let mut twice = *point;
    double(&mut twice);
    psi(&psi(&twice)) - times_x(&sum) - sum - *point
}

/// |x|·P by doubling and adding: 63 doublings, 5 additions. Complete on all inputs.
pub(crate) fn times_x(point: &G2) -> G2 {
    engine::times_x::<Summing>(point)
}

/// Out of line, as in [`g1`](crate::g1).
#[inline(never)]
pub(crate) fn double(point: &mut G2) {
    point.double_in_place();
}

fn conjugate(a: &Fq2) -> Fq2 {
    Fq2::new(a.c0, -a.c1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moduli::P;
    use crate::{g2, hash_to_g2};

    #[test]
    fn factors() {
        let base = Fq2::new(Fq::ONE, Fq::ONE);
        // (p − 1)/n, by long division from the top.
        let exponent = |n: u128| {
            let (mut out, mut rest) = (P, 0u128);
            out[0] -= 1;
            for limb in out.iter_mut().rev() {
                let value = rest << 64 | u128::from(*limb);
                (*limb, rest) = ((value / n) as u64, value % n);
            }
            assert_eq!(rest, 0);
            out
        };
        assert_eq!(X_FACTOR * base.pow(exponent(3)), Fq2::ONE);
        assert_eq!(Y_FACTOR * base.pow(exponent(2)), Fq2::ONE);
    }

    #[test]
    fn squared() {
        for point in hash_to_g2(&[b"1", b"2"], b"psi").into_iter().chain(g2::normalize(&[g2::identity()])) {
            assert_eq!(G2::from(psi_squared(&point)), psi(&psi(&point.into())));
        }
    }
}
