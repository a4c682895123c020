//! RLP, and blob transactions in their network form.

use crate::draw::{alter, below, rng, short};
use alloy_rlp::Header;
use arbitrary::{Result, Unstructured};
use blobcheck_execution::rlp::{self, Item};
use blobcheck_execution::{BlobTransaction, Fork, WrapperVersion};
use sha2::{Digest, Sha256};

/// A value of RLP.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Tree {
    Bytes(Vec<u8>),
    List(Vec<Tree>),
}

impl Tree {
    fn encode(&self) -> Vec<u8> {
        let (list, payload) = match self {
            Self::Bytes(bytes) if matches!(bytes[..], [0..=0x7f]) => return bytes.clone(),
            Self::Bytes(bytes) => (false, bytes.clone()),
            Self::List(items) => (true, items.iter().flat_map(Self::encode).collect()),
        };
        let mut out = Vec::new();
        Header { list, payload_length: payload.len() }.encode(&mut out);
        out.extend(payload);
        out
    }

    /// The same, but that one or the other header is longer than it has to be, or says of a byte what it says itself.
    fn encode_loosely(&self, input: &mut Unstructured<'_>) -> Result<Vec<u8>> {
        let (from, payload) = match self {
            Self::Bytes(bytes) => (0x80, bytes.clone()),
            Self::List(items) => {
                let items =
                    items.iter().map(|item| item.encode_loosely(input)).collect::<Result<Vec<_>>>()?;
                (0xc0, items.concat())
            }
        };
        let spare = below(input, 40)?;
        let length = payload.len().to_be_bytes();
        let digits = length.iter().skip_while(|digit| **digit == 0).count().max(1) + spare % 2;
        let header = match (spare, payload.len()) {
            // A length with a zero before it, or a long form where a short one would do.
            (0 | 1, _) if digits <= 8 => [&[from + 55 + digits as u8], &length[8 - digits..]].concat(),
            // A header for what needs none.
            (2, length @ 0..=55) => vec![from + length as u8],
            _ => {
                let exact = match self {
                    Self::Bytes(_) => Self::Bytes(payload.clone()).encode(),
                    Self::List(_) => {
                        let mut out = Vec::new();
                        Header { list: true, payload_length: payload.len() }.encode(&mut out);
                        out.extend(payload);
                        out
                    }
                };
                return Ok(exact);
            }
        };
        Ok([header, payload].concat())
    }

    /// What alloy reads from the front of `rest`.
    fn read(rest: &mut &[u8]) -> Option<Self> {
        let Header { list, payload_length } = Header::decode(rest).ok()?;
        let (mut payload, tail) = rest.split_at_checked(payload_length)?;
        *rest = tail;
        if !list {
            return Some(Self::Bytes(payload.to_vec()));
        }
        let mut items = Vec::new();
        while !payload.is_empty() {
            items.push(Self::read(&mut payload)?);
        }
        Some(Self::List(items))
    }

    /// Where it is all of the bytes.
    fn whole(mut bytes: &[u8]) -> Option<Self> {
        let tree = Self::read(&mut bytes)?;
        bytes.is_empty().then_some(tree)
    }

    /// What our decoder reads, all the way down.
    fn ours(item: Item<'_>) -> Option<Self> {
        match item {
            Item::String(bytes) => Some(Self::Bytes(bytes.to_vec())),
            Item::List(mut list) => {
                let mut items = Vec::new();
                while let Some(item) = list.next_item().ok()? {
                    items.push(Self::ours(item)?);
                }
                Some(Self::List(items))
            }
        }
    }

    fn draw(input: &mut Unstructured<'_>, depth: usize) -> Result<Self> {
        if depth == 0 || below(input, 3)? > 0 {
            let mut bytes = short(input, 70)?;
            if below(input, 64)? == 0 {
                bytes.resize(56 + below(input, 70_000)?, 0x7f);
            }
            return Ok(Self::Bytes(bytes));
        }
        let count = below(input, 5)?;
        (0..count).map(|_| Self::draw(input, depth - 1)).collect::<Result<_>>().map(Self::List)
    }

    fn list(&self) -> Option<&[Self]> {
        match self {
            Self::List(items) => Some(items),
            Self::Bytes(_) => None,
        }
    }

    fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::List(_) => None,
        }
    }

    /// An integer of at most so many bytes, without leading zeros.
    fn integer(&self, most: usize) -> Option<&[u8]> {
        self.bytes().filter(|bytes| bytes.len() <= most && bytes.first() != Some(&0))
    }

    /// A list of strings of one length.
    fn strings(&self, length: usize) -> Option<Vec<&[u8]>> {
        self.list()?.iter().map(|item| item.bytes().filter(|bytes| bytes.len() == length)).collect()
    }
}

/// Our decoder accepts what alloy's does, and reads the same; nothing has two encodings.
pub fn decoder(input: &mut Unstructured<'_>) -> Result<()> {
    let mut bytes = match input.arbitrary()? {
        true => short(input, 300)?,
        false => Tree::draw(input, 4)?.encode_loosely(input)?,
    };
    alter(input, &mut bytes)?;
    let ours = rlp::decode(&bytes).ok().and_then(Tree::ours);
    assert_eq!(ours, Tree::whole(&bytes), "of {bytes:02x?}");
    if let Some(tree) = ours {
        assert_eq!(tree.encode(), bytes);
    }
    Ok(())
}

/// What a transaction is by the EIPs, of a tree.
struct Expected<'t> {
    chain_id: &'t [u8],
    nonce: u64,
    hashes: Vec<&'t [u8]>,
    version: WrapperVersion,
    blobs: usize,
    commitments: Vec<&'t [u8]>,
    proofs: usize,
}

fn expected(tree: &Tree) -> Option<Expected<'_>> {
    let (version, body, [blobs, commitments, proofs]) = match tree.list()? {
        [body, blobs, commitments, proofs] if blobs.list().is_some() => {
            (WrapperVersion::Eip4844, body, [blobs, commitments, proofs])
        }
        [body, version, blobs, commitments, proofs] if version.bytes() == Some(&[1]) => {
            (WrapperVersion::Eip7594, body, [blobs, commitments, proofs])
        }
        _ => return None,
    };
    let [chain, nonce, tip, fee, gas, to, value, data, access, blob_fee, hashes, parity, r, s] =
        body.list()?
    else {
        return None;
    };
    for integer in [tip, fee, value, blob_fee, r, s] {
        integer.integer(32)?;
    }
    gas.integer(8)?;
    to.bytes().filter(|to| to.len() == 20)?;
    data.bytes()?;
    for entry in access.list()? {
        let [address, keys] = entry.list()? else { return None };
        address.bytes().filter(|address| address.len() == 20)?;
        keys.strings(32)?;
    }
    parity.bytes().filter(|parity| [&[][..], &[1]].contains(parity))?;
    let nonce = nonce.integer(8)?.iter().fold(0, |value, digit| value << 8 | u64::from(*digit));
    Some(Expected {
        chain_id: chain.integer(32)?,
        nonce: (nonce != u64::MAX).then_some(nonce)?,
        hashes: hashes.strings(32)?,
        version,
        blobs: blobs.strings(131_072)?.len(),
        commitments: commitments.strings(48)?,
        proofs: proofs.strings(48)?.len(),
    })
}

fn hash_of(commitment: &[u8]) -> [u8; 32] {
    let mut hash: [u8; 32] = Sha256::digest(commitment).into();
    hash[0] = 1;
    hash
}

