//! Network tables of the tests, from the networks' published `config.yaml`.

use blobcheck_beacon::network::{NetworkConfig, FAR_FUTURE_EPOCH};

pub fn mainnet() -> NetworkConfig {
    config(&[32, 269_568, 364_032, 411_392, FAR_FUTURE_EPOCH, 6, 9, 412_672, 15, 419_072, 21])
}

pub fn sepolia() -> NetworkConfig {
    config(&[32, 132_608, 222_464, 272_640, FAR_FUTURE_EPOCH, 6, 9, 274_176, 15, 275_712, 21])
}

pub fn holesky() -> NetworkConfig {
    config(&[32, 29_696, 115_968, 165_120, FAR_FUTURE_EPOCH, 6, 9, 166_400, 15, 167_936, 21])
}

/// No real network: Deneb for ever.
pub fn always_deneb() -> NetworkConfig {
    config(&[32, 0, FAR_FUTURE_EPOCH, FAR_FUTURE_EPOCH, FAR_FUTURE_EPOCH, 6, 9])
}

/// No real network: Fulu for ever, `max_blobs` in every block. For columns derived from older blocks, and devnets.
pub fn always_fulu(max_blobs: u64) -> NetworkConfig {
    config(&[32, 0, 0, 0, FAR_FUTURE_EPOCH, 6, 9, 0, max_blobs])
}

fn config(words: &[u64]) -> NetworkConfig {
    NetworkConfig::from_words(words).unwrap()
}
