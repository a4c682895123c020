//! `DataColumnSidecar` as of Fulu (`fulu/das-core.md`): one cell of every blob of a block, with the commitments.

use crate::bytes::{take_offset, take_u64};
use crate::commitments::{commitments_root, BYTES_PER_COMMITMENT};
use crate::gindex::{
    subtree_index, BLOB_KZG_COMMITMENTS_GINDEX, KZG_COMMITMENTS_INCLUSION_PROOF_DEPTH,
    MAX_BLOB_COMMITMENTS_PER_BLOCK,
};
use crate::header::SignedBeaconBlockHeader;
use crate::merkle::is_valid_merkle_branch;
use crate::network::{Fork, NetworkConfig};
use crate::reason::Reason;
use crate::Bytes32;

/// `BYTES_PER_CELL`: 64 field elements of 32 bytes.
pub const BYTES_PER_CELL: usize = 2048;

/// `NUMBER_OF_COLUMNS`, which is also `CELLS_PER_EXT_BLOB`.
pub const NUMBER_OF_COLUMNS: u64 = 128;

/// A view over the SSZ bytes of a Fulu `DataColumnSidecar`. The lists are borrowed.
///
/// Until [`Self::check`] has passed, the three lists may differ in length.
#[derive(Clone, Copy, Debug)]
pub struct DataColumnSidecar<'a> {
    /// Index of the column, which is the cell index of every cell in it.
    pub index: u64,
    /// `column`: one cell per blob, whose field elements are not yet known to be canonical.
    pub cells: &'a [[u8; BYTES_PER_CELL]],
    /// `kzg_commitments`, one per blob: compressed G1 points, not yet known to be such.
    pub commitments: &'a [[u8; BYTES_PER_COMMITMENT]],
    /// `kzg_proofs`, one per cell: likewise.
    pub proofs: &'a [[u8; BYTES_PER_COMMITMENT]],
    /// The block's header, with the proposer's signature.
    pub signed_block_header: SignedBeaconBlockHeader,
    /// `kzg_commitments_inclusion_proof`: siblings from the list of commitments up to the body's root.
    pub inclusion_proof: &'a [Bytes32; KZG_COMMITMENTS_INCLUSION_PROOF_DEPTH],
}

impl<'a> DataColumnSidecar<'a> {
    /// Size of the part before the lists, in bytes; the first offset must point just behind it.
    pub const SSZ_FIXED_BYTES: usize =
        8 + 3 * 4 + SignedBeaconBlockHeader::SSZ_BYTES + 32 * KZG_COMMITMENTS_INCLUSION_PROOF_DEPTH;

    /// Reads one sidecar out of `bytes`, all of them, strictly: offsets leave no gap and cut no element.
    ///
    /// # Errors
    /// [`Reason::SidecarLength`] for fewer bytes than [`Self::SSZ_FIXED_BYTES`], or a list of more than 4,096
    /// elements; [`Reason::SidecarOffsets`] for offsets that are not those of the container's canonical encoding.
    pub fn from_ssz(bytes: &'a [u8]) -> Result<Self, Reason> {
        let fixed = FixedPart::read(bytes).ok_or(Reason::SidecarLength)?;
        let [column, commitments, proofs] = fixed.offsets;
        if column != Self::SSZ_FIXED_BYTES {
            return Err(Reason::SidecarOffsets);
        }
        Ok(Self {
            index: fixed.index,
            cells: elements(bytes, column, commitments)?,
            commitments: elements(bytes, commitments, proofs)?,
            proofs: elements(bytes, proofs, bytes.len())?,
            signed_block_header: fixed.signed_block_header,
            inclusion_proof: fixed.inclusion_proof,
        })
    }

