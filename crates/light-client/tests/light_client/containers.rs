//! The containers of every fork, read from bytes.

use crate::support::{ssz, synthetic::*};
use blobcheck_beacon::light_client::{
    LightClientBootstrap, LightClientHeader, LightClientUpdate, ObjectError,
};
use blobcheck_beacon::LightClientFork;
use blobcheck_testing::Rng;

/// For each fork a slot of it.
const SLOTS: [(LightClientFork, u64); 6] = [
    (LightClientFork::Altair, 20),
    (LightClientFork::Capella, CAPELLA + 20),
    (LightClientFork::Deneb, DENEB + 20),
    (LightClientFork::Electra, ELECTRA + 20),
    (LightClientFork::Fulu, FULU + 20),
    (LightClientFork::Gloas, GLOAS + 20),
];

#[derive(Clone, Copy, Debug)]
enum Kind {
    Bootstrap,
    Update,
    Finality,
    Optimistic,
}

const KINDS: [Kind; 4] = [Kind::Bootstrap, Kind::Update, Kind::Finality, Kind::Optimistic];

/// Whether a fork's objects have one size: their headers are of one.
fn is_fixed(fork: LightClientFork) -> bool {
    matches!(fork, LightClientFork::Altair | LightClientFork::Gloas)
}

/// What bytes were read as.
#[derive(Clone, Debug, PartialEq)]
enum Object {
    Bootstrap(Box<LightClientBootstrap>),
    Update(Box<LightClientUpdate>),
}

fn read(kind: Kind, fork: LightClientFork, bytes: &[u8]) -> Result<Object, ObjectError> {
    let chain = chain();
    match kind {
        Kind::Bootstrap => {
            LightClientBootstrap::from_ssz(&chain, fork, bytes).map(Box::new).map(Object::Bootstrap)
        }
        Kind::Update => LightClientUpdate::from_ssz(&chain, fork, bytes).map(Box::new).map(Object::Update),
        Kind::Finality => {
            LightClientUpdate::from_finality_ssz(&chain, fork, bytes).map(Box::new).map(Object::Update)
        }
        Kind::Optimistic => {
            LightClientUpdate::from_optimistic_ssz(&chain, fork, bytes).map(Box::new).map(Object::Update)
        }
    }
}

fn example(kind: Kind, fork: LightClientFork, slot: u64) -> (Object, Vec<u8>) {
    let whole = update(slot, Some(slot - 9), 20);
    match kind {
        Kind::Bootstrap => {
            let bootstrap = bootstrap(slot);
            let bytes = ssz::bootstrap(&bootstrap, fork, SIZE);
            (Object::Bootstrap(bootstrap.into()), bytes)
        }
        Kind::Update => {
            let bytes = ssz::update(&whole, fork);
            (Object::Update(whole.into()), bytes)
        }
        Kind::Finality => {
            let bytes = ssz::finality_update(&whole, fork);
            (Object::Update(without_committee(whole).into()), bytes)
        }
        Kind::Optimistic => {
            let bytes = ssz::optimistic_update(&whole, fork);
            let update = LightClientUpdate {
                finalized_header: LightClientHeader::empty(fork),
                finality_branch: Default::default(),
                ..without_committee(whole)
            };
            (Object::Update(update.into()), bytes)
        }
    }
}

fn write(kind: Kind, fork: LightClientFork, object: &Object) -> Vec<u8> {
    match (kind, object) {
        (Kind::Bootstrap, Object::Bootstrap(bootstrap)) => ssz::bootstrap(bootstrap, fork, SIZE),
        (Kind::Finality, Object::Update(update)) => ssz::finality_update(update, fork),
        (Kind::Optimistic, Object::Update(update)) => ssz::optimistic_update(update, fork),
        (_, Object::Update(update)) => ssz::update(update, fork),
        (_, Object::Bootstrap(_)) => unreachable!("read as what it was written as"),
    }
}

#[test]
fn objects_of_every_fork_are_read_as_they_were_written() {
    for (fork, slot) in SLOTS {
        for kind in KINDS {
            let (object, bytes) = example(kind, fork, slot);
            assert_eq!(read(kind, fork, &bytes), Ok(object), "{kind:?} {fork:?}");
        }
        if fork >= LightClientFork::Electra {
            let update = update(slot, Some(slot - 9), 20);
            assert_eq!(update.to_ssz(SIZE), ssz::update(&update, fork));
            let short = LightClientUpdate { next_sync_committee: None, ..update };
            assert_eq!(short.to_ssz(SIZE), ssz::update(&short, fork));
        }
    }
}

