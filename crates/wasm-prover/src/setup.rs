//! The one setup of this instance, Ethereum's, and its tables.

use crate::codes::no_setup;
use blobcheck_curve::fixed_base_table::{FixedBaseTable, TableShape};
use blobcheck_kzg::commitment_setup::CommitmentSetup;
use blobcheck_prover::{ExtendedSetup, Tables};
use std::sync::{Arc, OnceLock};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

static BLOB: OnceLock<Arc<CommitmentSetup>> = OnceLock::new();
static EXTENDED: OnceLock<ExtendedSetup> = OnceLock::new();
static TABLES: OnceLock<Tables> = OnceLock::new();

/// Reads `prover-setup.bin`, which commitments and proofs of blobs need. False for any other bytes.
#[wasm_bindgen(js_name = readSetup)]
pub fn read_setup(bytes: &[u8]) -> bool {
    BLOB.get().is_some()
        || CommitmentSetup::ethereum(bytes).is_ok_and(|setup| {
            BLOB.get_or_init(|| Arc::new(setup));
            true
        })
}

/// Reads `prover-setup-extension.bin`, which proofs of cells need, too. False for any other bytes, or before
/// [`read_setup`].
#[wasm_bindgen(js_name = readSetupExtension)]
pub fn read_setup_extension(bytes: &[u8]) -> bool {
    let read = || ExtendedSetup::ethereum(Arc::clone(BLOB.get()?), bytes).ok();
    EXTENDED.get().is_some()
        || read().is_some_and(|setup| {
            EXTENDED.get_or_init(|| setup);
            true
        })
}

/// The bytes that all 16 parts of a table take: `rows` · 2^(width − 2) · 786,432. NaN for a shape that there is not (rows
/// from 1 to 129, width from 2 to 12).
#[wasm_bindgen(js_name = tableBytes)]
pub fn table_bytes(rows: u32, width: u32) -> f64 {
    // In doubles: the largest tables are larger than this target's memory.
    match TableShape::new(rows, width) {
        Some(_) => f64::from(rows) * f64::from(1u32 << (width - 2)) * 786_432.0,
        None => f64::NAN,
    }
}

/// What tables may take at most: a module has 4 GB.
const MOST_BYTES: f64 = 1e9;

/// Proves with tables of this shape from now on, each part worked out when it is first wanted. False for a shape that there
/// is not or that takes more than a gigabyte, and once there are tables already.
#[wasm_bindgen(js_name = useTables)]
pub fn use_tables(rows: u32, width: u32) -> bool {
    table_bytes(rows, width) <= MOST_BYTES
        && TableShape::new(rows, width).is_some_and(|shape| TABLES.set(Tables::new(shape)).is_ok())
}

/// Works out a part of the tables now: before it is wanted, or for progress. Throws 0 without a setup; nothing to do without
/// tables.
#[wasm_bindgen(js_name = prepareTable)]
pub fn prepare_table(part: usize) -> Result<(), JsValue> {
    let setup = extended()?;
    if let Some(tables) = tables() {
        tables.part(setup, part);
    }
    Ok(())
}

/// Whether a part of the tables is there.
#[wasm_bindgen(js_name = hasTable)]
pub fn has_table(part: usize) -> bool {
    tables().is_some_and(|tables| tables.has(part))
}

/// Takes a part of the tables from [`table_part`]'s bytes, which the caller is sure of. False for bytes that are none, and
/// without tables.
#[wasm_bindgen(js_name = takeTable)]
pub fn take_table(part: usize, bytes: &[u8]) -> bool {
    tables().is_some_and(|tables| tables.take(part, bytes))
}

/// A part of the tables as bytes, worked out if need be: a sixteenth of [`table_bytes`]. Throws 0 without a setup; nothing
/// without tables, or beyond the parts.
#[wasm_bindgen(js_name = tablePart)]
pub fn table_part(part: usize) -> Result<Vec<u8>, JsValue> {
    let setup = extended()?;
    let table = tables().and_then(|tables| tables.part(setup, part));
    Ok(table.map(FixedBaseTable::to_bytes).unwrap_or_default())
}

pub(crate) fn blob() -> Result<&'static CommitmentSetup, JsValue> {
    BLOB.get().map(AsRef::as_ref).ok_or_else(no_setup)
}

pub(crate) fn extended() -> Result<&'static ExtendedSetup, JsValue> {
    EXTENDED.get().ok_or_else(no_setup)
}

pub(crate) fn tables() -> Option<&'static Tables> {
    TABLES.get()
}
