//! Cubic residues modulo p, by Euclid's way among the integers a + bω, ω² + ω + 1 = 0.
//!
//! They have unique factors. Their norm is N(a + bω) = a² − ab + b², their units are ±1, ±ω, ±ω², and λ = 1 − ω has the norm 3. With
//! p = N(π), the integers modulo π are those modulo p, and a number n is a cube there exactly if the symbol (n/π) is one, the power of ω
//! that n^((p−1)/3) is modulo π.
//!
//! An integer that λ does not divide is *primary* if it is −1 or 1 modulo 3, which one of its products with 1, ω and ω² is. For α and β
//! primary and without a common factor (α/β) = (β/α), which is the law of cubic reciprocity. With β = ±(−1 + 3(m + nω)) the rest is
//! (ω/β) = ω^(m+n), (λ/β) = ω^(2m), (−1/β) = 1 (Ireland, Rosen, "A Classical Introduction to Modern Number Theory", chapters 9 and 14).
//!
//! With α − qβ = λᵏ·u·ρ, u a unit and ρ primary, (α/β) is (λ/β)ᵏ·(u/β)·(β/ρ): the first two factors are known, and the third has smaller numbers. Quotients are estimated in doubles: a bad estimate
//! would make a larger remainder, and not a wrong symbol.

use crate::limbs::{of_30_bits, LIMBS_OF_30 as LIMBS};

const WIDTH: u32 = 30;
const LOW: i64 = (1 << WIDTH) - 1;

/// 2³⁰ as a double.
const LIMB: f64 = (1u64 << WIDTH) as f64;

/// π, N(π) = p, primary.
const PI: Eisenstein = Eisenstein {
    limbs: side_by_side(
        &of_30_bits(&[0x64ab_0000_aaaa_5555, 0x6585_c2ac_f958_6d56, 0x5e36_8889_a402_0336, 0, 0, 0]),
        &of_30_bits(&[0xc955_0000_5554_aaab, 0x32c2_e156_7cac_36aa, 0x2f1b_4444_d201_019b, 0, 0, 0]),
    ),
    len: 7,
};

/// 1/3 modulo 2⁶⁴, and so modulo 2³⁰.
const THIRD: i64 = 0xaaaa_aaaa_aaaa_aaab_u64 as i64;

/// Whether a number is a cube modulo p and not zero. It is below p, and in any fixed ratio to the one that is meant if that ratio is a cube: in
/// Montgomery form with R = 2³⁸⁴, for example.
pub(crate) fn is_cube(number: &[u64; 6]) -> bool {
    if *number == [0; 6] {
        return false;
    }
    let mut above = Eisenstein { limbs: side_by_side(&of_30_bits(number), &[0; LIMBS]), len: LIMBS };
    let mut below = PI;
    let (mut of_above, mut of_below) = (above.view(), below.view());
    let mut exponent = 0;
    // The remainder's norm is at most ¾ of the divisor's and a bit. It is never zero: a common factor of a number below p and π would be
    // π, and divide the number.
    loop {
        // Of a large quotient the top 30 bits are taken first, in units of 2³⁰ to some power. What is left then is at most half a unit, but
        // for 2⁻⁴⁹ of the quotient: each round has one power less.
        loop {
            let [mut q, mut r] = of_above.over(&of_below);
            let mut shift = 0;
            while q.abs().max(r.abs()) >= LIMB {
                (q, r) = (q / LIMB, r / LIMB);
                shift += 1;
            }
            above.subtract(q.round_ties_even() as i64, r.round_ties_even() as i64, &below, shift);
            of_above = above.view();
            if shift == 0 {
                break;
            }
        }
        while of_above.has_lambda {
            exponent += of_below.lambda;
            above.divide_by_lambda();
            of_above = above.view();
        }
        // above = ω^(−k)·ρ, ρ primary, and below = ω^(−l)·β: (above/β) = (ω/β)^(−k)·(β/ρ) and (β/ρ) = (ω/ρ)^l·(below/ρ).
        exponent += 2 * of_above.turns * of_below.omega + of_below.turns * of_above.omega;
        if of_above.norm() == 1.0 {
            return exponent % 3 == 0;
        }
        core::mem::swap(&mut above, &mut below);
        core::mem::swap(&mut of_above, &mut of_below);
    }
}

