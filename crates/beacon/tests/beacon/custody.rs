use crate::support::naive;
use blobcheck_beacon::custody::{compute_columns_for_custody_group, get_custody_groups};
use blobcheck_testing::{vectors, Rng};

/// A decimal number of up to 256 bits, big-endian.
fn big(decimal: &str) -> [u8; 32] {
    let mut number = [0u8; 32];
    for digit in decimal.bytes() {
        let mut carry = u32::from(digit - b'0');
        for byte in number.iter_mut().rev() {
            carry += 10 * u32::from(*byte);
            *byte = carry as u8;
            carry >>= 8;
        }
        assert_eq!(carry, 0);
    }
    number
}

/// The text after a key, on one line.
fn after<'a>(text: &'a str, key: &str) -> &'a str {
    let rest = text.split(key).nth(1).unwrap();
    rest.split(|c: char| c.is_alphabetic()).next().unwrap().trim()
}

fn list(text: &str) -> Vec<u64> {
    text.trim_matches(['[', ']']).split(',').filter_map(|number| number.trim().parse().ok()).collect()
}

/// The cases of Fulu, and those of Gloas, whose rules are the same.
fn metas(handler: &str) -> Vec<std::path::PathBuf> {
    let folders = ["spec/minimal-fulu/networking", "gloas/minimal-gloas/networking"];
    folders.iter().flat_map(|folder| vectors::find(format!("{folder}/{handler}"), "meta.yaml")).collect()
}

#[test]
fn custody_groups_are_the_specs() {
    for meta in metas("get_custody_groups") {
        let text = vectors::text(&meta).split_whitespace().collect::<Vec<_>>().join(" ");
        let count = after(&text, "custody_group_count: ").parse().unwrap();
        let groups = get_custody_groups(&big(after(&text, "node_id: ")), count);
        assert_eq!(groups, Some(list(after(&text, "result: "))), "{}", meta.display());
    }
}

#[test]
fn columns_of_groups_are_the_specs() {
    for meta in metas("compute_columns_for_custody_group") {
        let text = vectors::text(&meta).split_whitespace().collect::<Vec<_>>().join(" ");
        let columns = compute_columns_for_custody_group(after(&text, "custody_group: ").parse().unwrap());
        assert_eq!(columns, Some(list(after(&text, "result: "))), "{}", meta.display());
    }
}

/// `get_custody_groups` of `fulu/das-core.md`, with numbers of 32 bytes added to by hand.
fn twin(node_id: &[u8; 32], count: usize) -> Vec<u64> {
    let mut groups = std::collections::BTreeSet::new();
    let mut id = *node_id;
    while groups.len() < count {
        let little_endian: Vec<u8> = id.iter().rev().copied().collect();
        let digest = naive::hash(&little_endian, &[]);
        groups.insert(u64::from_le_bytes(digest[..8].try_into().unwrap()) % 128);
        match id.iter().rposition(|byte| *byte != 0xff) {
            Some(position) => {
                id[position] += 1;
                id[position + 1..].fill(0);
            }
            None => id = [0; 32],
        }
    }
    groups.into_iter().collect()
}

#[test]
fn groups_of_random_and_extreme_nodes() {
    let mut random = Rng(31);
    let mut carries = [0xff; 32];
    carries[0] = 0;
    for id in [[0; 32], [0xff; 32], carries, random.bytes(), random.bytes()] {
        for count in [0, 1, 8, 100, 127, 128] {
            assert_eq!(get_custody_groups(&id, count), Some(twin(&id, count as usize)));
        }
        assert_eq!([get_custody_groups(&id, 129), get_custody_groups(&id, u64::MAX)], [None, None]);
    }
    assert_eq!(compute_columns_for_custody_group(127), Some(vec![127]));
    assert_eq!([128, u64::MAX].map(compute_columns_for_custody_group), [None, None]);
}
