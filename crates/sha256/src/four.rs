//! Four messages of one length at once.

use crate::blocks::{block_count, total_len, Blocks, BLOCK};
use crate::u32x4::U32x4;

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
#[rustfmt::skip]
const K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/// The first 32 bits of the fractional parts of the square roots of the first 8 primes (FIPS 180-4, 5.3.3).
#[rustfmt::skip]
const START: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/// SHA-256 of four messages, each in parts of its own, in one pass; `None` where the total lengths differ.
pub fn sha256_four(messages: [&[&[u8]]; 4]) -> Option<[[u8; 32]; 4]> {
    let len = total_len(messages[0]);
    if messages.iter().any(|parts| total_len(parts) != len) {
        return None;
    }
    let mut sources = messages.map(Blocks::new);
    let mut state = START.map(U32x4::splat);
    for _ in 0..block_count(len) {
        let blocks = sources.each_mut().map(Blocks::next_block);
        compress(&mut state, &transpose(blocks.each_ref()));
    }
    Some(digests_of(&state))
}

/// SHA-256 of four messages of 64 bytes, each a pair of nodes of a Merkle tree.
pub fn sha256_four_pairs(pairs: &[[[u8; 32]; 2]; 4]) -> [[u8; 32]; 4] {
    let mut state = START.map(U32x4::splat);
    // A pair is 64 bytes, so that the block without its last byte is never asked for.
    let blocks = pairs.each_ref().map(|pair| pair.as_flattened().first_chunk().unwrap_or(&[0; BLOCK]));
    compress(&mut state, &transpose(blocks));
    compress_padding(&mut state);
    digests_of(&state)
}

/// The digests, from the lanes that they are in.
fn digests_of(state: &[U32x4; 8]) -> [[u8; 32]; 4] {
    let mut digests = [[0u8; 32]; 4];
    for (word, lanes) in state.iter().enumerate() {
        for (digest, value) in digests.iter_mut().zip(lanes.words()) {
            digest[4 * word..4 * word + 4].copy_from_slice(&value.to_be_bytes());
        }
    }
    digests
}

/// Sixteen lanes, lane `i` of word `w` being the `w`-th big-endian word of block `i`.
#[inline(always)]
fn transpose(blocks: [&[u8; 64]; 4]) -> [U32x4; 16] {
    core::array::from_fn(|w| {
        let at = 4 * w;
        U32x4::new(core::array::from_fn(|i| {
            let b = blocks[i];
            u32::from_be_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]])
        }))
    })
}

/// The compression function (FIPS 180-4, 6.2.2). The message schedule is kept in sixteen words, used round.
fn compress(state: &mut [U32x4; 8], block: &[U32x4; 16]) {
    let mut w = *block;
    rounds(state, |t| {
        if t >= 16 {
            w[t % 16] = w[t % 16]
                .add(small_sigma0(w[(t + 1) % 16]))
                .add(w[(t + 9) % 16])
                .add(small_sigma1(w[(t + 14) % 16]));
        }
        U32x4::splat(K[t]).add(w[t % 16])
    });
}

/// The compression function on the second block of a message of 64 bytes, which is its padding in all lanes.
fn compress_padding(state: &mut [U32x4; 8]) {
    rounds(state, |t| U32x4::splat(PADDING[t]));
}

/// For each round the constant and the word of the message schedule of the block that pads 64 bytes, added up.
const PADDING: [u32; 64] = {
    let mut w = [0u32; 64];
    w[0] = 1 << 31;
    w[15] = 8 * BLOCK as u32;
    let mut t = 16;
    while t < 64 {
        let (x, y) = (w[t - 15], w[t - 2]);
        let small_sigma0 = x.rotate_right(7) ^ x.rotate_right(18) ^ x >> 3;
        let small_sigma1 = y.rotate_right(17) ^ y.rotate_right(19) ^ y >> 10;
        w[t] = w[t - 16].wrapping_add(small_sigma0).wrapping_add(w[t - 7]).wrapping_add(small_sigma1);
        t += 1;
    }
    let mut t = 0;
    while t < 64 {
        w[t] = w[t].wrapping_add(K[t]);
        t += 1;
    }
    w
};

/// The sixty-four rounds; `word` gives each round's constant and word of the message schedule, added up.
#[inline(always)]
fn rounds(state: &mut [U32x4; 8], mut word: impl FnMut(usize) -> U32x4) {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for t in 0..64 {
        let choice = e.select(f, g);
        let t1 = h.add(big_sigma1(e)).add(choice).add(word(t));
        // The majority of three bits: b where a and b agree, else c.
        let majority = a.xor(b).select(c, b);
        let t2 = big_sigma0(a).add(majority);
        (h, g, f, e, d, c, b, a) = (g, f, e, d.add(t1), c, b, a, t1.add(t2));
    }
    for (s, v) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *s = s.add(v);
    }
}

#[inline(always)]
fn big_sigma0(x: U32x4) -> U32x4 {
    x.rotr(2).xor(x.rotr(13)).xor(x.rotr(22))
}

#[inline(always)]
fn big_sigma1(x: U32x4) -> U32x4 {
    x.rotr(6).xor(x.rotr(11)).xor(x.rotr(25))
}

#[inline(always)]
fn small_sigma0(x: U32x4) -> U32x4 {
    x.rotr(7).xor(x.rotr(18)).xor(x.shr(3))
}

#[inline(always)]
fn small_sigma1(x: U32x4) -> U32x4 {
    x.rotr(17).xor(x.rotr(19)).xor(x.shr(10))
}
