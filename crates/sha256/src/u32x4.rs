//! Four 32-bit lanes.
//!
//! The compression function in [`crate::four`] is written once, over [`U32x4`]. In WebAssembly with `simd128`
//! a `U32x4` is one `v128`; elsewhere it is an array, which the compiler may or may not put in a vector
//! register.

pub use imp::U32x4;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[allow(clippy::should_implement_trait)]
mod imp {
    use core::arch::wasm32::*;

    /// Four 32-bit words, one for each message.
    #[derive(Clone, Copy)]
    pub struct U32x4(v128);

    impl U32x4 {
        /// Lane `i` is `words[i]`.
        #[inline(always)]
        pub fn new(words: [u32; 4]) -> Self {
            Self(u32x4(words[0], words[1], words[2], words[3]))
        }

        /// All lanes are `word`.
        #[inline(always)]
        pub fn splat(word: u32) -> Self {
            Self(u32x4_splat(word))
        }

        /// The four words.
        #[inline(always)]
        pub fn words(self) -> [u32; 4] {
            [
                u32x4_extract_lane::<0>(self.0),
                u32x4_extract_lane::<1>(self.0),
                u32x4_extract_lane::<2>(self.0),
                u32x4_extract_lane::<3>(self.0),
            ]
        }

        /// Sum modulo 2³².
        #[inline(always)]
        pub fn add(self, other: Self) -> Self {
            Self(u32x4_add(self.0, other.0))
        }

        /// Exclusive or.
        #[inline(always)]
        pub fn xor(self, other: Self) -> Self {
            Self(v128_xor(self.0, other.0))
        }

        /// And.
        #[inline(always)]
        pub fn and(self, other: Self) -> Self {
            Self(v128_and(self.0, other.0))
        }

        /// Bits of `yes` where `self` has a one, of `no` elsewhere.
        #[inline(always)]
        pub fn select(self, yes: Self, no: Self) -> Self {
            Self(v128_bitselect(yes.0, no.0, self.0))
        }

        /// Logical shift right, `0 < n < 32`.
        #[inline(always)]
        pub fn shr(self, n: u32) -> Self {
            Self(u32x4_shr(self.0, n))
        }

        /// Rotation to the right, `0 < n < 32`.
        #[inline(always)]
        pub fn rotr(self, n: u32) -> Self {
            Self(v128_or(u32x4_shr(self.0, n), u32x4_shl(self.0, 32 - n)))
        }
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[allow(clippy::should_implement_trait)] // lane operations under their instructions' names
mod imp {
    use core::array::from_fn;

    /// Four 32-bit words, one for each message.
    #[derive(Clone, Copy)]
    pub struct U32x4([u32; 4]);

    impl U32x4 {
        /// Lane `i` is `words[i]`.
        #[inline(always)]
        pub fn new(words: [u32; 4]) -> Self {
            Self(words)
        }

        /// All lanes are `word`.
        #[inline(always)]
        pub fn splat(word: u32) -> Self {
            Self([word; 4])
        }

        /// The four words.
        #[inline(always)]
        pub fn words(self) -> [u32; 4] {
            self.0
        }

        /// Sum modulo 2³².
        #[inline(always)]
        pub fn add(self, other: Self) -> Self {
            Self(from_fn(|i| self.0[i].wrapping_add(other.0[i])))
        }

        /// Exclusive or.
        #[inline(always)]
        pub fn xor(self, other: Self) -> Self {
            Self(from_fn(|i| self.0[i] ^ other.0[i]))
        }

        /// And.
        #[inline(always)]
        pub fn and(self, other: Self) -> Self {
            Self(from_fn(|i| self.0[i] & other.0[i]))
        }

        /// Bits of `yes` where `self` has a one, of `no` elsewhere.
        #[inline(always)]
        pub fn select(self, yes: Self, no: Self) -> Self {
            Self(from_fn(|i| (self.0[i] & yes.0[i]) | (!self.0[i] & no.0[i])))
        }

        /// Logical shift right, `0 < n < 32`.
        #[inline(always)]
        pub fn shr(self, n: u32) -> Self {
            Self(self.0.map(|word| word >> n))
        }

        /// Rotation to the right, `0 < n < 32`.
        #[inline(always)]
        pub fn rotr(self, n: u32) -> Self {
            Self(self.0.map(|word| word.rotate_right(n)))
        }
    }
}
