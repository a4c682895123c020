//! Why something that a light client was given is refused: a closed set, shared with JavaScript by code and by name.

use blobcheck_beacon::light_client::ObjectError;

blobcheck_reason::reasons! {
    /// Why a bootstrap, an update, a store or a chain of headers is refused.
    pub enum Reason in 192..=254 {
        /// The words do not describe a network. It is the caller's mistake, never a peer's.
        NetworkConfig = 192, Structure, "network-config";
        /// No fork with light-client objects has this number, or the object is of a fork that the network has and this crate
        /// does not know, or was signed under one. Nobody's fault.
        UnsupportedFork = 193, Structure, "unsupported-fork";
        /// Not as long as the container, or longer than its lists may be.
        ObjectLength = 194, Structure, "object-length";
        /// SSZ offsets that leave gaps, overlap, run backwards or out of the bytes.
        ObjectOffsets = 195, Structure, "object-offsets";
        /// Not the bytes of a store: of another version, cut short, or not in the one form that a store has.
        StoreEncoding = 197, Structure, "store-encoding";
        /// A store of another network.
        StoreNetwork = 198, Structure, "store-network";
        /// More updates or headers than one call takes.
        TooMany = 199, Structure, "too-many";
        /// The bootstrap's header is not the trusted block's.
        TrustedRootMismatch = 200, Anchor, "trusted-root-mismatch";
        /// A header does not hash to the `parent_root` of the one before it.
        ParentMismatch = 201, Anchor, "parent-mismatch";
        /// A header of before Capella with an execution header or hash, or one of before Deneb with blob gas.
        ExecutionUnexpected = 202, Inclusion, "execution-unexpected";
        /// The execution header, or the hash of an execution block, is not the one in the block's body.
        ExecutionMismatch = 203, Inclusion, "execution-mismatch";
        /// The current sync committee is not that of the bootstrap's state.
        CurrentCommitteeMismatch = 204, Inclusion, "current-committee-mismatch";
        /// The next sync committee is not that of the attested state.
        NextCommitteeMismatch = 205, Inclusion, "next-committee-mismatch";
        /// A next sync committee without a branch.
        NextCommitteeUnproven = 206, Inclusion, "next-committee-unproven";
        /// The finalized header is not the checkpoint of the attested state.
        FinalityMismatch = 207, Inclusion, "finality-mismatch";
        /// A finalized header without a branch, or one of the genesis slot that is not empty.
        FinalityUnproven = 208, Inclusion, "finality-unproven";
        /// Nobody of the committee signed.
        NoParticipants = 209, Protocol, "no-participants";
        /// Signed after the current slot.
        SignatureInFuture = 210, Protocol, "signature-in-future";
        /// The signature's slot is not after the attested one, or the attested one is before the finalized one.
        SlotOrder = 211, Protocol, "slot-order";
        /// Signed by a committee that the store does not know.
        PeriodUnknown = 212, Protocol, "period-unknown";
        /// Tells the store nothing that is new.
        NotRelevant = 213, Protocol, "not-relevant";
        /// Another next sync committee for a period of which the store knows it already.
        NextCommitteeConflict = 214, Protocol, "next-committee-conflict";
        /// The update's finalized header cannot follow the store's: it skips a period.
        PeriodSkipped = 215, Protocol, "period-skipped";
        /// A committee's keys are not points of the group, or do not add up to its aggregate key.
        CommitteeKeys = 216, Encoding, "committee-keys";
        /// The signature is not the participants' over the attested header.
        SignatureMismatch = 217, Signature, "signature-mismatch";
    }
}

impl From<ObjectError> for Reason {
    fn from(error: ObjectError) -> Self {
        match error {
            ObjectError::Length => Self::ObjectLength,
            ObjectError::Offsets => Self::ObjectOffsets,
        }
    }
}
