//! A reproducible generator: the same inputs on every run, so that a failure can be looked at again.

/// SplitMix64 (Steele, Lea and Flood 2014), from a seed.
#[derive(Clone, Debug)]
pub struct Rng(pub u64);

#[allow(clippy::should_implement_trait)] // endless: an iterator's Option would only be in the way
impl Rng {
    /// 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// 128 bits.
    pub fn u128(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    /// A number below `bound`, which is above zero.
    pub fn below<T: TryInto<u64> + TryFrom<u64>>(&mut self, bound: T) -> T {
        let below = |bound| T::try_from(self.next() % bound).ok();
        bound.try_into().ok().and_then(below).expect("a positive bound")
    }

    /// `N` bytes.
    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_be_bytes()[..chunk.len()]);
        }
        bytes
    }

    /// `length` bytes.
    pub fn vec(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }

    /// `count` chunks of SSZ.
    pub fn chunks(&mut self, count: usize) -> Vec<[u8; 32]> {
        (0..count).map(|_| self.bytes()).collect()
    }
}
