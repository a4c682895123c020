//! BLS signatures alone, of validators and of sync committees: keys of 48 bytes, messages of any length (signing roots have
//! 32), signatures of 96.

use crate::{
    codes::thrown,
    inputs::{committees, read_chain},
};
use blobcheck_beacon::light_client::{SyncAggregate, SyncCommittee};
use blobcheck_beacon::SignedBeaconBlockHeader;
use blobcheck_bls::{api, verify};
use blobcheck_curve::{g1_encoding, g2_encoding};
use blobcheck_light_client::{signature, Reason};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// `bls.FastAggregateVerify`: `pubkeys` one after the other. False for anything that is malformed.
#[wasm_bindgen(js_name = fastAggregateVerify)]
pub fn fast_aggregate_verify(pubkeys: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let (pubkeys, []) = pubkeys.as_chunks() else { return false };
    signature.try_into().is_ok_and(|signature| api::fast_aggregate_verify(pubkeys, message, signature))
}

/// Whether these are the 48 bytes of a point of G1; infinity is one.
#[wasm_bindgen(js_name = isPointOfG1)]
pub fn is_point_of_g1(bytes: &[u8]) -> bool {
    bytes.try_into().is_ok_and(|bytes| g1_encoding::decompress(&[bytes]).iter().all(Result::is_ok))
}

/// Whether these are the 96 bytes of a point of G2, such as a signature; infinity is one.
#[wasm_bindgen(js_name = isPointOfG2)]
pub fn is_point_of_g2(bytes: &[u8]) -> bool {
    bytes.try_into().is_ok_and(|bytes| g2_encoding::decompress(&[bytes]).iter().all(Result::is_ok))
}

/// `hash_to_curve` to G2 (RFC 9380, `BLS12381G2_XMD:SHA-256_SSWU_RO_`), compressed. `tag` separates domains.
#[wasm_bindgen(js_name = hashToG2)]
pub fn hash_to_g2(message: &[u8], tag: &[u8]) -> Vec<u8> {
    blobcheck_curve::hash_to_g2(&[message], tag).iter().flat_map(g2_encoding::compress).collect()
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

/// Decompresses a `SyncCommittee` in SSZ, and checks that its keys are points of the group, not infinity, and that
/// `aggregate_pubkey` is their sum. This instance remembers it, with the few that were used last. Throws why it
/// is refused.
#[wasm_bindgen(js_name = checkSyncCommittee)]
pub fn check_sync_committee(sync_committee: &[u8]) -> Result<(), JsValue> {
    let committee = read_committee(sync_committee).map_err(thrown)?;
    committees(|committees| committees.keys(&committee).map(drop)).map_err(thrown)
}

/// As `eth_fast_aggregate_verify`, except that an aggregate without signers is refused: whether those of the `SyncCommittee` whose bits are
/// set in the `SyncAggregate` (both in SSZ) signed `signing_root`, 32 bytes. A committee that this instance remembers is
/// not decompressed again. False for a signature that is none; throws why anything else is refused.
#[wasm_bindgen(js_name = verifySyncAggregate)]
pub fn verify_sync_aggregate(
    sync_committee: &[u8],
    sync_aggregate: &[u8],
    signing_root: &[u8],
) -> Result<bool, JsValue> {
    (|| {
        let committee = read_committee(sync_committee)?;
        let aggregate = SyncAggregate::from_ssz(sync_aggregate).ok_or(Reason::ObjectLength)?;
        let signing_root = signing_root.try_into().map_err(|_| Reason::ObjectLength)?;
        let claim = committees(|committees| {
            signature::claim_of_aggregate(committees, &committee, &aggregate, signing_root)
        })?;
        Ok(verify(&claim))
    })()
    .map_err(thrown)
}

fn read_committee(ssz: &[u8]) -> Result<SyncCommittee, Reason> {
    SyncCommittee::from_ssz(ssz).ok_or(Reason::ObjectLength)
}