    /// All checks that need no curve arithmetic, cheapest first.
    ///
    /// 1. Its slot is of Fulu; then `verify_data_column_sidecar` (`fulu/p2p-interface.md`): index, number of
    ///    commitments, equal lengths.
    /// 2. The branch leads from the whole list of commitments to its own header's `body_root`
    ///    (`verify_data_column_sidecar_inclusion_proof`, same file).
    /// 3. Its header is `anchor`, the root of a block that the caller trusts. Without one, this step is left
    ///    out, and what is proved is only that the sidecar agrees with itself.
    ///
    /// # Errors
    /// In that order [`Reason::UnsupportedFork`], [`Reason::ColumnIndex`], [`Reason::ColumnEmpty`],
    /// [`Reason::TooManyBlobs`], [`Reason::ColumnLengths`], [`Reason::InclusionMismatch`],
    /// [`Reason::HeaderMismatch`].
    pub fn check(&self, network: &NetworkConfig, anchor: Option<&Bytes32>) -> Result<(), Reason> {
        let header = &self.signed_block_header.message;
        self.check_structure(network)?;
        if !self.is_included(&header.body_root) {
            return Err(Reason::InclusionMismatch);
        }
        match anchor {
            Some(root) if header.hash_tree_root() != *root => Err(Reason::HeaderMismatch),
            _ => Ok(()),
        }
    }

    fn check_structure(&self, network: &NetworkConfig) -> Result<(), Reason> {
        let epoch = network.epoch_at_slot(self.signed_block_header.message.slot);
        let blobs = self.commitments.len();
        if network.fork_at(epoch) != Fork::Fulu {
            Err(Reason::UnsupportedFork)
        } else if self.index >= NUMBER_OF_COLUMNS {
            Err(Reason::ColumnIndex)
        } else if blobs == 0 {
            Err(Reason::ColumnEmpty)
        } else if u64::try_from(blobs).map_or(true, |blobs| blobs > network.max_blobs_per_block(epoch)) {
            Err(Reason::TooManyBlobs)
        } else if self.cells.len() != blobs || self.proofs.len() != blobs {
            Err(Reason::ColumnLengths)
        } else {
            Ok(())
        }
    }

    fn is_included(&self, body_root: &Bytes32) -> bool {
        commitments_root(self.commitments).is_some_and(|leaf| {
            is_valid_merkle_branch(
                &leaf,
                self.inclusion_proof,
                KZG_COMMITMENTS_INCLUSION_PROOF_DEPTH,
                subtree_index(BLOB_KZG_COMMITMENTS_GINDEX),
                body_root,
            )
        })
    }
}

/// The fields of fixed size, and the offsets of the others.
struct FixedPart<'a> {
    index: u64,
    offsets: [usize; 3],
    signed_block_header: SignedBeaconBlockHeader,
    inclusion_proof: &'a [Bytes32; KZG_COMMITMENTS_INCLUSION_PROOF_DEPTH],
}

impl<'a> FixedPart<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut rest = bytes;
        let index = take_u64(&mut rest)?;
        let offsets = [take_offset(&mut rest)?, take_offset(&mut rest)?, take_offset(&mut rest)?];
        let signed_block_header = SignedBeaconBlockHeader::take(&mut rest)?;
        let inclusion_proof = rest.as_chunks().0.split_first_chunk()?.0;
        Some(Self { index, offsets, signed_block_header, inclusion_proof })
    }
}

/// The `List[Vector[byte, N], 4096]` that lies in `bytes[start..end]`.
pub(crate) fn elements<const N: usize>(bytes: &[u8], start: usize, end: usize) -> Result<&[[u8; N]], Reason> {
    // `get` refuses both start > end and end > bytes.len().
    let list = bytes.get(start..end).ok_or(Reason::SidecarOffsets)?;
    let (elements, []) = list.as_chunks() else { return Err(Reason::SidecarOffsets) };
    if elements.len() > MAX_BLOB_COMMITMENTS_PER_BLOCK {
        return Err(Reason::SidecarLength);
    }
    Ok(elements)
}
