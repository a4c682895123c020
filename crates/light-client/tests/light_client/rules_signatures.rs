//! Updates whose signatures are wrong in one thing alone.

use crate::support::cases::*;
use crate::support::synthetic::*;
use blobcheck_beacon::domain::{compute_domain, compute_signing_root, DOMAIN_BEACON_PROPOSER};
use blobcheck_beacon::light_client::SyncCommittee;
use blobcheck_beacon::SignedBeaconBlockHeader;
use blobcheck_curve::{g2_encoding, G2};
use blobcheck_light_client::signature::{signing_root, verify_proposer_signature};
use blobcheck_light_client::{LightClientStore, Reason};
use blobcheck_testing::torsion;

/// The sum of two points of the curve over Fp2.
fn plus(one: &[u8; 96], other: &[u8; 96]) -> [u8; 96] {
    let [one, other] =
        [one, other].map(|bytes| g2_encoding::decompress_on_curve(bytes).expect("a point of the curve"));
    g2_encoding::compress(&(G2::from(one) + other).into())
}

#[test]
fn signatures() {
    let at = DENEB + 8;
    let chain = chain();
    let honest = || update(at + 20, Some(at + 8), MOST);
    let mut other_genesis = chain.clone();
    other_genesis.genesis_validators_root[5] ^= 1;
    let mut cases = vec![
        case(
            "another network",
            store(at),
            tampered(honest(), |update| sign_as(update, &other_genesis, 2)),
            Err(Reason::SignatureMismatch),
        ),
        case(
            "another committee",
            store_with_next(at),
            tampered(honest(), |update| sign_as(update, &chain, 3)),
            Err(Reason::SignatureMismatch),
        ),
        case(
            "the header without a domain",
            store(at),
            tampered(honest(), |update| {
                let root = update.attested_header.beacon.hash_tree_root();
                sign_message(update, &root, 2);
            }),
            Err(Reason::SignatureMismatch),
        ),
        case(
            "one who did not sign",
            store(at),
            tampered(honest(), |update| {
                let signature = update.sync_aggregate.signature;
                update.sync_aggregate = aggregate(MOST + 1, signature);
            }),
            Err(Reason::SignatureMismatch),
        ),
        case(
            "one who signed and is not named",
            store(at),
            tampered(honest(), |update| {
                let signature = update.sync_aggregate.signature;
                update.sync_aggregate = aggregate(MOST - 1, signature);
            }),
            Err(Reason::SignatureMismatch),
        ),
        case(
            "another proposer",
            store(at),
            tampered(honest(), |update| update.attested_header.beacon.proposer_index ^= 1),
            Err(Reason::SignatureMismatch),
        ),
        case(
            "infinity",
            store(at),
            tampered(honest(), |update| {
                update.sync_aggregate.signature = blobcheck_bls::api::G2_POINT_AT_INFINITY
            }),
            Err(Reason::SignatureMismatch),
        ),
        case(
            "no point",
            store(at),
            tampered(honest(), |update| update.sync_aggregate.signature = [0; 96]),
            Err(Reason::SignatureMismatch),
        ),
        // Signed by the next committee, about the last slot of this one.
        case(
            "over the period's end",
            store_with_next(at),
            changed(update(ELECTRA - 1, None, MOST), |update| update.signature_slot = ELECTRA),
            Ok(()),
        ),
    ];
    // True but for a point outside G2, of each order that there is.
    for found in torsion::of_g2() {
        let outside = tampered(honest(), |update| {
            update.sync_aggregate.signature = plus(&update.sync_aggregate.signature, &found.point)
        });
        cases.push(case("a signature outside G2", store(at), outside, Err(Reason::SignatureMismatch)));
    }
    for bit in 0..768 {
        if bit % 61 == 0 {
            let flipped =
                tampered(honest(), |update| update.sync_aggregate.signature[bit / 8] ^= 1 << (bit % 8));
            cases.push(case("a flipped bit", store(at), flipped, Err(Reason::SignatureMismatch)));
        }
    }
    judge_all(&cases);
}

