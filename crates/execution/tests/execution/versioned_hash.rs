use blobcheck_execution::versioned_hash::{check_versioned_hash, kzg_to_versioned_hash};
use blobcheck_execution::Reason;
use sha2::{Digest, Sha256};

#[test]
fn every_bit_of_a_versioned_hash_counts() {
    let mut commitment = [0; 48];
    commitment[0] = 0xc0;
    let good = kzg_to_versioned_hash(&commitment);
    assert_eq!(good[0], 1);
    assert_eq!(good[1..], Sha256::digest(commitment)[1..]);
    assert_eq!(check_versioned_hash(&good, &commitment), Ok(()));
    for bit in 0..256 {
        let mut bad = good;
        bad[bit / 8] ^= 1 << (bit % 8);
        let expected = if bit < 8 { Reason::VersionedHashVersion } else { Reason::VersionedHashMismatch };
        assert_eq!(check_versioned_hash(&bad, &commitment), Err(expected));
    }
    commitment[47] ^= 1;
    assert_eq!(check_versioned_hash(&good, &commitment), Err(Reason::VersionedHashMismatch));
}
