//! Where panics are in the sources: of no use once nothing tells of them ([`crate::panics`]), and neither stable Rust nor
//! wasm-opt leaves it out. Blanked, it compresses to nothing; and with it go the paths of the machine that built the module.

use std::ops::Range;
use walrus::{ir::Value, ConstExpr, DataId, DataKind, Module};

/// Bytes of a `core::panic::Location`: the address and the length of a file's name, a line and a column.
const LOCATION_BYTES: usize = 16;

/// Blanks all places in the module's data, and the names of their files. Returns how many places there were.
pub fn blank(module: &mut Module) -> usize {
    let ids: Vec<DataId> = module.data.iter().map(|segment| segment.id()).collect();
    let mut places = 0;
    for id in ids {
        let segment = module.data.get_mut(id);
        let DataKind::Active { offset: ConstExpr::Value(Value::I32(start)), .. } = segment.kind else {
            continue;
        };
        let start = start as u32 as usize;
        let blanks = blanks(&segment.value, start);
        places += blanks.len();
        for range in blanks.into_iter().flatten() {
            segment.value[range].fill(0);
        }
    }
    places
}

/// The place and its file's name, for each place in a segment at the address `start`.
fn blanks(segment: &[u8], start: usize) -> Vec<[Range<usize>; 2]> {
    let aligned =
        (0..(segment.len() + 1).saturating_sub(LOCATION_BYTES)).filter(|at| (start + at).is_multiple_of(4));
    aligned
        .filter_map(|at| {
            let words = segment[at..at + LOCATION_BYTES]
                .as_chunks()
                .0
                .iter()
                .map(|word| u32::from_le_bytes(*word) as usize);
            let [address, length, line, column] = words.collect::<Vec<_>>().try_into().ok()?;
            let name = address.checked_sub(start)?..(address.checked_sub(start)?.checked_add(length)?);
            let text = segment.get(name.clone())?;
            // Four words that happen to name a text that happens to end so: not in a module of any size.
            let is_file = text.ends_with(b".rs") && text.iter().all(u8::is_ascii_graphic);
            let is_place = (1..1 << 20).contains(&line) && (1..1 << 12).contains(&column);
            (is_file && is_place).then_some([at..at + LOCATION_BYTES, name])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::blanks;

    #[test]
    fn places_and_what_only_looks_like_one() {
        let mut segment = b"crates/a/src/b.rs...".to_vec();
        for words in
            [[1000, 17, 7, 9], [1000, 17, 0, 9], [1000, 16, 7, 9], [999, 17, 7, 9], [1017, u32::MAX, 7, 9]]
        {
            segment.extend(words.iter().flat_map(|word: &u32| word.to_le_bytes()));
        }
        assert_eq!(blanks(&segment, 1000), [[20..36, 0..17]]);
        assert!(blanks(&segment, 1001).is_empty() && blanks(&[0; 15], 0).is_empty());
    }
}
