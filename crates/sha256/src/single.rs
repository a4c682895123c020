//! One message at a time.

use sha2::Digest;

/// SHA-256 of the concatenation of `parts`.
pub fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finish()
}

/// A streaming hasher, for data that is not all at hand.
#[derive(Clone, Default)]
pub struct Sha256(sha2::Sha256);

impl Sha256 {
    /// The state before any byte.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends `bytes` to the message.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of all bytes given so far.
    pub fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}
