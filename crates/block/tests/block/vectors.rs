//! The official cases of `ssz_static`: Deneb to Gloas, both presets.

use crate::support::{cases, Kind};
use crate::twin;
use blobcheck_block::{block, hash_tree_root, read_block, Bid, Schema};

#[test]
fn there_are_cases_of_each_kind() {
    for folder in ["mainnet", "minimal"] {
        for fork in ["deneb", "electra", "fulu", "gloas"] {
            for kind in ["BeaconBlock", "BeaconBlockBody", "SignedBeaconBlock"] {
                let start = format!("blocks/{folder}-{fork}/ssz_static/{kind}/");
                assert!(cases().iter().filter(|case| case.name.starts_with(&start)).count() >= 4, "{start}");
            }
        }
    }
}

#[test]
fn roots_are_the_official_ones() {
    for case in cases() {
        let (schema, ssz) = case.inside();
        let root = hash_tree_root(schema, ssz).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let value = twin::read(schema, ssz).expect("a value");
        assert_eq!(root, twin::root(schema, &value), "{}", case.name);
        assert_eq!(twin::write(schema, &value), ssz, "{}", case.name);
        match case.kind {
            // The root of a signed block is another one: that of its signature, too.
            Kind::Signed => {
                let signature = Schema::Bytes(96);
                let signature = hash_tree_root(&signature, &case.ssz[4..100]).expect("a signature");
                assert_eq!(
                    blobcheck_block::merkle::hash_pair(&root, &signature),
                    *case.root,
                    "{}",
                    case.name
                );
            }
            _ => assert_eq!(root, *case.root, "{}", case.name),
        }
    }
}

#[test]
fn blocks_say_what_is_in_them() {
    for case in cases().iter().filter(|case| case.kind != Kind::Body) {
        let (schema, ssz) = case.inside();
        let read = read_block(&case.ssz, case.fork, case.preset).expect("a block");
        assert_eq!(read.root, hash_tree_root(schema, ssz).expect("a block"), "{}", case.name);
        assert_eq!(read.slot, u64::from_le_bytes(ssz[..8].try_into().expect("eight bytes")));
        assert_eq!(block::slot_of(&case.ssz), Some(read.slot));
        assert_eq!(read.proposer_index, u64::from_le_bytes(ssz[8..16].try_into().expect("eight bytes")));
        assert_eq!((&read.parent_root[..], &read.state_root[..]), (&ssz[16..48], &ssz[48..80]));
        // By the twin, which knows nothing of offsets: the commitments are the list called so.
        let (body_schema, body) = field(schema, twin::read(schema, ssz).expect("a value"), "body");
        assert_eq!(read.body_root, twin::root(body_schema, &body), "{}", case.name);
        let (holder_schema, holder) = match read.bid {
            Some(_) => {
                let (schema, signed) = field(body_schema, body, "signed_execution_payload_bid");
                field(schema, signed, "message")
            }
            None => (body_schema, body),
        };
        if let Some(bid) = read.bid {
            let bytes = twin::write(holder_schema, &holder);
            assert_eq!(bid.0[..], bytes[..224], "{}", case.name);
            assert_eq!((Bid::OFFSET_AT, Bid::BYTES), (188, 224));
            assert_eq!(bid.0[188..192], 224u32.to_le_bytes());
        }
        let (list_schema, list) = field(holder_schema, holder, "blob_kzg_commitments");
        assert_eq!(read.commitments.as_flattened(), twin::write(list_schema, &list), "{}", case.name);
    }
}

fn field(schema: &'static Schema, value: twin::Value, name: &str) -> (&'static Schema, twin::Value) {
    let (Schema::Container(fields) | Schema::ProgressiveContainer(fields)) = schema else {
        panic!("no container")
    };
    let twin::Value::Parts(parts) = value else { panic!("no parts") };
    let at = fields.iter().position(|field| field.name == name).expect("a field");
    (fields[at].schema, parts.into_iter().nth(at).expect("a part"))
}
