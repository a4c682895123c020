//! Sums, differences and the last subtraction, on 64-bit words, least significant first.
//!
//! Additions are as frequent as multiplications in the towers of fields, and arkworks inlines each of them;
//! here they are one function a field. WebAssembly has no carry flag: a carry is a comparison. The loops are
//! unrolled by a macro, because a build for size would not unroll them.

/// a + b + carry, and the carry.
#[inline(always)]
const fn add_with_carry(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (sum, over) = a.overflowing_add(b);
    let (sum, again) = sum.overflowing_add(carry as u64);
    (sum, over | again)
}

/// a − b − borrow, and the borrow.
#[inline(always)]
const fn subtract_with_borrow(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (difference, under) = a.overflowing_sub(b);
    let (difference, again) = difference.overflowing_sub(borrow as u64);
    (difference, under | again)
}

/// All ones for true.
#[inline(always)]
const fn mask(condition: bool) -> u64 {
    (condition as u64).wrapping_neg()
}

macro_rules! modular {
    ($name:ident, $modulus:path, $words:literal: $($i:literal)*) => {
        pub(super) mod $name {
            use super::{add_with_carry, mask, subtract_with_borrow};

            type Words = [u64; $words];
            const MODULUS: Words = $modulus;
            // A sum of two numbers below the modulus has no carry.
            const _: () = assert!(MODULUS[$words - 1] >> 63 == 0);

            /// a + b modulo the modulus, for a and b below it.
            #[inline(always)]
            pub(in super::super) fn add(a: &Words, b: &Words) -> Words {
                let (mut sum, mut carry) = ([0; $words], false);
                $((sum[$i], carry) = add_with_carry(a[$i], b[$i], carry);)*
                debug_assert!(!carry);
                reduce(sum)
            }

            /// a − b modulo the modulus, for a and b below it.
            #[inline(always)]
            pub(in super::super) fn sub(a: &Words, b: &Words) -> Words {
                let (difference, borrow) = minus(a, b);
                let (mut sum, mut carry) = ([0; $words], false);
                $((sum[$i], carry) = add_with_carry(difference[$i], MODULUS[$i] & mask(borrow), carry);)*
                debug_assert!(carry == borrow);
                sum
            }

            /// A number below twice the modulus, modulo the modulus.
            #[inline(always)]
            fn reduce(value: Words) -> Words {
                let (mut less, borrow) = minus(&value, &MODULUS);
                $(less[$i] ^= (less[$i] ^ value[$i]) & mask(borrow);)*
                less
            }

            /// The same for a number that is rarely above the modulus: a branch on the top word, well predicted.
            #[inline(always)]
            pub(in super::super) fn reduce_rarely(value: Words) -> Words {
                if value[$words - 1] < MODULUS[$words - 1] { value } else { reduce(value) }
            }

            /// a − b modulo 2^(64·words), and whether b was larger.
            #[inline(always)]
            fn minus(a: &Words, b: &Words) -> (Words, bool) {
                let (mut difference, mut borrow) = ([0; $words], false);
                $((difference[$i], borrow) = subtract_with_borrow(a[$i], b[$i], borrow);)*
                (difference, borrow)
            }
        }
    };
}

modular!(fq, crate::moduli::P, 6: 0 1 2 3 4 5);
modular!(fr, crate::moduli::R, 4: 0 1 2 3);
