//! Inverses modulo p, 30 steps of a greatest common divisor at a time (Bernstein, Yang, "Fast constant-time gcd
//! computation and modular inversion", 2019; here in variable time: what is inverted is public).
//!
//! A step makes of an odd f and a g the pair (g, (g − f)/2), (f, (g + f)/2) or (f, g/2), and which depends on the lowest
//! bits alone. So 30 steps are worked out on words, as a matrix T with entries of at most 2³⁰ in size, also as sums of
//! a row's, and then done to the long numbers: (f, g) ← T·(f, g)/2³⁰, where the division is exact, and (d, e) ← T·(d,
//! e)/2³⁰ modulo p. At all times f = d·x and g = e·x modulo p, for the x that is inverted. For p of 381 bits g is zero
//! after at most 1,102 steps; then f is ±1, p being prime, and ±d the inverse.
//!
//! Numbers are in signed form: 13 limbs, those below the top one between 0 and 2³⁰. f and g lie between −p and p, d and
//! e between −2p and p.

use crate::limbs::{of_30_bits, LIMBS_OF_30 as LIMBS};
use crate::moduli;

const WIDTH: u32 = 30;
const LOW: i64 = (1 << WIDTH) - 1;

type Number = [i64; LIMBS];

const P: Number = of_30_bits(&moduli::P);

/// 1/p modulo 2³⁰. Newton: each round doubles the number of right bits; x = p is right modulo 8.
const INVERSE: i64 = {
    let (mut x, mut round) = (P[0], 0);
    while round < 4 {
        x = x.wrapping_mul(2i64.wrapping_sub(P[0].wrapping_mul(x)));
        round += 1;
    }
    x & LOW
};

/// More rounds than 1,102 steps need: a bound for the loop that is never met.
const ROUNDS: usize = 40;

/// 1/x modulo p for an x below p; `None` for zero.
pub(super) fn inverse(x: &[u64; 6]) -> Option<[u64; 6]> {
    if *x == [0; 6] {
        return None;
    }
    let (mut f, mut g) = (P, of_30_bits(x));
    let (mut d, mut e) = ([0; LIMBS], [0; LIMBS]);
    e[0] = 1;
    let mut delta = 1;
    for _ in 0..ROUNDS {
        let matrix = steps(&mut delta, f[0], g[0]);
        divided(&mut f, &mut g, &matrix);
        divided_modulo_p(&mut d, &mut e, &matrix);
        if g == [0; LIMBS] {
            return Some(words(&d, f[LIMBS - 1] < 0));
        }
    }
    None
}

/// ((u, v), (q, r)) with 2³⁰ times the result of 30 steps as its product with (f, g), which are taken by their low bits.
fn steps(delta: &mut i64, f: i64, g: i64) -> [i64; 4] {
    let (mut f, mut g) = (f, g);
    let [mut u, mut v, mut q, mut r] = [1i64, 0, 0, 1];
    let mut left = WIDTH;
    loop {
        // As many halvings as g has zeros: f's factors double in their place.
        let zeros = g.trailing_zeros().min(left);
        g >>= zeros;
        (u, v) = (u << zeros, v << zeros);
        *delta += i64::from(zeros);
        left -= zeros;
        if left == 0 {
            return [u, v, q, r];
        }
        // Both are odd: a step's addition, after an exchange if g is to become f.
        if *delta > 0 {
            *delta = -*delta;
            (f, g) = (g, -f);
            (u, v, q, r) = (q, r, -u, -v);
        }
        // With δ ≤ 0, the next 1 − δ steps exchange nothing: g + w·f clears that many bits, 6 at most, as f·(2 − f²) is 1/f
        // modulo 64.
        let bits = left.min((1 - *delta).min(6) as u32);
        let w = g.wrapping_mul(f.wrapping_mul(f.wrapping_mul(f).wrapping_sub(2))) & ((1 << bits) - 1);
        g = g.wrapping_add(f.wrapping_mul(w));
        (q, r) = (q + u * w, r + v * w);
    }
}

/// T·(f, g)/2³⁰. A limb's sum is below 2³⁰·2³⁰ in size, and with what it is handed below 2⁶¹.
fn divided(f: &mut Number, g: &mut Number, [u, v, q, r]: &[i64; 4]) {
    let (mut low, mut high) = (u * f[0] + v * g[0], q * f[0] + r * g[0]);
    for i in 1..LIMBS {
        low = (low >> WIDTH) + u * f[i] + v * g[i];
        high = (high >> WIDTH) + q * f[i] + r * g[i];
        (f[i - 1], g[i - 1]) = (low & LOW, high & LOW);
    }
    (f[LIMBS - 1], g[LIMBS - 1]) = (low >> WIDTH, high >> WIDTH);
}

/// T·(d, e)/2³⁰ modulo p.
///
/// Negative ones of d and e are taken with p added, so that T's sums lie between −2³⁰·p and 2³⁰·p. The multiple of p that
/// clears the low bits is at most 2³⁰ − 1, and subtracted: what is left lies between −2p and p. A limb's sum is below 2⁶⁰ +
/// 2³¹·2³⁰ and a bit.
fn divided_modulo_p(d: &mut Number, e: &mut Number, [u, v, q, r]: &[i64; 4]) {
    let (d_sign, e_sign) = (d[LIMBS - 1] >> 63, e[LIMBS - 1] >> 63);
    let (mut low, mut high) = (u * d[0] + v * e[0], q * d[0] + r * e[0]);
    let clear = |sum: i64, more: i64| more - ((INVERSE.wrapping_mul(sum & LOW) + more) & LOW);
    let (m, n) = (clear(low, (u & d_sign) + (v & e_sign)), clear(high, (q & d_sign) + (r & e_sign)));
    (low, high) = (low + m * P[0], high + n * P[0]);
    for i in 1..LIMBS {
        low = (low >> WIDTH) + u * d[i] + v * e[i] + m * P[i];
        high = (high >> WIDTH) + q * d[i] + r * e[i] + n * P[i];
        (d[i - 1], e[i - 1]) = (low & LOW, high & LOW);
    }
    (d[LIMBS - 1], e[LIMBS - 1]) = (low >> WIDTH, high >> WIDTH);
}

/// ±x, which lies between −2p and 2p, modulo p.
fn words(x: &Number, negative: bool) -> [u64; 6] {
    let sign = if negative { -1 } else { 1 };
    let mut x = x.map(|limb| sign * limb);
    carry(&mut x, 0);
    for _ in 0..2 {
        if is_negative(&x) {
            carry(&mut x, 1);
        }
    }
    let mut less = x;
    carry(&mut less, -1);
    if !is_negative(&less) {
        x = less;
    }
    let mut out = [0u64; 6];
    for (i, limb) in x.iter().enumerate() {
        let (word, shift) = (i * WIDTH as usize / 64, i * WIDTH as usize % 64);
        out[word] |= (*limb as u64) << shift;
        if word < 5 && shift > 34 {
            out[word + 1] |= *limb as u64 >> (64 - shift);
        }
    }
    out
}

/// x plus `times` p, its limbs but the top one between 0 and 2³⁰.
fn carry(x: &mut Number, times: i64) {
    let mut over = 0;
    for (i, (limb, p)) in x.iter_mut().zip(P).enumerate() {
        over += *limb + times * p;
        *limb = if i + 1 < LIMBS { over & LOW } else { over };
        over >>= WIDTH;
    }
}

fn is_negative(x: &Number) -> bool {
    x[LIMBS - 1] < 0
}
