//! Sync committees: what is refused, and every set of participants against the sum of their secrets.

use crate::support::{bits, committee, joint, public, secret, sign, Rng};
use blobcheck_bls::{api, decompress_keys, verify, verify_many, AggregateKey, PublicKey};
use blobcheck_bls::{Claim, CommitteeError, KeyError, SyncCommitteeKeys};
use blobcheck_curve::{PointError, Scalar};

const INFINITY: [u8; 48] = {
    let mut bytes = [0; 48];
    bytes[0] = 0xc0;
    bytes
};

/// Distinct secrets, but for every fourth: a validator may sit more than once.
fn secrets(rng: &mut Rng, count: usize) -> Vec<Scalar> {
    let mut secrets: Vec<Scalar> = (0..count).map(|_| secret(rng)).collect();
    (4..count).step_by(4).for_each(|i| secrets[i] = secrets[i - 3]);
    secrets
}

#[test]
fn participants_of_every_number() {
    let mut rng = Rng(1);
    for (size, counts) in
        [(1, vec![1]), (2, vec![1, 2]), (32, (1..=32).collect()), (512, vec![1, 256, 257, 350, 511, 512])]
    {
        let secrets = secrets(&mut rng, size);
        let (pubkeys, aggregate) = committee(&secrets);
        let committee = SyncCommitteeKeys::new(&pubkeys, &aggregate).expect("a committee");
        let keys: Vec<PublicKey> = decompress_keys(&pubkeys).into_iter().flatten().collect();
        for count in counts {
            let bits = bits(&mut rng, size, count);
            let found = committee.participants(&bits).expect("participants");
            assert_eq!(found.to_bytes(), public(&joint(&secrets, &bits)), "{count} of {size}");
            let some: Vec<PublicKey> =
                keys.iter().zip(&bits).filter(|(_, bit)| **bit).map(|(key, _)| *key).collect();
            assert_eq!(found, AggregateKey::of(&some));
        }
    }
}

/// As the specification does it, from the participants' bytes.
#[test]
fn a_committee_signs() {
    let mut rng = Rng(2);
    let secrets = secrets(&mut rng, 32);
    let (pubkeys, aggregate) = committee(&secrets);
    let committee = SyncCommitteeKeys::new(&pubkeys, &aggregate).expect("a committee");
    for count in [1, 7, 22, 32] {
        let (bits, message) = (bits(&mut rng, 32, count), rng.bytes::<32>());
        let signature = sign(&joint(&secrets, &bits), &message);
        let key = committee.participants(&bits).expect("participants");
        assert!(verify(&Claim { key, message, signature }));
        let some: Vec<[u8; 48]> =
            pubkeys.iter().zip(&bits).filter(|(_, bit)| **bit).map(|(key, _)| *key).collect();
        assert!(api::fast_aggregate_verify(&some, &message, &signature));
        // One bit more or less is another sum.
        for i in [0, 13, 31] {
            let mut bits = bits.clone();
            bits[i] = !bits[i];
            let Ok(key) = committee.participants(&bits) else { continue };
            assert!(!verify(&Claim { key, message, signature }), "bit {i}");
        }
        let mut message = message;
        message[31] ^= 1;
        assert!(!verify(&Claim { key, message, signature }));
    }
}

#[test]
fn what_is_no_committee() {
    let mut rng = Rng(3);
    let (pubkeys, aggregate) = committee(&secrets(&mut rng, 8));
    let error = |pubkeys: &[[u8; 48]], aggregate: &[u8; 48]| SyncCommitteeKeys::new(pubkeys, aggregate).err();
    assert_eq!(error(&pubkeys, &aggregate), None);
    assert_eq!(error(&[], &INFINITY), Some(CommitteeError::Empty));
    for (bad, expected) in [
        (INFINITY, KeyError::Infinity),
        ([0; 48], KeyError::Point(PointError::Encoding)),
        (outside_g1(), KeyError::Point(PointError::NotInSubgroup)),
    ] {
        for index in [0, 5, 7] {
            let mut pubkeys = pubkeys.clone();
            pubkeys[index] = bad;
            assert_eq!(error(&pubkeys, &aggregate), Some(CommitteeError::Key { index, error: expected }));
        }
    }
    let mut opposite = aggregate;
    opposite[0] ^= 0x20;
    for wrong in [opposite, INFINITY, [0; 48], pubkeys[0], outside_g1()] {
        assert_eq!(error(&pubkeys, &wrong), Some(CommitteeError::Aggregate));
    }
    assert_eq!(error(&pubkeys[1..], &aggregate), Some(CommitteeError::Aggregate));
    // The order is of no account to the sum, only to the bits.
    let reversed: Vec<[u8; 48]> = pubkeys.iter().rev().copied().collect();
    assert_eq!(error(&reversed, &aggregate), None);
}

