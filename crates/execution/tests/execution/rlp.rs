use crate::support::encoder::{list, string, Tree};
use blobcheck_execution::rlp::{decode, Item, Malformed};
use blobcheck_testing::Rng;

/// The whole tree, every list walked to its end.
fn tree(item: Item<'_>) -> Result<Tree, Malformed> {
    match item {
        Item::String(bytes) => Ok(string(bytes)),
        Item::List(mut items) => {
            let mut trees = Vec::new();
            while let Some(item) = items.next_item()? {
                trees.push(tree(item)?);
            }
            assert!(items.is_empty());
            Ok(Tree::List(trees))
        }
    }
}

fn decode_tree(bytes: &[u8]) -> Result<Tree, Malformed> {
    tree(decode(bytes)?)
}

#[test]
fn every_boundary_of_lengths_makes_the_round_trip() {
    for length in [0, 1, 2, 54, 55, 56, 57, 255, 256, 257, 65_535, 65_536, 65_537] {
        for byte in [0, 1, 0x7f, 0x80, 0xff] {
            let leaf = string(&vec![byte; length]);
            for tree in [leaf.clone(), list([leaf.clone()]), list([list([]), leaf.clone(), leaf])] {
                assert_eq!(decode_tree(&tree.encode()), Ok(tree));
            }
        }
    }
    assert_eq!(list([]).encode(), [0xc0]);
    assert_eq!(string(&[]).encode(), [0x80]);
    for byte in 0..=255 {
        let encoding = string(&[byte]).encode();
        assert_eq!(encoding.len(), if byte < 0x80 { 1 } else { 2 });
        assert_eq!(decode_tree(&encoding), Ok(string(&[byte])));
    }
}

fn random_tree(random: &mut Rng, depth: u64) -> Tree {
    if random.below(3) < depth.min(2) {
        let items = random.below(5);
        list((0..items).map(|_| random_tree(random, depth - 1)))
    } else {
        let longest = [1, 2, 60, 300][random.below(4) as usize];
        let length = random.below(longest + 1) as usize;
        string(&random.vec(length))
    }
}

/// Round trips, and whatever a mutant decodes to, it is the one encoding of that: the decoder is canonical.
#[test]
fn random_trees_and_their_mutants() {
    let mut random = Rng(1);
    let mut refused = 0;
    for _ in 0..3000 {
        let tree = random_tree(&mut random, 4);
        let bytes = tree.encode();
        assert_eq!(decode_tree(&bytes).as_ref(), Ok(&tree));
        assert_eq!(decode_tree(&[&bytes[..], &[random.next() as u8]].concat()), Err(Malformed));
        for length in 0..bytes.len().min(80) {
            assert_eq!(decode_tree(&bytes[..length]), Err(Malformed));
        }
        for _ in 0..20 {
            let mut mutant = bytes.clone();
            let at = random.below(mutant.len() as u64) as usize;
            mutant[at] ^= 1 << random.below(8);
            match decode_tree(&mutant) {
                Ok(other) => assert_eq!(other.encode(), mutant),
                Err(Malformed) => refused += 1,
            }
        }
    }
    assert!(refused > 1000);
}

/// All sequences of one to three bytes: those that decode are the encoding of what they decode to.
#[test]
fn short_encodings_are_exhaustively_canonical() {
    for length in 1..=3 {
        for word in 0..1u32 << (8 * length) {
            let bytes = &word.to_be_bytes()[4 - length..];
            if let Ok(tree) = decode_tree(bytes) {
                assert_eq!(tree.encode(), bytes);
            }
        }
    }
}

#[test]
fn non_canonical_encodings_are_refused() {
    let long = |head: &[u8], payload: usize| [head, &vec![0xaa; payload]].concat();
    for bytes in [
        vec![],
        vec![0x81, 0x00], // a byte below 0x80 with a length
        vec![0x81, 0x7f],
        long(&[0xb8, 55], 55), // long form of a short string
        long(&[0xb8, 0], 0),
        long(&[0xb9, 0, 56], 56), // leading zero in the length
        long(&[0xba, 0, 1, 0], 256),
        long(&[0xb9, 0, 255], 255),
        vec![0xf8, 0], // long form of a short list
        [vec![0xf8, 55], vec![1; 55]].concat(),
        [vec![0xf9, 0, 56], vec![1; 56]].concat(),
        vec![0x83, 1, 2], // ends early
        vec![0xb8],
        vec![0xb9, 1],
        long(&[0xb8, 56], 55),
        vec![0xc1],
        vec![0xc2, 0x01],
        vec![0xc1, 0x81], // an item that ends behind its list
        vec![0xc2, 0x82, 0x01, 0x02],
        vec![0xc1, 0x01, 0x01], // trailing bytes
        vec![0x01, 0x01],
        vec![0x80, 0x80],
        vec![0xc0, 0x00],
        vec![0xbf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        vec![0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        vec![0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
        vec![0xbb, 0xff, 0xff, 0xff, 0xff, 0x01],
        vec![0xfb, 0x01, 0x00, 0x00, 0x00],
    ] {
        assert_eq!(decode_tree(&bytes), Err(Malformed), "{:02x?}", &bytes[..bytes.len().min(12)]);
    }
}

/// The decoder itself does not recurse; only this suite's `tree` would.
#[test]
fn deep_nesting_costs_nothing() {
    let mut bytes = vec![0xc0];
    for _ in 0..50_000 {
        let length = bytes.len();
        let head = if length < 56 {
            vec![0xc0 + length as u8]
        } else {
            let digits: Vec<u8> = length.to_be_bytes().into_iter().skip_while(|digit| *digit == 0).collect();
            [vec![0xf7 + digits.len() as u8], digits].concat()
        };
        // Written back to front, so that building it is linear.
        bytes.extend(head.into_iter().rev());
    }
    bytes.reverse();
    let Ok(Item::List(mut items)) = decode(&bytes) else { panic!("not a list") };
    let mut depth = 1;
    while let Ok(Some(Item::List(inner))) = items.next_item() {
        items = inner;
        depth += 1;
    }
    assert_eq!(depth, 50_001);
}

#[test]
fn a_list_that_failed_goes_on_failing() {
    let Ok(Item::List(mut items)) = decode(&[0xc3, 0x01, 0x82, 0x01]) else { panic!("not a list") };
    assert_eq!(items.next_item(), Ok(Some(Item::String(&[1]))));
    for _ in 0..3 {
        assert_eq!(items.next_item(), Err(Malformed));
        assert!(!items.is_empty());
    }
}
