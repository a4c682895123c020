//! Batch coefficients.
//!
//! Coefficients are 128-bit, independent, and never powers of one challenge: a batch of false claims passes
//! with probability 2⁻¹²⁸. They are expanded from a 32-byte seed that the makers of the proofs could not
//! know: from the platform's CSPRNG, drawn once the inputs are fixed, or else a hash of all inputs.

use blobcheck_curve::Trits;
use blobcheck_sha256::sha256_each;

pub use blobcheck_seed::FreshSeed;

const DOMAIN: &[u8] = b"blobcheck/coefficients/1";
/// With a seed and a counter 55 bytes, the most that SHA-256 takes in one block.
const TRITS_DOMAIN: &[u8] = b"blobcheck/trits";

/// Where a batch's seed comes from. An [`Accumulator`](crate::Accumulator) carries it in its type, because only sums with
/// coefficients of a [`FreshSeed`] may be merged.
///
/// Sealed: whether a source is fit for merging is proved for each of them, here.
pub trait SeedSource: sealed::Sealed {
    /// The seed; `transcript` hashes all inputs and is called only where the seed depends on them.
    fn seed(self, transcript: impl FnOnce() -> [u8; 32]) -> [u8; 32];
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::FreshSeed {}
    impl Sealed for super::FiatShamir {}
    impl Sealed for Option<super::FreshSeed> {}
}

impl SeedSource for FreshSeed {
    fn seed(self, _: impl FnOnce() -> [u8; 32]) -> [u8; 32] {
        self.into_bytes()
    }
}

/// The seed is SHA-256 over all inputs: for hosts without a CSPRNG, and for tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct FiatShamir;

impl SeedSource for FiatShamir {
    fn seed(self, transcript: impl FnOnce() -> [u8; 32]) -> [u8; 32] {
        transcript()
    }
}

/// A fresh seed where the host has a CSPRNG, else [`FiatShamir`]. Which of them it was, the type does not say: such sums are
/// closed, and never merged.
impl SeedSource for Option<FreshSeed> {
    fn seed(self, transcript: impl FnOnce() -> [u8; 32]) -> [u8; 32] {
        self.map_or_else(transcript, FreshSeed::into_bytes)
    }
}

/// The first `count` coefficients of a seed: the halves of SHA-256(domain ‖ seed ‖ counter), counter = 0, 1,
/// … as eight little-endian bytes.
pub fn coefficients(seed: &[u8; 32], count: usize) -> Vec<u128> {
    let digests = expand(DOMAIN, seed, count.div_ceil(2));
    let mut out: Vec<u128> =
        digests.as_flattened().as_chunks().0.iter().map(|half| u128::from_le_bytes(*half)).collect();
    out.truncate(count);
    out
}

/// The first `count` coefficients in balanced ternary of a seed, for batches whose subgroup test is summed up with
/// them: each from SHA-256("blobcheck/trits" ‖ seed ‖ counter), counter as for [`coefficients`].
pub fn trits(seed: &[u8; 32], count: usize) -> Vec<Trits> {
    expand(TRITS_DOMAIN, seed, count).iter().map(Trits::from_bytes).collect()
}

fn expand(domain: &[u8], seed: &[u8; 32], count: usize) -> Vec<[u8; 32]> {
    let counters: Vec<[u8; 8]> = (0..count as u64).map(u64::to_le_bytes).collect();
    let messages: Vec<[&[u8]; 3]> =
        counters.iter().map(|counter| [domain, &seed[..], &counter[..]]).collect();
    sha256_each(&messages)
}