/// What is looked at of an integer.
struct View {
    /// a and b, right to 2⁻⁵⁰ of the larger one.
    a: f64,
    b: f64,
    /// Whether λ divides it; then what follows means nothing.
    has_lambda: bool,
    /// The power of ω with which it is primary.
    turns: u32,
    /// The power of ω that (ω/β) is for that product β, up to multiples of 3.
    omega: u32,
    /// The power of ω that (λ/β) is.
    lambda: u32,
}

impl View {
    /// The norm.
    fn norm(&self) -> f64 {
        self.a * (self.a - self.b) + self.b * self.b
    }

    /// The quotient, α·β̄/N(β) with β̄ = a − b − bω.
    fn over(&self, beta: &Self) -> [f64; 2] {
        let scale = 1.0 / beta.norm();
        let q = self.a * (beta.a - beta.b) + self.b * beta.b;
        [q * scale, (self.b * beta.a - self.a * beta.b) * scale]
    }
}

/// a + bω.
struct Eisenstein {
    /// a and b in limbs of 30 bits, least significant first. Those below the top one are from 0 to 2³⁰ − 1, the top one has the sign, and
    /// there are zeros above it. The top limb is at most 2³¹ in size: a and b are at most 2/√3 times the root of the norm, which does not grow, and
    /// when the last limb was dropped, both fitted into 30 bits and a sign there.
    limbs: [[i64; 2]; LIMBS],
    /// How many limbs there are, with the top one.
    len: usize,
}

/// The limbs of a and b.
const fn side_by_side(a: &[i64; LIMBS], b: &[i64; LIMBS]) -> [[i64; 2]; LIMBS] {
    let (mut limbs, mut i) = ([[0; 2]; LIMBS], 0);
    while i < LIMBS {
        limbs[i] = [a[i], b[i]];
        i += 1;
    }
    limbs
}

impl Eisenstein {
    #[inline(never)]
    fn view(&self) -> View {
        let (mut x, mut y) = (0.0, 0.0);
        let (mut a, mut b) = (0, 0);
        for [low, high] in self.limbs.iter().take(self.len).rev() {
            (x, y) = (x * LIMB + *low as f64, y * LIMB + *high as f64);
            // 2³⁰ is one modulo 9.
            (a, b) = (a + low, b + high);
        }
        // From 0 to 8, of sums that are above −9·2³⁰.
        let [mut a, mut b] = [a, b].map(|sum| (((sum & LOW) + (sum >> WIDTH) + 9) % 9) as u32);
        let mut turns = 0;
        while b % 3 != 0 && turns < 2 {
            // (a + bω)·ω
            (a, b) = (9 - b, (a + 9 - b) % 9);
            turns += 1;
        }
        let has_lambda = a % 3 == 0 || b % 3 != 0;
        // ±(−1 + 3(m + nω)).
        if a % 3 == 1 {
            (a, b) = (9 - a, 9 - b);
        }
        let m = a.div_ceil(3);
        View { a: x, b: y, has_lambda, turns, omega: m + b / 3, lambda: 2 * m }
    }

    /// Subtracts β·(q + rω)·2^(30·shift), |q| and |r| at most 2³⁰. A limb's sum is at most 3·2⁶¹ in size, with what it is handed
    /// below 2⁶³.
    #[inline(never)]
    fn subtract(&mut self, q: i64, r: i64, beta: &Self, shift: usize) {
        let end = LIMBS.min(self.len.max(beta.len + shift));
        let (mut low, mut high) = (0, 0);
        for ([a, b], [c, d]) in self.limbs.iter_mut().take(end).skip(shift).zip(&beta.limbs) {
            low += *a - (q * c - r * d);
            high += *b - (q * d + r * (c - d));
            (*a, *b) = (low & LOW, high & LOW);
            (low, high) = (low >> WIDTH, high >> WIDTH);
        }
        // The top limb has the sign.
        if let Some([a, b]) = self.limbs.get_mut(end - 1) {
            *a += low << WIDTH;
            *b += high << WIDTH;
        }
        self.len = end;
        self.trim();
    }

