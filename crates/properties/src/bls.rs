//! BLS signatures of one and of many, against blst.

use crate::draw::{alter, array, below, rng, short};
use crate::points::{draw_bytes, Known};
use arbitrary::{Result, Unstructured};
use ark_bls12_381::Fr;

use blobcheck_bls::{
    api, claim, decompress_keys, verify, verify_many, AggregateKey, Claim, FreshSeed, SyncCommitteeKeys,
};
use blst::{min_pk, BLST_ERROR};

fn secret(number: u64) -> min_pk::SecretKey {
    let mut bytes = [0; 32];
    bytes[24..].copy_from_slice(&number.max(1).to_be_bytes());
    min_pk::SecretKey::from_bytes(&bytes).unwrap_or_else(|error| panic!("a key: {error:?}"))
}

/// blst's answer: keys that are valid, a signature in its group, and the product of pairings.
fn theirs(keys: &[[u8; 48]], message: &[u8], signature: &[u8; 96]) -> bool {
    let keys: std::result::Result<Vec<_>, _> =
        keys.iter().map(|key| min_pk::PublicKey::key_validate(key)).collect();
    let (Ok(keys), Ok(signature)) = (keys, min_pk::Signature::uncompress(signature)) else { return false };
    let keys: Vec<&min_pk::PublicKey> = keys.iter().collect();
    !keys.is_empty()
        && signature.fast_aggregate_verify(true, message, claim::DST, &keys) == BLST_ERROR::BLST_SUCCESS
}

/// Keys, some of them the same or opposite ones, and their aggregate's signature of a message.
fn draw(input: &mut Unstructured<'_>, message: &[u8]) -> Result<(Vec<[u8; 48]>, [u8; 96])> {
    let secrets = (0..below(input, 6)?)
        .map(|_| {
            Ok(u64::from(if input.arbitrary()? {
                input.arbitrary::<u32>()?
            } else {
                1 + below(input, 3)? as u32
            }))
        })
        .collect::<Result<Vec<_>>>()?;
    let mut keys: Vec<[u8; 48]> =
        secrets.iter().map(|number| secret(*number).sk_to_pk().to_bytes()).collect();
    let total = secrets.iter().map(|number| (*number).max(1)).sum();
    let mut signature = secret(total).sign(message, claim::DST, &[]).to_bytes();
    match below(input, 8)? {
        // The opposite of the sum: the aggregate is infinity.
        0 => {
            let minus = Known { multiple: -Fr::from(total), defect: (0, 0) };
            keys.push(crate::points::compress(&minus.point()));
            if input.arbitrary()? {
                signature = api::G2_POINT_AT_INFINITY;
            }
        }
        1 => {
            let mut bytes = signature.to_vec();
            alter(input, &mut bytes)?;
            bytes.resize(96, 0);
            signature.copy_from_slice(&bytes);
        }
        2 if !keys.is_empty() => {
            let at = below(input, keys.len())?;
            keys[at] = draw_bytes(input)?;
        }
        3 => signature = api::G2_POINT_AT_INFINITY,
        4 => signature[0] ^= 0x20,
        _ => {}
    }
    Ok((keys, signature))
}

/// `FastAggregateVerify` says what blst says, of keys and signatures of every kind.
pub fn aggregates(input: &mut Unstructured<'_>) -> Result<()> {
    let message = short(input, 64)?;
    let (keys, signature) = draw(input, &message)?;
    let expected = theirs(&keys, &message, &signature);
    assert_eq!(api::fast_aggregate_verify(&keys, &message, &signature), expected);
    let nobody = keys.is_empty() && signature == api::G2_POINT_AT_INFINITY;
    assert_eq!(api::eth_fast_aggregate_verify(&keys, &message, &signature), expected || nobody);
    if let [key] = &keys[..] {
        assert_eq!(api::verify(key, &message, &signature), expected);
    }
    // The same keys as a committee, all of whom sign.
    let parsed: std::result::Result<Vec<_>, _> = decompress_keys(&keys).into_iter().collect();
    let valid: bool = keys.iter().all(|key| min_pk::PublicKey::key_validate(key).is_ok());
    assert_eq!(parsed.is_ok(), valid);
    if let Ok(parsed) = parsed.as_ref().map(|keys| AggregateKey::of(keys)) {
        let committee = SyncCommitteeKeys::new(&keys, &parsed.to_bytes());
        assert_eq!(committee.is_ok(), !keys.is_empty());
        let other: [u8; 48] = array(input)?;
        assert!(other == parsed.to_bytes() || SyncCommitteeKeys::new(&keys, &other).is_err());
        if let Ok(committee) = committee {
            let mut random = rng(input)?;
            let bits: Vec<bool> = keys.iter().map(|_| random.below(2u64) == 1).collect();
            let some: Vec<[u8; 48]> =
                keys.iter().zip(&bits).filter(|(_, bit)| **bit).map(|(key, _)| *key).collect();
            let sum = committee.participants(&bits);
            assert_eq!(sum.is_ok(), !some.is_empty());
            if let Ok(sum) = sum {
                let some: Vec<_> = decompress_keys(&some).into_iter().flatten().collect();
                assert_eq!(sum.to_bytes(), AggregateKey::of(&some).to_bytes());
            }
        }
    }
    Ok(())
}

/// Many signatures in one product: true exactly where each is.
pub fn batches(input: &mut Unstructured<'_>) -> Result<()> {
    let (mut claims, mut expected) = (Vec::new(), true);
    for _ in 0..below(input, 5)? {
        let message: [u8; 32] = array(input)?;
        let (keys, signature) = draw(input, &message)?;
        let parsed: std::result::Result<Vec<_>, _> = decompress_keys(&keys).into_iter().collect();
        let Ok(parsed) = parsed else { continue };
        let claim = Claim { key: AggregateKey::of(&parsed), message, signature };
        let one = theirs(&keys, &message, &signature);
        assert_eq!(verify(&claim), one);
        expected &= one;
        claims.push(claim);
    }
    // Two signatures exchanged: their sum is the same.
    if claims.len() > 1 && below(input, 4)? == 0 {
        let (one, other) = (claims[0].signature, claims[1].signature);
        (claims[0].signature, claims[1].signature) = (other, one);
        expected &= claims[..2].iter().all(verify);
    }
    let seed = input.arbitrary::<Option<[u8; 32]>>()?.map(FreshSeed::from_csprng);
    assert_eq!(verify_many(&claims, seed), expected);
    Ok(())
}
