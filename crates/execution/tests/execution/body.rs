//! Each of the fourteen fields, at and beyond its bounds.

use crate::support::encoder::{integer, list, string, Tree};
use crate::support::transaction;
use blobcheck_execution::rlp::{decode, Item};
use blobcheck_execution::{Reason, TransactionBody};

fn outcome(body: &Tree) -> Result<(), Reason> {
    let bytes = body.encode();
    let Ok(Item::List(fields)) = decode(&bytes) else { panic!("not a list") };
    TransactionBody::from_rlp(fields).map(|_| ())
}

/// The outcome where field `number` is `value` and all others are right.
fn with(number: usize, value: Tree) -> Result<(), Reason> {
    let mut body = transaction::body(&[[1; 32]]);
    body.items()[number] = value;
    outcome(&body)
}

const WRONG: Result<(), Reason> = Err(Reason::TransactionFields);
const INTEGERS_64: [usize; 2] = [1, 4];
const INTEGERS_256: [usize; 7] = [0, 2, 3, 6, 9, 12, 13];

#[test]
fn a_good_body_is_read() {
    let bytes = transaction::body(&[[1; 32], [2; 32]]).encode();
    let Ok(Item::List(fields)) = decode(&bytes) else { panic!("not a list") };
    let body = TransactionBody::from_rlp(fields).unwrap();
    assert_eq!((body.nonce, body.gas_limit), (7, 21_000));
    assert_eq!(body.chain_id, [0xaa, 0x36, 0xa7]); // 11,155,111
    assert_eq!(body.to, &[0x33; 20]);
    assert_eq!(body.max_fee_per_blob_gas, [1]);
    assert_eq!(body.versioned_hashes, [&[1; 32], &[2; 32]]);
}

#[test]
fn integers_have_their_width_and_no_leading_zeros() {
    for field in INTEGERS_64 {
        for value in [0, 1, 0x7f, 0x80, 0xff, 0x100, u64::MAX - 1] {
            assert_eq!(with(field, integer(value)), Ok(()), "field {field}");
        }
        assert_eq!(with(field, string(&[1, 0, 0, 0, 0, 0, 0, 0, 0])), WRONG, "field {field}");
    }
    // EIP-2681: the nonce, alone, may not be the greatest.
    assert_eq!(INTEGERS_64.map(|field| with(field, integer(u64::MAX))), [WRONG, Ok(())]);
    for field in INTEGERS_256 {
        for value in [&[][..], &[1], &[0xff; 31], &[0xff; 32]] {
            assert_eq!(with(field, string(value)), Ok(()), "field {field}");
        }
        assert_eq!(with(field, string(&[1; 33])), WRONG, "field {field}");
    }
    for field in INTEGERS_64.into_iter().chain(INTEGERS_256).chain([11]) {
        for value in [&[0][..], &[0, 0], &[0, 1]] {
            assert_eq!(with(field, string(value)), WRONG, "field {field}");
        }
        assert_eq!(with(field, list([])), WRONG, "field {field}");
    }
}

/// EIP-4844 has a `chain_id: uint256`: chains whose id takes more than 64 bits are told apart by all of it.
#[test]
fn a_chain_id_has_up_to_256_bits() {
    for id in [&[0xff; 8][..], &[1, 0, 0, 0, 0, 0, 0, 0, 0], &[0xff; 32]] {
        let mut tree = transaction::body(&[[1; 32]]);
        tree.items()[0] = string(id);
        let bytes = tree.encode();
        let Ok(Item::List(fields)) = decode(&bytes) else { panic!("not a list") };
        assert_eq!(TransactionBody::from_rlp(fields).unwrap().chain_id, id);
    }
    assert_eq!(with(0, string(&[1; 33])), WRONG);
    assert_eq!(with(0, string(&[[0; 1].as_slice(), &[1; 31]].concat())), WRONG);
}

#[test]
fn the_parity_is_zero_or_one() {
    assert_eq!(with(11, integer(0)), Ok(()));
    assert_eq!(with(11, integer(1)), Ok(()));
    for value in [2, 27, 28, 255, 256] {
        assert_eq!(with(11, integer(value)), WRONG);
    }
}

#[test]
fn the_recipient_is_an_address() {
    assert_eq!(with(5, string(&[0; 20])), Ok(()));
    for length in [0, 1, 19, 21, 32] {
        assert_eq!(with(5, string(&vec![7; length])), WRONG, "{length} bytes");
    }
    assert_eq!(with(5, list([])), WRONG);
}

#[test]
fn data_is_any_string() {
    for length in [0, 1, 55, 56, 100_000] {
        assert_eq!(with(7, string(&vec![0; length])), Ok(()));
    }
    assert_eq!(with(7, list([])), WRONG);
}

#[test]
fn the_access_list_has_its_shape() {
    let address = string(&[7; 20]);
    let key = string(&[0; 32]);
    let keys = list([key.clone(), key.clone()]);
    assert_eq!(with(8, list([])), Ok(()));
    assert_eq!(
        with(8, list([list([address.clone(), keys.clone()]), list([address.clone(), list([])])])),
        Ok(())
    );
    for entry in [
        list([]),
        list([address.clone()]),
        list([address.clone(), key.clone()]),
        list([keys.clone(), address.clone()]),
        list([address.clone(), keys.clone(), list([])]),
        list([string(&[7; 19]), keys.clone()]),
        list([address.clone(), list([string(&[0; 31])])]),
        list([address.clone(), list([keys.clone()])]),
        address,
    ] {
        assert_eq!(with(8, list([entry.clone()])), WRONG, "{entry:?}");
    }
    assert_eq!(with(8, string(&[])), WRONG);
}

#[test]
fn versioned_hashes_are_strings_of_32_bytes() {
    assert_eq!(with(10, list([])), Ok(())); // none: for `BlobTransaction::check` to refuse
    assert_eq!(with(10, list([string(&[1; 32]), string(&[0; 32])])), Ok(()));
    for hash in [string(&[]), string(&[1; 31]), string(&[1; 33]), list([]), list([string(&[1; 32])])] {
        assert_eq!(with(10, list([string(&[1; 32]), hash])), WRONG);
    }
    assert_eq!(with(10, string(&[1; 32])), WRONG);
}

#[test]
fn there_are_fourteen_fields() {
    let body = transaction::body(&[[1; 32]]);
    for count in 0..14 {
        let mut shorter = body.clone();
        shorter.items().truncate(count);
        assert_eq!(outcome(&shorter), WRONG, "{count} fields");
    }
    let mut longer = body;
    longer.items().push(integer(1));
    assert_eq!(outcome(&longer), WRONG);
}