/// Each key of many by itself and all at once, with torsion that cancels, infinity, and what is no point among them.
#[test]
fn keys_in_bulk() {
    let mut rng = Rng(6);
    let torsion = outside_g1();
    let mut opposite = torsion;
    opposite[0] ^= 0x20;
    let good: Vec<[u8; 48]> = secrets(&mut rng, 512).iter().map(public).collect();
    let by_itself = |key: &[u8; 48]| decompress_keys(&[*key])[0];
    let good_alone: Vec<_> = good.iter().map(by_itself).collect();
    let bad = [torsion, opposite, INFINITY, [0; 48], [0xff; 48]];
    let replaced = [vec![], vec![0], vec![1, 2], vec![1, 511], vec![3, 4], (0..60).collect::<Vec<usize>>()];
    for places in replaced {
        let (mut keys, mut alone) = (good.clone(), good_alone.clone());
        for place in &places {
            keys[*place] = bad[place % bad.len()];
            alone[*place] = by_itself(&keys[*place]);
        }
        assert_eq!(decompress_keys(&keys), alone);
        assert_eq!(alone.iter().filter(|key| key.is_err()).count(), places.len());
    }
    let mut keys = good;
    (keys[100], keys[200]) = (torsion, opposite);
    let error = KeyError::Point(PointError::NotInSubgroup);
    assert_eq!(
        SyncCommitteeKeys::new(&keys, &INFINITY).err(),
        Some(CommitteeError::Key { index: 100, error })
    );
}

#[test]
fn what_are_no_participants() {
    let mut rng = Rng(4);
    let (pubkeys, aggregate) = committee(&secrets(&mut rng, 8));
    let committee = SyncCommitteeKeys::new(&pubkeys, &aggregate).expect("a committee");
    for length in [0, 7, 9, 512] {
        assert_eq!(committee.participants(&vec![true; length]), Err(CommitteeError::Bits));
    }
    assert_eq!(committee.participants(&[false; 8]), Err(CommitteeError::NoParticipants));
}

/// Keys that cancel: honest in form, and no panic; infinity as a key would verify infinity as a signature.
#[test]
fn keys_that_cancel() {
    let mut rng = Rng(5);
    let (one, other) = (secret(&mut rng), secret(&mut rng));
    let secrets = [one, -one, other, -other];
    let (pubkeys, aggregate) = committee(&secrets);
    assert_eq!(aggregate, INFINITY);
    let committee = SyncCommitteeKeys::new(&pubkeys, &aggregate).expect("its sum is infinity");
    let infinite = api::G2_POINT_AT_INFINITY;
    for bits in [[true; 4], [true, true, false, false], [false, false, true, true]] {
        let key = committee.participants(&bits).expect("participants");
        assert_eq!(key.to_bytes(), INFINITY);
        let claim = Claim { key, message: [1; 32], signature: infinite };
        assert!(!verify(&claim));
        assert!(!verify_many(&[claim, claim], None));
        assert!(!api::fast_aggregate_verify(&pubkeys, &[1; 32], &infinite));
    }
    let key = committee.participants(&[true, true, true, false]).expect("participants");
    assert_eq!(key.to_bytes(), public(&other));
}

/// x = 0 is on the curve, y = 2, and of order 3.
fn outside_g1() -> [u8; 48] {
    let mut bytes = [0; 48];
    bytes[0] = 0x80;
    bytes
}
