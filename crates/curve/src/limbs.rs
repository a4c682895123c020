//! Big-endian bytes to little-endian limbs, comparison, and limbs of 30 bits.

/// Reads `8·N` big-endian bytes as `N` limbs, least significant first. Shorter input reads as if padded with
/// leading zeros to whole words, longer input loses its leading bytes; the callers pass exactly `8·N`.
#[inline]
pub(crate) fn from_be<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let mut limbs = [0u64; N];
    let (_, words) = bytes.as_rchunks();
    for (limb, word) in limbs.iter_mut().zip(words.iter().rev()) {
        *limb = u64::from_be_bytes(*word);
    }
    limbs
}

/// Writes `N` limbs as big-endian bytes into `out`, which is `8·N` long.
pub(crate) fn to_be<const N: usize>(limbs: &[u64; N], out: &mut [u8]) {
    for (limb, chunk) in limbs.iter().zip(out.rchunks_exact_mut(8)) {
        chunk.copy_from_slice(&limb.to_be_bytes());
    }
}

/// Whether `a < b`.
#[inline]
pub(crate) fn less<const N: usize>(a: &[u64; N], b: &[u64; N]) -> bool {
    for i in (0..N).rev() {
        if a[i] != b[i] {
            return a[i] < b[i];
        }
    }
    false
}

/// `a − b`, given that `a ≥ b`.
pub(crate) fn minus<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut out = [0u64; N];
    let mut borrow = false;
    for i in 0..N {
        let (d, under) = a[i].overflowing_sub(b[i]);
        let (d, under2) = d.overflowing_sub(u64::from(borrow));
        out[i] = d;
        borrow = under || under2;
    }
    out
}

/// Limbs of 30 bits in 384.
pub(crate) const LIMBS_OF_30: usize = 13;

/// A number below 2³⁸⁴ in limbs of 30 bits.
pub(crate) const fn of_30_bits(words: &[u64; 6]) -> [i64; LIMBS_OF_30] {
    let (mut out, mut i) = ([0; LIMBS_OF_30], 0);
    while i < LIMBS_OF_30 {
        let (word, shift) = (i * 30 / 64, i * 30 % 64);
        let above = if word < 5 && shift > 0 { words[word + 1] << (64 - shift) } else { 0 };
        out[i] = ((words[word] >> shift | above) & 0x3fff_ffff) as i64;
        i += 1;
    }
    out
}
