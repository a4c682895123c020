//! Forks and the blob schedule of a network.

use std::num::NonZeroU64;

/// `FAR_FUTURE_EPOCH`: the epoch of a fork that is not scheduled.
pub const FAR_FUTURE_EPOCH: u64 = u64::MAX;

/// Forks that change what a sidecar is. Those before Deneb, which know no blobs, are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fork {
    /// Anything before Deneb.
    BeforeDeneb,
    /// Blobs (EIP-4844).
    Deneb,
    /// More of them (EIP-7691).
    Electra,
    /// Data columns (EIP-7594) and a schedule of blob parameters (EIP-7892).
    Fulu,
    /// Another `DataColumnSidecar`, another shape of the block body (EIP-7732).
    Gloas,
    /// A fork that the network's config names and this crate does not know. Anything may be otherwise in it.
    Unsupported,
}

/// One entry of `BLOB_SCHEDULE` (EIP-7892).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlobParameters {
    /// First epoch in which it holds.
    pub epoch: u64,
    /// Greatest number of blobs in one block.
    pub max_blobs_per_block: u64,
}

/// What the checks need to know of a network: `config.yaml` in the specs, reduced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkConfig {
    /// `SLOTS_PER_EPOCH`: 32, or 8 in the minimal preset.
    pub slots_per_epoch: NonZeroU64,
    /// `DENEB_FORK_EPOCH`.
    pub deneb_fork_epoch: u64,
    /// `ELECTRA_FORK_EPOCH`.
    pub electra_fork_epoch: u64,
    /// `FULU_FORK_EPOCH`.
    pub fulu_fork_epoch: u64,
    /// `GLOAS_FORK_EPOCH`.
    pub gloas_fork_epoch: u64,
    /// First epoch of the earliest fork that the network has and this crate does not know.
    pub unsupported_fork_epoch: u64,
    /// `MAX_BLOBS_PER_BLOCK`, in Deneb.
    pub max_blobs_per_block_deneb: u64,
    /// `MAX_BLOBS_PER_BLOCK_ELECTRA`: in Electra, and from Fulu on until the schedule's first entry.
    pub max_blobs_per_block_electra: u64,
    /// `BLOB_SCHEDULE`, in any order.
    pub blob_schedule: Vec<BlobParameters>,
}

/// Why words are no [`NetworkConfig`]. It is the caller's mistake, never a peer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkConfigError {
    /// Fewer than the eight leading words, or an epoch without its maximum.
    Length,
    /// `slots_per_epoch` is zero.
    SlotsPerEpoch,
    /// Two entries of the schedule begin in the same epoch.
    DuplicateEpoch,
}

impl NetworkConfig {
    /// Reads the wire form: the eight numbers in the order of the fields, then `(epoch, max_blobs_per_block)`
    /// for each entry of the schedule.
    ///
    /// # Errors
    /// [`NetworkConfigError`], where the words do not make up a config without ambiguity.
    pub fn from_words(words: &[u64]) -> Result<Self, NetworkConfigError> {
        let Some((
            &[slots_per_epoch, deneb, electra, fulu, gloas, unsupported, max_deneb, max_electra],
            schedule,
        )) = words.split_first_chunk()
        else {
            return Err(NetworkConfigError::Length);
        };
        let (pairs, []) = schedule.as_chunks() else {
            return Err(NetworkConfigError::Length);
        };
        // In order of their epochs. By insertion: they are a handful, and a sort for any number is two kilobytes of module.
        let mut blob_schedule: Vec<BlobParameters> = Vec::new();
        for &[epoch, max_blobs_per_block] in pairs {
            let Err(place) = blob_schedule.binary_search_by_key(&epoch, |entry| entry.epoch) else {
                return Err(NetworkConfigError::DuplicateEpoch);
            };
            blob_schedule.insert(place, BlobParameters { epoch, max_blobs_per_block });
        }
        Ok(Self {
            slots_per_epoch: NonZeroU64::new(slots_per_epoch).ok_or(NetworkConfigError::SlotsPerEpoch)?,
            deneb_fork_epoch: deneb,
            electra_fork_epoch: electra,
            fulu_fork_epoch: fulu,
            gloas_fork_epoch: gloas,
            unsupported_fork_epoch: unsupported,
            max_blobs_per_block_deneb: max_deneb,
            max_blobs_per_block_electra: max_electra,
            blob_schedule,
        })
    }

    /// `compute_epoch_at_slot(slot)`.
    pub fn epoch_at_slot(&self, slot: u64) -> u64 {
        slot / self.slots_per_epoch
    }

    /// Whether every fork that has begun at this slot is known here.
    pub fn is_supported(&self, slot: u64) -> bool {
        self.fork_at(self.epoch_at_slot(slot)) != Fork::Unsupported
    }

    /// The fork in force at `epoch`: the latest whose epoch has come, as in `compute_fork_version`.
    pub fn fork_at(&self, epoch: u64) -> Fork {
        let begun = |fork_epoch: u64| epoch >= fork_epoch;
        if begun(self.unsupported_fork_epoch) {
            Fork::Unsupported
        } else if begun(self.gloas_fork_epoch) {
            Fork::Gloas
        } else if begun(self.fulu_fork_epoch) {
            Fork::Fulu
        } else if begun(self.electra_fork_epoch) {
            Fork::Electra
        } else if begun(self.deneb_fork_epoch) {
            Fork::Deneb
        } else {
            Fork::BeforeDeneb
        }
    }

    /// Greatest number of blobs in a block of `epoch`; none before Deneb.
    ///
    /// Spec: `MAX_BLOBS_PER_BLOCK` (`deneb/beacon-chain.md`), `MAX_BLOBS_PER_BLOCK_ELECTRA`
    /// (`electra/beacon-chain.md`), and from Fulu on `get_blob_parameters` (`fulu/beacon-chain.md`, EIP-7892).
    pub fn max_blobs_per_block(&self, epoch: u64) -> u64 {
        match self.fork_at(epoch) {
            Fork::BeforeDeneb => 0,
            Fork::Deneb => self.max_blobs_per_block_deneb,
            Fork::Electra => self.max_blobs_per_block_electra,
            Fork::Fulu | Fork::Gloas | Fork::Unsupported => self
                .blob_schedule
                .iter()
                .filter(|entry| entry.epoch <= epoch)
                .max_by_key(|entry| entry.epoch)
                .map_or(self.max_blobs_per_block_electra, |entry| entry.max_blobs_per_block),
        }
    }
}
