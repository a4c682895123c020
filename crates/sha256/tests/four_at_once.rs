//! The lanes against `sha2`, on every length around the block boundaries and on random cuts.

use blobcheck_sha256::{sha256, sha256_each, sha256_four, sha256_four_pairs, sha256_pairs, Sha256};
use sha2::Digest;

/// A small generator (xorshift64*), so that a failure is reproducible.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| (self.next() >> 56) as u8).collect()
    }

    /// Cuts `bytes` at random places; some parts are empty.
    fn cut<'a>(&mut self, bytes: &'a [u8]) -> Vec<&'a [u8]> {
        let count = self.next() as usize % 6;
        let mut cuts: Vec<usize> = (0..count).map(|_| self.next() as usize % (bytes.len() + 1)).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        cuts.windows(2).map(|w| &bytes[w[0]..w[1]]).collect()
    }
}

fn oracle(bytes: &[u8]) -> [u8; 32] {
    sha2::Sha256::digest(bytes).into()
}

#[test]
fn four_lanes_agree_with_sha2_on_all_short_lengths() {
    let mut rng = Rng(1);
    for len in (0..=260).chain([1023, 1024, 1025, 131_072, 131_152]) {
        let messages: Vec<Vec<u8>> = (0..4).map(|_| rng.bytes(len)).collect();
        let parts: Vec<Vec<&[u8]>> = messages.iter().map(|m| rng.cut(m)).collect();
        let digests = sha256_four([&parts[0], &parts[1], &parts[2], &parts[3]]).expect("equal lengths");
        for (digest, message) in digests.iter().zip(&messages) {
            assert_eq!(*digest, oracle(message), "length {len}");
        }
    }
}

#[test]
fn four_lanes_refuse_unequal_lengths() {
    assert!(sha256_four([&[b"abc"], &[b"abc"], &[b"abc"], &[b"ab"]]).is_none());
    assert!(sha256_four([&[b"abc"], &[b"a", b"bc"], &[b"", b"abc"], &[b"ab", b"c"]]).is_some());
}

#[test]
fn each_agrees_on_mixed_lengths() {
    let mut rng = Rng(2);
    for count in 0..14 {
        let messages: Vec<Vec<u8>> = (0..count)
            .map(|_| {
                let n = (rng.next() % 3) as usize * 50;
                rng.bytes(n)
            })
            .collect();
        let parts: Vec<Vec<&[u8]>> = messages.iter().map(|m| rng.cut(m)).collect();
        let expected: Vec<_> = messages.iter().map(|m| oracle(m)).collect();
        assert_eq!(sha256_each(&parts), expected);
    }
}

#[test]
fn one_message_in_parts_or_streamed() {
    let mut rng = Rng(3);
    for len in 0..200 {
        let message = rng.bytes(len);
        let parts = rng.cut(&message);
        let mut streaming = Sha256::new();
        parts.iter().for_each(|part| streaming.update(part));
        assert_eq!(sha256(&parts), oracle(&message));
        assert_eq!(streaming.finish(), oracle(&message));
    }
}

#[test]
fn pairs_of_nodes_agree_with_sha2() {
    let mut rng = Rng(4);
    for count in 0..14 {
        let pairs: Vec<[[u8; 32]; 2]> = (0..count)
            .map(|_| core::array::from_fn(|_| rng.bytes(32).try_into().unwrap_or_default()))
            .collect();
        let wanted: Vec<_> = pairs.iter().map(|pair| oracle(pair.as_flattened())).collect();
        assert_eq!(sha256_pairs(&pairs), wanted);
        // The lanes are not what `sha256_pairs` takes on every machine.
        for (four, wanted) in pairs.as_chunks().0.iter().zip(wanted.as_chunks::<4>().0) {
            assert_eq!(sha256_four_pairs(four), *wanted);
        }
    }
}
