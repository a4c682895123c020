//! A strict RLP decoder (Ethereum yellow paper, appendix B).
//!
//! Every value has exactly one encoding here, and only that one is accepted: lengths are as short as they can
//! be, and a single byte below `0x80` stands for itself. There is no recursion: a list is a cursor over its
//! payload, and how deep one looks is decided by the type that is read, not by the bytes.

/// The bytes are not the canonical encoding of anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// One decoded item, borrowed from its encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item<'a> {
    /// A string of bytes.
    String(&'a [u8]),
    /// A list, whose payload has not been looked at yet.
    List(List<'a>),
}

/// What remains of a list's payload. Take the items with [`Self::next_item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List<'a> {
    payload: &'a [u8],
}

/// Decodes `bytes` as one item, with nothing behind it.
///
/// # Errors
/// [`Malformed`]; for a list, only its own header and length have been judged, not its items.
pub fn decode(bytes: &[u8]) -> Result<Item<'_>, Malformed> {
    let mut rest = bytes;
    let item = take_item(&mut rest)?;
    if rest.is_empty() {
        Ok(item)
    } else {
        Err(Malformed)
    }
}

impl<'a> List<'a> {
    /// The next item, or `None` at the end.
    ///
    /// # Errors
    /// [`Malformed`] where the next bytes are no canonical item that fits into the list. The list stays where it
    /// is, so that every further call fails too.
    pub fn next_item(&mut self) -> Result<Option<Item<'a>>, Malformed> {
        if self.payload.is_empty() {
            Ok(None)
        } else {
            take_item(&mut self.payload).map(Some)
        }
    }

    /// Whether no item remains.
    pub fn is_empty(&self) -> bool {
        self.payload.is_empty()
    }
}

/// Takes one item off the front of `rest`, which is left alone on failure.
fn take_item<'a>(rest: &mut &'a [u8]) -> Result<Item<'a>, Malformed> {
    let (&first, tail) = rest.split_first().ok_or(Malformed)?;
    let (payload, tail) = match first {
        0x00..=0x7f => rest.split_at_checked(1).ok_or(Malformed)?,
        0x80..=0xb7 => {
            let (payload, tail) = split(tail, usize::from(first - 0x80))?;
            // Such a byte is its own encoding.
            if matches!(payload, [0x00..=0x7f]) {
                return Err(Malformed);
            }
            (payload, tail)
        }
        0xb8..=0xbf => split_long(tail, usize::from(first - 0xb7))?,
        0xc0..=0xf7 => split(tail, usize::from(first - 0xc0))?,
        0xf8..=0xff => split_long(tail, usize::from(first - 0xf7))?,
    };
    *rest = tail;
    Ok(if first < 0xc0 { Item::String(payload) } else { Item::List(List { payload }) })
}

fn split(bytes: &[u8], length: usize) -> Result<(&[u8], &[u8]), Malformed> {
    bytes.split_at_checked(length).ok_or(Malformed)
}

/// Splits off a payload whose length is written in the first `length_bytes` (1 to 8) bytes, big-endian.
fn split_long(bytes: &[u8], length_bytes: usize) -> Result<(&[u8], &[u8]), Malformed> {
    let (digits, rest) = split(bytes, length_bytes)?;
    if digits.first() == Some(&0) {
        return Err(Malformed);
    }
    // At most eight digits: the shift drops nothing. What a u64 holds and a usize does not is out of reach anyway.
    let length = digits.iter().fold(0u64, |length, &digit| length << 8 | u64::from(digit));
    if length < 56 {
        return Err(Malformed);
    }
    split(rest, usize::try_from(length).map_err(|_| Malformed)?)
}
