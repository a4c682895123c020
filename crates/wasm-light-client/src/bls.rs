//! BLS signatures alone: keys of 48 bytes, messages of any length (signing roots have 32), signatures of 96.

use crate::{codes::thrown, inputs::read_chain};
use blobcheck_beacon::SignedBeaconBlockHeader;
use blobcheck_bls::api;
use blobcheck_light_client::signature;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// `bls.FastAggregateVerify`: `pubkeys` one after the other. False for anything that is malformed.
#[wasm_bindgen(js_name = fastAggregateVerify)]
pub fn fast_aggregate_verify(pubkeys: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let (pubkeys, []) = pubkeys.as_chunks() else { return false };
    signature.try_into().is_ok_and(|signature| api::fast_aggregate_verify(pubkeys, message, signature))
}

/// `bls.Verify`. False for anything that is malformed.
#[wasm_bindgen(js_name = verifySignature)]
pub fn verify_signature(pubkey: &[u8], message: &[u8], signature: &[u8]) -> bool {
    match (pubkey.try_into(), signature.try_into()) {
        (Ok(pubkey), Ok(signature)) => api::verify(pubkey, message, signature),
        _ => false,
    }
}

/// `verify_block_header_signature`: whether `signed_header`, a `SignedBeaconBlockHeader` of 208 bytes, carries the
/// signature of the proposer whose key is `pubkey`. False for bytes of another length.
#[wasm_bindgen(js_name = verifyProposerSignature)]
pub fn verify_proposer_signature(
    network: &[u64],
    pubkey: &[u8],
    signed_header: &[u8],
) -> Result<bool, JsValue> {
    let chain = read_chain(network).map_err(thrown)?;
    Ok(match (pubkey.try_into(), SignedBeaconBlockHeader::from_ssz(signed_header)) {
        (Ok(pubkey), Some(header)) => signature::verify_proposer_signature(&chain, pubkey, &header),
        _ => false,
    })
}