    /// Divides by λ, which divides it: (a + bω)/(1 − ω) = (2a − b + (a + b)ω)/3, limb by limb from the lowest.
    #[inline(never)]
    fn divide_by_lambda(&mut self) {
        let (mut low, mut high) = (0i64, 0i64);
        let mut left = self.len;
        for [a, b] in self.limbs.iter_mut().take(self.len) {
            left -= 1;
            // Nothing is left over at the top, which has the sign.
            let mask = if left == 0 { -1 } else { LOW };
            low += 2 * *a - *b;
            high += *a + *b;
            (*a, *b) = (low.wrapping_mul(THIRD) & mask, high.wrapping_mul(THIRD) & mask);
            (low, high) = ((low - 3 * *a) >> WIDTH, (high - 3 * *b) >> WIDTH);
        }
        self.trim();
    }

    /// Leaves out the limbs that have nothing but a sign.
    #[inline(never)]
    fn trim(&mut self) {
        while let Some([.., [a, b], [c, d]]) = self.limbs.get_mut(..self.len) {
            if (*c != 0 && *c != -1) || (*d != 0 && *d != -1) {
                return;
            }
            (*a, *b) = (*a + (*c << WIDTH), *b + (*d << WIDTH));
            (*c, *d) = (0, 0);
            self.len -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Fq;
    use crate::moduli::P;
    use ark_ff::{AdditiveGroup, BigInt, Field, PrimeField};

    /// n^((p−1)/3) = 1.
    fn by_power(number: Fq) -> bool {
        let mut exponent = BigInt(P);
        exponent.0[0] -= 1;
        // (p − 1)/3, which is exact: from the top.
        let mut rest = 0u128;
        for word in exponent.0.iter_mut().rev() {
            let value = rest << 64 | u128::from(*word);
            (*word, rest) = ((value / 3) as u64, value % 3);
        }
        assert_eq!(rest, 0);
        number.pow(exponent) == Fq::ONE
    }

    /// The twin agrees, and so it does of the number in Montgomery form.
    fn agrees(number: Fq) -> bool {
        let cube = by_power(number);
        assert_eq!(is_cube(&number.into_bigint().0), cube, "{number}");
        assert_eq!(is_cube(&number.0 .0), cube, "{number} in Montgomery form");
        cube
    }

    /// What π's a and b say ω is modulo p: −a/b.
    fn omega() -> Fq {
        let number = |part: usize| {
            let limbs = PI.limbs.iter().rev().map(|limb| Fq::from(limb[part] as u64));
            limbs.fold(Fq::ZERO, |sum, limb| sum * Fq::from(1u64 << WIDTH) + limb)
        };
        -number(0) * number(1).inverse().unwrap()
    }

    #[test]
    fn pi() {
        let omega = omega();
        assert_eq!(omega.square() + omega + Fq::ONE, Fq::ZERO);
        let view = PI.view();
        assert!(!view.has_lambda && view.turns == 0);
        // p divides its norm, which is below 1.5p.
        let p = P.iter().rev().fold(0.0, |p, word| p * 2f64.powi(64) + *word as f64);
        assert!(view.norm() / p < 1.5);
    }

    #[test]
    fn small_and_large_numbers() {
        assert!(!is_cube(&[0; 6]));
        let mut cubes = 0;
        for n in 1..150u64 {
            cubes += u32::from(agrees(Fq::from(n)));
            agrees(-Fq::from(n));
            assert!(agrees(Fq::from(n).pow([3])));
        }
        assert!((30..80).contains(&cubes), "{cubes}");
    }

    /// Quotients of every size, from tiny remainders on, and many factors of λ.
    #[test]
    fn small_remainders() {
        for omega in [omega(), -omega() - Fq::ONE] {
            for a in 0..8u64 {
                for b in 0..8u64 {
                    agrees(Fq::from(a) + Fq::from(b) * omega);
                    agrees(Fq::from(a) - Fq::from(b) * omega);
                }
            }
            let (mut lambdas, mut twos) = (Fq::ONE, Fq::ONE);
            for _ in 0..240 {
                (lambdas, twos) = (lambdas * (Fq::ONE - omega), twos.double());
                agrees(lambdas);
                agrees(twos);
                agrees(lambdas + twos * omega);
            }
        }
    }

    #[test]
    fn random_numbers() {
        let mut number = Fq::from(7u64);
        let mut cubes = 0;
        for _ in 0..500 {
            number = number.square() + Fq::from(11u64);
            cubes += u32::from(agrees(number));
        }
        assert!((120..220).contains(&cubes), "{cubes}");
    }
}
