//! Why a sidecar is refused: a closed set, shared with JavaScript by code and by name.

blobcheck_reason::reasons! {
    /// Why a sidecar is refused.
    pub enum Reason in 64..=127 {
        /// Not as long as the container, or longer than its lists may be.
        SidecarLength = 64, Structure, "sidecar-length";
        /// SSZ offsets that leave gaps, overlap, run backwards or out of the bytes, or cut an element in two.
        SidecarOffsets = 65, Structure, "sidecar-offsets";
        /// A blob's index is not below the number of blobs that a block of its epoch may carry.
        BlobIndex = 66, Structure, "blob-index";
        /// A column's index is not below 128.
        ColumnIndex = 67, Structure, "column-index";
        /// A column without commitments: a block without blobs has no columns.
        ColumnEmpty = 68, Structure, "column-empty";
        /// A column has not as many cells and proofs as commitments.
        ColumnLengths = 69, Structure, "column-lengths";
        /// More commitments than a block of its epoch may carry.
        TooManyBlobs = 70, Structure, "too-many-blobs";
        /// At its slot, this kind of sidecar does not exist, or is another container.
        UnsupportedFork = 71, Structure, "unsupported-fork";
        /// The Merkle branch does not lead from the commitments to the header's `body_root`.
        InclusionMismatch = 72, Inclusion, "inclusion-mismatch";
        /// The sidecar's header is not the anchor's.
        HeaderMismatch = 73, Anchor, "header-mismatch";
    }
}
