//! Lists of byte strings, as JavaScript hands them over: all bytes in one piece, and how long each element is.

use wasm_bindgen::prelude::JsValue;

/// Splits bytes into elements of the given lengths. JavaScript's side packs both, so that they agree; where they do not,
/// elements come out short, and the checks of their lengths refuse them.
pub(crate) fn split<'a>(bytes: &'a [u8], lengths: &[u32]) -> Vec<&'a [u8]> {
    let mut rest = bytes;
    lengths
        .iter()
        .map(|&length| {
            let (element, tail) = rest.split_at(rest.len().min(length as usize));
            rest = tail;
            element
        })
        .collect()
}

/// Indices as the crates take them.
pub(crate) fn widen(indices: &[u32]) -> Vec<u64> {
    indices.iter().map(|&index| u64::from(index)).collect()
}

/// A seed that must be random: sums of other seeds must not be merged. Anything but 32 bytes throws.
pub(crate) fn random(seed: &[u8]) -> Result<[u8; 32], JsValue> {
    seed.try_into().map_err(|_| JsValue::from_str("a partial sum needs a random seed of 32 bytes"))
}

/// A seed from JavaScript: 32 bytes of its CSPRNG, or none.
pub(crate) enum Seed {
    Random([u8; 32]),
    OfInputs,
}

impl Seed {
    /// Anything but 32 bytes means that there is no CSPRNG.
    pub(crate) fn read(bytes: &[u8]) -> Self {
        bytes.try_into().map_or(Self::OfInputs, Self::Random)
    }
}

impl blobcheck_kzg::randomness::SeedSource for Seed {
    fn seed(self, transcript: impl FnOnce() -> [u8; 32]) -> [u8; 32] {
        match self {
            Self::Random(seed) => seed,
            Self::OfInputs => transcript(),
        }
    }
}
