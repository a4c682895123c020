//! An invented chain of the minimal preset, with committees of 32 real keys: six periods of 64 slots, of one fork each, and then
//! a fork that nobody knows.
//! Every plain clone can make it.

use super::{chains, naive, upgrade};
use blobcheck_beacon::light_client::{
    Execution, ExecutionPayloadHeader, LightClientBootstrap, LightClientHeader, LightClientUpdate,
    SyncAggregate, SyncCommittee,
};
use blobcheck_beacon::{BeaconBlockHeader, ChainConfig};
use blobcheck_curve::weight::{times_each, weighted_sum, Weight};
use blobcheck_curve::{g1, g1_encoding, g2_encoding, hash_to_g2};
use blobcheck_light_client::{initialize_light_client_store, signature::signing_root, LightClientStore};
use blobcheck_testing::Rng;
use std::collections::BTreeMap;
use std::sync::Mutex;

pub const SIZE: usize = 32;
pub const PERIOD: u64 = 64;

/// First slots of the forks.
pub const BELLATRIX: u64 = 32;
pub const CAPELLA: u64 = 64;
pub const DENEB: u64 = 128;
pub const ELECTRA: u64 = 192;
pub const FULU: u64 = 256;
pub const GLOAS: u64 = 320;
pub const UNSUPPORTED: u64 = 384;

/// A slot of each fork with another shape of objects or states.
pub const STARTS: [u64; 6] = [8, CAPELLA + 8, DENEB + 8, ELECTRA + 8, FULU + 8, GLOAS + 8];

pub fn chain() -> ChainConfig {
    chains::words(
        SIZE as u64,
        8,
        8,
        &"c7".repeat(32),
        [1, 2, 3, 4, 5, 6, 7, 8],
        [0, 4, 8, 16, 24, 32, 40, 48],
        &[34, 12],
    )
}

/// The secret keys of a period's committee: so small that their sums are weights below 2⁶⁴. One validator is in it twice, as
/// may happen.
fn secrets(period: u64) -> Vec<u128> {
    let mut random = Rng(period);
    let mut secrets: Vec<u128> = (0..SIZE).map(|_| u128::from(random.next() >> 6)).collect();
    secrets[9] = secrets[4];
    secrets
}

fn public_keys(secrets: &[u128]) -> Vec<[u8; 48]> {
    let weights: Vec<Weight> = secrets.iter().map(|secret| Weight::from(*secret)).collect();
    times_each(&vec![g1::generator(); secrets.len()], &weights).iter().map(g1_encoding::compress).collect()
}

/// A period's committee, made once.
pub fn committee(period: u64) -> SyncCommittee {
    static MADE: Mutex<BTreeMap<u64, SyncCommittee>> = Mutex::new(BTreeMap::new());
    let make = || {
        let secrets = secrets(period);
        let aggregate = public_keys(&[secrets.iter().sum()])[0];
        SyncCommittee::new(public_keys(&secrets), aggregate).unwrap()
    };
    MADE.lock().unwrap().entry(period).or_insert_with(make).clone()
}

/// The execution header of a slot's block: of Deneb's shape, with blob gas from Deneb on.
fn execution(slot: u64) -> ExecutionPayloadHeader {
    let mut random = Rng(1000 + slot);
    let mut header = ExecutionPayloadHeader {
        parent_hash: random.bytes(),
        fee_recipient: random.bytes(),
        logs_bloom: random.bytes(),
        block_number: slot,
        timestamp: 12 * slot,
        extra_data: random.bytes::<32>()[..slot as usize % 33].to_vec(),
        block_hash: random.bytes(),
        ..ExecutionPayloadHeader::default()
    };
    if slot >= DENEB {
        header.blob_gas_used = 1 << 17;
        header.excess_blob_gas = slot;
    }
    header
}

/// A block's header and the trees that it commits to.
pub struct Block {
    pub header: LightClientHeader,
    state: naive::Layers,
    /// The leaf below which the finalized root is: its sibling, the epoch.
    epoch: [u8; 32],
}

