//! The padded blocks of a message that lies in parts.

/// Bytes in a SHA-256 block.
pub const BLOCK: usize = 64;

/// Yields the 64-byte blocks of a message, padding included (FIPS 180-4, 5.1.1).
///
/// Part boundaries may fall anywhere, and parts may be empty.
pub struct Blocks<'m> {
    parts: &'m [&'m [u8]],
    /// What is left of the part before `parts`.
    current: &'m [u8],
    /// Length of the whole message in bits.
    bits: u64,
    /// Whether the `0x80` that ends the message has been written.
    ended: bool,
}

impl<'m> Blocks<'m> {
    /// Starts at the beginning of the message that `parts` make.
    pub fn new(parts: &'m [&'m [u8]]) -> Self {
        Self { parts, current: &[], bits: total_len(parts) * 8, ended: false }
    }

    /// The next block. The caller asks for exactly [`block_count`] of them; beyond that the blocks are zeros
    /// and the length, which no digest uses.
    pub fn next_block(&mut self) -> [u8; BLOCK] {
        let mut block = [0u8; BLOCK];
        let mut filled = 0;
        while filled < BLOCK {
            if self.current.is_empty() {
                let Some((first, rest)) = self.parts.split_first() else { break };
                (self.current, self.parts) = (first, rest);
                continue;
            }
            let take = self.current.len().min(BLOCK - filled);
            let (now, later) = self.current.split_at(take);
            block[filled..filled + take].copy_from_slice(now);
            filled += take;
            self.current = later;
        }
        if filled < BLOCK {
            let mark = usize::from(!self.ended);
            if mark == 1 {
                block[filled] = 0x80;
                self.ended = true;
            }
            // The length goes into this block only where eight bytes are left after the mark.
            if filled + mark <= BLOCK - 8 {
                block[BLOCK - 8..].copy_from_slice(&self.bits.to_be_bytes());
            }
        }
        block
    }
}

/// Length in bytes of the message that `parts` make.
pub fn total_len(parts: &[&[u8]]) -> u64 {
    parts.iter().map(|part| part.len() as u64).sum()
}

/// Number of blocks of a message of `len` bytes, padding included.
pub fn block_count(len: u64) -> u64 {
    // One byte for the mark, eight for the length.
    (len + 9).div_ceil(BLOCK as u64)
}
