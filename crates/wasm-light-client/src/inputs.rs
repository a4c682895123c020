//! What JavaScript hands over, as the crates take it.

use blobcheck_beacon::{BeaconBlockHeader, ChainConfig, LightClientFork};
use blobcheck_bls::FreshSeed;
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
    LightClientFork::from_number(number).ok_or(Reason::UnsupportedFork)
}

pub(crate) fn read_store(chain: &ChainConfig, bytes: &[u8]) -> Result<LightClientStore, Reason> {
    encoding::decode(chain, bytes)
}

/// Headers of 112 bytes, one after the other.
pub(crate) fn read_headers(bytes: &[u8]) -> Result<Vec<BeaconBlockHeader>, Reason> {
    let headers = bytes.chunks(BeaconBlockHeader::SSZ_BYTES).map(BeaconBlockHeader::from_ssz);
    headers.collect::<Option<_>>().ok_or(Reason::ObjectLength)
}

/// Splits bytes into objects, of which each has the number of its fork and a length.
///
/// # Errors
/// [`Reason::ObjectLength`] where there are not as many forks as lengths, or the lengths do not add up to all of the bytes:
/// none of the caller's objects may be left out unseen.
pub(crate) fn split<'a>(forks: &[u8], bytes: &'a [u8], lengths: &[u32]) -> Result<Vec<Object<'a>>, Reason> {
    if forks.len() != lengths.len() {
        return Err(Reason::ObjectLength);
    }
    let mut rest = bytes;
    let mut objects = Vec::with_capacity(forks.len());
    for (&fork, &length) in forks.iter().zip(lengths) {
        let (ssz, tail) = rest.split_at_checked(length as usize).ok_or(Reason::ObjectLength)?;
        objects.push(Object { fork, ssz });
        rest = tail;
    }
    if rest.is_empty() {
        Ok(objects)
    } else {
        Err(Reason::ObjectLength)
    }
}

/// A container, and the number of the fork that says which.
pub(crate) struct Object<'a> {
    pub(crate) fork: u8,
    pub(crate) ssz: &'a [u8],
}

/// A seed of 32 bytes; no bytes where there is no CSPRNG.
///
/// # Errors
/// [`Reason::ObjectLength`] for any other length.
pub(crate) fn read_seed(bytes: &[u8]) -> Result<Option<FreshSeed>, Reason> {
    match bytes {
        [] => Ok(None),
        _ => {
            bytes.try_into().map(|seed| Some(FreshSeed::from_csprng(seed))).map_err(|_| Reason::ObjectLength)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_has_a_fork_and_a_length() {
        let objects = |forks: &[u8], lengths: &[u32]| {
            let objects = split(forks, b"abcde", lengths)?;
            Ok(objects.iter().map(|object| (object.fork, object.ssz.to_vec())).collect::<Vec<_>>())
        };
        let both = vec![(1, b"ab".to_vec()), (3, b"cde".to_vec())];
        assert_eq!(objects(&[1, 3], &[2, 3]), Ok(both));
        let wrong: [(&[u8], &[u32]); 7] = [
            (&[1], &[2, 3]),
            (&[1, 3, 4], &[2, 3]),
            (&[], &[5]),
            (&[], &[]),
            (&[1], &[4]),
            (&[1], &[6]),
            (&[1, 3], &[2, u32::MAX]),
        ];
        for (forks, lengths) in wrong {
            assert_eq!(objects(forks, lengths), Err(Reason::ObjectLength), "{forks:?} {lengths:?}");
        }
    }

    #[test]
    fn a_seed_has_32_bytes_or_there_is_none() {
        let seed = |bytes| read_seed(bytes).map(|seed| seed.map(FreshSeed::into_bytes));
        assert_eq!(seed(&[]), Ok(None));
        assert_eq!(seed(&[7; 32]), Ok(Some([7; 32])));
        for length in [1, 31, 33] {
            assert_eq!(seed(&[7; 33][..length]), Err(Reason::ObjectLength));
        }
    }
}
