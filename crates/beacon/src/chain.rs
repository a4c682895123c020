//! A chain as a light client must know it: forks and their versions, genesis, and the preset's sizes.

use crate::network::{NetworkConfig, NetworkConfigError, FAR_FUTURE_EPOCH};
use crate::Bytes32;

/// Most keys of a sync committee, in any preset.
pub const MAX_SYNC_COMMITTEE_SIZE: usize = 4096;

/// `Version` of a fork: 4 bytes.
pub type Version = [u8; 4];

/// A fork and the epoch in which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForkPoint {
    /// First epoch; `FAR_FUTURE_EPOCH` where it is not scheduled.
    pub epoch: u64,
    /// `*_FORK_VERSION`.
    pub version: Version,
}

/// The forks that have light-client objects. Their containers differ; Bellatrix has Altair's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum LightClientFork {
    /// Altair and Bellatrix: headers without execution headers.
    Altair = 0,
    /// Execution headers, without blob gas.
    Capella = 1,
    /// Execution headers with blob gas.
    Deneb = 2,
    /// Longer branches, since the state has more fields.
    Electra = 3,
    /// The same objects as in Electra.
    Fulu = 4,
    /// Hashes of execution blocks in the place of their headers, longer branches, and a fixed size.
    Gloas = 5,
}

impl LightClientFork {
    /// All of them, in order.
    pub const ALL: [Self; 6] =
        [Self::Altair, Self::Capella, Self::Deneb, Self::Electra, Self::Fulu, Self::Gloas];

    /// The fork of this number; `None` for a number that is none.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// Its number across the WASM boundary.
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// What the light-client protocol needs to know of a network: `config.yaml` and the preset, reduced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainConfig {
    /// Slots, forks from Deneb on, and the blob schedule.
    pub network: NetworkConfig,
    /// `genesis_validators_root` of the genesis state.
    pub genesis_validators_root: Bytes32,
    /// `GENESIS_FORK_VERSION`, of epoch 0 unless a later fork begins there.
    pub genesis_fork_version: Version,
    /// Altair, Bellatrix, Capella, Deneb, Electra, Fulu and Gloas, in this order, which is that of their epochs.
    pub forks: [ForkPoint; 7],
    /// `SYNC_COMMITTEE_SIZE`: 512, or 32 in the minimal preset. A multiple of 8, at most 4,096.
    pub sync_committee_size: usize,
    /// `SLOTS_PER_EPOCH` times `EPOCHS_PER_SYNC_COMMITTEE_PERIOD` (256, or 8 in the minimal preset), which is also `UPDATE_TIMEOUT`; not 0.
    slots_per_period: u64,
}

/// Positions in [`ChainConfig::forks`].
const CAPELLA: usize = 2;
const DENEB: usize = 3;
const ELECTRA: usize = 4;
const FULU: usize = 5;
const GLOAS: usize = 6;

/// Words before those of the [`NetworkConfig`].
const LEADING_WORDS: usize = 17;

impl ChainConfig {
    /// Reads the wire form, all of it words:
    ///
    /// ```text
    ///  0      SYNC_COMMITTEE_SIZE
    ///  1      EPOCHS_PER_SYNC_COMMITTEE_PERIOD
    ///  2 –  5 genesis_validators_root, as four big-endian numbers
    ///  6      GENESIS_FORK_VERSION, as a big-endian number, as are all versions
    ///  7 – 12 version and epoch of Altair, of Bellatrix, of Capella
    /// 13 – 16 versions of Deneb, Electra, Fulu, Gloas
    /// 17 …    the words of NetworkConfig::from_words
    /// ```
    ///
    /// # Errors
    /// [`ChainConfigError`], where the words do not make up a config without ambiguity.
    pub fn from_words(words: &[u64]) -> Result<Self, ChainConfigError> {
        let Some((leading, rest)) = words.split_first_chunk::<LEADING_WORDS>() else {
            return Err(ChainConfigError::Length);
        };
        let network = NetworkConfig::from_words(rest).map_err(ChainConfigError::Network)?;
        let [size, epochs_per_period, root @ .., _, _, _, _, _, _, _, _, _, _, _] = leading;
        let mut genesis_validators_root = [0; 32];
        for (chunk, word) in genesis_validators_root.chunks_exact_mut(8).zip(root) {
            chunk.copy_from_slice(&word.to_be_bytes());
        }
        let point = |version: u64, epoch: u64| Ok(ForkPoint { epoch, version: read_version(version)? });
        let forks = [
            point(leading[7], leading[8])?,
            point(leading[9], leading[10])?,
            point(leading[11], leading[12])?,
            point(leading[13], network.deneb_fork_epoch)?,
            point(leading[14], network.electra_fork_epoch)?,
            point(leading[15], network.fulu_fork_epoch)?,
            point(leading[16], network.gloas_fork_epoch)?,
        ];
        if !forks.is_sorted_by_key(|fork| fork.epoch) {
            return Err(ChainConfigError::ForkOrder);
        }
        let sync_committee_size =
            usize::try_from(*size).ok().filter(|size| (8..=MAX_SYNC_COMMITTEE_SIZE).contains(size));
        let slots_per_period = epochs_per_period.checked_mul(network.slots_per_epoch.get());
        Ok(Self {
            genesis_validators_root,
            genesis_fork_version: read_version(leading[6])?,
            forks,
            sync_committee_size: sync_committee_size
                .filter(|size| size.is_multiple_of(8))
                .ok_or(ChainConfigError::SyncCommitteeSize)?,
            slots_per_period: slots_per_period.filter(|slots| *slots > 0).ok_or(ChainConfigError::Period)?,
            network,
        })
    }

