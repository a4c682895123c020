//! Network tables of the tests, from the networks' published `config.yaml`.

use blobcheck_beacon::chain::ChainConfig;
use blobcheck_beacon::network::{NetworkConfig, FAR_FUTURE_EPOCH};

const MAINNET: [u64; 12] =
    [32, 269_568, 364_032, 411_392, FAR_FUTURE_EPOCH, FAR_FUTURE_EPOCH, 6, 9, 412_672, 15, 419_072, 21];
const SEPOLIA: [u64; 12] =
    [32, 132_608, 222_464, 272_640, 353_024, FAR_FUTURE_EPOCH, 6, 9, 274_176, 15, 275_712, 21];

pub fn mainnet() -> NetworkConfig {
    config(&MAINNET)
}

pub fn sepolia() -> NetworkConfig {
    config(&SEPOLIA)
}

pub fn mainnet_chain() -> ChainConfig {
    let root = [0x4b36_3db9_4e28_6120, 0xd76e_b905_340f_dd4e, 0x54bf_e9f0_6bf3_3ff6, 0xcf5a_d27f_511b_fe95];
    let early = [0x0100_0000, 74_240, 0x0200_0000, 144_896, 0x0300_0000, 194_048];
    chain(root, 0, early, [0x0400_0000, 0x0500_0000, 0x0600_0000, 0x0700_0000], &MAINNET)
}

pub fn sepolia_chain() -> ChainConfig {
    let root = [0xd8ea_171f_3c94_aea2, 0x1ebc_42a1_ed61_052a, 0xcf3f_9209_c00e_4efb, 0xaadd_ac09_ed9b_8078];
    let early = [0x9000_0070, 50, 0x9000_0071, 100, 0x9000_0072, 56_832];
    chain(root, 0x9000_0069, early, [0x9000_0073, 0x9000_0074, 0x9000_0075, 0x9000_0076], &SEPOLIA)
}

/// A test network of Gloas, of which only the genesis root and the versions of Fulu and Gloas matter here.
pub fn plataberget_chain() -> ChainConfig {
    let root = [0xbb4a_1a9e_3f7f_4e10, 0xedcd_734e_4acc_3b5f, 0xfd4f_830e_fe0a_f274, 0x8fa4_58cf_ee5d_2658];
    let network = [32, 0, 0, 0, 1536, FAR_FUTURE_EPOCH, 6, 9, 0, 21];
    chain(root, 0, [0; 6], [0, 0, 0x7073_3183, 0x8073_3183], &network)
}

fn chain(root: [u64; 4], genesis: u64, early: [u64; 6], versions: [u64; 4], network: &[u64]) -> ChainConfig {
    let words = [&[512, 256][..], &root, &[genesis], &early, &versions, network].concat();
    ChainConfig::from_words(&words).unwrap()
}

pub fn holesky() -> NetworkConfig {
    config(&[
        32,
        29_696,
        115_968,
        165_120,
        FAR_FUTURE_EPOCH,
        FAR_FUTURE_EPOCH,
        6,
        9,
        166_400,
        15,
        167_936,
        21,
    ])
}

/// No real network: Deneb for ever.
pub fn always_deneb() -> NetworkConfig {
    config(&[32, 0, FAR_FUTURE_EPOCH, FAR_FUTURE_EPOCH, FAR_FUTURE_EPOCH, FAR_FUTURE_EPOCH, 6, 9])
}

/// No real network: Fulu for ever, `max_blobs` in every block. For columns derived from older blocks, and devnets.
pub fn always_fulu(max_blobs: u64) -> NetworkConfig {
    config(&[32, 0, 0, 0, FAR_FUTURE_EPOCH, FAR_FUTURE_EPOCH, 6, 9, 0, max_blobs])
}

fn config(words: &[u64]) -> NetworkConfig {
    NetworkConfig::from_words(words).unwrap()
}
