//! What the codes mean. 0 is success everywhere; every other code belongs to one crate's `Reason`.

use blobcheck_beacon::Reason as BeaconReason;
use blobcheck_execution::Reason as ExecutionReason;
use blobcheck_kzg::Reason as KzgReason;
use wasm_bindgen::prelude::wasm_bindgen;

/// All codes that can be reported.
#[wasm_bindgen(js_name = reasonCodes)]
pub fn reason_codes() -> Vec<u8> {
    let kzg = KzgReason::ALL.iter().map(|reason| reason.code());
    let beacon = BeaconReason::ALL.iter().map(|reason| reason.code());
    let execution = ExecutionReason::ALL.iter().map(|reason| reason.code());
    kzg.chain(beacon).chain(execution).collect()
}

/// A code's name, as JavaScript's users see it; empty for a number that is no code.
#[wasm_bindgen(js_name = reasonName)]
pub fn reason_name(code: u8) -> String {
    find(code).0.to_owned()
}

/// The stage that a code belongs to, which decides between malformed and invalid; empty for a number that is no code.
#[wasm_bindgen(js_name = reasonStage)]
pub fn reason_stage(code: u8) -> String {
    find(code).1.to_owned()
}

fn find(code: u8) -> (&'static str, &'static str) {
    if let Some(reason) = KzgReason::ALL.iter().find(|reason| reason.code() == code) {
        return (reason.name(), kzg_stage(*reason));
    }
    if let Some(reason) = BeaconReason::ALL.iter().find(|reason| reason.code() == code) {
        return (reason.name(), reason.stage().name());
    }
    if let Some(reason) = ExecutionReason::ALL.iter().find(|reason| reason.code() == code) {
        return (reason.name(), reason.stage().name());
    }
    ("", "")
}

/// What bytes say is their encoding; how many there are, and of what, is their structure.
fn kzg_stage(reason: KzgReason) -> &'static str {
    match reason {
        KzgReason::ProofMismatch => "kzg",
        KzgReason::ScalarNotCanonical
        | KzgReason::CommitmentEncoding
        | KzgReason::CommitmentNotOnCurve
        | KzgReason::CommitmentNotInSubgroup
        | KzgReason::ProofEncoding
        | KzgReason::ProofNotOnCurve
        | KzgReason::ProofNotInSubgroup => "encoding",
        _ => "structure",
    }
}
