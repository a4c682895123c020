//! What the codes mean. 0 is success everywhere; every other code is one of the light client's `Reason`.

use blobcheck_light_client::Reason;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// All codes that can be reported.
#[wasm_bindgen(js_name = reasonCodes)]
pub fn reason_codes() -> Vec<u8> {
    Reason::ALL.iter().map(|reason| reason.code()).collect()
}

/// A code's name, as JavaScript's users see it; empty for a number that is no code.
#[wasm_bindgen(js_name = reasonName)]
pub fn reason_name(code: u8) -> String {
    find(code).map(|reason| reason.name().to_owned()).unwrap_or_default()
}

/// The stage that a code belongs to; empty for a number that is no code.
#[wasm_bindgen(js_name = reasonStage)]
pub fn reason_stage(code: u8) -> String {
    find(code).map(|reason| reason.stage().name().to_owned()).unwrap_or_default()
}

fn find(code: u8) -> Option<Reason> {
    Reason::ALL.iter().copied().find(|reason| reason.code() == code)
}

/// A refusal, as JavaScript catches it.
pub(crate) fn thrown(reason: Reason) -> JsValue {
    JsValue::from(reason.code())
}