/// The block of a slot, in whose state `finalized` is final. At genesis, nothing is, and the root is zero.
pub fn block(slot: u64, finalized: Option<u64>) -> Block {
    let mut random = Rng(2000 + slot);
    let finalized_root = match finalized {
        None | Some(0) => [0; 32],
        Some(finalized) => block(finalized, None).header.beacon.hash_tree_root(),
    };
    let epoch = naive::length_chunk(finalized.unwrap_or(0) as usize / 8);
    if slot >= GLOAS {
        return gloas_block(slot, finalized_root, epoch, &mut random);
    }
    let depth = if slot >= ELECTRA { 6 } else { 5 };
    let mut fields = random.chunks(28);
    fields[20] = naive::hash(&epoch, &finalized_root);
    fields[22] = *committee(slot / PERIOD).hash_tree_root();
    fields[23] = *committee(slot / PERIOD + 1).hash_tree_root();
    let state = naive::tree(&fields, depth);

    let mut body = random.chunks(12);
    let execution = if slot >= CAPELLA { execution(slot) } else { ExecutionPayloadHeader::default() };
    if slot >= CAPELLA {
        body[9] = execution.hash_tree_root(slot >= DENEB).unwrap();
    }
    let body = naive::tree(&body, 4);
    let mut execution_branch = [[0; 32]; 11];
    if slot >= CAPELLA {
        execution_branch[7..].copy_from_slice(&naive::branch(&body, 9));
    }
    let execution = Execution::Payload(execution);
    let beacon = BeaconBlockHeader {
        slot,
        proposer_index: random.next(),
        parent_root: random.bytes(),
        state_root: naive::root(&state),
        body_root: naive::root(&body),
    };
    Block { header: LightClientHeader { beacon, execution, execution_branch }, state, epoch }
}

/// A block of Gloas: its state and its body are trees of depth 11, random but for what is proven.
fn gloas_block(slot: u64, finalized_root: [u8; 32], epoch: [u8; 32], random: &mut Rng) -> Block {
    let mut leaves = random.chunks(1 << 11);
    leaves[2945 - 2048] = *committee(slot / PERIOD).hash_tree_root();
    leaves[2946 - 2048] = *committee(slot / PERIOD + 1).hash_tree_root();
    let mut state = naive::tree(&leaves, 11);
    // The finalized root is node 735, two layers above the leaves, and the epoch is beside it.
    state[2][734 - 512] = epoch;
    state[2][735 - 512] = finalized_root;
    let above = naive::tree(&state[2], 9);
    state.truncate(2);
    state.extend(above);

    let mut body = random.chunks(1 << 11);
    let hash: [u8; 32] = random.bytes();
    body[2856 - 2048] = hash;
    let body = naive::tree(&body, 11);
    let beacon = BeaconBlockHeader {
        slot,
        proposer_index: random.next(),
        parent_root: random.bytes(),
        state_root: naive::root(&state),
        body_root: naive::root(&body),
    };
    let execution = Execution::BlockHash(hash);
    let execution_branch = naive::branch(&body, 2856 - 2048).try_into().unwrap();
    Block { header: LightClientHeader { beacon, execution, execution_branch }, state, epoch }
}

impl Block {
    /// The branch of the current committee (0) or of the next one (1).
    fn committee_branch(&self, which: usize) -> [[u8; 32]; 11] {
        let first = if self.header.beacon.slot >= GLOAS { 2945 - 2048 } else { 22 };
        normalize(&naive::branch(&self.state, first + which))
    }

    /// The branch of the finalized root.
    fn finality_branch(&self) -> [[u8; 32]; 9] {
        if self.header.beacon.slot >= GLOAS {
            return normalize(&naive::branch(&self.state[2..].to_vec(), 735 - 512));
        }
        normalize(&[&[self.epoch][..], &naive::branch(&self.state, 20)].concat())
    }
}

/// In Gloas's length, with zero chunks before it.
fn normalize<const N: usize>(siblings: &[[u8; 32]]) -> [[u8; 32]; N] {
    let mut branch = [[0; 32]; N];
    branch[N - siblings.len()..].copy_from_slice(siblings);
    branch
}