fn draw_transaction(input: &mut Unstructured<'_>) -> Result<Tree> {
    let (bytes, list) = (Tree::Bytes, Tree::List);
    let mut random = rng(input)?;
    let count = below(input, 3)?;
    let commitments: Vec<[u8; 48]> = (0..count).map(|_| random.bytes()).collect();
    let mut hashes: Vec<[u8; 32]> = commitments.iter().map(|commitment| hash_of(commitment)).collect();
    if below(input, 4)? == 0 {
        if let Some(hash) = hashes.first_mut() {
            hash[below(input, 32)?] ^= 1;
        }
    }
    let mut integer = |most: usize| -> Result<Tree> {
        let mut digits = short(input, most)?;
        // Most of the time without the zeros that an integer may not begin with.
        if below(input, 8)? > 0 {
            digits.drain(..digits.iter().take_while(|digit| **digit == 0).count());
        }
        Ok(bytes(digits))
    };
    let mut fields = vec![integer(32)?, integer(8)?, integer(32)?, integer(32)?, integer(8)?];
    fields.push(bytes(random.vec(20)));
    fields.push(integer(33)?);
    fields.push(bytes(short(input, 60)?));
    let keys = (0..below(input, 3)?).map(|_| bytes(random.vec(32))).collect();
    let entry = list(vec![bytes(random.vec(20)), list(keys)]);
    fields.push(list(vec![entry; below(input, 3)?]));
    fields.push(bytes(vec![1 + below(input, 255)? as u8]));
    fields.push(list(hashes.iter().map(|hash| bytes(hash.to_vec())).collect()));
    fields.push(bytes([vec![], vec![1], vec![0], vec![2]][below(input, 8)?.saturating_sub(4)].clone()));
    fields.extend([bytes(random.vec(32)), bytes(vec![7])]);
    let mut wrapper = vec![list(fields)];
    let cells: bool = input.arbitrary()?;
    if cells {
        wrapper.push(bytes(vec![1]));
    }
    wrapper.push(list(vec![bytes(vec![count as u8; 131_072]); count]));
    wrapper.push(list(commitments.iter().map(|commitment| bytes(commitment.to_vec())).collect()));
    wrapper.push(list(vec![bytes(vec![0xc0; 48]); count * if cells { 128 } else { 1 }]));
    // A field of the body, or a part of the wrapper, too many, too few, or of another kind.
    if below(input, 4)? == 0 {
        let of = match (input.arbitrary()?, &mut wrapper[0]) {
            (true, Tree::List(fields)) => fields,
            _ => &mut wrapper,
        };
        let at = below(input, of.len())?;
        match below(input, 3)? {
            0 => drop(of.remove(at)),
            1 => of.insert(at, Tree::draw(input, 2)?),
            _ => of[at] = Tree::draw(input, 2)?,
        }
    }
    Ok(list(wrapper))
}

/// Transactions are read as the EIPs say, and refused where anything is otherwise; each fork judges by its own rules.
pub fn transaction(input: &mut Unstructured<'_>) -> Result<()> {
    let mut bytes = draw_transaction(input)?.encode();
    alter(input, &mut bytes)?;
    let kind = if below(input, 16)? == 0 { input.arbitrary()? } else { 3u8 };
    bytes.insert(0, kind);

    let tree = Tree::whole(&bytes[1..]);
    let expected = tree.as_ref().filter(|_| kind == 3).and_then(expected);
    let read = BlobTransaction::decode(&bytes);
    let (expected, read) = match (expected, read) {
        (Some(expected), Ok(read)) => (expected, read),
        (None, Err(_)) => return Ok(()),
        (expected, read) => panic!("expected: {}, read: {:?}", expected.is_some(), read.err()),
    };
    assert_eq!((read.body.chain_id, read.body.nonce), (expected.chain_id, expected.nonce));
    assert_eq!(read.body.versioned_hashes.iter().map(|hash| &hash[..]).collect::<Vec<_>>(), expected.hashes);
    assert_eq!(read.commitments.iter().map(|point| &point[..]).collect::<Vec<_>>(), expected.commitments);
    assert_eq!(read.wrapper_version, expected.version);
    assert_eq!([read.blobs.len(), read.proofs.len()], [expected.blobs, expected.proofs]);

    let count = expected.hashes.len();
    for (fork, version, most) in [
        (Fork::Cancun, WrapperVersion::Eip4844, 6),
        (Fork::Prague, WrapperVersion::Eip4844, 9),
        (Fork::Osaka, WrapperVersion::Eip7594, 6),
    ] {
        let is_good = expected.version == version
            && (1..=most).contains(&count)
            && [expected.blobs, expected.commitments.len()] == [count; 2]
            && expected.proofs == count * if version == WrapperVersion::Eip7594 { 128 } else { 1 }
            && expected.hashes.iter().all(|hash| hash[0] == 1);
        assert_eq!(read.check(fork).is_ok(), is_good, "{fork:?}");
    }
    let outcomes = read.blob_outcomes();
    assert_eq!(outcomes.len(), count);
    for (at, outcome) in outcomes.iter().enumerate() {
        let fits = expected.commitments.get(at).is_some_and(|point| expected.hashes[at] == hash_of(point));
        assert_eq!(outcome.is_ok(), fits);
    }
    Ok(())
}
