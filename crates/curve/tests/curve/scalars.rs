//! Scalars, plain integers and wide sums against slow arithmetic.

use crate::support::{r_be, Draw, Rng};
use blobcheck_curve::raw::Raw;
use blobcheck_curve::scalar::*;
use blobcheck_curve::wide::Wide;

fn add_one(mut bytes: [u8; 32]) -> [u8; 32] {
    for byte in bytes.iter_mut().rev() {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            break;
        }
    }
    bytes
}

fn minus_one(mut bytes: [u8; 32]) -> [u8; 32] {
    for byte in bytes.iter_mut().rev() {
        *byte = byte.wrapping_sub(1);
        if *byte != 0xff {
            break;
        }
    }
    bytes
}

/// Horner's rule over bytes: the obvious reading.
fn slow(bytes: &[u8; 32]) -> Scalar {
    bytes.iter().fold(ZERO, |value, byte| value * from_u128(256) + from_u128(u128::from(*byte)))
}

fn extremes() -> Vec<[u8; 32]> {
    let one = add_one([0; 32]);
    let r = r_be();
    vec![
        [0; 32],
        one,
        add_one(one),
        minus_one(minus_one(r)),
        minus_one(r),
        r,
        add_one(r),
        [0xff; 32],
        [0x7f; 32],
    ]
}

#[test]
fn canonical_means_below_r() {
    let r = r_be();
    let mut rng = Rng(1);
    let random = (0..2000).map(|_| rng.bytes::<32>());
    for bytes in random.chain(extremes()) {
        let expected = bytes < r; // big-endian: bytes compare like numbers
        assert_eq!(is_canonical(&bytes), expected);
        assert_eq!(scalar_from_be(&bytes).is_some(), expected);
        assert_eq!(Raw::from_be(&bytes).is_some(), expected);
    }
}

#[test]
fn reading_writing_reducing() {
    let mut rng = Rng(2);
    let random = (0..500).map(|_| rng.bytes::<32>());
    for bytes in random.chain(extremes()) {
        let value = scalar_reduce_be(&bytes);
        assert_eq!(value, slow(&bytes));
        assert_eq!(Raw::from_be_reduced(&bytes).to_scalar(), value);
        assert_eq!(Raw::from_be_reduced(&bytes).to_be(), scalar_to_be(&value));
        if let Some(read) = scalar_from_be(&bytes) {
            assert_eq!(read, value);
            assert_eq!(scalar_to_be(&read), bytes);
        }
    }
}

#[test]
fn raw_is_linear() {
    let mut rng = Rng(3);
    for _ in 0..200 {
        let (a, b, c) = (rng.bytes::<32>(), rng.bytes::<32>(), rng.scalar());
        let (ra, rb) = (Raw::from_be_reduced(&a), Raw::from_be_reduced(&b));
        let (sa, sb) = (slow(&a), slow(&b));
        assert_eq!((ra * c + rb).to_scalar(), sa * c + sb);
        assert_eq!((ra - rb * c).to_scalar(), sa - sb * c);
    }
}

#[test]
fn wide_sums() {
    let mut rng = Rng(4);
    for count in [0, 1, 2, 50] {
        let (mut wide, mut expected) = (Wide::default(), ZERO);
        for _ in 0..count {
            let (weight, bytes) = (rng.u128(), rng.bytes::<32>());
            wide.add_product(weight, &Raw::from_be_reduced(&bytes));
            expected += from_u128(weight) * slow(&bytes);
        }
        assert_eq!(wide.reduce().to_scalar(), expected);
    }
    // The largest terms: carries run through all limbs.
    let (mut wide, mut expected) = (Wide::default(), ZERO);
    let largest = minus_one(r_be());
    for _ in 0..70_000 {
        wide.add_product(u128::MAX, &Raw::from_be_reduced(&largest));
        expected += from_u128(u128::MAX) * slow(&largest);
    }
    assert_eq!(wide.reduce().to_scalar(), expected);
}

#[test]
fn roots_of_unity_have_their_order() {
    for log2 in 1..=32 {
        let root = root_of_unity(log2);
        assert_eq!(pow(root, 1 << (log2 - 1)), -ONE, "2^{log2}");
    }
}

#[test]
fn inverses() {
    let mut rng = Rng(5);
    let values: Vec<Scalar> = (0..20).map(|i| if i == 7 { ZERO } else { rng.scalar() }).collect();
    let mut inverses = values.clone();
    invert_all(&mut inverses);
    for (i, (value, inverse)) in values.iter().zip(&inverses).enumerate() {
        assert_eq!(*value * inverse, if i == 7 { ZERO } else { ONE });
    }
    for mut few in [vec![], vec![ZERO], vec![ZERO, ZERO], vec![ZERO, ONE, ZERO], vec![-ONE]] {
        let unchanged = few.clone();
        invert_all(&mut few);
        assert_eq!(few, unchanged);
    }
}

#[test]
fn powers_of_two_have_inverses() {
    let mut power = from_u128(2);
    for k in 2..=256 {
        power *= from_u128(2);
        assert_eq!(two_to_minus(k) * power, ONE, "{k}");
    }
}
