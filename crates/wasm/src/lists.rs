//! Lists of byte strings, as JavaScript hands them over: all bytes in one piece, and how long each element is.

use wasm_bindgen::prelude::{JsError, JsValue};

/// A mistake of the TypeScript that calls this module, never a peer's: an `Error` of JavaScript's, which becomes no verdict.
pub(crate) fn misuse(message: &str) -> JsValue {
    JsError::new(message).into()
}

/// Splits bytes into elements of the given lengths, which must add up to all of them.
///
/// # Errors
/// [`misuse`] where they do not: an element that is cut short or left over would be another list than the caller's.
pub(crate) fn split<'a>(bytes: &'a [u8], lengths: &[u32]) -> Result<Vec<&'a [u8]>, JsValue> {
    let mut rest = bytes;
    let mut elements = Vec::with_capacity(lengths.len());
    for length in lengths {
        let Some((element, tail)) = rest.split_at_checked(*length as usize) else { return Err(torn()) };
        elements.push(element);
        rest = tail;
    }
    if rest.is_empty() {
        Ok(elements)
    } else {
        Err(torn())
    }
}

#[cold]
#[inline(never)]
fn torn() -> JsValue {
    misuse("the lengths of a list do not add up to its bytes")
}

/// Indices as the crates take them.
pub(crate) fn widen(indices: &[u32]) -> Vec<u64> {
    indices.iter().map(|&index| u64::from(index)).collect()
}

/// A seed that must be random: sums of other seeds must not be merged. Anything but 32 bytes throws.
pub(crate) fn random(seed: &[u8]) -> Result<[u8; 32], JsValue> {
    seed.try_into().map_err(|_| misuse("a partial sum needs a random seed of 32 bytes"))
}

/// A seed from JavaScript: 32 bytes of its CSPRNG, or none.
pub(crate) enum Seed {
    Random([u8; 32]),
    OfInputs,
}

impl Seed {
    /// No bytes mean that there is no CSPRNG. Anything else but 32 bytes throws.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, JsValue> {
        match bytes {
            [] => Ok(Self::OfInputs),
            _ => random(bytes).map(Self::Random),
        }
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
