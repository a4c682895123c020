//! Which columns a node keeps (`fulu/das-core.md`).

use blobcheck_beacon::custody;
use wasm_bindgen::prelude::wasm_bindgen;

/// `get_custody_groups`: the groups of a node, ascending. `node_id` is a 256-bit number, 32 bytes, big-endian. Undefined for
/// bytes of another length, and for more than 128 groups.
#[wasm_bindgen(js_name = getCustodyGroups)]
pub fn get_custody_groups(node_id: &[u8], custody_group_count: u64) -> Option<Vec<u64>> {
    custody::get_custody_groups(node_id.try_into().ok()?, custody_group_count)
}

/// `compute_columns_for_custody_group`: the columns of a group, ascending. Undefined for a group that is none.
#[wasm_bindgen(js_name = computeColumnsForCustodyGroup)]
pub fn compute_columns_for_custody_group(custody_group: u64) -> Option<Vec<u64>> {
    custody::compute_columns_for_custody_group(custody_group)
}