/// The execution header of a header of before Gloas.
pub fn payload(header: &mut LightClientHeader) -> &mut ExecutionPayloadHeader {
    match &mut header.execution {
        Execution::Payload(payload) => payload,
        Execution::BlockHash(_) => panic!("a header of Gloas"),
    }
}

/// Another execution block hash.
pub fn spoil(header: &mut LightClientHeader) {
    match &mut header.execution {
        Execution::Payload(payload) => payload.block_hash[3] ^= 1,
        Execution::BlockHash(hash) => hash[3] ^= 1,
    }
}

pub fn bootstrap(slot: u64) -> LightClientBootstrap {
    let block = block(slot, None);
    LightClientBootstrap {
        current_sync_committee: Some(committee(slot / PERIOD)),
        current_sync_committee_branch: block.committee_branch(0),
        header: block.header,
    }
}

/// The store that trusts the block of a slot.
pub fn store(slot: u64) -> LightClientStore {
    let bootstrap = bootstrap(slot);
    let trusted = bootstrap.header.beacon.hash_tree_root();
    initialize_light_client_store(&chain(), &trusted, bootstrap).unwrap()
}

/// And knows the next committee.
pub fn store_with_next(slot: u64) -> LightClientStore {
    LightClientStore { next_sync_committee: Some(committee(slot / PERIOD + 1)), ..store(slot) }
}

/// The update of a full node, with everything in it, signed by the first `participants` of the committee in the slot after
/// the attested one.
pub fn update(attested: u64, finalized: Option<u64>, participants: usize) -> LightClientUpdate {
    let block = block(attested, finalized);
    let mut update = LightClientUpdate {
        next_sync_committee: Some(committee(attested / PERIOD + 1)),
        next_sync_committee_branch: block.committee_branch(1),
        finalized_header: LightClientHeader {
            execution: if attested >= GLOAS { Execution::BlockHash([0; 32]) } else { Execution::default() },
            ..LightClientHeader::default()
        },
        finality_branch: Default::default(),
        sync_aggregate: aggregate(participants, [0; 96]),
        signature_slot: attested + 1,
        attested_header: block.header.clone(),
    };
    if let Some(slot) = finalized {
        update.finality_branch = block.finality_branch();
        if slot > 0 {
            update.finalized_header = self::block(slot, None).header;
            // A container of Gloas holds an older header in Gloas's form.
            if attested >= GLOAS && slot < GLOAS {
                update.finalized_header = upgrade::header(&chain(), &update.finalized_header);
            }
        }
    }
    sign(&mut update);
    update
}

/// The same without its committee.
pub fn without_committee(mut update: LightClientUpdate) -> LightClientUpdate {
    update.next_sync_committee = None;
    update.next_sync_committee_branch = Default::default();
    update
}

pub fn aggregate(participants: usize, signature: [u8; 96]) -> SyncAggregate {
    let bits: Vec<bool> = (0..SIZE).map(|position| position < participants).collect();
    SyncAggregate::new(&bits, signature)
}

/// Has the update's participants, of the committee of its signature's period, sign what it says.
pub fn sign(update: &mut LightClientUpdate) {
    sign_as(update, &chain(), update.signature_slot / PERIOD);
}

/// The same on another chain, or by another period's committee.
pub fn sign_as(update: &mut LightClientUpdate, chain: &ChainConfig, period: u64) {
    sign_message(update, &signing_root(chain, update), period);
}

pub fn sign_message(update: &mut LightClientUpdate, message: &[u8; 32], period: u64) {
    let bits = update.sync_aggregate.sync_committee_bits();
    let secret: u128 =
        secrets(period).iter().zip(bits).filter(|(_, bit)| *bit).map(|(secret, _)| secret).sum();
    update.sync_aggregate.signature = signature(secret, message);
}

/// The signature of the first of a period's committee alone.
pub fn sign_alone(message: &[u8; 32], period: u64) -> [u8; 96] {
    signature(secrets(period)[0], message)
}

fn signature(secret: u128, message: &[u8; 32]) -> [u8; 96] {
    let hash = hash_to_g2(&[message], blobcheck_bls::claim::DST);
    g2_encoding::compress(&weighted_sum(&hash, &[Weight::from(secret)]).into())
}
