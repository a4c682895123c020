//! Many messages.

use crate::four::sha256_four;
use crate::single::sha256;

/// Whether four messages in lanes are faster than four in turn: yes with 128-bit lanes, no where `sha2` has
/// the processor's own SHA instructions or where the lanes are arrays.
pub(crate) const FOUR_AT_ONCE_PAYS: bool = cfg!(all(target_arch = "wasm32", target_feature = "simd128"));

/// SHA-256 of each message, in order. A message is a list of parts.
///
/// Messages that stand next to each other and have the same total length are hashed four at a time; how a
/// message is cut into parts does not matter.
pub fn sha256_each<M: AsRef<[P]>, P: AsRef<[u8]>>(messages: &[M]) -> Vec<[u8; 32]> {
    let views: Vec<Vec<&[u8]>> =
        messages.iter().map(|parts| parts.as_ref().iter().map(AsRef::as_ref).collect()).collect();
    let mut digests = Vec::with_capacity(views.len());
    let mut rest = views.as_slice();
    while let Some((first, others)) = rest.split_first() {
        if FOUR_AT_ONCE_PAYS {
            if let [a, b, c, d, tail @ ..] = rest {
                if let Some(four) = sha256_four([a, b, c, d]) {
                    digests.extend_from_slice(&four);
                    rest = tail;
                    continue;
                }
            }
        }
        digests.push(sha256(first));
        rest = others;
    }
    digests
}
