//! The network form of a blob transaction: the transaction, and beside it what its versioned hashes name.
//!
//! * EIP-4844: `0x03 ++ rlp([body, blobs, commitments, proofs])`, one proof per blob;
//! * EIP-7594: `0x03 ++ rlp([body, 0x01, blobs, commitments, cell_proofs])`, 128 proofs per blob, the proof of
//!   cell `j` of blob `i` at `128 * i + j`. The blobs are not extended.

use crate::body::TransactionBody;
use crate::fields::{all_fixed, end, item, list};
use crate::reason::Reason;
use crate::rlp::{self, Item};
use crate::versioned_hash::{check_version, check_versioned_hash};

/// `BLOB_TX_TYPE` (EIP-4844).
pub const BLOB_TX_TYPE: u8 = 0x03;

/// Size of a blob, in bytes.
pub const BYTES_PER_BLOB: usize = 131_072;

/// `CELLS_PER_EXT_BLOB`: as many proofs has a blob in the wrapper of EIP-7594.
pub const CELLS_PER_EXT_BLOB: usize = 128;

/// The execution forks that differ in what they take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fork {
    /// EIP-4844: one transaction may fill the block, which holds 6 blobs.
    Cancun,
    /// EIP-7691: likewise, 9.
    Prague,
    /// EIP-7594: cell proofs, and at most 6 blobs in one transaction.
    Osaka,
}

impl Fork {
    /// The fork that a number stands for, oldest first: 0 Cancun, 1 Prague, 2 Osaka. `None` for any other number, so that a
    /// fork that this code does not know is never checked by the rules of another.
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Cancun),
            1 => Some(Self::Prague),
            2 => Some(Self::Osaka),
            _ => None,
        }
    }

    /// The only wrapper that the fork's pools take.
    pub const fn wrapper_version(self) -> WrapperVersion {
        match self {
            Self::Cancun | Self::Prague => WrapperVersion::Eip4844,
            Self::Osaka => WrapperVersion::Eip7594,
        }
    }

    /// Greatest number of blobs in one transaction.
    ///
    /// Cancun and Prague set none; the block's limit (EIP-4844, EIP-7691) is what binds. Osaka's is
    /// `MAX_BLOBS_PER_TX` of EIP-7594, whatever the blob schedule allows the block.
    pub const fn max_blobs_per_transaction(self) -> usize {
        match self {
            Self::Cancun | Self::Osaka => 6,
            Self::Prague => 9,
        }
    }
}

/// Which wrapper a transaction came in. The discriminant is `wrapper_version`; EIP-4844, which has no such
/// field, counts as 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum WrapperVersion {
    /// One proof per blob.
    Eip4844 = 0,
    /// One proof per cell.
    Eip7594 = 1,
}

impl WrapperVersion {
    /// Number of proofs that go with each blob.
    pub const fn proofs_per_blob(self) -> usize {
        match self {
            Self::Eip4844 => 1,
            Self::Eip7594 => CELLS_PER_EXT_BLOB,
        }
    }
}

/// A view over a blob transaction in network form.
///
/// [`Self::decode`] holds every part to its type; how many there are of each is for [`Self::check`] to judge.
#[derive(Clone, Debug)]
pub struct BlobTransaction<'a> {
    /// The transaction.
    pub body: TransactionBody<'a>,
    /// The wrapper it came in.
    pub wrapper_version: WrapperVersion,
    /// The blobs, whose field elements are not yet known to be canonical.
    pub blobs: Vec<&'a [u8; BYTES_PER_BLOB]>,
    /// Compressed G1 points, not yet known to be such, one per blob.
    pub commitments: Vec<&'a [u8; 48]>,
    /// Likewise: [`WrapperVersion::proofs_per_blob`] of them per blob, blob after blob.
    pub proofs: Vec<&'a [u8; 48]>,
}

impl<'a> BlobTransaction<'a> {
    /// Reads the network form, all of `bytes`.
    ///
    /// # Errors
    /// [`Reason::TransactionType`], [`Reason::Rlp`], [`Reason::NotNetworkForm`], [`Reason::TransactionFields`],
    /// [`Reason::WrapperVersion`], and for the parts of the wrapper [`Reason::TransactionBlobLength`],
    /// [`Reason::TransactionCommitmentLength`], [`Reason::TransactionProofLength`]: the first that reading from
    /// the front meets.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, Reason> {
        let Some((&BLOB_TX_TYPE, payload)) = bytes.split_first() else {
            return Err(Reason::TransactionType);
        };
        let Item::List(mut wrapper) = rlp::decode(payload)? else {
            return Err(Reason::TransactionFields);
        };
        let body = match item(&mut wrapper)? {
            Item::List(fields) => TransactionBody::from_rlp(fields)?,
            // Where the network form has the body, the in-block form has its first field, the chain id.
            Item::String(_) => return Err(Reason::NotNetworkForm),
        };
        let (wrapper_version, blobs) = match item(&mut wrapper)? {
            Item::List(blobs) => (WrapperVersion::Eip4844, blobs),
            Item::String([1]) => (WrapperVersion::Eip7594, list(&mut wrapper)?),
            Item::String(_) => return Err(Reason::WrapperVersion),
        };
        let blobs = all_fixed(blobs, Reason::TransactionBlobLength)?;
        let commitments = all_fixed(list(&mut wrapper)?, Reason::TransactionCommitmentLength)?;
        let proofs = all_fixed(list(&mut wrapper)?, Reason::TransactionProofLength)?;
        end(&wrapper)?;
        Ok(Self { body, wrapper_version, blobs, commitments, proofs })
    }

    /// Whether the parts fit one another and `fork`. What is left to prove for each blob is
    /// [`Self::blob_outcomes`], and then KZG.
    ///
    /// # Errors
    /// In this order [`Reason::WrapperFork`], [`Reason::BlobCount`], [`Reason::SidecarCounts`], and
    /// [`Reason::VersionedHashVersion`], which [`Self::blob_outcomes`] pins to the blobs concerned.
    pub fn check(&self, fork: Fork) -> Result<(), Reason> {
        let blobs = self.body.versioned_hashes.len();
        if self.wrapper_version != fork.wrapper_version() {
            return Err(Reason::WrapperFork);
        }
        if blobs == 0 || blobs > fork.max_blobs_per_transaction() {
            return Err(Reason::BlobCount);
        }
        // No product here can overflow: `blobs` is at most 9.
        let proofs = blobs * self.wrapper_version.proofs_per_blob();
        if self.blobs.len() != blobs || self.commitments.len() != blobs || self.proofs.len() != proofs {
            return Err(Reason::SidecarCounts);
        }
        self.body.versioned_hashes.iter().try_for_each(|versioned_hash| check_version(versioned_hash))
    }

    /// For each versioned hash, in order, whether it names the commitment at its place.
    ///
    /// # Errors
    /// Per blob [`Reason::VersionedHashVersion`], [`Reason::VersionedHashMismatch`], or, where
    /// [`Self::check`] has not been asked, [`Reason::SidecarCounts`] for want of a commitment.
    pub fn blob_outcomes(&self) -> Vec<Result<(), Reason>> {
        let commitments = self.commitments.iter().map(Some).chain(std::iter::repeat(None));
        let pairs = self.body.versioned_hashes.iter().zip(commitments);
        pairs
            .map(|(versioned_hash, commitment)| {
                check_versioned_hash(versioned_hash, commitment.ok_or(Reason::SidecarCounts)?)
            })
            .collect()
    }
}
