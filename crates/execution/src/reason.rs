//! Why a blob transaction is refused: a closed set, shared with JavaScript by code and by name.

use core::fmt;

/// The station of the pipeline at which a transaction, or a blob of it, was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The bytes are no such transaction, or its parts do not fit one another or the fork.
    Structure,
    /// The bytes are not canonical RLP.
    Encoding,
    /// A versioned hash is not its commitment's.
    VersionedHash,
}

impl Stage {
    /// Its name in verdicts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Structure => "structure",
            Self::Encoding => "encoding",
            Self::VersionedHash => "versioned-hash",
        }
    }
}

/// Why a blob transaction is refused. The codes, 128 to 191, are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reason {
    /// The first byte is not `0x03`.
    TransactionType = 128,
    /// Malformed or non-canonical RLP, or bytes behind it.
    Rlp = 129,
    /// Canonical RLP with the wrong number of fields, or a field of the wrong kind or width.
    TransactionFields = 130,
    /// The form that blocks hold: a transaction without its blobs.
    NotNetworkForm = 131,
    /// A wrapper version that no EIP defines.
    WrapperVersion = 132,
    /// A wrapper version that the fork does not take.
    WrapperFork = 133,
    /// No blob, or more than the fork allows one transaction.
    BlobCount = 134,
    /// Versioned hashes, blobs, commitments and proofs do not agree in number.
    SidecarCounts = 135,
    /// A blob is not 131,072 bytes long.
    TransactionBlobLength = 136,
    /// A commitment is not 48 bytes long.
    TransactionCommitmentLength = 137,
    /// A proof is not 48 bytes long.
    TransactionProofLength = 138,
    /// A versioned hash does not begin with `0x01`.
    VersionedHashVersion = 139,
    /// A versioned hash is not its commitment's.
    VersionedHashMismatch = 140,
}

impl Reason {
    /// All of them, by ascending code.
    pub const ALL: &'static [Self] = &[
        Self::TransactionType,
        Self::Rlp,
        Self::TransactionFields,
        Self::NotNetworkForm,
        Self::WrapperVersion,
        Self::WrapperFork,
        Self::BlobCount,
        Self::SidecarCounts,
        Self::TransactionBlobLength,
        Self::TransactionCommitmentLength,
        Self::TransactionProofLength,
        Self::VersionedHashVersion,
        Self::VersionedHashMismatch,
    ];

    /// Its number across the WASM boundary, 128 to 191.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Its name in verdicts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TransactionType => "transaction-type",
            Self::Rlp => "rlp",
            Self::TransactionFields => "transaction-fields",
            Self::NotNetworkForm => "not-network-form",
            Self::WrapperVersion => "wrapper-version",
            Self::WrapperFork => "wrapper-fork",
            Self::BlobCount => "blob-count",
            Self::SidecarCounts => "sidecar-counts",
            Self::TransactionBlobLength => "transaction-blob-length",
            Self::TransactionCommitmentLength => "transaction-commitment-length",
            Self::TransactionProofLength => "transaction-proof-length",
            Self::VersionedHashVersion => "versioned-hash-version",
            Self::VersionedHashMismatch => "versioned-hash-mismatch",
        }
    }

    /// Where in the pipeline it is found.
    pub const fn stage(self) -> Stage {
        match self {
            Self::Rlp => Stage::Encoding,
            Self::VersionedHashVersion | Self::VersionedHashMismatch => Stage::VersionedHash,
            Self::TransactionType
            | Self::TransactionFields
            | Self::NotNetworkForm
            | Self::WrapperVersion
            | Self::WrapperFork
            | Self::BlobCount
            | Self::SidecarCounts
            | Self::TransactionBlobLength
            | Self::TransactionCommitmentLength
            | Self::TransactionProofLength => Stage::Structure,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::error::Error for Reason {}
