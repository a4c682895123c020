//! Lists of byte strings, as JavaScript hands them over: all bytes in one piece, and how long each element is.

use blobcheck_kzg::FreshSeed;
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

/// A seed that must be random, since partial sums are merged. Anything but 32 bytes throws.
pub(crate) fn fresh_seed(bytes: &[u8]) -> Result<FreshSeed, JsValue> {
    let bytes = bytes.try_into().map_err(|_| misuse("a random seed has 32 bytes"))?;
    Ok(FreshSeed::from_csprng(bytes))
}

/// A seed of a batch that is closed by itself: 32 bytes of the host's CSPRNG, or no bytes where it has none. Another length throws.
pub(crate) fn seed(bytes: &[u8]) -> Result<Option<FreshSeed>, JsValue> {
    match bytes {
        [] => Ok(None),
        _ => fresh_seed(bytes).map(Some),
    }
}
