use crate::support::networks;
use blobcheck_beacon::network::{BlobParameters, Fork, NetworkConfig, NetworkConfigError, FAR_FUTURE_EPOCH};
use blobcheck_testing::Rng;

const WORDS: [u64; 8] = [32, 10, 20, 30, 40, 50, 6, 9];

fn with_schedule(schedule: &[u64]) -> Result<NetworkConfig, NetworkConfigError> {
    NetworkConfig::from_words(&[&WORDS, schedule].concat())
}

#[test]
fn words_of_a_wrong_shape_are_refused() {
    for length in 0..WORDS.len() {
        assert_eq!(NetworkConfig::from_words(&WORDS[..length]), Err(NetworkConfigError::Length));
    }
    assert!(with_schedule(&[]).is_ok());
    assert_eq!(with_schedule(&[30]), Err(NetworkConfigError::Length));
    assert_eq!(with_schedule(&[30, 12, 31]), Err(NetworkConfigError::Length));
    assert_eq!(with_schedule(&[30, 12, 31, 15, 30, 12]), Err(NetworkConfigError::DuplicateEpoch));
    let mut words = WORDS;
    words[0] = 0;
    assert_eq!(NetworkConfig::from_words(&words), Err(NetworkConfigError::SlotsPerEpoch));
}

#[test]
fn forks_begin_with_their_epoch() {
    let network = with_schedule(&[]).unwrap();
    let forks = [Fork::BeforeDeneb, Fork::Deneb, Fork::Electra, Fork::Fulu, Fork::Gloas, Fork::Unsupported];
    for (number, fork) in forks.into_iter().enumerate() {
        let number = number as u64;
        assert_eq!(network.fork_at(10 * number), fork);
        assert_eq!(network.fork_at(10 * number + 9), fork);
    }
    assert_eq!(network.fork_at(u64::MAX), Fork::Unsupported);
    assert_eq!([50 * 32 - 1, 50 * 32].map(|slot| network.is_supported(slot)), [true, false]);
    assert_eq!(network.epoch_at_slot(u64::MAX), u64::MAX / 32);
    assert_eq!((network.epoch_at_slot(319), network.epoch_at_slot(320)), (9, 10));
}

#[test]
fn forks_of_one_epoch_are_the_latest() {
    let network = NetworkConfig::from_words(&[8, 0, 0, 0, FAR_FUTURE_EPOCH, FAR_FUTURE_EPOCH, 6, 9]).unwrap();
    assert_eq!(network.fork_at(0), Fork::Fulu);
    assert_eq!(network.max_blobs_per_block(0), 9);
}

#[test]
fn mainnet_by_epoch() {
    let network = networks::mainnet();
    for (epoch, max) in [
        (0, 0),
        (269_567, 0),
        (269_568, 6),
        (364_031, 6),
        (364_032, 9),
        (411_391, 9),
        (411_392, 9),
        (412_671, 9),
        (412_672, 15),
        (419_071, 15),
        (419_072, 21),
        (FAR_FUTURE_EPOCH - 1, 21),
    ] {
        assert_eq!(network.max_blobs_per_block(epoch), max, "epoch {epoch}");
    }
}

#[test]
fn the_schedule_does_not_act_before_fulu() {
    let network = with_schedule(&[15, 100]).unwrap();
    assert_eq!(network.max_blobs_per_block(15), 6);
    assert_eq!(network.max_blobs_per_block(29), 9);
    assert_eq!(network.max_blobs_per_block(30), 100);
}

/// `get_blob_parameters` of `fulu/beacon-chain.md`, line by line.
fn get_blob_parameters(network: &NetworkConfig, epoch: u64) -> u64 {
    let mut schedule = network.blob_schedule.clone();
    schedule.sort_by_key(|entry| std::cmp::Reverse(entry.epoch));
    for entry in schedule {
        if epoch >= entry.epoch {
            return entry.max_blobs_per_block;
        }
    }
    network.max_blobs_per_block_electra
}

#[test]
fn the_schedule_is_read_as_the_spec_reads_it_in_any_order() {
    let mut random = Rng(5);
    for _ in 0..2000 {
        let mut network = networks::always_fulu(0);
        network.blob_schedule = (0..random.below(6))
            .map(|number| BlobParameters {
                epoch: random.below(4) * 6 + number, // distinct: `number` is below 6
                max_blobs_per_block: random.below(30),
            })
            .collect();
        for epoch in (0..26).chain([FAR_FUTURE_EPOCH - 1]) {
            assert_eq!(network.max_blobs_per_block(epoch), get_blob_parameters(&network, epoch));
        }
    }
}
