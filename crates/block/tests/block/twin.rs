//! The slow, obvious twin: bytes become a tree of values, values become bytes again and have a root. It believes any offsets that
//! lie in the bytes; whether they are the right ones shows when the values are written again.

use blobcheck_block::{Bytes32, Schema};
use sha2::{Digest, Sha256};

/// A value of SSZ.
pub enum Value {
    Bytes(Vec<u8>),
    Bits(Vec<bool>),
    Parts(Vec<Value>),
}

/// The value that bytes encode; `None` where they have no place for it, or where it would not be one of the type.
pub fn read(schema: &Schema, bytes: &[u8]) -> Option<Value> {
    let bits = |bytes: &[u8]| -> Vec<bool> {
        bytes.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1)).collect()
    };
    match schema {
        Schema::Uint(size) | Schema::Bytes(size) => {
            (bytes.len() == *size).then(|| Value::Bytes(bytes.to_vec()))
        }
        Schema::Boolean => [&[0][..], &[1]].contains(&bytes).then(|| Value::Bytes(bytes.to_vec())),
        Schema::ByteList(limit) => (bytes.len() <= *limit).then(|| Value::Bytes(bytes.to_vec())),
        Schema::BitVector(length) => {
            let mut bits = bits(bytes);
            bits.truncate(*length);
            (bits.len() == *length).then_some(Value::Bits(bits))
        }
        Schema::BitList(limit) | Schema::ProgressiveBitList(limit) => {
            let mut bits = bits(bytes);
            let end = bits.iter().rposition(|bit| *bit)?;
            bits.truncate(end);
            (end <= *limit).then_some(Value::Bits(bits))
        }
        Schema::Vector(element, length) => {
            let parts = read_list(element, bytes)?;
            (parts.len() == *length).then_some(Value::Parts(parts))
        }
        Schema::List(element, limit)
        | Schema::BoundedList(element, _, limit)
        | Schema::ProgressiveList(element, limit) => {
            let parts = read_list(element, bytes)?;
            (parts.len() <= *limit).then_some(Value::Parts(parts))
        }
        Schema::Container(fields) | Schema::ProgressiveContainer(fields) => {
            let mut at = 0;
            let mut places = Vec::new();
            for field in *fields {
                let size = size_of(field.schema);
                places.push((at, size));
                at += size.unwrap_or(4);
            }
            let mut parts = Vec::new();
            for (index, (field, (at, size))) in fields.iter().zip(&places).enumerate() {
                let part = match size {
                    Some(size) => bytes.get(*at..at + size)?,
                    None => {
                        let next = places[index + 1..].iter().find(|(_, size)| size.is_none());
                        let end = next.map_or(Some(bytes.len()), |(at, _)| offset(bytes, *at))?;
                        bytes.get(offset(bytes, *at)?..end)?
                    }
                };
                parts.push(read(field.schema, part)?);
            }
            Some(Value::Parts(parts))
        }
    }
}

fn read_list(element: &Schema, bytes: &[u8]) -> Option<Vec<Value>> {
    if let Some(size) = size_of(element) {
        return bytes.chunks(size).map(|part| read(element, part)).collect();
    }
    if bytes.is_empty() {
        return Some(Vec::new());
    }
    let count = offset(bytes, 0)? / 4;
    let mut parts = Vec::new();
    for at in 0..count {
        let end = if at + 1 < count { offset(bytes, 4 * (at + 1))? } else { bytes.len() };
        parts.push(read(element, bytes.get(offset(bytes, 4 * at)?..end)?)?);
    }
    Some(parts)
}

fn offset(bytes: &[u8], at: usize) -> Option<usize> {
    let four: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
    Some(u32::from_le_bytes(four) as usize)
}

fn size_of(schema: &Schema) -> Option<usize> {
    match schema {
        Schema::Uint(size) | Schema::Bytes(size) => Some(*size),
        Schema::Boolean => Some(1),
        Schema::BitVector(bits) => Some(bits.div_ceil(8)),
        Schema::Vector(element, length) => Some(size_of(element)? * length),
        Schema::Container(fields) | Schema::ProgressiveContainer(fields) => {
            let mut sum = 0;
            for field in *fields {
                sum += size_of(field.schema)?;
            }
            Some(sum)
        }
        Schema::BitList(_)
        | Schema::ByteList(_)
        | Schema::List(..)
        | Schema::BoundedList(..)
        | Schema::ProgressiveBitList(_)
        | Schema::ProgressiveList(..) => None,
    }
}

/// The one encoding of a value.
pub fn write(schema: &Schema, value: &Value) -> Vec<u8> {
    match (schema, value) {
        (_, Value::Bytes(bytes)) => bytes.clone(),
        (Schema::BitVector(_), Value::Bits(bits)) => packed(bits),
        (_, Value::Bits(bits)) => packed(&[&bits[..], &[true]].concat()),
        (Schema::Container(fields) | Schema::ProgressiveContainer(fields), Value::Parts(parts)) => {
            sequence(fields.iter().zip(parts).map(|(field, part)| (field.schema, part)).collect())
        }
        (
            Schema::Vector(element, _)
            | Schema::List(element, _)
            | Schema::BoundedList(element, ..)
            | Schema::ProgressiveList(element, _),
            Value::Parts(parts),
        ) => sequence(parts.iter().map(|part| (*element, part)).collect()),
        _ => panic!("a value of another type"),
    }
}