/// At a fork's boundary three versions could be meant: that of the attested slot, of the signature's, and of the one before
/// the signature's, which is right.
#[test]
fn domains_at_a_forks_boundary() {
    let chain = chain();
    for fork in [BELLATRIX, CAPELLA, DENEB, ELECTRA, FULU, GLOAS] {
        let store = || store_with_next(fork - 20);
        for (attested, signed) in
            [(fork - 1, fork), (fork - 1, fork + 1), (fork - 4, fork + 3), (fork, fork + 1)]
        {
            let honest = changed(update(attested, None, MOST), |update| update.signature_slot = signed);
            for slot in [attested, signed - 1, signed] {
                let mut update = honest.clone();
                // A signature's domain depends on its slot alone.
                let mut dated = update.clone();
                dated.signature_slot = slot + 1;
                sign_message(&mut update, &signing_root(&chain, &dated), signed / PERIOD);
                let right = chain.fork_version_at_slot(slot) == chain.fork_version_at_slot(signed - 1);
                let expected = if right { Ok(()) } else { Err(Reason::SignatureMismatch) };
                verify(&case("boundary", store(), update, expected), &chain);
            }
        }
    }
}

/// A proposer signs under the version of the block's own slot, at a fork's first slot, too.
#[test]
fn proposers_domains_at_a_forks_boundary() {
    let chain = chain();
    let pubkey = committee(0).pubkeys()[0];
    for fork in [BELLATRIX, CAPELLA, DENEB, ELECTRA, FULU, GLOAS] {
        let versions = [fork - 1, fork].map(|slot| chain.fork_version_at_slot(slot));
        assert_ne!(versions[0], versions[1]);
        for slot in [fork - 1, fork, fork + 1] {
            let message = block(slot, None).header.beacon;
            for (version, is_before) in [(versions[0], true), (versions[1], false)] {
                let domain = compute_domain(DOMAIN_BEACON_PROPOSER, version, &chain.genesis_validators_root);
                let signature = sign_alone(&compute_signing_root(&message.hash_tree_root(), &domain), 0);
                let header = SignedBeaconBlockHeader { message, signature };
                let found = verify_proposer_signature(&chain, &pubkey, &header);
                assert_eq!(found, (slot < fork) == is_before, "slot {slot}, version {version:?}");
            }
        }
    }
}

#[test]
fn committees_that_are_none() {
    let at = DENEB + 8;
    let honest = || update(at + 20, None, MOST);
    let keys = committee(2);
    type Change = fn(&mut Vec<[u8; 48]>, &mut [u8; 48]);
    let with = |change: Change| {
        let (mut pubkeys, mut aggregate) = (keys.pubkeys().to_vec(), *keys.aggregate_pubkey());
        change(&mut pubkeys, &mut aggregate);
        LightClientStore {
            current_sync_committee: SyncCommittee::new(pubkeys, aggregate).unwrap(),
            ..store(at)
        }
    };
    const INFINITY: [u8; 48] = {
        let mut bytes = [0; 48];
        bytes[0] = 0xc0;
        bytes
    };
    let cases = [
        case("the very same", with(|_, _| {}), honest(), Ok(())),
        case("another sum", with(|keys, sum| *sum = keys[0]), honest(), Err(Reason::CommitteeKeys)),
        case("infinity", with(|keys, _| keys[31] = INFINITY), honest(), Err(Reason::CommitteeKeys)),
        case("no point", with(|keys, _| keys[31] = [0xff; 48]), honest(), Err(Reason::CommitteeKeys)),
        case("a key too few", with(|keys, _| keys.truncate(31)), honest(), Err(Reason::CommitteeKeys)),
        case("another order", with(|keys, _| keys.swap(0, 31)), honest(), Err(Reason::SignatureMismatch)),
    ];
    judge_all(&cases);
}
