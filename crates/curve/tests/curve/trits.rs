//! Coefficients in balanced ternary.

use crate::support::{digits, Draw, Rng};
use blobcheck_curve::trits::ROWS;
use blobcheck_curve::{Signed, Trits};

#[test]
fn extremes() {
    // (3⁸¹ − 1)/2, which is 81 digits 1.
    let most = (3u128.pow(80) - 1) / 2 + 3u128.pow(80);
    assert_eq!(Trits::from_bytes(&[0; 32]).value(), Signed { negative: true, magnitude: most });
    assert_eq!(Trits::from_bytes(&[255; 32]).value(), Signed { negative: false, magnitude: most });
    assert_eq!(digits(&Trits::from_bytes(&[0; 32])), [-1; ROWS]);
    assert_eq!(digits(&Trits::from_bytes(&[255; 32])), [1; ROWS]);
    // The middle of each word: no digit but 0.
    let mut middle = [0; 32];
    middle.chunks_exact_mut(8).for_each(|word| word[7] = 128);
    assert_eq!(Trits::from_bytes(&middle).value().magnitude, 0);
    // A word more or less at each chunk: what is carried over has either sign.
    for word in 0..4 {
        for (byte, negative) in [(127, true), (129, false)] {
            let mut bytes = middle;
            bytes[8 * word + 7] = byte;
            let value = Trits::from_bytes(&bytes).value();
            let top = [0, 21, 41, 61][word];
            assert_eq!(value.negative, negative);
            assert_eq!(value.magnitude % 3u128.pow(top), 0);
            assert!(value.magnitude / 3u128.pow(top) < 3u128.pow(21));
        }
    }
}

/// Every digit at every place is as likely as the others, and no place depends on its neighbours or its chunk's.
#[test]
fn digits_are_uniform() {
    const COUNT: usize = 9000;
    let all: Vec<[i8; ROWS]> = Rng(1).trits(COUNT).iter().map(digits).collect();
    // Six standard deviations of a share.
    let near = |count: usize, share: f64| {
        let expected = COUNT as f64 * share;
        assert!((count as f64 - expected).abs() < 6.0 * (expected * (1.0 - share)).sqrt(), "{count}");
    };
    let count = |test: &dyn Fn(&[i8; ROWS]) -> bool| all.iter().filter(|digits| test(digits)).count();
    for row in 0..ROWS {
        for digit in -1..=1 {
            near(count(&|digits| digits[row] == digit), 1.0 / 3.0);
        }
        for other in [(row + 1) % ROWS, (row + 20) % ROWS] {
            near(count(&|digits| digits[row] == digits[other]), 1.0 / 3.0);
        }
    }
}
