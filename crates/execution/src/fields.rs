//! Typed reading of RLP: each item must be of the kind and width that its field asks for.

use crate::reason::Reason;
use crate::rlp::{Item, List, Malformed};

impl From<Malformed> for Reason {
    fn from(Malformed: Malformed) -> Self {
        Self::Rlp
    }
}

/// The next item of a list that must have one.
pub(crate) fn item<'a>(list: &mut List<'a>) -> Result<Item<'a>, Reason> {
    list.next_item()?.ok_or(Reason::TransactionFields)
}

/// The next item, which must be a string.
pub(crate) fn string<'a>(list: &mut List<'a>) -> Result<&'a [u8], Reason> {
    match item(list)? {
        Item::String(bytes) => Ok(bytes),
        Item::List(_) => Err(Reason::TransactionFields),
    }
}

/// The next item, which must be a list.
pub(crate) fn list<'a>(list: &mut List<'a>) -> Result<List<'a>, Reason> {
    match item(list)? {
        Item::List(items) => Ok(items),
        Item::String(_) => Err(Reason::TransactionFields),
    }
}

/// The next item, which must be a string of `N` bytes; `otherwise` says what to call another length.
pub(crate) fn fixed<'a, const N: usize>(
    list: &mut List<'a>,
    otherwise: Reason,
) -> Result<&'a [u8; N], Reason> {
    string(list)?.try_into().map_err(|_| otherwise)
}

/// The next item, which must be an integer without leading zeros, of at most `max_bytes` bytes. Zero is empty.
pub(crate) fn integer<'a>(list: &mut List<'a>, max_bytes: usize) -> Result<&'a [u8], Reason> {
    match string(list)? {
        [0, ..] => Err(Reason::TransactionFields),
        digits if digits.len() > max_bytes => Err(Reason::TransactionFields),
        digits => Ok(digits),
    }
}

/// The next item, which must be an integer below 2^64.
pub(crate) fn integer_u64(list: &mut List<'_>) -> Result<u64, Reason> {
    Ok(integer(list, 8)?.iter().fold(0, |value, &digit| value << 8 | u64::from(digit)))
}

/// All the remaining items, which must be strings of `N` bytes.
pub(crate) fn all_fixed<'a, const N: usize>(
    mut items: List<'a>,
    otherwise: Reason,
) -> Result<Vec<&'a [u8; N]>, Reason> {
    let mut all = Vec::new();
    while !items.is_empty() {
        all.push(fixed(&mut items, otherwise)?);
    }
    Ok(all)
}

/// Refuses a list with items left over.
pub(crate) fn end(list: &List<'_>) -> Result<(), Reason> {
    if list.is_empty() {
        Ok(())
    } else {
        Err(Reason::TransactionFields)
    }
}