/// The sizes of Gloas's objects in the mainnet preset, as another implementation has them.
#[test]
fn objects_of_gloas_have_one_size() {
    let chain = crate::support::chains::mainnet();
    let gloas = LightClientFork::Gloas;
    let bootstrap = |size| LightClientBootstrap::from_ssz(&chain, gloas, &vec![0; size]).is_ok();
    let update = |size| LightClientUpdate::from_ssz(&chain, gloas, &vec![0; size]).is_ok();
    let finality = |size| LightClientUpdate::from_finality_ssz(&chain, gloas, &vec![0; size]).is_ok();
    let optimistic = |size| LightClientUpdate::from_optimistic_ssz(&chain, gloas, &vec![0; size]).is_ok();
    let header = |size| LightClientHeader::from_ssz(&vec![0; size], gloas).is_ok();
    let reads = |read: &dyn Fn(usize) -> bool, size: usize| {
        assert_eq!([size - 1, size, size + 1].map(read), [false, true, false], "{size}");
    };
    reads(&bootstrap, 25_472);
    reads(&update, 26_424);
    reads(&finality, 1448);
    reads(&optimistic, 664);
    reads(&header, 496);
    assert!(LightClientHeader::from_ssz(&[0; 496], gloas).unwrap().is_default());
}

#[test]
fn bytes_of_another_length_are_refused() {
    for (fork, slot) in SLOTS {
        for kind in KINDS {
            let (_, bytes) = example(kind, fork, slot);
            for length in 0..bytes.len() {
                // Shorter `extra_data` is another object; of that there are up to 32 bytes at the end.
                let outcome = read(kind, fork, &bytes[..length]);
                let is_shorter_object = !is_fixed(fork) && length + 32 >= bytes.len();
                assert!(outcome.is_err() || is_shorter_object, "{kind:?} {fork:?} {length}");
            }
            let longer = [&bytes[..], &[0; 33]].concat();
            assert_eq!(read(kind, fork, &longer), Err(ObjectError::Length), "{kind:?} {fork:?}");
        }
    }
}

/// What is read has one encoding: bytes that differ are another object, or none. So no two byte strings mean the same.
#[test]
fn there_is_one_encoding_of_an_object() {
    let mut random = Rng(8);
    let mut refused = 0;
    for (fork, slot) in SLOTS {
        for kind in KINDS {
            let (_, bytes) = example(kind, fork, slot);
            for round in 0..400 {
                let mut altered = bytes.clone();
                // Offsets are in the first bytes of a container, and of the headers behind it.
                let at = match round % 4 {
                    0 => random.below(4),
                    1 => random.below(altered.len().min(1800) as u64),
                    _ => random.below(altered.len() as u64),
                };
                altered[at as usize] ^= 1 << random.below(8);
                match read(kind, fork, &altered) {
                    Ok(object) => assert_eq!(write(kind, fork, &object), altered),
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(refused > 500);
}

#[test]
fn one_forks_containers_are_not_anothers() {
    for (fork, slot) in SLOTS {
        for kind in KINDS {
            let (object, bytes) = example(kind, fork, slot);
            for (other, _) in SLOTS {
                let same =
                    fork == other || (fork, other) == (LightClientFork::Electra, LightClientFork::Fulu);
                let same = same || (fork, other) == (LightClientFork::Fulu, LightClientFork::Electra);
                let outcome = read(kind, other, &bytes);
                assert_eq!(
                    outcome.as_ref() == Ok(&object),
                    same || outcome.is_ok(),
                    "{kind:?} {fork:?} {other:?}"
                );
                // Deneb's optimistic update has no branch that could be of another length.
                let offsets = LightClientFork::Deneb..=LightClientFork::Fulu;
                let no_branch =
                    matches!(kind, Kind::Optimistic) && offsets.contains(&fork) && offsets.contains(&other);
                assert_eq!(outcome.is_ok(), same || no_branch, "{kind:?} {fork:?} {other:?}");
            }
        }
    }
}

#[test]
fn random_bytes_are_no_panic() {
    let mut random = Rng(9);
    for _ in 0..300 {
        let length = random.below(6000) as usize;
        let mut bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
        if random.below(2) == 0 {
            // A first offset that may be right leads further in.
            bytes.splice(0..bytes.len().min(4), (random.below(3000) as u32).to_le_bytes());
        }
        for (fork, _) in SLOTS {
            for kind in KINDS {
                // Altair's objects and Gloas's have one size, and then hold anything.
                if let Ok(object) = read(kind, fork, &bytes) {
                    assert!(is_fixed(fork));
                    assert_eq!(write(kind, fork, &object), bytes);
                }
            }
        }
    }
}
