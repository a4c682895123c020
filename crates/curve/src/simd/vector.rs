//! Two doubles side by side.
//!
//! In the relaxed-SIMD module they are one register, and `mul_add` is `f64x2.relaxed_madd`, which is sound only where
//! the engine fuses it: the module is chosen by a probe. Everywhere else they are a model of that, for the tests:
//! `f64::mul_add` is fused by definition.

pub(super) use implementation::F64x2;

#[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
mod implementation {
    use core::arch::wasm32::{
        f64x2, f64x2_add, f64x2_extract_lane, f64x2_mul, f64x2_relaxed_madd, f64x2_splat, f64x2_sub, u64x2,
        u64x2_extract_lane, u64x2_shr, u64x2_shuffle, u64x2_splat, u8x16_shuffle, v128, v128_and, v128_or,
        v128_xor,
    };

    /// Two doubles.
    #[derive(Clone, Copy, Debug)]
    pub struct F64x2(v128);

    impl F64x2 {
        #[inline(always)]
        pub const fn new(a: f64, b: f64) -> Self {
            Self(f64x2(a, b))
        }

        #[inline(always)]
        pub fn splat(a: f64) -> Self {
            Self(f64x2_splat(a))
        }

        #[inline(always)]
        pub fn lanes(self) -> [f64; 2] {
            [f64x2_extract_lane::<0>(self.0), f64x2_extract_lane::<1>(self.0)]
        }

        #[inline(always)]
        pub fn from_bits([a, b]: [u64; 2]) -> Self {
            Self(u64x2(a, b))
        }

        #[inline(always)]
        pub fn digits([a, b]: [[u8; 8]; 2], shift: u32, mask: u64) -> Self {
            let words = u64x2(u64::from_le_bytes(a), u64::from_le_bytes(b));
            let words = u8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8>(words, words);
            let digits = v128_and(u64x2_shr(words, shift), u64x2_splat(mask));
            // A double from 2⁵² on has its integer's bits above 2⁵² in its own lowest.
            let base = f64x2_splat(4_503_599_627_370_496.0);
            Self(f64x2_sub(v128_or(digits, base), base))
        }

        #[inline(always)]
        pub fn to_bits(self) -> [u64; 2] {
            [u64x2_extract_lane::<0>(self.0), u64x2_extract_lane::<1>(self.0)]
        }

        #[inline(always)]
        pub fn first(self) -> Self {
            Self(u64x2_shuffle::<0, 0>(self.0, self.0))
        }

        #[inline(always)]
        pub fn second(self) -> Self {
            Self(u64x2_shuffle::<1, 1>(self.0, self.0))
        }

        #[inline(always)]
        pub fn firsts(self, other: Self) -> Self {
            Self(u64x2_shuffle::<0, 2>(self.0, other.0))
        }

        #[inline(always)]
        pub fn seconds(self, other: Self) -> Self {
            Self(u64x2_shuffle::<1, 3>(self.0, other.0))
        }

        #[inline(always)]
        pub fn swapped(self) -> Self {
            Self(u64x2_shuffle::<1, 0>(self.0, self.0))
        }

        #[inline(always)]
        pub fn times_u(self) -> Self {
            Self(v128_xor(self.swapped().0, f64x2(-0.0, 0.0)))
        }

        #[inline(always)]
        pub fn mul_add(self, b: Self, c: Self) -> Self {
            Self(f64x2_relaxed_madd(self.0, b.0, c.0))
        }

        #[inline(always)]
        pub fn plus(self, b: Self) -> Self {
            Self(f64x2_add(self.0, b.0))
        }

        #[inline(always)]
        pub fn minus(self, b: Self) -> Self {
            Self(f64x2_sub(self.0, b.0))
        }

        #[inline(always)]
        pub fn times(self, b: Self) -> Self {
            Self(f64x2_mul(self.0, b.0))
        }
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "relaxed-simd")))]
mod implementation {
    /// Two doubles.
    #[derive(Clone, Copy, Debug)]
    pub struct F64x2([f64; 2]);

    impl F64x2 {
        /// Each lane by itself.
        #[inline(always)]
        pub const fn new(a: f64, b: f64) -> Self {
            Self([a, b])
        }

        /// The same in both lanes.
        #[inline(always)]
        pub fn splat(a: f64) -> Self {
            Self([a, a])
        }

        /// Both lanes.
        #[inline(always)]
        pub fn lanes(self) -> [f64; 2] {
            self.0
        }

        /// Doubles of these bits.
        #[inline(always)]
        pub fn from_bits(bits: [u64; 2]) -> Self {
            Self(bits.map(f64::from_bits))
        }

        /// Digits of big-endian words: shifted down by `shift` bits, under `mask`, which is below 2⁵².
        #[inline(always)]
        pub fn digits(words: [[u8; 8]; 2], shift: u32, mask: u64) -> Self {
            Self(words.map(|word| (u64::from_be_bytes(word) >> shift & mask) as f64))
        }

        /// The bits of the doubles.
        #[inline(always)]
        pub fn to_bits(self) -> [u64; 2] {
            self.0.map(f64::to_bits)
        }

        /// The first lane in both.
        #[inline(always)]
        pub fn first(self) -> Self {
            Self([self.0[0]; 2])
        }

        /// The second lane in both.
        #[inline(always)]
        pub fn second(self) -> Self {
            Self([self.0[1]; 2])
        }

        /// The first lanes of both.
        #[inline(always)]
        pub fn firsts(self, other: Self) -> Self {
            Self([self.0[0], other.0[0]])
        }

        /// The second lanes of both.
        #[inline(always)]
        pub fn seconds(self, other: Self) -> Self {
            Self([self.0[1], other.0[1]])
        }

        /// The lanes exchanged.
        #[inline(always)]
        pub fn swapped(self) -> Self {
            Self([self.0[1], self.0[0]])
        }

        /// (a + b·u)·u = −b + a·u, u² = −1.
        #[inline(always)]
        pub fn times_u(self) -> Self {
            Self([-self.0[1], self.0[0]])
        }

        /// self · b + c, rounded once.
        #[inline(always)]
        pub fn mul_add(self, b: Self, c: Self) -> Self {
            Self([self.0[0].mul_add(b.0[0], c.0[0]), self.0[1].mul_add(b.0[1], c.0[1])])
        }

        /// self + b.
        #[inline(always)]
        pub fn plus(self, b: Self) -> Self {
            Self([self.0[0] + b.0[0], self.0[1] + b.0[1]])
        }

        /// self − b.
        #[inline(always)]
        pub fn minus(self, b: Self) -> Self {
            Self([self.0[0] - b.0[0], self.0[1] - b.0[1]])
        }

        /// self · b.
        #[inline(always)]
        pub fn times(self, b: Self) -> Self {
            Self([self.0[0] * b.0[0], self.0[1] * b.0[1]])
        }
    }
}

impl core::ops::Add for F64x2 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl core::ops::Sub for F64x2 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.minus(other)
    }
}

impl core::ops::Mul for F64x2 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.times(other)
    }
}
