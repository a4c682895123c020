//! Stores as bytes.

use crate::support::chains;
use crate::support::synthetic::*;
use blobcheck_light_client::{encoding, process_light_client_update, Committees, LightClientStore, Reason};
use blobcheck_testing::Rng;

/// Stores with and without each part, of every fork.
fn stores() -> Vec<LightClientStore> {
    let mut stores = Vec::new();
    for slot in STARTS {
        stores.extend([store(slot), store_with_next(slot)]);
        for update in [update(slot + 20, Some(slot + 8), 3), without_committee(update(slot + 9, None, 9))] {
            let mut store = store_with_next(slot);
            process_light_client_update(&chain(), &mut store, &update, u64::MAX, &mut Committees::new())
                .unwrap();
            assert!(store.best_valid_update.is_some());
            stores.push(LightClientStore { previous_max_active_participants: SIZE as u64, ..store });
        }
    }
    // Over the fork: headers in both forms, and a best update in Gloas's.
    let mut over = store_with_next(FULU + 8);
    let update = update(GLOAS + 2, Some(FULU + 8), 9);
    process_light_client_update(&chain(), &mut over, &update, u64::MAX, &mut Committees::new()).unwrap();
    let forms = [&over.finalized_header, &over.optimistic_header].map(|header| header.has_gloas_form());
    assert_eq!((forms, over.best_valid_update.is_some()), ([false, true], true));
    stores.push(over);
    stores
}

#[test]
fn what_was_written_is_read() {
    for store in stores() {
        assert_eq!(encoding::decode(&chain(), &encoding::encode(&chain(), &store)), Ok(store));
    }
}

#[test]
fn every_truncation_is_refused_or_another_store() {
    for store in stores() {
        let bytes = encoding::encode(&chain(), &store);
        for length in (0..bytes.len()).rev().take(200).chain(0..200) {
            if let Ok(other) = encoding::decode(&chain(), &bytes[..length]) {
                // The last header's `extra_data` ends with the bytes, but in Gloas.
                assert_eq!(encoding::encode(&chain(), &other), &bytes[..length]);
                assert!(length + 32 >= bytes.len() && store.best_valid_update.is_some());
            }
        }
        let longer = [&bytes[..], &[0; 33]].concat();
        assert_eq!(encoding::decode(&chain(), &longer), Err(Reason::StoreEncoding));
    }
}

#[test]
fn a_store_has_one_form() {
    let mut random = Rng(12);
    let mut refused = 0;
    for store in stores() {
        let bytes = encoding::encode(&chain(), &store);
        for round in 0..500 {
            let mut altered = bytes.clone();
            let end = if round % 2 == 0 { 61 } else { altered.len() as u64 };
            altered[random.below(end) as usize] ^= 1 << random.below(8);
            match encoding::decode(&chain(), &altered) {
                Ok(other) => {
                    assert_eq!(encoding::encode(&chain(), &other), altered);
                    assert_ne!(other, store);
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 1000);
}

#[test]
fn another_networks_store_is_refused() {
    let bytes = encoding::encode(&chain(), &store(8));
    let mut other = chain();
    other.genesis_validators_root[31] ^= 1;
    assert_eq!(encoding::decode(&other, &bytes), Err(Reason::StoreNetwork));
    assert_eq!(encoding::decode(&chains::mainnet(), &bytes), Err(Reason::StoreNetwork));
    let mut same_genesis = chains::mainnet();
    same_genesis.genesis_validators_root = chain().genesis_validators_root;
    // Committees of another size are no bytes of that store.
    assert_eq!(encoding::decode(&same_genesis, &bytes), Err(Reason::StoreEncoding));
    let mut version = bytes.clone();
    version[3] += 1;
    assert_eq!(encoding::decode(&chain(), &version), Err(Reason::StoreEncoding));
    for end in [0, 3, 4, 35, 36] {
        assert!(encoding::decode(&chain(), &bytes[..end]).is_err());
    }
}

#[test]
fn more_participants_than_a_committee_has_are_refused() {
    let size = chain().sync_committee_size as u64;
    for start in [36, 44] {
        for count in (0..64).map(|bit| 1 << bit).chain([0, size, size + 1, u64::MAX]) {
            let mut altered = encoding::encode(&chain(), &store(8));
            altered[start..start + 8].copy_from_slice(&u64::to_le_bytes(count));
            let refusal = (count > size).then_some(Reason::StoreEncoding);
            assert_eq!(encoding::decode(&chain(), &altered).err(), refusal, "{count}");
        }
    }
}

#[test]
fn a_committee_of_zeros_is_no_committee() {
    let store = store_with_next(8);
    let bytes = encoding::encode(&chain(), &store);
    for start in [61, 61 + 48 * 33] {
        let mut altered = bytes.clone();
        altered[start..start + 48 * 33].fill(0);
        assert_eq!(encoding::decode(&chain(), &altered), Err(Reason::StoreEncoding));
    }
}
