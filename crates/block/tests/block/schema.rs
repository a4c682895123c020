//! The interpreter on small types, and the table of types against sizes that the specification's containers have.

use crate::support::part;
use crate::twin;
use blobcheck_block::{containers, hash_tree_root, validate, BlockFork, Fault, Field, Preset, Schema};
use blobcheck_testing::vectors::unhex;
use blobcheck_testing::Rng;

const UINT64: Schema = Schema::Uint(8);
const BYTES: Schema = Schema::ByteList(3);
const LISTS: Schema = Schema::List(&BYTES, 2);
const NUMBERS: Schema = Schema::ProgressiveList(&UINT64, 400);
const BITS: Schema = Schema::ProgressiveBitList(8_000);
const PAIR: Schema = Schema::Container(&[
    Field { name: "flag", schema: &Schema::Boolean },
    Field { name: "lists", schema: &LISTS },
    Field { name: "bits", schema: &Schema::BitVector(5) },
]);
const FIXED: Schema = Schema::Container(&[
    Field { name: "number", schema: &UINT64 },
    Field { name: "flag", schema: &Schema::Boolean },
]);

/// A container with such a one in a list.
const OUTER: Schema = Schema::Container(&[Field { name: "pairs", schema: &Schema::List(&PAIR, 2) }]);

/// EIP-7916's example, worked out with the specification's Python.
#[test]
fn a_progressive_list_has_the_specifications_root() {
    let ssz: Vec<u8> = (1..=5u64).flat_map(u64::to_le_bytes).collect();
    let wanted = unhex("29918e0447260511bc5be0f7dbb9817201e16e30c56af228b9cb931a16e8799d");
    assert_eq!(hash_tree_root(&NUMBERS, &ssz).expect("a list")[..], wanted);
    let empty = unhex("f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b");
    assert_eq!(hash_tree_root(&NUMBERS, &[]).expect("a list")[..], empty);
}

/// At every length around the ends of the subtrees: 1, 5, 21, 85 chunks.
#[test]
fn progressive_trees_agree_with_the_twin_at_every_length() {
    let mut rng = Rng(6);
    for length in 0..400usize {
        let ssz = rng.vec(8 * length);
        let value = twin::read(&NUMBERS, &ssz).expect("a list");
        assert_eq!(hash_tree_root(&NUMBERS, &ssz), Ok(twin::root(&NUMBERS, &value)), "{length}");
        let mut bits = rng.vec(2 * length + 1);
        if let Some(last) = bits.last_mut() {
            *last |= 1 << rng.below(8u64);
        }
        let value = twin::read(&BITS, &bits).expect("bits");
        assert_eq!(hash_tree_root(&BITS, &bits), Ok(twin::root(&BITS, &value)), "{length}");
    }
}

/// So many lists of one byte each.
fn lists_of_a_byte(count: usize) -> Vec<u8> {
    let offset = |at: usize| u32::try_from(4 * count + at).expect("an offset").to_le_bytes();
    [(0..count).flat_map(offset).collect(), vec![7; count]].concat()
}

#[test]
fn a_bound_of_ours_is_no_part_of_the_root() {
    const BOUNDED: Schema = Schema::BoundedList(&BYTES, 100, 5);
    const UNBOUNDED: Schema = Schema::List(&BYTES, 100);
    for count in 0..=5 {
        let ssz = lists_of_a_byte(count);
        let value = twin::read(&BOUNDED, &ssz).expect("a list");
        assert_eq!(twin::write(&BOUNDED, &value), ssz);
        assert_eq!(hash_tree_root(&BOUNDED, &ssz), hash_tree_root(&UNBOUNDED, &ssz));
        assert_eq!(hash_tree_root(&BOUNDED, &ssz), Ok(twin::root(&BOUNDED, &value)));
    }
    let error = validate(&BOUNDED, &lists_of_a_byte(6)).expect_err("too many");
    assert_eq!(error.fault, Fault::Limit);
    assert!(twin::read(&BOUNDED, &lists_of_a_byte(6)).is_none());
    assert!(validate(&UNBOUNDED, &lists_of_a_byte(6)).is_ok());
}

#[test]
fn a_payload_has_no_more_transactions_than_are_worked_on() {
    for fork in [BlockFork::Deneb, BlockFork::Electra] {
        for preset in [Preset::Mainnet, Preset::Minimal] {
            let transactions = part(containers::body(fork, preset), &["execution_payload", "transactions"]);
            let most = containers::MAX_TRANSACTIONS;
            assert!(validate(transactions, &lists_of_a_byte(most)).is_ok());
            let error = validate(transactions, &lists_of_a_byte(most + 1)).expect_err("too many");
            assert_eq!(error.fault, Fault::Limit);
        }
    }
}

