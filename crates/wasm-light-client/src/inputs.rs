//! What JavaScript hands over, as the crates take it.

use blobcheck_beacon::{BeaconBlockHeader, ChainConfig, LightClientFork};
use blobcheck_light_client::{encoding, Committees, LightClientStore, Reason};
use std::cell::RefCell;

thread_local! {
    /// The committees that this instance has decompressed.
    static COMMITTEES: RefCell<Committees> = RefCell::new(Committees::new());
}

/// Lends the instance's committees.
pub(crate) fn committees<T>(task: impl FnOnce(&mut Committees) -> T) -> T {
    COMMITTEES.with_borrow_mut(task)
}

pub(crate) fn read_chain(words: &[u64]) -> Result<ChainConfig, Reason> {
    ChainConfig::from_words(words).map_err(|_| Reason::NetworkConfig)
}

pub(crate) fn read_fork(number: u8) -> Result<LightClientFork, Reason> {
    LightClientFork::from_number(number).ok_or(Reason::ForkUnsupported)
}

pub(crate) fn read_store(chain: &ChainConfig, bytes: &[u8]) -> Result<LightClientStore, Reason> {
    encoding::decode(chain, bytes)
}

/// Headers of 112 bytes, one after the other.
pub(crate) fn read_headers(bytes: &[u8]) -> Result<Vec<BeaconBlockHeader>, Reason> {
    let headers = bytes.chunks(BeaconBlockHeader::SSZ_BYTES).map(BeaconBlockHeader::from_ssz);
    headers.collect::<Option<_>>().ok_or(Reason::ObjectLength)
}

/// Splits bytes into elements of the given lengths. Where they do not suffice, elements come out short, and the reading of
/// them refuses them.
pub(crate) fn split<'a>(bytes: &'a [u8], lengths: &'a [u32]) -> impl Iterator<Item = &'a [u8]> {
    let mut rest = bytes;
    lengths.iter().map(move |&length| {
        let (element, tail) = rest.split_at(rest.len().min(length as usize));
        rest = tail;
        element
    })
}