fn sequence(parts: Vec<(&Schema, &Value)>) -> Vec<u8> {
    let mut at: usize = parts.iter().map(|(schema, _)| size_of(schema).unwrap_or(4)).sum();
    let (mut fixed, mut tail) = (Vec::new(), Vec::new());
    for (schema, value) in parts {
        let bytes = write(schema, value);
        if size_of(schema).is_some() {
            fixed.extend(bytes);
        } else {
            fixed.extend((at as u32).to_le_bytes());
            at += bytes.len();
            tail.extend(bytes);
        }
    }
    [fixed, tail].concat()
}

fn packed(bits: &[bool]) -> Vec<u8> {
    let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
    bits.chunks(8).map(byte).collect()
}

/// `hash_tree_root`, by the definition.
pub fn root(schema: &Schema, value: &Value) -> Bytes32 {
    let mixed = |root: Bytes32, number: usize| {
        let mut chunk = [0; 32];
        chunk[..8].copy_from_slice(&(number as u64).to_le_bytes());
        hash(root, chunk)
    };
    match (schema, value) {
        (Schema::ByteList(limit), Value::Bytes(bytes)) => {
            mixed(merkleize(&chunks(bytes), limit.div_ceil(32)), bytes.len())
        }
        (_, Value::Bytes(bytes)) => merkleize(&chunks(bytes), bytes.len().div_ceil(32)),
        (Schema::BitVector(length), Value::Bits(bits)) => {
            merkleize(&chunks(&packed(bits)), length.div_ceil(256))
        }
        (Schema::BitList(limit), Value::Bits(bits)) => {
            mixed(merkleize(&chunks(&packed(bits)), limit.div_ceil(256)), bits.len())
        }
        (Schema::ProgressiveBitList(_), Value::Bits(bits)) => {
            mixed(progressive(&chunks(&packed(bits)), 1), bits.len())
        }
        (Schema::Vector(element, length), Value::Parts(parts)) => {
            merkleize(&leaves(element, parts), leaf_limit(element, *length))
        }
        (Schema::List(element, limit) | Schema::BoundedList(element, limit, _), Value::Parts(parts)) => {
            mixed(merkleize(&leaves(element, parts), leaf_limit(element, *limit)), parts.len())
        }
        (Schema::ProgressiveList(element, _), Value::Parts(parts)) => {
            mixed(progressive(&leaves(element, parts), 1), parts.len())
        }
        (Schema::Container(fields), Value::Parts(parts)) => {
            let leaves: Vec<_> =
                fields.iter().zip(parts).map(|(field, part)| root(field.schema, part)).collect();
            merkleize(&leaves, fields.len())
        }
        (Schema::ProgressiveContainer(fields), Value::Parts(parts)) => {
            let leaves: Vec<_> =
                fields.iter().zip(parts).map(|(field, part)| root(field.schema, part)).collect();
            let mut active = packed(&vec![true; fields.len()]);
            active.resize(32, 0);
            hash(progressive(&leaves, 1), active.try_into().expect("a chunk"))
        }
        _ => panic!("a value of another type"),
    }
}

fn is_uint(schema: &Schema) -> bool {
    matches!(schema, Schema::Uint(_))
}

fn leaves(element: &Schema, parts: &[Value]) -> Vec<Bytes32> {
    if is_uint(element) {
        return chunks(&parts.iter().flat_map(|part| write(element, part)).collect::<Vec<_>>());
    }
    parts.iter().map(|part| root(element, part)).collect()
}

fn leaf_limit(element: &Schema, limit: usize) -> usize {
    match element {
        Schema::Uint(size) => (limit * size).div_ceil(32),
        _ => limit,
    }
}

fn chunks(bytes: &[u8]) -> Vec<Bytes32> {
    let mut padded = bytes.to_vec();
    padded.resize(bytes.len().div_ceil(32) * 32, 0);
    padded.chunks(32).map(|chunk| chunk.try_into().expect("a chunk")).collect()
}

fn hash(left: Bytes32, right: Bytes32) -> Bytes32 {
    Sha256::digest([left, right].concat()).into()
}

/// The root of a tree with room for `limit` leaves: that of its halves.
fn merkleize(leaves: &[Bytes32], limit: usize) -> Bytes32 {
    let width = limit.max(1).next_power_of_two();
    match (width, leaves) {
        (1, []) => [0; 32],
        (1, [leaf]) => *leaf,
        (_, []) => {
            let half = merkleize(&[], width / 2);
            hash(half, half)
        }
        _ => {
            let (left, right) = leaves.split_at(leaves.len().min(width / 2));
            hash(merkleize(left, width / 2), merkleize(right, width / 2))
        }
    }
}

fn progressive(leaves: &[Bytes32], width: usize) -> Bytes32 {
    if leaves.is_empty() {
        return [0; 32];
    }
    let (now, later) = leaves.split_at(leaves.len().min(width));
    hash(merkleize(now, width), progressive(later, 4 * width))
}
