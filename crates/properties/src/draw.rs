//! What inputs are made of: numbers at the ends of their ranges, long bytes of few, and bytes that somebody altered.

use arbitrary::{Result, Unstructured};
use blobcheck_testing::Rng;

/// The base field's prime, big-endian.
pub const P: [u8; 48] = [
    0x1a, 0x01, 0x11, 0xea, 0x39, 0x7f, 0xe6, 0x9a, 0x4b, 0x1b, 0xa7, 0xb6, 0x43, 0x4b, 0xac, 0xd7, 0x64,
    0x77, 0x4b, 0x84, 0xf3, 0x85, 0x12, 0xbf, 0x67, 0x30, 0xd2, 0xa0, 0xf6, 0xb0, 0xf6, 0x24, 0x1e, 0xab,
    0xff, 0xfe, 0xb1, 0x53, 0xff, 0xff, 0xb9, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xaa, 0xab,
];

/// The order of the groups, big-endian.
pub const R: [u8; 32] = [
    0x73, 0xed, 0xa7, 0x53, 0x29, 0x9d, 0x7d, 0x48, 0x33, 0x39, 0xd8, 0x08, 0x09, 0xa1, 0xd8, 0x05, 0x53,
    0xbd, 0xa4, 0x02, 0xff, 0xfe, 0x5b, 0xfe, 0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x01,
];

/// A number below `bound`, which is above zero.
pub fn below(input: &mut Unstructured<'_>, bound: usize) -> Result<usize> {
    input.int_in_range(0..=bound - 1)
}

/// `N` bytes; zeros where the input has come to its end.
pub fn array<const N: usize>(input: &mut Unstructured<'_>) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    input.fill_buffer(&mut bytes)?;
    Ok(bytes)
}

/// Up to `most` bytes of the input's own.
pub fn short(input: &mut Unstructured<'_>, most: usize) -> Result<Vec<u8>> {
    let mut bytes = vec![0; below(input, most + 1)?];
    input.fill_buffer(&mut bytes)?;
    Ok(bytes)
}

/// A generator that four bytes of the input choose: for what is long, and is no matter of choice.
pub fn rng(input: &mut Unstructured<'_>) -> Result<Rng> {
    Ok(Rng(u64::from(input.arbitrary::<u32>()?)))
}

/// A number near the ends of what 32 or 48 bytes hold: near zero, near `modulus`, or any.
pub fn number<const N: usize>(input: &mut Unstructured<'_>, modulus: &[u8; N]) -> Result<[u8; N]> {
    let mut number = match below(input, 6)? {
        0 => [0; N],
        1 => *modulus,
        2 => [0xff; N],
        // Below the modulus, which begins with 0x73 or 0x1a.
        3 | 4 => {
            let mut bytes = array(input)?;
            bytes[0] %= modulus[0];
            bytes
        }
        _ => return array(input),
    };
    // A step or two away, round the end of what the bytes hold.
    let step = input.int_in_range(-2i16..=2)?;
    let mut carry = step;
    for byte in number.iter_mut().rev() {
        let sum = i16::from(*byte) + carry;
        *byte = sum as u8;
        carry = sum >> 8;
    }
    Ok(number)
}

/// A field element's 32 bytes, canonical or not.
pub fn scalar(input: &mut Unstructured<'_>) -> Result<[u8; 32]> {
    number(input, &R)
}

/// Alters bytes in up to three places: most often near their beginning, where lengths are, and where offsets of SSZ seem to be.
pub fn alter(input: &mut Unstructured<'_>, bytes: &mut Vec<u8>) -> Result<()> {
    for _ in 0..below(input, 4)? {
        let near = [64, 256, usize::MAX][below(input, 3)?].min(bytes.len());
        let at = below(input, near + 1)?;
        match below(input, 9)? {
            0 if at < bytes.len() => bytes[at] ^= 1 << below(input, 8)?,
            1 if at < bytes.len() => bytes[at] = input.arbitrary()?,
            2 => bytes.truncate(at),
            3 => bytes.extend(short(input, 40)?),
            4 => bytes.insert(at, input.arbitrary()?),
            5 => drop(bytes.drain(at..bytes.len().min(at + 1 + below(input, 40)?))),
            6 => alter_offset(input, bytes)?,
            7 => {
                let end = bytes.len().min(at + 1 + below(input, 64)?);
                let copy = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, copy));
            }
            8 => leave_gap(input, bytes)?,
            _ => {}
        }
    }
    Ok(())
}

/// Where four of the first bytes could be an offset: a little-endian number that leads to a place in the bytes.
fn offsets(bytes: &[u8]) -> Vec<(usize, usize)> {
    let number = |four: &[u8]| four.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte));
    let places = bytes.windows(4).take(512).map(number).enumerate();
    places.filter(|(at, offset)| (at + 4..=bytes.len()).contains(offset)).collect()
}

fn write_offset(bytes: &mut [u8], at: usize, offset: usize) {
    bytes[at..at + 4].copy_from_slice(&(offset as u32).to_le_bytes());
}

/// An offset that is an element too large or too small, or that leads elsewhere.
fn alter_offset(input: &mut Unstructured<'_>, bytes: &mut [u8]) -> Result<()> {
    let places = offsets(bytes);
    if places.is_empty() {
        return Ok(());
    }
    let (at, offset) = places[below(input, places.len())?];
    let step = [1, 4, 8, 32, 48, 96, 2048][below(input, 7)?];
    let wrong = match below(input, 4)? {
        0 => offset.wrapping_add(step),
        1 => offset.wrapping_sub(step),
        2 => bytes.len(),
        _ => places[below(input, places.len())?].1,
    };
    write_offset(bytes, at, wrong);
    Ok(())
}

/// Bytes that belong to nothing, before what an offset leads to, and all offsets so that they lead around them.
fn leave_gap(input: &mut Unstructured<'_>, bytes: &mut Vec<u8>) -> Result<()> {
    let places = offsets(bytes);
    if places.is_empty() {
        return Ok(());
    }
    let (_, from) = places[below(input, places.len())?];
    let gap = 1 + below(input, 40)?;
    for (at, offset) in places {
        if offset >= from {
            write_offset(bytes, at, offset + gap);
        }
    }
    drop(bytes.splice(from..from, vec![0; gap]));
    Ok(())
}
