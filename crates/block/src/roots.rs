//! `hash_tree_root` (`ssz/simple-serialize.md`), of many values of one type at once.

use crate::error::{Fault, SszError};
use crate::merkle::{depth_for, merkleize, merkleize_progressive, mix_in_active_fields, mix_in_lengths};
use crate::parts;
use crate::schema::{Field, Schema};
use crate::validate::{bit_length, validate};
use crate::Bytes32;

const CHUNK: usize = 32;

/// `hash_tree_root` of the value that `bytes` encode.
///
/// # Errors
/// [`SszError`] where they encode none.
pub fn hash_tree_root(schema: &Schema, bytes: &[u8]) -> Result<Bytes32, SszError> {
    validate(schema, bytes)?;
    // One value, one root.
    Ok(roots(schema, &[bytes])?.first().copied().unwrap_or_default())
}

/// The root of each value. They must be valid: it is not looked at again, but that nothing leads outside the bytes.
pub(crate) fn roots(schema: &Schema, values: &[&[u8]]) -> Result<Vec<Bytes32>, Fault> {
    match schema {
        Schema::Uint(size) | Schema::Bytes(size) => Ok(chunked(values, size.div_ceil(CHUNK))),
        Schema::Boolean => Ok(chunked(values, 1)),
        Schema::BitVector(bits) => Ok(chunked(values, bits.div_ceil(8 * CHUNK))),
        Schema::ByteList(limit) => {
            let roots = chunked(values, limit.div_ceil(CHUNK));
            Ok(mix_in_lengths(&roots, values.iter().map(|value| value.len())))
        }
        Schema::BitList(limit) => {
            let Leaves { leaves, counts, lengths } = bit_leaves(values)?;
            let roots = merkleize(leaves, &counts, depth_for(limit.div_ceil(8 * CHUNK)));
            Ok(mix_in_lengths(&roots, lengths.into_iter()))
        }
        Schema::ProgressiveBitList(_) => {
            let Leaves { leaves, counts, lengths } = bit_leaves(values)?;
            Ok(mix_in_lengths(&merkleize_progressive(&leaves, &counts), lengths.into_iter()))
        }
        Schema::Vector(element, length) => {
            let Leaves { leaves, counts, .. } = element_leaves(element, *length, values)?;
            Ok(merkleize(leaves, &counts, depth_for(leaf_limit(element, *length))))
        }
        Schema::List(element, limit) | Schema::BoundedList(element, limit, _) => {
            let Leaves { leaves, counts, lengths } = element_leaves(element, *limit, values)?;
            let roots = merkleize(leaves, &counts, depth_for(leaf_limit(element, *limit)));
            Ok(mix_in_lengths(&roots, lengths.into_iter()))
        }
        Schema::ProgressiveList(element, bound) => {
            let Leaves { leaves, counts, lengths } = element_leaves(element, *bound, values)?;
            Ok(mix_in_lengths(&merkleize_progressive(&leaves, &counts), lengths.into_iter()))
        }
        Schema::Container(fields) => {
            let counts = vec![fields.len(); values.len()];
            Ok(merkleize(field_leaves(fields, values)?, &counts, depth_for(fields.len())))
        }
        Schema::ProgressiveContainer(fields) => {
            let counts = vec![fields.len(); values.len()];
            let roots = merkleize_progressive(&field_leaves(fields, values)?, &counts);
            Ok(mix_in_active_fields(&roots, fields.len()))
        }
    }
}

/// The leaves of trees, one tree after the other; how many each has; and how many elements, or bits, are in them.
struct Leaves {
    leaves: Vec<Bytes32>,
    counts: Vec<usize>,
    lengths: Vec<usize>,
}

/// The most leaves of a list: elements of basic types share chunks.
fn leaf_limit(element: &Schema, limit: usize) -> usize {
    match element.fixed_size() {
        Some(size) if element.is_basic() => (limit * size).div_ceil(CHUNK),
        _ => limit,
    }
}

fn element_leaves(element: &Schema, limit: usize, values: &[&[u8]]) -> Result<Leaves, Fault> {
    if let Some(size) = element.fixed_size().filter(|_| element.is_basic()) {
        let (leaves, counts) = pack(values);
        return Ok(Leaves {
            leaves,
            counts,
            lengths: values.iter().map(|value| value.len() / size).collect(),
        });
    }
    let mut all = Vec::new();
    let mut lengths = Vec::with_capacity(values.len());
    for value in values {
        let mut elements = parts::elements(element, limit, value)?;
        lengths.push(elements.len());
        all.append(&mut elements);
    }
    Ok(Leaves { leaves: roots(element, &all)?, counts: lengths.clone(), lengths })
}

/// The roots of the fields of each container, one container after the other.
fn field_leaves(fields: &[Field], values: &[&[u8]]) -> Result<Vec<Bytes32>, Fault> {
    let rows = values.iter().map(|value| parts::fields(fields, value)).collect::<Result<Vec<_>, _>>()?;
    let mut leaves = vec![[0; 32]; fields.len() * values.len()];
    for (at, field) in fields.iter().enumerate() {
        let column: Vec<&[u8]> = rows.iter().filter_map(|row| row.get(at).copied()).collect();
        for (row, root) in leaves.chunks_exact_mut(fields.len()).zip(roots(field.schema, &column)?) {
            row[at] = root;
        }
    }
    Ok(leaves)
}

/// The chunks of each bit list, without the bit that ends it.
fn bit_leaves(values: &[&[u8]]) -> Result<Leaves, Fault> {
    let mut leaves = Vec::new();
    let mut counts = Vec::with_capacity(values.len());
    let mut lengths = Vec::with_capacity(values.len());
    for value in values {
        let length = bit_length(value)?;
        let mut bits = value[..length.div_ceil(8)].to_vec();
        if length % 8 != 0 {
            bits[length / 8] ^= 1 << (length % 8);
        }
        let before = leaves.len();
        push_chunks(&mut leaves, &bits);
        counts.push(leaves.len() - before);
        lengths.push(length);
    }
    Ok(Leaves { leaves, counts, lengths })
}

/// The roots of byte strings, each in a tree with room for so many chunks.
fn chunked(values: &[&[u8]], limit: usize) -> Vec<Bytes32> {
    let (leaves, counts) = pack(values);
    merkleize(leaves, &counts, depth_for(limit))
}

/// The chunks of byte strings, one string after the other, and how many each has.
fn pack(values: &[&[u8]]) -> (Vec<Bytes32>, Vec<usize>) {
    let mut leaves = Vec::with_capacity(values.iter().map(|value| value.len().div_ceil(CHUNK)).sum());
    values.iter().for_each(|value| push_chunks(&mut leaves, value));
    (leaves, values.iter().map(|value| value.len().div_ceil(CHUNK)).collect())
}

fn push_chunks(leaves: &mut Vec<Bytes32>, bytes: &[u8]) {
    let (whole, rest) = bytes.as_chunks::<CHUNK>();
    leaves.extend_from_slice(whole);
    if !rest.is_empty() {
        let mut last = [0; CHUNK];
        last[..rest.len()].copy_from_slice(rest);
        leaves.push(last);
    }
}
