//! Coefficients in balanced ternary: 81 digits −1, 0, 1 ("trits"), one for each row of the batch subgroup test.
//!
//! The digits are kept in four chunks of 21, 20, 20 and 20, lowest first, each as a number in base 3 whose digits are
//! the trits plus one. A chunk's number minus (3ⁿ − 1)/2, which is n digits 1, is the value of its trits.

use crate::signed::Signed;

/// Rows of the test, and digits of a coefficient: 3⁸¹ > 2¹²⁸.
pub const ROWS: usize = 81;

/// Sums of four rows, or what is left of them: exact tests in the test of a batch.
pub const JOINED: usize = ROWS.div_ceil(4);

/// Digits of each chunk.
pub(crate) const CHUNKS: [u32; 4] = [21, 20, 20, 20];

/// A coefficient Σ 3ʲ·tⱼ with tⱼ in {−1, 0, 1}, j < 81. Different trits are different coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trits([u64; 4]);

impl Trits {
    /// Trits from 32 uniform bytes (four little-endian words).
    ///
    /// A word w gives ⌊w·3ⁿ/2⁶⁴⌋, which takes each value for ⌊2⁶⁴/3ⁿ⌋ or one more words, so that no value is likelier
    /// than 3⁻ⁿ(1 + 3ⁿ·2⁻⁶⁴): over all chunks, and for the digits of any part of them, than uniform by a factor of 1 + 2⁻²⁸ at most, since 3²¹ + 3·3²⁰ < 2³⁵.
    pub fn from_bytes(bytes: &[u8; 32]) -> Self {
        let mut chunks = [0; 4];
        for ((chunk, digits), word) in chunks.iter_mut().zip(CHUNKS).zip(bytes.as_chunks::<8>().0) {
            let product = u128::from(u64::from_le_bytes(*word)) * u128::from(3u64.pow(digits));
            // Below 3ⁿ ≤ 3²¹ < 2³⁴.
            *chunk = (product >> 64) as u64;
        }
        Self(chunks)
    }

    /// The coefficient.
    pub fn value(&self) -> Signed {
        let mut chunks = self.0.into_iter().zip(CHUNKS);
        let mut next = || {
            let (chunk, digits) = chunks.next().unwrap_or((0, 0));
            chunk as i128 - i128::from(3u64.pow(digits) / 2)
        };
        let lowest = next();
        let (second, third, top) = (next(), next(), next());
        const STEP: i128 = 3i128.pow(20);
        let upper = (top * STEP + third) * STEP + second; // at most 3⁶⁰/2 in size
        if upper == 0 {
            return Signed { negative: lowest < 0, magnitude: lowest.unsigned_abs() };
        }
        // |upper|·3²¹ is above |lowest| ≤ 3²¹/2, and their sum at most (3⁸¹ − 1)/2 < 2¹²⁸; neither wraps.
        let (shifted, lowest_size) = (upper.unsigned_abs() * 3u128.pow(21), lowest.unsigned_abs());
        let negative = upper < 0;
        let magnitude = if negative == (lowest < 0) { shifted + lowest_size } else { shifted - lowest_size };
        Signed { negative, magnitude }
    }

    /// The value of the trits `place..place + width` of a chunk (counted from 0 to 3), from −(3^width − 1)/2 to
    /// (3^width − 1)/2.
    pub(crate) fn digit(&self, chunk: usize, place: u32, width: u32) -> i64 {
        let chunk = self.0.get(chunk).copied().unwrap_or(0);
        let size = 3u64.pow(width);
        (chunk / 3u64.pow(place) % size) as i64 - (size / 2) as i64
    }
}
