//! Four integers of 32 bits, or two of 64: a register in WebAssembly, and a model of it everywhere else, for the tests.
//!
//! Sums and differences wrap around.

pub(super) use implementation::I32x4;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod implementation {
    use core::arch::wasm32::{
        i32x4, i32x4_add, i32x4_extract_lane, i32x4_mul, i32x4_shl, i32x4_shr, i32x4_shuffle, i32x4_splat,
        i32x4_sub, i64x2_add, i64x2_extmul_high_i32x4, i64x2_extmul_low_i32x4, i64x2_sub, u64x2_shr, v128,
        v128_and, v128_any_true, v128_xor,
    };

    /// Four integers of 32 bits, or two of 64.
    #[derive(Clone, Copy, Debug)]
    pub struct I32x4(v128);

    impl I32x4 {
        #[inline(always)]
        pub const fn new([a, b, c, d]: [i32; 4]) -> Self {
            Self(i32x4(a, b, c, d))
        }

        #[inline(always)]
        pub fn splat(a: i32) -> Self {
            Self(i32x4_splat(a))
        }

        #[inline(always)]
        pub fn lanes(self) -> [i32; 4] {
            [
                i32x4_extract_lane::<0>(self.0),
                i32x4_extract_lane::<1>(self.0),
                i32x4_extract_lane::<2>(self.0),
                i32x4_extract_lane::<3>(self.0),
            ]
        }

        #[inline(always)]
        pub fn any(self) -> bool {
            v128_any_true(self.0)
        }

        #[inline(always)]
        pub fn plus32(self, other: Self) -> Self {
            Self(i32x4_add(self.0, other.0))
        }

        #[inline(always)]
        pub fn minus32(self, other: Self) -> Self {
            Self(i32x4_sub(self.0, other.0))
        }

        #[inline(always)]
        pub fn times32(self, other: Self) -> Self {
            Self(i32x4_mul(self.0, other.0))
        }

        #[inline(always)]
        pub fn up32(self, bits: u32) -> Self {
            Self(i32x4_shl(self.0, bits))
        }

        #[inline(always)]
        pub fn down32(self, bits: u32) -> Self {
            Self(i32x4_shr(self.0, bits))
        }

        #[inline(always)]
        pub fn plus64(self, other: Self) -> Self {
            Self(i64x2_add(self.0, other.0))
        }

        #[inline(always)]
        pub fn minus64(self, other: Self) -> Self {
            Self(i64x2_sub(self.0, other.0))
        }

        #[inline(always)]
        pub fn above<const BITS: u32>(self) -> Self {
            Self(u64x2_shr(self.0, BITS))
        }

        #[inline(always)]
        pub fn and(self, other: Self) -> Self {
            Self(v128_and(self.0, other.0))
        }

        #[inline(always)]
        pub fn xor(self, other: Self) -> Self {
            Self(v128_xor(self.0, other.0))
        }

        #[inline(always)]
        pub fn low(self, other: Self) -> Self {
            Self(i64x2_extmul_low_i32x4(self.0, other.0))
        }

        #[inline(always)]
        pub fn high(self, other: Self) -> Self {
            Self(i64x2_extmul_high_i32x4(self.0, other.0))
        }

        #[inline(always)]
        pub fn shuffle<const I: usize, const J: usize, const K: usize, const L: usize>(
            self,
            other: Self,
        ) -> Self {
            Self(i32x4_shuffle::<I, J, K, L>(self.0, other.0))
        }
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod implementation {
    /// Four integers of 32 bits, or two of 64.
    #[derive(Clone, Copy, Debug)]
    pub struct I32x4([i32; 4]);

    impl I32x4 {
        /// Each lane by itself.
        #[inline(always)]
        pub const fn new(lanes: [i32; 4]) -> Self {
            Self(lanes)
        }

        /// The same in all lanes.
        #[inline(always)]
        pub fn splat(a: i32) -> Self {
            Self([a; 4])
        }

        /// All lanes.
        #[inline(always)]
        pub fn lanes(self) -> [i32; 4] {
            self.0
        }

        /// Whether any bit is set.
        #[inline(always)]
        pub fn any(self) -> bool {
            self.0 != [0; 4]
        }

        #[inline(always)]
        fn each(self, other: Self, f: impl Fn(i32, i32) -> i32) -> Self {
            let ([a, b, c, d], [e, g, h, i]) = (self.0, other.0);
            Self([f(a, e), f(b, g), f(c, h), f(d, i)])
        }

        #[inline(always)]
        fn words(self) -> [u64; 2] {
            let [a, b, c, d] = self.0.map(|lane| u64::from(lane as u32));
            [a | b << 32, c | d << 32]
        }

        #[inline(always)]
        fn of([a, b]: [u64; 2]) -> Self {
            Self([a as i32, (a >> 32) as i32, b as i32, (b >> 32) as i32])
        }

        /// Sums of 32 bits.
        #[inline(always)]
        pub fn plus32(self, other: Self) -> Self {
            self.each(other, i32::wrapping_add)
        }

        /// Differences of 32 bits.
        #[inline(always)]
        pub fn minus32(self, other: Self) -> Self {
            self.each(other, i32::wrapping_sub)
        }

        /// Products of 32 bits.
        #[inline(always)]
        pub fn times32(self, other: Self) -> Self {
            self.each(other, i32::wrapping_mul)
        }

        /// Each of four, so many bits up.
        #[inline(always)]
        pub fn up32(self, bits: u32) -> Self {
            Self(self.0.map(|lane| lane << bits))
        }

        /// Each of four, so many bits down, with its sign.
        #[inline(always)]
        pub fn down32(self, bits: u32) -> Self {
            Self(self.0.map(|lane| lane >> bits))
        }

        /// Sums of 64 bits.
        #[inline(always)]
        pub fn plus64(self, other: Self) -> Self {
            let ([a, b], [c, d]) = (self.words(), other.words());
            Self::of([a.wrapping_add(c), b.wrapping_add(d)])
        }

        /// Differences of 64 bits.
        #[inline(always)]
        pub fn minus64(self, other: Self) -> Self {
            let ([a, b], [c, d]) = (self.words(), other.words());
            Self::of([a.wrapping_sub(c), b.wrapping_sub(d)])
        }

        /// Each of two, so many bits down, without a sign.
        #[inline(always)]
        pub fn above<const BITS: u32>(self) -> Self {
            Self::of(self.words().map(|word| word >> BITS))
        }

        /// The bits that both have.
        #[inline(always)]
        pub fn and(self, other: Self) -> Self {
            self.each(other, |a, b| a & b)
        }

        /// The bits that one of both has.
        #[inline(always)]
        pub fn xor(self, other: Self) -> Self {
            self.each(other, |a, b| a ^ b)
        }

        /// The products of the first two of four, in 64 bits each.
        #[inline(always)]
        pub fn low(self, other: Self) -> Self {
            let ([a, b, ..], [c, d, ..]) = (self.0, other.0);
            Self::of([(a, c), (b, d)].map(|(a, b)| (i64::from(a) * i64::from(b)) as u64))
        }

        /// The products of the last two of four, in 64 bits each.
        #[inline(always)]
        pub fn high(self, other: Self) -> Self {
            let ([.., a, b], [.., c, d]) = (self.0, other.0);
            Self::of([(a, c), (b, d)].map(|(a, b)| (i64::from(a) * i64::from(b)) as u64))
        }

        /// Four of the eight lanes of both, by their numbers.
        #[inline(always)]
        pub fn shuffle<const I: usize, const J: usize, const K: usize, const L: usize>(
            self,
            other: Self,
        ) -> Self {
            let all = [self.0, other.0];
            Self([I, J, K, L].map(|i| all[i / 4][i % 4]))
        }
    }
}
