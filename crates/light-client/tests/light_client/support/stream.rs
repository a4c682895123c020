//! The Beacon API's stream of updates: for each a length, of what follows, then the fork digest and the SSZ.

use blobcheck_beacon::{
    domain::light_client_fork_of_digest, light_client::LightClientUpdate, ChainConfig, LightClientFork,
};

/// The updates of a stream with their forks and bytes.
pub fn split<'a>(chain: &ChainConfig, stream: &'a [u8]) -> Vec<(LightClientFork, &'a [u8])> {
    let mut rest = stream;
    let mut updates = Vec::new();
    while !rest.is_empty() {
        let (length, tail) = rest.split_first_chunk::<8>().unwrap();
        let (payload, tail) = tail.split_at(u64::from_le_bytes(*length) as usize);
        let (digest, ssz) = payload.split_first_chunk::<4>().unwrap();
        updates.push((light_client_fork_of_digest(chain, *digest).unwrap(), ssz));
        rest = tail;
    }
    updates
}

pub fn read(chain: &ChainConfig, stream: &[u8]) -> Vec<LightClientUpdate> {
    let updates = split(chain, stream);
    updates.iter().map(|(fork, ssz)| LightClientUpdate::from_ssz(chain, *fork, ssz).unwrap()).collect()
}
