//! Where the fields of a container are, and the elements of a list: offsets, strictly.
//!
//! An encoding of parts is a fixed part, with an offset in the place of each part of variable size, and then these parts, in order
//! and without gaps. So the first offset is where the fixed part ends, each is at least the one before it, and the last part ends
//! where the bytes do.

use crate::error::Fault;
use crate::schema::{Field, Schema};

const OFFSET_BYTES: usize = 4;

/// The encodings of the fields of a container, in order.
///
/// # Errors
/// [`Fault::Length`] and [`Fault::Offset`].
pub fn fields<'a>(fields: &[Field], bytes: &'a [u8]) -> Result<Vec<&'a [u8]>, Fault> {
    let sizes: Vec<_> = fields.iter().map(|field| field.schema.fixed_size()).collect();
    let fixed_bytes: usize = sizes.iter().map(|size| size.unwrap_or(OFFSET_BYTES)).sum();
    let (mut fixed, _) = bytes.split_at_checked(fixed_bytes).ok_or(Fault::Length)?;
    let mut parts = Vec::with_capacity(fields.len());
    // The field of variable size that is open, and where it begins.
    let mut open: Option<(usize, usize)> = None;
    for (at, size) in sizes.iter().enumerate() {
        let (part, rest) = fixed.split_at_checked(size.unwrap_or(OFFSET_BYTES)).ok_or(Fault::Length)?;
        fixed = rest;
        parts.push(part);
        if size.is_none() {
            let begin = read_offset(part)?;
            match open {
                Some((last, from)) => parts[last] = between(bytes, from, begin)?,
                None if begin != fixed_bytes => return Err(Fault::Offset),
                None => {}
            }
            open = Some((at, begin));
        }
    }
    match open {
        Some((last, from)) => parts[last] = between(bytes, from, bytes.len())?,
        None if bytes.len() != fixed_bytes => return Err(Fault::Length),
        None => {}
    }
    Ok(parts)
}

/// The encodings of the elements of a list, of which there may be so many.
///
/// # Errors
/// [`Fault::Length`], [`Fault::Offset`], and [`Fault::Limit`] before anything is allocated for too many.
pub fn elements<'a>(element: &Schema, limit: usize, bytes: &'a [u8]) -> Result<Vec<&'a [u8]>, Fault> {
    if let Some(size) = element.fixed_size() {
        if bytes.len() / size > limit {
            return Err(Fault::Limit);
        }
        let chunks = bytes.chunks_exact(size);
        return if chunks.remainder().is_empty() { Ok(chunks.collect()) } else { Err(Fault::Length) };
    }
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let first = read_offset(bytes.get(..OFFSET_BYTES).ok_or(Fault::Length)?)?;
    if first == 0 || first % OFFSET_BYTES != 0 || first > bytes.len() {
        return Err(Fault::Offset);
    }
    if first / OFFSET_BYTES > limit {
        return Err(Fault::Limit);
    }
    let mut parts = Vec::with_capacity(first / OFFSET_BYTES);
    let mut from = first;
    for offset in bytes[..first].chunks_exact(OFFSET_BYTES).skip(1) {
        let to = read_offset(offset)?;
        parts.push(between(bytes, from, to)?);
        from = to;
    }
    parts.push(between(bytes, from, bytes.len())?);
    Ok(parts)
}

fn read_offset(bytes: &[u8]) -> Result<usize, Fault> {
    let bytes = bytes.try_into().map_err(|_| Fault::Length)?;
    usize::try_from(u32::from_le_bytes(bytes)).map_err(|_| Fault::Offset)
}

fn between(bytes: &[u8], from: usize, to: usize) -> Result<&[u8], Fault> {
    bytes.get(from..to).ok_or(Fault::Offset)
}
