//! Why a blob transaction is refused: a closed set, shared with JavaScript by code and by name.

blobcheck_reason::reasons! {
    /// Why a blob transaction is refused.
    pub enum Reason in 128..=191 {
        /// The first byte is not `0x03`.
        TransactionType = 128, Structure, "transaction-type";
        /// Malformed or non-canonical RLP, or bytes behind it.
        Rlp = 129, Encoding, "rlp";
        /// Canonical RLP with the wrong number of fields, or a field of the wrong kind or width.
        TransactionFields = 130, Structure, "transaction-fields";
        /// The form that blocks hold: a transaction without its blobs.
        NotNetworkForm = 131, Structure, "not-network-form";
        /// A wrapper version that no EIP defines.
        WrapperVersion = 132, Structure, "wrapper-version";
        /// A wrapper version that the fork does not take.
        WrapperFork = 133, Structure, "wrapper-fork";
        /// No blob, or more than the fork allows one transaction.
        BlobCount = 134, Structure, "blob-count";
        /// Versioned hashes, blobs, commitments and proofs do not agree in number.
        SidecarCounts = 135, Structure, "sidecar-counts";
        /// A blob is not 131,072 bytes long.
        TransactionBlobLength = 136, Structure, "transaction-blob-length";
        /// A commitment is not 48 bytes long.
        TransactionCommitmentLength = 137, Structure, "transaction-commitment-length";
        /// A proof is not 48 bytes long.
        TransactionProofLength = 138, Structure, "transaction-proof-length";
        /// A versioned hash does not begin with `0x01`.
        VersionedHashVersion = 139, VersionedHash, "versioned-hash-version";
        /// A versioned hash is not its commitment's.
        VersionedHashMismatch = 140, VersionedHash, "versioned-hash-mismatch";
    }
}
