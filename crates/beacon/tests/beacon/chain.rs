use crate::support::networks;
use blobcheck_beacon::chain::{ChainConfig, ChainConfigError, LightClientFork};
use blobcheck_beacon::domain::light_client_fork_of_digest;
use blobcheck_beacon::network::{NetworkConfigError, FAR_FUTURE_EPOCH};

/// Committee, period, genesis root, versions and epochs as `from_words` orders them, then the network's words.
const WORDS: [u64; 25] =
    [32, 8, 1, 2, 3, 4, 0x0a, 0x1a, 1, 0x2a, 2, 0x3a, 3, 0x4a, 0x5a, 0x6a, 0x7a, 8, 4, 5, 6, 7, 9, 6, 9];

fn with(position: usize, word: u64) -> Result<ChainConfig, ChainConfigError> {
    let mut words = WORDS;
    words[position] = word;
    ChainConfig::from_words(&words)
}

#[test]
fn words_are_read_in_their_order() {
    let chain = ChainConfig::from_words(&WORDS).unwrap();
    assert_eq!(chain.sync_committee_size, 32);
    assert_eq!(chain.genesis_validators_root[..9], [0, 0, 0, 0, 0, 0, 0, 1, 0]);
    assert_eq!(chain.genesis_validators_root[31], 4);
    assert_eq!(chain.genesis_fork_version, [0, 0, 0, 0x0a]);
    for (number, fork) in chain.forks.iter().enumerate() {
        let number = number as u64 + 1;
        assert_eq!((fork.epoch, fork.version), (number, [0, 0, 0, 16 * number as u8 + 10]));
    }
    assert_eq!(chain.slots_per_period(), 64);
    assert_eq!(
        [0, 63, 64, u64::MAX].map(|slot| chain.sync_committee_period_at_slot(slot)),
        [0, 0, 1, u64::MAX / 64]
    );
}

#[test]
fn words_that_are_no_chain_are_refused() {
    use ChainConfigError::{ForkOrder, Length, Network, Period, SyncCommitteeSize, Version};
    for length in 0..17 {
        assert_eq!(ChainConfig::from_words(&WORDS[..length]), Err(Length));
    }
    for length in 17..25 {
        assert_eq!(ChainConfig::from_words(&WORDS[..length]), Err(Network(NetworkConfigError::Length)));
    }
    for size in [0, 1, 31, 33, 4104, u64::MAX] {
        assert_eq!(with(0, size), Err(SyncCommitteeSize));
    }
    for size in [8, 512, 4096] {
        assert!(with(0, size).is_ok());
    }
    assert_eq!([with(1, 0), with(1, u64::MAX / 4)], [Err(Period), Err(Period)]);
    for position in [6, 7, 9, 11, 13, 14, 15, 16] {
        assert_eq!(with(position, 1 << 32), Err(Version));
        assert!(with(position, u64::from(u32::MAX)).is_ok());
    }
    assert_eq!([with(8, 3), with(12, 0), with(21, 2)], [Err(ForkOrder), Err(ForkOrder), Err(ForkOrder)]);
    assert_eq!(with(17, 0), Err(Network(NetworkConfigError::SlotsPerEpoch)));
}

#[test]
fn versions_and_objects_change_with_the_fork() {
    let chain = ChainConfig::from_words(&WORDS).unwrap();
    use LightClientFork::{Altair, Capella, Deneb, Electra, Fulu, Gloas};
    let forks = [Altair, Altair, Capella, Deneb, Electra, Fulu, Gloas, Gloas].map(Some);
    // The epochs 0 and 9 are of forks without light clients, and of one that is not known.
    let objects = [&[None][..], &forks, &[None]].concat();
    for (epoch, object) in objects.into_iter().enumerate() {
        for slot in [8 * epoch as u64, 8 * epoch as u64 + 7] {
            assert_eq!(chain.fork_version_at_slot(slot), [0, 0, 0, 16 * epoch.min(7) as u8 + 10]);
            assert_eq!(chain.light_client_fork_at_slot(slot), object);
            let begun =
                [chain.is_capella(slot), chain.is_deneb(slot), chain.is_electra(slot), chain.is_gloas(slot)];
            assert_eq!(begun, [epoch >= 3, epoch >= 4, epoch >= 5, epoch >= 7]);
        }
    }
    assert_eq!(chain.fork_version_at_slot(u64::MAX), [0, 0, 0, 0x7a]);
    assert_eq!((0..8).map(LightClientFork::from_number).filter(Option::is_some).count(), 6);
    assert!(LightClientFork::ALL
        .iter()
        .all(|fork| LightClientFork::from_number(fork.number()) == Some(*fork)));
}

/// Digests that were seen in recorded streams, or computed by another program.
#[test]
fn digests_name_their_forks() {
    use LightClientFork::{Capella, Deneb, Electra, Fulu, Gloas};
    let mainnet = networks::mainnet_chain();
    let sepolia = networks::sepolia_chain();
    let plataberget = networks::plataberget_chain();
    let mut mainnet_with_gloas = mainnet.clone();
    mainnet_with_gloas.forks[6].epoch = 500_000;
    let cases = [
        (&mainnet, 0xbba4_da96, Some(Capella)),
        (&mainnet, 0x6a95_a1a9, Some(Deneb)),
        (&mainnet, 0xad53_2ceb, Some(Electra)),
        (&mainnet, 0xcc2c_5cdb, Some(Fulu)),
        (&mainnet, 0xcb0d_1acc, Some(Fulu)),
        (&mainnet, 0x8c9f_62fe, Some(Fulu)),
        (&mainnet, 0x7e0d_3447, None),
        (&mainnet, 0, None),
        (&sepolia, 0xd31f_6191, Some(Deneb)),
        (&sepolia, 0x1404_5b5a, Some(Electra)),
        (&sepolia, 0x7e0d_3447, Some(Fulu)),
        (&sepolia, 0xfd32_b622, Some(Fulu)),
        (&sepolia, 0x74d0_1459, Some(Fulu)),
        (&sepolia, 0x669e_6c11, Some(Gloas)),
        // The base of that, which no mask covers, and the one of mainnet.
        (&sepolia, 0xe762_6d6f, None),
        (&sepolia, 0xce21_53ed, None),
        // Not scheduled there.
        (&mainnet, 0xce21_53ed, None),
        (&mainnet_with_gloas, 0xce21_53ed, Some(Gloas)),
        (&mainnet_with_gloas, 0x8c9f_62fe, Some(Fulu)),
        (&plataberget, 0x5c94_3807, Some(Fulu)),
        (&plataberget, 0x98c9_10cf, Some(Gloas)),
        (&sepolia, 0xcc2c_5cdb, None),
    ];
    for (chain, digest, fork) in cases {
        assert_eq!(light_client_fork_of_digest(chain, u32::to_be_bytes(digest)), fork, "{digest:08x}");
    }
}

#[test]
fn a_fork_that_is_never_scheduled_never_comes() {
    let mut words = WORDS;
    words[18..23].fill(FAR_FUTURE_EPOCH);
    let chain = ChainConfig::from_words(&words).unwrap();
    assert_eq!(chain.light_client_fork_at_slot(u64::MAX), Some(LightClientFork::Capella));
}
