//! `DataColumnSidecar` as of Gloas (`gloas/p2p-interface.md`): cells and proofs alone. Which commitments they belong to says the bid
//! of the block that the sidecar names; it brings neither them, nor a header, nor a branch.

use crate::bytes::{take, take_offset, take_u64};
use crate::commitments::BYTES_PER_COMMITMENT;
use crate::data_column_sidecar::{elements, BYTES_PER_CELL, NUMBER_OF_COLUMNS};
use crate::network::{Fork, NetworkConfig};
use crate::reason::Reason;
use crate::{BeaconBlockHeader, Bytes32};

/// A view over the SSZ bytes of a Gloas `DataColumnSidecar`. The lists are borrowed.
///
/// Until [`Self::check`] has passed, the two lists may differ in length.
#[derive(Clone, Copy, Debug)]
pub struct GloasDataColumnSidecar<'a> {
    /// Index of the column, which is the cell index of every cell in it.
    pub index: u64,
    /// `column`: one cell per blob, whose field elements are not yet known to be canonical.
    pub cells: &'a [[u8; BYTES_PER_CELL]],
    /// `kzg_proofs`, one per cell: compressed G1 points, not yet known to be such.
    pub proofs: &'a [[u8; BYTES_PER_COMMITMENT]],
    /// Slot of the block.
    pub slot: u64,
    /// Root of the block.
    pub beacon_block_root: Bytes32,
}

/// The block that a sidecar must name.
#[derive(Clone, Copy, Debug)]
pub enum ColumnAnchor<'a> {
    /// Any: only the commitments are given.
    Any,
    /// That of this root, in whatever slot.
    Root(&'a Bytes32),
    /// That of this header.
    Header(&'a BeaconBlockHeader),
}

impl<'a> GloasDataColumnSidecar<'a> {
    /// Size of the part before the lists, in bytes, which is where the first offset points; in Fulu it points elsewhere.
    pub const SSZ_FIXED_BYTES: usize = 8 + 2 * 4 + 8 + 32;

    /// Reads one sidecar out of `bytes`, all of them, strictly: offsets leave no gap and cut no element. The lists have no limit
    /// in their types; here they have Fulu's, of 4,096 elements.
    ///
    /// # Errors
    /// [`Reason::SidecarLength`] for fewer bytes than [`Self::SSZ_FIXED_BYTES`], or a list of more than 4,096
    /// elements; [`Reason::SidecarOffsets`] for offsets that are not those of the container's canonical encoding.
    pub fn from_ssz(bytes: &'a [u8]) -> Result<Self, Reason> {
        let mut rest = bytes;
        let fixed = (|| {
            let index = take_u64(&mut rest)?;
            let offsets = [take_offset(&mut rest)?, take_offset(&mut rest)?];
            Some((index, offsets, take_u64(&mut rest)?, *take(&mut rest)?))
        })();
        let (index, [column, proofs], slot, beacon_block_root) = fixed.ok_or(Reason::SidecarLength)?;
        if column != Self::SSZ_FIXED_BYTES {
            return Err(Reason::SidecarOffsets);
        }
        Ok(Self {
            index,
            cells: elements(bytes, column, proofs)?,
            proofs: elements(bytes, proofs, bytes.len())?,
            slot,
            beacon_block_root,
        })
    }

    /// All checks that need no curve arithmetic, cheapest first.
    ///
    /// 1. Its slot is of Gloas; then `verify_data_column_sidecar` (`gloas/p2p-interface.md`): index, and as many cells as
    ///    proofs as `commitments`, of which there are some.
    /// 2. It names the block of `anchor`, whose `commitments` they must be: that is for the caller to know.
    ///
    /// # Errors
    /// In that order [`Reason::UnsupportedFork`], [`Reason::ColumnIndex`], [`Reason::ColumnEmpty`],
    /// [`Reason::ColumnLengths`], [`Reason::HeaderMismatch`].
    pub fn check(
        &self,
        network: &NetworkConfig,
        commitments: usize,
        anchor: ColumnAnchor<'_>,
    ) -> Result<(), Reason> {
        let is_anchored = || match anchor {
            ColumnAnchor::Any => true,
            ColumnAnchor::Root(root) => self.beacon_block_root == *root,
            ColumnAnchor::Header(header) => {
                self.slot == header.slot && self.beacon_block_root == header.hash_tree_root()
            }
        };
        if network.fork_at(network.epoch_at_slot(self.slot)) != Fork::Gloas {
            Err(Reason::UnsupportedFork)
        } else if self.index >= NUMBER_OF_COLUMNS {
            Err(Reason::ColumnIndex)
        } else if self.cells.is_empty() {
            Err(Reason::ColumnEmpty)
        } else if self.cells.len() != commitments || self.proofs.len() != commitments {
            Err(Reason::ColumnLengths)
        } else if !is_anchored() {
            Err(Reason::HeaderMismatch)
        } else {
            Ok(())
        }
    }
}
