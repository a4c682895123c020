//! A cursor over SSZ bytes that cannot step outside them.

/// Takes the next `N` bytes off the front of `rest`; `None`, and `rest` as it was, when fewer remain.
pub(crate) fn take<'a, const N: usize>(rest: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (head, tail) = rest.split_first_chunk::<N>()?;
    *rest = tail;
    Some(head)
}

/// Takes the next `length` bytes, likewise.
pub(crate) fn take_slice<'a>(rest: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (head, tail) = rest.split_at_checked(length)?;
    *rest = tail;
    Some(head)
}

/// Takes a little-endian SSZ `uint64`.
pub(crate) fn take_u64(rest: &mut &[u8]) -> Option<u64> {
    take(rest).map(|bytes| u64::from_le_bytes(*bytes))
}

/// Takes a 4-byte SSZ offset. `None` also where it does not fit the address space.
pub(crate) fn take_offset(rest: &mut &[u8]) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(*take(rest)?)).ok()
}
