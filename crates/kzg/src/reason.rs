//! Why an input is refused.

use blobcheck_curve::PointError;

/// A closed set of causes. The codes are stable: they cross the WebAssembly boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Reason {
    /// Lists that must be equally long are not.
    ArrayLengths = 1,
    /// A blob is not 131,072 bytes.
    BlobLength = 2,
    /// A commitment is not 48 bytes.
    CommitmentLength = 3,
    /// A proof is not 48 bytes.
    ProofLength = 4,
    /// A cell is not 2,048 bytes.
    CellLength = 5,
    /// A scalar is not 32 bytes.
    ScalarLength = 6,
    /// A cell or column index is not below 128.
    CellIndex = 7,
    /// A field element is not below BLS_MODULUS.
    ScalarNotCanonical = 8,
    /// A commitment has contradictory flags, or x not below p.
    CommitmentEncoding = 9,
    /// A commitment's x belongs to no point of the curve.
    CommitmentNotOnCurve = 10,
    /// A commitment is a point of the curve outside G1.
    CommitmentNotInSubgroup = 11,
    /// A proof has contradictory flags, or x not below p.
    ProofEncoding = 12,
    /// A proof's x belongs to no point of the curve.
    ProofNotOnCurve = 13,
    /// A proof is a point of the curve outside G1.
    ProofNotInSubgroup = 14,
    /// A commitment index points outside the list of commitments.
    CommitmentIndex = 15,
    /// Recovery from fewer than 64 or more than 128 cells.
    CellCount = 16,
    /// Recovery from cells that are not in strictly ascending order.
    CellOrder = 17,
    /// Recovery from cells that no single blob has.
    CellsInconsistent = 18,
    /// Bytes that are not a unit.
    UnitLayout = 19,
    /// Well-formed, and false: the proof does not prove the claim.
    ProofMismatch = 63,
}

impl Reason {
    /// Every reason, in order of code.
    pub const ALL: &'static [Reason] = &[
        Self::ArrayLengths,
        Self::BlobLength,
        Self::CommitmentLength,
        Self::ProofLength,
        Self::CellLength,
        Self::ScalarLength,
        Self::CellIndex,
        Self::ScalarNotCanonical,
        Self::CommitmentEncoding,
        Self::CommitmentNotOnCurve,
        Self::CommitmentNotInSubgroup,
        Self::ProofEncoding,
        Self::ProofNotOnCurve,
        Self::ProofNotInSubgroup,
        Self::CommitmentIndex,
        Self::CellCount,
        Self::CellOrder,
        Self::CellsInconsistent,
        Self::UnitLayout,
        Self::ProofMismatch,
    ];

    /// The stable code, in 1..=63.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The name that JavaScript users see.
    pub fn name(self) -> &'static str {
        match self {
            Self::ArrayLengths => "array-lengths",
            Self::BlobLength => "blob-length",
            Self::CommitmentLength => "commitment-length",
            Self::ProofLength => "proof-length",
            Self::CellLength => "cell-length",
            Self::ScalarLength => "scalar-length",
            Self::CellIndex => "cell-index",
            Self::ScalarNotCanonical => "scalar-not-canonical",
            Self::CommitmentEncoding => "commitment-encoding",
            Self::CommitmentNotOnCurve => "commitment-not-on-curve",
            Self::CommitmentNotInSubgroup => "commitment-not-in-subgroup",
            Self::ProofEncoding => "proof-encoding",
            Self::ProofNotOnCurve => "proof-not-on-curve",
            Self::ProofNotInSubgroup => "proof-not-in-subgroup",
            Self::CommitmentIndex => "commitment-index",
            Self::CellCount => "cell-count",
            Self::CellOrder => "cell-order",
            Self::CellsInconsistent => "cells-inconsistent",
            Self::UnitLayout => "unit-layout",
            Self::ProofMismatch => "proof-mismatch",
        }
    }

    /// The reason for a commitment that does not decompress.
    pub fn of_commitment(error: PointError) -> Self {
        match error {
            PointError::Encoding => Self::CommitmentEncoding,
            PointError::NotOnCurve => Self::CommitmentNotOnCurve,
            PointError::NotInSubgroup => Self::CommitmentNotInSubgroup,
        }
    }

    /// The reason for a proof that does not decompress.
    pub fn of_proof(error: PointError) -> Self {
        match error {
            PointError::Encoding => Self::ProofEncoding,
            PointError::NotOnCurve => Self::ProofNotOnCurve,
            PointError::NotInSubgroup => Self::ProofNotInSubgroup,
        }
    }
}

/// An input that cannot be judged: the specification's functions assert, the official vectors say `null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputError {
    /// What is wrong.
    pub reason: Reason,
    /// Which element of the arrays it is: a row of a column, a field element's blob or cell, a list's
    /// position. Zero where there is only one.
    pub index: usize,
}

impl InputError {
    /// An error at `index`.
    pub fn at(reason: Reason, index: usize) -> Self {
        Self { reason, index }
    }
}

impl core::fmt::Display for InputError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} (element {})", self.reason.name(), self.index)
    }
}

impl std::error::Error for InputError {}
