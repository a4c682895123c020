//! BLS signatures alone: keys of 48 bytes, messages (signing roots) of 32, signatures of 96.

use crate::codes::thrown;
use blobcheck_light_client::Reason;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// `bls.FastAggregateVerify`: `pubkeys` one after the other. False for anything that is malformed.
#[wasm_bindgen(js_name = fastAggregateVerify)]
pub fn fast_aggregate_verify(pubkeys: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let _ = (pubkeys, message, signature);
    false
}

/// `bls.Verify`. False for anything that is malformed.
#[wasm_bindgen(js_name = verifySignature)]
pub fn verify_signature(pubkey: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let _ = (pubkey, message, signature);
    false
}

/// `verify_block_header_signature`: whether `signed_header`, a `SignedBeaconBlockHeader` of 208 bytes, carries the
/// signature of the proposer whose key is `pubkey`. False for bytes of another length.
#[wasm_bindgen(js_name = verifyProposerSignature)]
pub fn verify_proposer_signature(
    network: &[u64],
    pubkey: &[u8],
    signed_header: &[u8],
) -> Result<bool, JsValue> {
    let _ = (network, pubkey, signed_header);
    Err(thrown(Reason::NetworkConfig))
}
