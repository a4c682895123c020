//! The baseline's fields against arkworks', on random and on extreme values.

use super::extremes::rounds;
use crate::support::Rng;
use ark_ff::{AdditiveGroup, BigInt, BigInteger, Field, Fp, MontBackend, MontConfig, PrimeField};
use blobcheck_curve::baseline;

/// Words that make limbs of zeros, of ones, and single bits at limb and word borders.
fn extreme_words<const N: usize>(rng: &mut Rng) -> [u64; N] {
    let mut words = [0u64; N];
    match rng.below(5) {
        0 => words.iter_mut().for_each(|word| *word = [0, u64::MAX][rng.below(2)]),
        1 => words.iter_mut().for_each(|word| *word = [0, 1, u64::MAX, 1 << 63, rng.next()][rng.below(5)]),
        2 => {
            for limb in 0..64 * N / 15 {
                let value = [0, 0x7fff, 0x7ffe, 1][rng.below(4)];
                let at = 15 * limb;
                words[at / 64] |= value << (at % 64);
                if at % 64 > 49 && at / 64 + 1 < N {
                    words[at / 64 + 1] |= value >> (64 - at % 64);
                }
            }
        }
        3 => (0..1 + rng.below(3)).for_each(|_| {
            let at = rng.below(64 * N);
            words[at / 64] ^= 1 << (at % 64);
        }),
        _ => words.iter_mut().for_each(|word| *word = rng.next()),
    }
    words
}

/// A Montgomery form below the modulus: random, extreme, or near 0, p, R and their halves.
fn form<C: MontConfig<N>, const N: usize>(rng: &mut Rng) -> BigInt<N> {
    let mut value = match rng.below(4) {
        0 => BigInt(core::array::from_fn(|_| rng.next())),
        1 => BigInt(extreme_words(rng)),
        2 => [BigInt([0; N]), C::MODULUS, C::R, C::R2][rng.below(4)],
        _ => C::MODULUS,
    };
    if rng.below(3) == 0 {
        let small = BigInt::from(rng.below(3) as u64);
        if rng.below(2) == 0 {
            value.add_with_carry(&small);
        } else {
            value.sub_with_borrow(&small);
        }
    }
    if rng.below(8) == 0 {
        value.div2();
    }
    while value >= C::MODULUS {
        if value.num_bits() > C::MODULUS.num_bits() {
            value.div2();
        } else {
            value.sub_with_borrow(&C::MODULUS);
        }
    }
    value
}

/// A number modulo the modulus, by subtractions of its shifts.
fn remainder<C: MontConfig<N>, const N: usize>(mut value: BigInt<N>) -> BigInt<N> {
    for shift in (0..C::MODULUS.num_bits().abs_diff(64 * N as u32)).rev() {
        let multiple = C::MODULUS << shift;
        if value >= multiple {
            value.sub_with_borrow(&multiple);
        }
    }
    value
}

type Of<C, const N: usize> = Fp<MontBackend<C, N>, N>;

/// Every operation of field `Ours` on `rounds` pairs, and whether `Theirs` has the same form as the result.
fn compare<Ours: MontConfig<N>, Theirs: MontConfig<N>, const N: usize>(seed: u64, rounds: usize) {
    let mut rng = Rng(seed);
    for round in 0..rounds {
        let forms: [BigInt<N>; 4] = core::array::from_fn(|_| form::<Theirs, N>(&mut rng));
        let [a, b, c, d] = forms.map(Of::<Ours, N>::new_unchecked);
        let [e, f, g, h] = forms.map(Of::<Theirs, N>::new_unchecked);
        let case = || format!("{forms:x?}");
        assert_eq!((a * b).0, (e * f).0, "{}", case());
        assert_eq!(a.square().0, e.square().0, "{}", case());
        assert_eq!((a + b).0, (e + f).0, "{}", case());
        assert_eq!((a - b).0, (e - f).0, "{}", case());
        assert_eq!((-a).0, (-e).0, "{}", case());
        assert_eq!(a.double().0, e.double().0, "{}", case());
        assert_eq!(a.into_bigint(), e.into_bigint(), "{}", case());
        let ours = Of::<Ours, N>::sum_of_products(&[a, b], &[c, d]);
        assert_eq!(ours.0, Of::<Theirs, N>::sum_of_products(&[e, f], &[g, h]).0, "{}", case());
        if round % 8 == 0 {
            assert_eq!(a.inverse().map(|x| x.0), e.inverse().map(|x| x.0), "{}", case());
        }
        if round % 64 == 0 {
            assert_eq!(a.sqrt().map(|x| x.0), e.sqrt().map(|x| x.0), "{}", case());
            assert_eq!(a.pow([round as u64]).0, e.pow([round as u64]).0, "{}", case());
            let ours = Of::<Ours, N>::sum_of_products(&[a, b, c], &[d, c, a]);
            assert_eq!(ours.0, Of::<Theirs, N>::sum_of_products(&[e, f, g], &[h, g, e]).0);
        }
        // One factor may be any number below R/2: all limbs can be ones.
        let mut wide = BigInt(extreme_words::<N>(&mut rng));
        wide.0[N - 1] >>= 1;
        let product = Of::<Ours, N>::new_unchecked(wide) * b;
        let reduced = Of::<Ours, N>::new_unchecked(remainder::<Theirs, N>(wide));
        assert_eq!(product, reduced * b, "{wide:x?} {}", case());
        // The other way in: plain integers, which may be anything.
        let integer = BigInt(extreme_words(&mut rng));
        assert_eq!(
            Of::<Ours, N>::from_bigint(integer).map(|x| x.0),
            Of::<Theirs, N>::from_bigint(integer).map(|x| x.0)
        );
    }
}

/// How often each field is compared: 200,000 times, or `BLOBCHECK_ROUNDS`. Twenty million take a minute in release:
/// `BLOBCHECK_ROUNDS=20000000 cargo test --release -p blobcheck-curve --test curve kernels::baseline`.
const ROUNDS: usize = 200_000;

#[test]
fn base_field() {
    compare::<baseline::FqConfig, ark_bls12_381::FqConfig, 6>(1, rounds(ROUNDS));
}

#[test]
fn scalar_field() {
    compare::<baseline::FrConfig, ark_bls12_381::FrConfig, 4>(2, rounds(ROUNDS));
}
