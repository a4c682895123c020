//! Why a sidecar is refused: a closed set, shared with JavaScript by code and by name.

use core::fmt;

/// The station of the pipeline at which an item was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The bytes are not the container, or its parts do not fit one another.
    Structure,
    /// A field element or point is not canonically encoded.
    Encoding,
    /// A versioned hash is not its commitment's.
    VersionedHash,
    /// The commitments are not in the block that the header names.
    Inclusion,
    /// The header is not the one that the caller trusts.
    Anchor,
}

impl Stage {
    /// Its name in verdicts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Structure => "structure",
            Self::Encoding => "encoding",
            Self::VersionedHash => "versioned-hash",
            Self::Inclusion => "inclusion",
            Self::Anchor => "anchor",
        }
    }
}

/// Why a sidecar is refused. The codes, 64 to 127, are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reason {
    /// Not as long as the container, or longer than its lists may be.
    SidecarLength = 64,
    /// SSZ offsets that leave gaps, overlap, run backwards or out of the bytes, or cut an element in two.
    SidecarOffsets = 65,
    /// A blob's index is not below the number of blobs that a block of its epoch may carry.
    BlobIndex = 66,
    /// A column's index is not below 128.
    ColumnIndex = 67,
    /// A column without commitments: a block without blobs has no columns.
    ColumnEmpty = 68,
    /// A column has not as many cells and proofs as commitments.
    ColumnLengths = 69,
    /// More commitments than a block of its epoch may carry.
    TooManyBlobs = 70,
    /// At its slot, this kind of sidecar does not exist, or is another container.
    UnsupportedFork = 71,
    /// The Merkle branch does not lead from the commitments to the header's `body_root`.
    InclusionMismatch = 72,
    /// The sidecar's header is not the anchor's.
    HeaderMismatch = 73,
}

impl Reason {
    /// All of them, by ascending code.
    pub const ALL: &'static [Self] = &[
        Self::SidecarLength,
        Self::SidecarOffsets,
        Self::BlobIndex,
        Self::ColumnIndex,
        Self::ColumnEmpty,
        Self::ColumnLengths,
        Self::TooManyBlobs,
        Self::UnsupportedFork,
        Self::InclusionMismatch,
        Self::HeaderMismatch,
    ];

    /// Its number across the WASM boundary, 64 to 127.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Its name in verdicts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SidecarLength => "sidecar-length",
            Self::SidecarOffsets => "sidecar-offsets",
            Self::BlobIndex => "blob-index",
            Self::ColumnIndex => "column-index",
            Self::ColumnEmpty => "column-empty",
            Self::ColumnLengths => "column-lengths",
            Self::TooManyBlobs => "too-many-blobs",
            Self::UnsupportedFork => "unsupported-fork",
            Self::InclusionMismatch => "inclusion-mismatch",
            Self::HeaderMismatch => "header-mismatch",
        }
    }

    /// Where in the pipeline it is found.
    pub const fn stage(self) -> Stage {
        match self {
            Self::SidecarLength
            | Self::SidecarOffsets
            | Self::BlobIndex
            | Self::ColumnIndex
            | Self::ColumnEmpty
            | Self::ColumnLengths
            | Self::TooManyBlobs
            | Self::UnsupportedFork => Stage::Structure,
            Self::InclusionMismatch => Stage::Inclusion,
            Self::HeaderMismatch => Stage::Anchor,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::error::Error for Reason {}
