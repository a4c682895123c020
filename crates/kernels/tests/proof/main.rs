//! The kernels are right for all numbers that they take: proved operation by operation, from the programs alone, without the sizes that their writers
//! have added up.
//!
//! | module | what it proves |
//! |---|---|
//! | [`doubles`] | the kernels on doubles, for relaxed SIMD |
//! | [`scalar`] | the kernels on words, from the text of their Rust |
//! | [`packed`] | the kernels on integers in lanes |
//!
//! The last two have in common what a machine's integers are taken for: [`symbols`], over polynomials ([`polynomial`]). [`code`] reads the Rust, [`bits`]
//! follows bits through words, and [`lanes`] goes through operations on vectors.
#![allow(clippy::unwrap_used)] // tests

mod bits;
mod code;
mod doubles;
mod lanes;
mod packed;
mod polynomial;
mod scalar;
mod symbols;

use num_bigint::{BigInt, Sign};

/// Why something is not proved.
type Failure = String;

/// A number out of its words, the lowest first.
fn integer(words: &[u64]) -> BigInt {
    BigInt::from_bytes_le(Sign::Plus, &words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
}

/// Numbers that look as if they were drawn, the same each time.
struct Draw(u64);

impl Draw {
    fn word(&mut self) -> u64 {
        // The upper bits of what a linear congruence gives are better than the lower ones.
        let mut half = || {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            self.0 >> 32
        };
        half() << 32 | half()
    }

    /// A number from 0 to `below` − 1.
    fn below(&mut self, below: &BigInt) -> BigInt {
        let words: Vec<u64> = (0..=below.bits() / 64 + 1).map(|_| self.word()).collect();
        integer(&words) % below
    }
}
