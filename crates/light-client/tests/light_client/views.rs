//! What readers that know no SSZ are shown.

use crate::support::synthetic::*;
use blobcheck_light_client::view::{
    view_header, view_store, view_update, HEADER_VIEW_BYTES, PARENT_BLOCK_HASH,
};
use blobcheck_light_client::{process_light_client_update, Committees};

/// The numbers at the end of a view.
fn numbers(view: &[u8], count: usize) -> Vec<u64> {
    view[view.len() - 8 * count..].as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect()
}

#[test]
fn updates() {
    for (update, expected) in [
        (update(156, Some(144), 22), [157, 22, 2, 1, 1]),
        (without_committee(update(ELECTRA + 20, None, 7)), [ELECTRA + 21, 7, 3, 0, 0]),
    ] {
        let view = view_update(&chain(), &update);
        assert_eq!(view.len(), 2 * HEADER_VIEW_BYTES + 40);
        let mut headers = Vec::new();
        view_header(&chain(), &update.attested_header, &mut headers);
        view_header(&chain(), &update.finalized_header, &mut headers);
        assert_eq!(view[..2 * HEADER_VIEW_BYTES], headers);
        assert_eq!(numbers(&view, 5), expected);
    }
}

#[test]
fn stores() {
    let mut store = store_with_next(136);
    let weak = update(150, None, 9);
    process_light_client_update(&chain(), &mut store, &weak, u64::MAX, &mut Committees::new()).unwrap();
    let view = view_store(&chain(), &store);
    assert_eq!(view.len(), 2 * HEADER_VIEW_BYTES + 64);
    assert_eq!(numbers(&view, 8), [2, 2, 1, 0, 9, 9, 150, SIZE as u64]);
    assert_eq!(view[..8], 136u64.to_le_bytes());
}

#[test]
fn headers() {
    let mut view = Vec::new();
    let header = block(GLOAS + 3, Some(GLOAS)).header;
    view_header(&chain(), &header, &mut view);
    assert_eq!(view.len(), HEADER_VIEW_BYTES);
    assert_eq!(view[112..144], header.beacon.hash_tree_root());
    assert_eq!(view[176..208], *header.execution.block_hash());
    assert_eq!(numbers(&view, 4), [0, 0, u64::MAX, PARENT_BLOCK_HASH]);
}
