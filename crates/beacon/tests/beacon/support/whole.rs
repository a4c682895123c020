//! `hash_tree_root` of whole objects, the slow and obvious way: a value is bytes and a type, and every leaf is hashed.

use super::naive::{hash, length_chunk};
use Type::{Bitlist, Bitvector, ByteList, Bytes, Container, List, Uint, Vector};

type Root = [u8; 32];

/// A type of `ssz/simple-serialize.md`. Numbers are bytes in `Uint` and `Bytes`, else elements or bits.
#[derive(Clone)]
pub enum Type {
    Uint(usize),
    Bytes(usize),
    ByteList(usize),
    Vector(Box<Type>, usize),
    List(Box<Type>, usize),
    Bitvector(usize),
    Bitlist(usize),
    Container(Vec<Type>),
}

pub fn vector(element: &Type, length: usize) -> Type {
    Vector(Box::new(element.clone()), length)
}

pub fn list(element: &Type, limit: usize) -> Type {
    List(Box::new(element.clone()), limit)
}

/// Size in bytes, of what has always the same.
fn size(of: &Type) -> Option<usize> {
    match of {
        Uint(bytes) | Bytes(bytes) => Some(*bytes),
        Bitvector(bits) => Some(bits.div_ceil(8)),
        Vector(element, length) => Some(size(element)? * length),
        Container(fields) => fields.iter().map(size).sum(),
        ByteList(_) | List(..) | Bitlist(_) => None,
    }
}

/// The bytes of each field; those of variable size lie behind the others, where their offsets say.
fn split<'a>(fields: &[&Type], bytes: &'a [u8]) -> Vec<&'a [u8]> {
    let mut heads = Vec::new();
    let mut at = 0;
    for field in fields {
        let length = size(field).unwrap_or(4);
        heads.push(&bytes[at..at + length]);
        at += length;
    }
    let offset = |head: &[u8]| u32::from_le_bytes(head.try_into().unwrap()) as usize;
    let variable: Vec<usize> = (0..fields.len()).filter(|i| size(fields[*i]).is_none()).collect();
    let ends: Vec<usize> = variable.iter().skip(1).map(|i| offset(heads[*i])).chain([bytes.len()]).collect();
    assert_eq!(variable.first().map_or(bytes.len(), |i| offset(heads[*i])), at, "the first offset");
    for (i, end) in variable.into_iter().zip(ends) {
        heads[i] = &bytes[offset(heads[i])..end];
    }
    heads
}

/// The elements of a list or vector.
fn elements<'a>(of: &Type, bytes: &'a [u8]) -> Vec<&'a [u8]> {
    if let Some(size) = size(of) {
        assert_eq!(bytes.len() % size, 0);
        return bytes.chunks(size).collect();
    }
    let first = bytes.first_chunk().map_or(0, |head| u32::from_le_bytes(*head) as usize);
    split(&vec![of; first / 4], bytes)
}

fn chunks(bytes: &[u8]) -> Vec<Root> {
    let padded = |chunk: &[u8]| [chunk, &[0; 32]].concat()[..32].try_into().unwrap();
    bytes.chunks(32).map(padded).collect()
}

/// `merkleize(chunks, limit)`. Beyond the chunks that are there, each layer's nodes are the same.
fn merkleize(mut layer: Vec<Root>, limit: usize) -> Root {
    assert!(layer.len() <= limit);
    let mut zero = [0; 32];
    for _ in 0..limit.next_power_of_two().trailing_zeros() {
        layer = layer.chunks(2).map(|pair| hash(&pair[0], pair.get(1).unwrap_or(&zero))).collect();
        zero = hash(&zero, &zero);
    }
    layer.first().copied().unwrap_or(zero)
}

/// `hash_tree_root(value)`. Panics for bytes that are not of the type.
pub fn hash_tree_root(of: &Type, bytes: &[u8]) -> Root {
    assert!(size(of).is_none_or(|size| size == bytes.len()));
    let sequence = |element: &Type, limit: usize| match element {
        Uint(size) => merkleize(chunks(bytes), (limit * size).div_ceil(32)),
        _ => {
            let roots = elements(element, bytes).into_iter().map(|bytes| hash_tree_root(element, bytes));
            merkleize(roots.collect(), limit)
        }
    };
    match of {
        Uint(_) => merkleize(chunks(bytes), 1),
        Bytes(size) => merkleize(chunks(bytes), size.div_ceil(32)),
        Bitvector(bits) => merkleize(chunks(bytes), bits.div_ceil(256)),
        ByteList(limit) => hash(&merkleize(chunks(bytes), limit.div_ceil(32)), &length_chunk(bytes.len())),
        Bitlist(limit) => {
            // The highest bit says where the list ends, and is none of it.
            let last = *bytes.last().unwrap();
            let length = 8 * bytes.len() - 1 - last.leading_zeros() as usize;
            let mut bits = bytes.to_vec();
            bits[length / 8] ^= 1 << (length % 8);
            bits.truncate(length.div_ceil(8));
            hash(&merkleize(chunks(&bits), limit.div_ceil(256)), &length_chunk(length))
        }
        Vector(element, length) => sequence(element, *length),
        List(element, limit) => {
            hash(&sequence(element, *limit), &length_chunk(elements(element, bytes).len()))
        }
        Container(fields) => {
            let values = split(&fields.iter().collect::<Vec<_>>(), bytes);
            let roots = fields.iter().zip(values).map(|(field, bytes)| hash_tree_root(field, bytes));
            merkleize(roots.collect(), fields.len())
        }
    }
}
