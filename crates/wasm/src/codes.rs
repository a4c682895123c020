//! What the codes mean. 0 is success everywhere; every other code belongs to one crate's `Reason`.

use blobcheck_beacon::Reason as BeaconReason;
use blobcheck_execution::Reason as ExecutionReason;
use blobcheck_kzg::Reason as KzgReason;
use blobcheck_reason::Stage;
use wasm_bindgen::prelude::wasm_bindgen;

/// All codes that can be reported.
#[wasm_bindgen(js_name = reasonCodes)]
pub fn reason_codes() -> Vec<u8> {
    all().map(|(code, ..)| code).collect()
}

/// A code's name, as JavaScript's users see it; empty for a number that is no code.
#[wasm_bindgen(js_name = reasonName)]
pub fn reason_name(code: u8) -> String {
    find(code).map(|(_, name, _)| name.to_owned()).unwrap_or_default()
}

/// The stage that a code belongs to, which decides between malformed and invalid; empty for a number that is no code.
#[wasm_bindgen(js_name = reasonStage)]
pub fn reason_stage(code: u8) -> String {
    find(code).map(|(_, _, stage)| stage.name().to_owned()).unwrap_or_default()
}

fn find(code: u8) -> Option<(u8, &'static str, Stage)> {
    all().find(|(of, ..)| *of == code)
}

/// Code, name and stage of every reason.
fn all() -> impl Iterator<Item = (u8, &'static str, Stage)> {
    let kzg = KzgReason::ALL.iter().map(|reason| (reason.code(), reason.name(), reason.stage()));
    let beacon = BeaconReason::ALL.iter().map(|reason| (reason.code(), reason.name(), reason.stage()));
    let execution = ExecutionReason::ALL.iter().map(|reason| (reason.code(), reason.name(), reason.stage()));
    kzg.chain(beacon).chain(execution)
}
