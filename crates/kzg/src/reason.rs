//! Why an input is refused.

use blobcheck_curve::PointError;

blobcheck_reason::reasons! {
    /// A closed set of causes.
    pub enum Reason in 1..=63 {
        /// Lists that must be equally long are not.
        ArrayLengths = 1, Structure, "array-lengths";
        /// A blob is not 131,072 bytes.
        BlobLength = 2, Structure, "blob-length";
        /// A commitment is not 48 bytes.
        CommitmentLength = 3, Structure, "commitment-length";
        /// A proof is not 48 bytes.
        ProofLength = 4, Structure, "proof-length";
        /// A cell is not 2,048 bytes.
        CellLength = 5, Structure, "cell-length";
        /// A scalar is not 32 bytes.
        ScalarLength = 6, Structure, "scalar-length";
        /// A cell or column index is not below 128.
        CellIndex = 7, Structure, "cell-index";
        /// A field element is not below BLS_MODULUS.
        ScalarNotCanonical = 8, Encoding, "scalar-not-canonical";
        /// A commitment has contradictory flags, or x not below p.
        CommitmentEncoding = 9, Encoding, "commitment-encoding";
        /// A commitment's x belongs to no point of the curve.
        CommitmentNotOnCurve = 10, Encoding, "commitment-not-on-curve";
        /// A commitment is a point of the curve outside G1.
        CommitmentNotInSubgroup = 11, Encoding, "commitment-not-in-subgroup";
        /// A proof has contradictory flags, or x not below p.
        ProofEncoding = 12, Encoding, "proof-encoding";
        /// A proof's x belongs to no point of the curve.
        ProofNotOnCurve = 13, Encoding, "proof-not-on-curve";
        /// A proof is a point of the curve outside G1.
        ProofNotInSubgroup = 14, Encoding, "proof-not-in-subgroup";
        /// A commitment index points outside the list of commitments.
        CommitmentIndex = 15, Structure, "commitment-index";
        /// Recovery from fewer than 64 or more than 128 cells.
        CellCount = 16, Structure, "cell-count";
        /// Recovery from cells that are not in strictly ascending order.
        CellOrder = 17, Structure, "cell-order";
        /// Recovery from cells that no single blob has.
        CellsInconsistent = 18, Structure, "cells-inconsistent";
        /// Bytes that are not a unit.
        UnitLayout = 19, Structure, "unit-layout";
        /// Well-formed, and false: the blob's commitment is another, or has another versioned hash.
        CommitmentMismatch = 62, Kzg, "commitment-mismatch";
        /// Well-formed, and false: the proof does not prove the claim.
        ProofMismatch = 63, Kzg, "proof-mismatch";
    }
}

impl Reason {
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