#[test]
fn each_fault_has_its_name_and_its_place() {
    let fault = |schema: &Schema, bytes: &[u8]| {
        validate(schema, bytes).map_err(|error| (error.fault, error.path())).expect_err("a fault")
    };
    let at = |fault: Fault, path: &str| (fault, path.to_owned());
    // flag ‖ offset 6 ‖ bits ‖ (offset 8, offset 9) ‖ "a" ‖ "bc"
    let good = [1, 6, 0, 0, 0, 31, 8, 0, 0, 0, 9, 0, 0, 0, b'a', b'b', b'c'];
    assert_eq!(validate(&PAIR, &good), Ok(()));
    let with = |place: usize, byte: u8| {
        let mut bytes = good;
        bytes[place] = byte;
        bytes
    };
    assert_eq!(fault(&PAIR, &with(0, 2)), at(Fault::Boolean, "flag"));
    assert_eq!(fault(&PAIR, &with(1, 7)), at(Fault::Offset, ""));
    // offset 4 ‖ (offset 4) ‖ the pair
    let inside = |pair: &[u8]| [&[4, 0, 0, 0, 4, 0, 0, 0], pair].concat();
    assert_eq!(validate(&OUTER, &inside(&good)), Ok(()));
    assert_eq!(fault(&OUTER, &inside(&with(5, 32))), at(Fault::Bits, "pairs[0].bits"));
    assert_eq!(fault(&OUTER, &inside(&with(6, 4))), at(Fault::Limit, "pairs[0].lists[0]"));
    assert_eq!(fault(&PAIR, &with(5, 32)), at(Fault::Bits, "bits"));
    assert_eq!(fault(&PAIR, &with(6, 7)), at(Fault::Offset, "lists"));
    assert_eq!(fault(&PAIR, &with(6, 0)), at(Fault::Offset, "lists"));
    assert_eq!(fault(&PAIR, &with(6, 4)), at(Fault::Limit, "lists[0]"));
    assert_eq!(fault(&PAIR, &with(10, 7)), at(Fault::Offset, "lists"));
    assert_eq!(fault(&PAIR, &with(10, 12)), at(Fault::Offset, "lists"));
    assert_eq!(fault(&PAIR, &with(4, 1)), at(Fault::Offset, ""));
    assert_eq!(fault(&PAIR, &good[..5]), at(Fault::Length, ""));
    assert_eq!(fault(&PAIR, &[&good[..], &[1, 1]].concat()), at(Fault::Limit, "lists[1]"));
    assert_eq!(fault(&LISTS, &[12, 0, 0, 0, 12, 0, 0, 0, 12, 0, 0, 0]), at(Fault::Limit, ""));
    assert_eq!(fault(&LISTS, &[4, 0, 0]), at(Fault::Length, ""));
    assert_eq!(fault(&NUMBERS, &[0; 9]), at(Fault::Length, ""));
    assert_eq!(fault(&NUMBERS, &[0; 8 * 401]), at(Fault::Limit, ""));
    assert_eq!(fault(&BITS, &[]), at(Fault::Length, ""));
    assert_eq!(fault(&BITS, &[1, 0]), at(Fault::Bits, ""));
    assert_eq!(fault(&BITS, &[1; 1002]), at(Fault::Limit, ""));
    assert_eq!(fault(&Schema::BitList(8), &[255, 2]), at(Fault::Limit, ""));
    assert_eq!(validate(&Schema::BitList(8), &[255, 1]), Ok(()));
    assert_eq!(fault(&Schema::Boolean, &[]), at(Fault::Length, ""));
    assert_eq!(fault(&Schema::Vector(&UINT64, 2), &[0; 8]), at(Fault::Length, ""));
    // Nothing of a container's own says where its last field of fixed size ends.
    assert_eq!(validate(&FIXED, &[1; 9]), Ok(()));
    assert_eq!(fault(&FIXED, &[1; 8]), at(Fault::Length, ""));
    assert_eq!(fault(&FIXED, &[1; 10]), at(Fault::Length, ""));
    for fault in Fault::ALL {
        assert_eq!(Fault::ALL.iter().filter(|other| other.name() == fault.name()).count(), 1);
    }
}

/// The lengths of the fixed parts, which the specification's containers have in SSZ.
#[test]
fn fixed_parts_have_the_lengths_of_the_specification() {
    let fixed = |schema: &Schema| match schema {
        Schema::Container(fields) | Schema::ProgressiveContainer(fields) => {
            fields.iter().map(|field| field.schema.fixed_size().unwrap_or(4)).sum::<usize>()
        }
        _ => 0,
    };
    let body = |fork| fixed(containers::body(fork, Preset::Mainnet));
    assert_eq!([body(BlockFork::Deneb), body(BlockFork::Electra), body(BlockFork::Gloas)], [392, 396, 396]);
    assert_eq!(fixed(containers::block(BlockFork::Gloas, Preset::Mainnet)), 84);
}

/// What the JavaScript side builds JSON's SSZ by is JSON, and names each field of the body.
#[test]
fn a_description_is_json() {
    for fork in [BlockFork::Deneb, BlockFork::Electra, BlockFork::Gloas] {
        for preset in [Preset::Mainnet, Preset::Minimal] {
            let text = blobcheck_block::describe::describe(containers::block(fork, preset));
            let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(json[0], "container");
            assert_eq!(json[1][0], serde_json::json!(["slot", ["uint", 8]]));
            let body = &json[1][4];
            assert_eq!((&body[0], &body[1][0]), (&"body".into(), &"container".into()));
            let (Schema::Container(fields) | Schema::ProgressiveContainer(fields)) =
                containers::body(fork, preset)
            else {
                panic!("no container")
            };
            let names: Vec<_> =
                body[1][1].as_array().expect("fields").iter().map(|field| &field[0]).collect();
            assert_eq!(names, fields.iter().map(|field| field.name).collect::<Vec<_>>());
        }
    }
}