    /// `SLOTS_PER_EPOCH * EPOCHS_PER_SYNC_COMMITTEE_PERIOD`, which is also `UPDATE_TIMEOUT`. Not 0.
    pub fn slots_per_period(&self) -> u64 {
        self.slots_per_period
    }

    /// `compute_sync_committee_period_at_slot(slot)`.
    pub fn sync_committee_period_at_slot(&self, slot: u64) -> u64 {
        slot / self.slots_per_period
    }

    /// `compute_fork_version(compute_epoch_at_slot(slot))`: of the latest fork whose epoch has come.
    pub fn fork_version_at_slot(&self, slot: u64) -> Version {
        let epoch = self.network.epoch_at_slot(slot);
        let begun = self.forks.iter().rev().find(|fork| epoch >= fork.epoch);
        begun.map_or(self.genesis_fork_version, |fork| fork.version)
    }

    /// The fork in whose objects a block of this slot is spoken of; `None` before Altair, and from a fork on that is not
    /// supported.
    pub fn light_client_fork_at_slot(&self, slot: u64) -> Option<LightClientFork> {
        if !self.network.is_supported(slot) {
            return None;
        }
        let epoch = self.network.epoch_at_slot(slot);
        let latest = self.forks.iter().rposition(|fork| epoch >= fork.epoch)?;
        object_fork(latest)
    }

    /// Whether blocks of this slot have execution headers that a light client proves.
    pub fn is_capella(&self, slot: u64) -> bool {
        self.has_begun(CAPELLA, slot)
    }

    /// Whether execution headers of this slot have blob gas.
    pub fn is_deneb(&self, slot: u64) -> bool {
        self.has_begun(DENEB, slot)
    }

    /// Whether the states of this slot have Electra's shape.
    pub fn is_electra(&self, slot: u64) -> bool {
        self.has_begun(ELECTRA, slot)
    }

    /// Whether blocks and states of this slot have Gloas's shape, and headers prove the hash of an execution block.
    pub fn is_gloas(&self, slot: u64) -> bool {
        self.has_begun(GLOAS, slot)
    }

    fn has_begun(&self, fork: usize, slot: u64) -> bool {
        self.network.epoch_at_slot(slot) >= self.forks[fork].epoch
    }

    /// Each fork that is scheduled, with the first epoch that has its version and digest, and whether the digest has the mask
    /// of blob parameters (EIP-7892).
    pub(crate) fn digest_points(&self) -> impl Iterator<Item = (LightClientFork, ForkPoint, bool)> + '_ {
        self.forks
            .iter()
            .enumerate()
            .filter(|(_, fork)| fork.epoch != FAR_FUTURE_EPOCH)
            .filter_map(|(position, fork)| Some((object_fork(position)?, *fork, position >= FULU)))
    }
}

/// The containers of the fork at this position of [`ChainConfig::forks`].
fn object_fork(position: usize) -> Option<LightClientFork> {
    match position {
        0 | 1 => Some(LightClientFork::Altair),
        CAPELLA => Some(LightClientFork::Capella),
        DENEB => Some(LightClientFork::Deneb),
        ELECTRA => Some(LightClientFork::Electra),
        FULU => Some(LightClientFork::Fulu),
        GLOAS => Some(LightClientFork::Gloas),
        _ => None,
    }
}

fn read_version(word: u64) -> Result<Version, ChainConfigError> {
    u32::try_from(word).map(u32::to_be_bytes).map_err(|_| ChainConfigError::Version)
}

/// Why words are no [`ChainConfig`]. It is the caller's mistake, never a peer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainConfigError {
    /// Fewer than the leading words.
    Length,
    /// The rest is no [`NetworkConfig`].
    Network(NetworkConfigError),
    /// A committee of no size, of one that is no multiple of 8, or of more than 4,096.
    SyncCommitteeSize,
    /// A period of no slots, or of more than can be counted.
    Period,
    /// A version of more than four bytes.
    Version,
    /// A fork begins before the one that it follows.
    ForkOrder,
}
