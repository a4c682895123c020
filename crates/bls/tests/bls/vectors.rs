//! The official vectors: ethereum/bls12-381-tests.

use crate::support::{bytes, cases};
use blobcheck_bls::{api, claim, decompress_keys, KeyError};
use blobcheck_curve::{g1, g1_encoding, g2_encoding, hash_to_g2};
use serde_json::Value;

/// Lengths are the caller's to check: what does not fit is not valid.
fn sized<const N: usize>(value: &Value) -> Option<[u8; N]> {
    bytes(value).try_into().ok()
}

#[test]
fn verify() {
    for (name, input, output) in cases("verify") {
        let found = sized(&input["pubkey"])
            .zip(sized(&input["signature"]))
            .is_some_and(|(pubkey, signature)| api::verify(&pubkey, &bytes(&input["message"]), &signature));
        assert_eq!(Value::Bool(found), output, "{name}");
    }
}

#[test]
fn fast_aggregate_verify() {
    for (name, input, output) in cases("fast_aggregate_verify") {
        let keys: Option<Vec<[u8; 48]>> =
            input["pubkeys"].as_array().expect("keys").iter().map(sized).collect();
        let found = keys.zip(sized(&input["signature"])).is_some_and(|(keys, signature)| {
            api::fast_aggregate_verify(&keys, &bytes(&input["message"]), &signature)
        });
        assert_eq!(Value::Bool(found), output, "{name}");
    }
}

#[test]
fn no_keys_sign_with_infinity_in_blocks_only() {
    let message = [0; 32];
    assert!(api::eth_fast_aggregate_verify(&[], &message, &api::G2_POINT_AT_INFINITY));
    assert!(!api::fast_aggregate_verify(&[], &message, &api::G2_POINT_AT_INFINITY));
    assert!(!api::eth_fast_aggregate_verify(&[], &message, &[0; 96]));
    let key = g1_encoding::compress(&g1::generator());
    assert!(!api::eth_fast_aggregate_verify(&[key], &message, &api::G2_POINT_AT_INFINITY));
}

#[test]
fn deserialization_g1() {
    for (name, input, output) in cases("deserialization_G1") {
        let point = sized(&input["pubkey"])
            .and_then(|bytes| g1_encoding::decompress(&[bytes])[0].ok().map(|p| (bytes, p)));
        assert_eq!(Value::Bool(point.is_some()), output, "{name}");
        if let Some((bytes, point)) = point {
            assert_eq!(g1_encoding::compress(&point), bytes, "{name}");
            let infinite = g1::is_identity(&point.into());
            let expected = infinite.then_some(KeyError::Infinity);
            assert_eq!(decompress_keys(&[bytes])[0].err(), expected, "{name}");
        }
    }
}

#[test]
fn deserialization_g2() {
    for (name, input, output) in cases("deserialization_G2") {
        let point = sized(&input["signature"])
            .and_then(|bytes| g2_encoding::decompress(&[bytes])[0].ok().map(|p| (bytes, p)));
        assert_eq!(Value::Bool(point.is_some()), output, "{name}");
        if let Some((bytes, point)) = point {
            assert_eq!(g2_encoding::compress(&point), bytes, "{name}");
        }
    }
}

/// The vectors' own tag, and coordinates as "c0,c1".
#[test]
fn hash_to_g2_points() {
    for (name, input, output) in cases("hash_to_G2") {
        let message = input["msg"].as_str().expect("text").as_bytes();
        let point = hash_to_g2(&[message], b"QUUX-V01-CS02-with-BLS12381G2_XMD:SHA-256_SSWU_RO_")[0];
        let compressed = g2_encoding::compress(&point);
        let half = |coordinate: &str, i| {
            let text = output[coordinate].as_str().expect("text").split(',').nth(i).expect("two halves");
            bytes(&Value::from(text))
        };
        let mut x = [half("x", 1), half("x", 0)].concat();
        let larger = {
            let (y, minus) = (half("y", 1), g2_encoding::compress(&-point));
            assert_eq!(minus[0] ^ compressed[0], 0x20);
            // No y of these has c1 = 0: the larger one is above (p − 1)/2, whose first bytes are these.
            y[..4] > [0x0d, 0x00, 0x88, 0xf5][..]
        };
        x[0] |= if larger { 0xa0 } else { 0x80 };
        assert_eq!(compressed[..], x[..], "{name}");
    }
    assert_eq!(claim::DST.len(), 43);
}
