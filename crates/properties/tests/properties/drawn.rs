//! Each property, on inputs that proptest draws: the same in each run, so that a failure can be looked at again.

use blobcheck_properties::{hold, PROPERTIES};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::panic::catch_unwind;
use std::time::Instant;

/// Bytes of an input, most of which the longest input does not use up.
const LENGTH: usize = 600;

/// The seed of all inputs, or `BLOBCHECK_SEED`; and how many times as many of them, or `BLOBCHECK_ROUNDS`.
fn number(name: &str, otherwise: u32) -> u32 {
    std::env::var(name).ok().and_then(|number| number.parse().ok()).unwrap_or(otherwise)
}

fn try_all(is_arithmetic: bool) {
    let only = std::env::var("BLOBCHECK_PROPERTY").ok();
    if let Some(only) = &only {
        assert!(PROPERTIES.iter().any(|property| property.name == only), "no property {only}");
    }
    for property in PROPERTIES.iter().filter(|property| property.is_arithmetic == is_arithmetic) {
        if only.as_ref().is_some_and(|only| only != property.name) {
            continue;
        }
        let begun = Instant::now();
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&number("BLOBCHECK_SEED", 1).to_le_bytes());
        let config = Config {
            cases: property.cases * number("BLOBCHECK_ROUNDS", 1),
            failure_persistence: None,
            max_shrink_iters: 500,
            ..Config::default()
        };
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let outcome = TestRunner::new_with_rng(config, rng).run(&vec(any::<u8>(), 0..LENGTH), |bytes| {
            let held = catch_unwind(|| hold(property.name, &bytes));
            held.map_err(|panic| {
                let text = panic.downcast_ref::<String>().cloned();
                TestCaseError::fail(text.unwrap_or_else(|| "see above".into()))
            })
        });
        println!("{}: {} ms", property.name, begun.elapsed().as_millis());
        outcome.unwrap_or_else(|error| panic!("{}: {error}", property.name));
    }
}

#[test]
fn arithmetic() {
    try_all(true);
}

#[test]
fn decoders() {
    try_all(false);
}
