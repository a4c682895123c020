//! Multiples of the points of all cells, in 16 parts of eight cells, each worked out when it is first wanted.
//!
//! Without a table the same multiples are worked out for each blob, as many as pay for one.

use crate::setup::ExtendedSetup;
use blobcheck_curve::fixed_base_table::{FixedBaseTable, TableShape};
use blobcheck_curve::raw::Raw;
use blobcheck_curve::shifted_points::ShiftedPoints;
use blobcheck_curve::{G1Affine, Scalar, G1};
use blobcheck_kzg::commit;
use blobcheck_kzg::commitment_setup::CommitmentSetup;
use blobcheck_kzg::constants::{CELLS_PER_BLOB, CELLS_PER_EXT_BLOB, FIELD_ELEMENTS_PER_CELL};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::OnceLock;

/// Parts that the cells are worked on in.
pub const PARTS: usize = 16;

/// Cells of a part.
pub const CELLS_PER_PART: usize = CELLS_PER_EXT_BLOB / PARTS;

/// Commitments that are made without their table. It costs what it saves in some 17: a caller who makes few does not pay for it.
const COMMITMENTS_WITHOUT: u32 = 16;

/// Tables of one shape for all parts, and the one for commitments and proofs of blobs, of 4 or 5 MB.
pub struct Tables {
    shape: TableShape,
    parts: [OnceLock<FixedBaseTable>; PARTS],
    commitments: OnceLock<ShiftedPoints>,
    /// How many were made without the table.
    made: AtomicU32,
}

impl Tables {
    /// Tables that hold nothing yet.
    pub fn new(shape: TableShape) -> Self {
        Self {
            shape,
            parts: [const { OnceLock::new() }; PARTS],
            commitments: OnceLock::new(),
            made: AtomicU32::new(0),
        }
    }

    /// The shape of each part.
    pub fn shape(&self) -> TableShape {
        self.shape
    }

    /// The bytes that all parts take together.
    pub fn bytes(shape: TableShape) -> usize {
        shape.bytes(2 * blobcheck_kzg::commitment_setup::POINTS)
    }

    /// Whether the table of a part is there.
    pub fn has(&self, part: usize) -> bool {
        self.parts.get(part).is_some_and(|slot| slot.get().is_some())
    }

    /// Takes the table of a part out of what [`FixedBaseTable::to_bytes`] gave for the same setup and shape, which the caller is **sure
    /// of**: a table that is wrong makes proofs that are. False for bytes that are not of a part's length, or hold a number that
    /// is not below p; true, and nothing done, where the part is there already.
    pub fn take(&self, part: usize, bytes: &[u8]) -> bool {
        let Some(slot) = self.parts.get(part) else { return false };
        if slot.get().is_some() {
            return true;
        }
        let points = CELLS_PER_PART * FIELD_ELEMENTS_PER_CELL;
        let table = FixedBaseTable::from_bytes(bytes, self.shape).filter(|table| table.len() == points);
        table.is_some_and(|table| {
            slot.get_or_init(|| table);
            true
        })
    }

    /// [`commit::commit`] for a whole blob, with a table once it pays. All calls are for one setup.
    pub fn commit(&self, setup: &CommitmentSetup, rows: &[Raw], factor: Scalar) -> G1 {
        if self.made.load(Ordering::Relaxed) < COMMITMENTS_WITHOUT {
            self.made.fetch_add(1, Ordering::Relaxed);
            return commit::commit(setup, rows, factor);
        }
        let table = self.commitments.get_or_init(|| ShiftedPoints::new(setup.points()));
        table.msm(&commit::scalars(rows, factor, 0..CELLS_PER_BLOB))
    }

    /// Works out the table of a part, unless it is there; there is none beyond [`PARTS`].
    pub fn part(&self, setup: &ExtendedSetup, part: usize) -> Option<&FixedBaseTable> {
        self.parts
            .get(part)
            .map(|slot| slot.get_or_init(|| FixedBaseTable::new(points(setup, part), self.shape)))
    }
}

/// The points of a part's cells.
pub(crate) fn points(setup: &ExtendedSetup, part: usize) -> &[G1Affine] {
    setup.cells(part.saturating_mul(CELLS_PER_PART).min(CELLS_PER_EXT_BLOB), CELLS_PER_PART)
}
