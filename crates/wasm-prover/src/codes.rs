//! What the numbers mean that functions throw.

use blobcheck_kzg::{InputError, Reason};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// All codes that can be thrown.
#[wasm_bindgen(js_name = reasonCodes)]
pub fn reason_codes() -> Vec<u8> {
    Reason::ALL.iter().map(|reason| reason.code()).collect()
}

/// A code's name, as JavaScript's users see it; empty for a number that is no code.
#[wasm_bindgen(js_name = reasonName)]
pub fn reason_name(code: u8) -> String {
    let reason = Reason::ALL.iter().find(|reason| reason.code() == code);
    reason.map(|reason| reason.name().to_owned()).unwrap_or_default()
}

pub(crate) fn thrown(error: InputError) -> JsValue {
    // Exact: an index is below 2³² on this target, and a double holds 53 bits.
    JsValue::from_f64(f64::from(error.reason.code()) + 256.0 * error.index as f64)
}

/// A half of the setup has not been read: a mistake of the caller, not of the data.
pub(crate) fn no_setup() -> JsValue {
    JsValue::from_f64(0.0)
}
