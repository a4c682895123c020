//! Which columns a node keeps (`fulu/das-core.md`).

use crate::data_column_sidecar::NUMBER_OF_COLUMNS;
use blobcheck_sha256::sha256;

/// `NUMBER_OF_CUSTODY_GROUPS`.
pub const NUMBER_OF_CUSTODY_GROUPS: u64 = 128;

/// `get_custody_groups(node_id, custody_group_count)`: the groups of a node, ascending. `node_id` is a 256-bit number,
/// big-endian. `None` for more groups than there are.
///
/// It draws until it has enough: some 570 hashes for 127 groups, and at most a few thousand for any id that exists.
pub fn get_custody_groups(node_id: &[u8; 32], custody_group_count: u64) -> Option<Vec<u64>> {
    if custody_group_count > NUMBER_OF_CUSTODY_GROUPS {
        return None;
    }
    if custody_group_count == NUMBER_OF_CUSTODY_GROUPS {
        return Some((0..NUMBER_OF_CUSTODY_GROUPS).collect());
    }
    let mut current_id = *node_id;
    current_id.reverse();
    let mut groups = Vec::new();
    while (groups.len() as u64) < custody_group_count {
        let [a, b, c, d, e, f, g, h, ..] = sha256(&[&current_id]);
        let group = u64::from_le_bytes([a, b, c, d, e, f, g, h]) % NUMBER_OF_CUSTODY_GROUPS;
        if !groups.contains(&group) {
            groups.push(group);
        }
        increment(&mut current_id);
    }
    groups.sort_unstable();
    Some(groups)
}

/// `compute_columns_for_custody_group(custody_group)`: the columns of a group, ascending. `None` for a group that is none.
pub fn compute_columns_for_custody_group(custody_group: u64) -> Option<Vec<u64>> {
    let columns_per_group = NUMBER_OF_COLUMNS / NUMBER_OF_CUSTODY_GROUPS;
    (custody_group < NUMBER_OF_CUSTODY_GROUPS)
        .then(|| (0..columns_per_group).map(|i| NUMBER_OF_CUSTODY_GROUPS * i + custody_group).collect())
}

/// Adds one to a little-endian number; after the greatest comes 0, as the specification has it.
fn increment(number: &mut [u8; 32]) {
    for byte in number {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            return;
        }
    }
}
