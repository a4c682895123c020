//! `BlobSidecar` (`deneb/p2p-interface.md`): one blob, its commitment and proof, and its way into the block.

use crate::bytes::{take, take_u64};
use crate::commitments::{commitment_root, BYTES_PER_COMMITMENT};
use crate::gindex::{
    blob_kzg_commitment_gindex, subtree_index, KZG_COMMITMENT_INCLUSION_PROOF_DEPTH,
    MAX_BLOB_COMMITMENTS_PER_BLOCK,
};
use crate::header::SignedBeaconBlockHeader;
use crate::merkle::is_valid_merkle_branch;
use crate::network::{Fork, NetworkConfig};
use crate::reason::Reason;
use crate::Bytes32;

/// `BYTES_PER_BLOB`: 4,096 field elements of 32 bytes.
pub const BYTES_PER_BLOB: usize = 131_072;

/// A view over the SSZ bytes of a `BlobSidecar`. The large fields are borrowed.
#[derive(Clone, Copy, Debug)]
pub struct BlobSidecar<'a> {
    /// Position of the blob in its block.
    pub index: u64,
    /// The blob, whose field elements are not yet known to be canonical.
    pub blob: &'a [u8; BYTES_PER_BLOB],
    /// `kzg_commitment`: a compressed G1 point, not yet known to be one.
    pub commitment: &'a [u8; BYTES_PER_COMMITMENT],
    /// `kzg_proof`: likewise.
    pub proof: &'a [u8; BYTES_PER_COMMITMENT],
    /// The block's header, with the proposer's signature.
    pub signed_block_header: SignedBeaconBlockHeader,
    /// `kzg_commitment_inclusion_proof`: siblings from the commitment up to the body's root.
    pub inclusion_proof: &'a [Bytes32; KZG_COMMITMENT_INCLUSION_PROOF_DEPTH],
}

impl<'a> BlobSidecar<'a> {
    /// Size of its SSZ encoding, in bytes: the container has a fixed size.
    pub const SSZ_BYTES: usize = 8
        + BYTES_PER_BLOB
        + 2 * BYTES_PER_COMMITMENT
        + SignedBeaconBlockHeader::SSZ_BYTES
        + 32 * KZG_COMMITMENT_INCLUSION_PROOF_DEPTH;

    /// Reads one sidecar out of exactly [`Self::SSZ_BYTES`] bytes. Nothing else is checked.
    ///
    /// # Errors
    /// [`Reason::SidecarLength`] for any other number of bytes.
    pub fn from_ssz(bytes: &'a [u8]) -> Result<Self, Reason> {
        let mut rest = bytes;
        let sidecar = Self::take(&mut rest).ok_or(Reason::SidecarLength)?;
        if rest.is_empty() {
            Ok(sidecar)
        } else {
            Err(Reason::SidecarLength)
        }
    }

    fn take(rest: &mut &'a [u8]) -> Option<Self> {
        let index = take_u64(rest)?;
        let blob = take(rest)?;
        let commitment = take(rest)?;
        let proof = take(rest)?;
        let signed_block_header = SignedBeaconBlockHeader::take(rest)?;
        let (branch, remainder) = rest.as_chunks();
        let (inclusion_proof, []) = branch.split_first_chunk()? else { return None };
        *rest = remainder;
        Some(Self { index, blob, commitment, proof, signed_block_header, inclusion_proof })
    }

    /// Whether the sidecar has no proof: it is of Fulu's time, for which nodes have no blob proofs any more, and where one is wanted it is
    /// the point at infinity or 48 zeros (Lighthouse 8160, 8085). Before Fulu every proof is meant as one.
    ///
    /// Infinity *is* the proof of a blob of equal field elements. Such a blob, too, is checked by its commitment then, which proves as much.
    pub fn lacks_proof(&self, network: &NetworkConfig) -> bool {
        let (flags, rest) = (self.proof[0], &self.proof[1..]);
        let epoch = network.epoch_at_slot(self.signed_block_header.message.slot);
        network.fork_at(epoch) == Fork::Fulu
            && matches!(flags, 0 | 0xc0)
            && rest.iter().all(|byte| *byte == 0)
    }

    /// All checks that need no curve arithmetic, cheapest first.
    ///
    /// 1. Its slot is of a fork that has blob sidecars whose body is shaped as the proof assumes (Deneb to
    ///    Fulu; in Fulu they are no longer gossiped, but nodes still serve them), and its index is below the
    ///    epoch's maximum.
    /// 2. The branch leads from its commitment to its own header's `body_root`
    ///    (`verify_blob_sidecar_inclusion_proof`, `deneb/p2p-interface.md`).
    /// 3. Its header is `anchor`, the root of a block that the caller trusts. Without one, this step is left
    ///    out, and what is proved is only that the sidecar agrees with itself.
    ///
    /// # Errors
    /// In that order [`Reason::UnsupportedFork`], [`Reason::BlobIndex`], [`Reason::InclusionMismatch`],
    /// [`Reason::HeaderMismatch`].
    pub fn check(&self, network: &NetworkConfig, anchor: Option<&Bytes32>) -> Result<(), Reason> {
        let header = &self.signed_block_header.message;
        let epoch = network.epoch_at_slot(header.slot);
        match network.fork_at(epoch) {
            Fork::Deneb | Fork::Electra | Fork::Fulu => {}
            Fork::BeforeDeneb | Fork::Gloas | Fork::Unsupported => return Err(Reason::UnsupportedFork),
        }
        let index = self.list_index(network.max_blobs_per_block(epoch)).ok_or(Reason::BlobIndex)?;

        // No look at the list's length (the branch's thirteenth sibling) is needed: beyond the length the tree
        // holds zero chunks, and no commitment's root is zero unless SHA-256 is broken.
        let proven = is_valid_merkle_branch(
            &commitment_root(self.commitment),
            self.inclusion_proof,
            KZG_COMMITMENT_INCLUSION_PROOF_DEPTH,
            subtree_index(blob_kzg_commitment_gindex(index)),
            &header.body_root,
        );
        if !proven {
            return Err(Reason::InclusionMismatch);
        }
        match anchor {
            Some(root) if header.hash_tree_root() != *root => Err(Reason::HeaderMismatch),
            _ => Ok(()),
        }
    }

    /// The index, where it is below both the epoch's maximum and the list's limit. Without the second bound, a
    /// config with an absurd maximum would let an index reach into other parts of the body.
    fn list_index(&self, max_blobs_per_block: u64) -> Option<u16> {
        let index = u16::try_from(self.index).ok()?;
        let in_list = usize::from(index) < MAX_BLOB_COMMITMENTS_PER_BLOCK;
        (in_list && self.index < max_blobs_per_block).then_some(index)
    }
}
