//! Networks of the tests, from their published `config.yaml`.

use super::yaml::{self, Yaml};
use blobcheck_beacon::{chain::ChainConfig, network::FAR_FUTURE_EPOCH};

pub fn mainnet() -> ChainConfig {
    real(
        "4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95",
        [0, 0x0100_0000, 0x0200_0000, 0x0300_0000, 0x0400_0000, 0x0500_0000, 0x0600_0000, 0x0700_0000],
        [74_240, 144_896, 194_048, 269_568, 364_032, 411_392, FAR_FUTURE_EPOCH],
        &[412_672, 15, 419_072, 21],
    )
}

pub fn sepolia() -> ChainConfig {
    real(
        "d8ea171f3c94aea21ebc42a1ed61052acf3f9209c00e4efbaaddac09ed9b8078",
        [
            0x9000_0069,
            0x9000_0070,
            0x9000_0071,
            0x9000_0072,
            0x9000_0073,
            0x9000_0074,
            0x9000_0075,
            0x9000_0076,
        ],
        [50, 100, 56_832, 132_608, 222_464, 272_640, 353_024],
        &[274_176, 15, 275_712, 21],
    )
}

/// A network of the mainnet preset: its genesis root in hex, the versions from genesis to Gloas, the epochs from Altair
/// to Gloas.
fn real(root: &str, versions: [u64; 8], epochs: [u64; 7], schedule: &[u64]) -> ChainConfig {
    words(
        512,
        256,
        32,
        root,
        versions,
        [&epochs[..], &[FAR_FUTURE_EPOCH]].concat().try_into().unwrap(),
        schedule,
    )
}

/// The chain of a case of the specs: the minimal preset, forks from its config.
pub fn minimal(config: &Yaml, genesis_validators_root: &str) -> ChainConfig {
    let names = ["ALTAIR", "BELLATRIX", "CAPELLA", "DENEB", "ELECTRA", "FULU", "GLOAS"];
    let number = |key: String, otherwise| yaml::number(&config[key.as_str()]).unwrap_or(otherwise);
    let mut versions = [number("GENESIS_FORK_VERSION".into(), 0); 8];
    // No case has a fork after Gloas.
    let mut epochs = [FAR_FUTURE_EPOCH; 8];
    for (at, name) in names.iter().enumerate() {
        versions[at + 1] = number(format!("{name}_FORK_VERSION"), 0);
        epochs[at] = number(format!("{name}_FORK_EPOCH"), FAR_FUTURE_EPOCH);
    }
    let schedule: Vec<u64> = config["BLOB_SCHEDULE"]
        .as_vec()
        .map_or(&[][..], Vec::as_slice)
        .iter()
        .flat_map(|entry| ["EPOCH", "MAX_BLOBS_PER_BLOCK"].map(|key| yaml::number(&entry[key]).unwrap()))
        .collect();
    words(32, 8, 8, genesis_validators_root.trim_start_matches("0x"), versions, epochs, &schedule)
}

pub fn words(
    committee: u64,
    epochs_per_period: u64,
    slots_per_epoch: u64,
    root: &str,
    versions: [u64; 8],
    epochs: [u64; 8],
    schedule: &[u64],
) -> ChainConfig {
    let [altair, bellatrix, capella, deneb, electra, fulu, gloas, unsupported] = epochs;
    let root = |at: usize| u64::from_str_radix(&root[16 * at..16 * (at + 1)], 16).unwrap();
    let leading = [committee, epochs_per_period, root(0), root(1), root(2), root(3), versions[0]];
    let early = [versions[1], altair, versions[2], bellatrix, versions[3], capella];
    let network = [slots_per_epoch, deneb, electra, fulu, gloas, unsupported, 6, 9];
    let words = [&leading[..], &early, &versions[4..], &network, schedule].concat();
    ChainConfig::from_words(&words).unwrap()
}
