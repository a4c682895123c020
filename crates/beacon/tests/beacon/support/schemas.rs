//! The two containers that the specs prove things about, `BeaconState` and `BeaconBlockBody`, of Electra and Fulu
//! (`electra/beacon-chain.md`, `fulu/beacon-chain.md`), field by field.

use super::whole::Type::{self, Bitlist, Bitvector, ByteList, Bytes, Container, Uint};
use super::whole::{list, vector};

/// What the presets differ in (presets/minimal, presets/mainnet).
pub struct Preset {
    slots_per_epoch: usize,
    slots_per_historical_root: usize,
    eth1_votes: usize,
    historical_vector: usize,
    slashings_vector: usize,
    sync_committee_size: usize,
    committees_per_slot: usize,
    withdrawals: usize,
    pending_partial_withdrawals: usize,
    pending_consolidations: usize,
}

pub const MINIMAL: Preset = Preset {
    slots_per_epoch: 8,
    slots_per_historical_root: 64,
    eth1_votes: 4 * 8,
    historical_vector: 64,
    slashings_vector: 64,
    sync_committee_size: 32,
    committees_per_slot: 4,
    withdrawals: 4,
    pending_partial_withdrawals: 1 << 6,
    pending_consolidations: 1 << 6,
};

pub const MAINNET: Preset = Preset {
    slots_per_epoch: 32,
    slots_per_historical_root: 8192,
    eth1_votes: 64 * 32,
    historical_vector: 65536,
    slashings_vector: 8192,
    sync_committee_size: 512,
    committees_per_slot: 64,
    withdrawals: 16,
    pending_partial_withdrawals: 1 << 27,
    pending_consolidations: 1 << 18,
};

const U64: Type = Uint(8);
const ROOT: Type = Bytes(32);
const ADDRESS: Type = Bytes(20);
const PUBKEY: Type = Bytes(48);
const SIGNATURE: Type = Bytes(96);
const REGISTRY_LIMIT: usize = 1 << 40;

fn of<const N: usize>(fields: [Type; N]) -> Type {
    Container(fields.into())
}

fn eth1_data() -> Type {
    of([ROOT, U64, ROOT])
}

fn checkpoint() -> Type {
    of([U64, ROOT])
}

fn header() -> Type {
    of([U64, U64, ROOT, ROOT, ROOT])
}

fn signed(message: Type) -> Type {
    of([message, SIGNATURE])
}

/// An execution payload's first fields, up to `block_hash`, which a payload's header shares.
fn payload_head() -> Vec<Type> {
    let mut fields = vec![ROOT, ADDRESS, ROOT, ROOT, Bytes(256), ROOT];
    fields.extend([U64, U64, U64, U64, ByteList(32), Uint(32), ROOT]);
    fields
}

/// `BeaconState` of Electra, or of Fulu, which adds the proposers ahead.
pub fn beacon_state(preset: &Preset, is_fulu: bool) -> Type {
    let validator = of([PUBKEY, ROOT, U64, Uint(1), U64, U64, U64, U64]);
    let sync_committee = of([vector(&PUBKEY, preset.sync_committee_size), PUBKEY]);
    let mut payload_header = payload_head();
    payload_header.extend([ROOT, ROOT, U64, U64]);
    let mut fields = vec![
        U64,
        ROOT,
        U64,
        of([Bytes(4), Bytes(4), U64]),
        header(),
        vector(&ROOT, preset.slots_per_historical_root),
        vector(&ROOT, preset.slots_per_historical_root),
        list(&ROOT, 1 << 24),
        eth1_data(),
        list(&eth1_data(), preset.eth1_votes),
        U64,
        list(&validator, REGISTRY_LIMIT),
        list(&U64, REGISTRY_LIMIT),
        vector(&ROOT, preset.historical_vector),
        vector(&U64, preset.slashings_vector),
        list(&Uint(1), REGISTRY_LIMIT),
        list(&Uint(1), REGISTRY_LIMIT),
        Bitvector(4),
        checkpoint(),
        checkpoint(),
        checkpoint(),
        list(&U64, REGISTRY_LIMIT),
        sync_committee.clone(),
        sync_committee,
        Container(payload_header),
        U64,
        U64,
        list(&of([ROOT, ROOT]), 1 << 24),
    ];
    fields.extend([U64, U64, U64, U64, U64, U64]);
    fields.push(list(&of([PUBKEY, ROOT, U64, SIGNATURE, U64]), 1 << 27));
    fields.push(list(&of([U64, U64, U64]), preset.pending_partial_withdrawals));
    fields.push(list(&of([U64, U64]), preset.pending_consolidations));
    if is_fulu {
        fields.push(vector(&U64, 2 * preset.slots_per_epoch));
    }
    Container(fields)
}

/// `BeaconBlockBody` of Electra and Fulu.
pub fn beacon_block_body(preset: &Preset) -> Type {
    let attestation_data = of([U64, U64, ROOT, checkpoint(), checkpoint()]);
    let attesters = 2048 * preset.committees_per_slot;
    let indexed = of([list(&U64, attesters), attestation_data.clone(), SIGNATURE]);
    let committee_bits = Bitvector(preset.committees_per_slot);
    let attestation = of([Bitlist(attesters), attestation_data, SIGNATURE, committee_bits]);
    let deposit = of([vector(&ROOT, 33), of([PUBKEY, ROOT, U64, SIGNATURE])]);
    let mut payload = payload_head();
    payload.push(list(&ByteList(1 << 30), 1 << 20));
    payload.push(list(&of([U64, U64, ADDRESS, U64]), preset.withdrawals));
    payload.extend([U64, U64]);
    let requests = of([
        list(&of([PUBKEY, ROOT, U64, SIGNATURE, U64]), 1 << 13),
        list(&of([ADDRESS, PUBKEY, U64]), 16),
        list(&of([ADDRESS, PUBKEY, PUBKEY]), 2),
    ]);
    of([
        SIGNATURE,
        eth1_data(),
        ROOT,
        list(&of([signed(header()), signed(header())]), 16),
        list(&of([indexed.clone(), indexed]), 1),
        list(&attestation, 8),
        list(&deposit, 16),
        list(&signed(of([U64, U64])), 16),
        of([Bitvector(preset.sync_committee_size), SIGNATURE]),
        Container(payload),
        list(&signed(of([U64, PUBKEY, ADDRESS])), 16),
        list(&PUBKEY, 4096),
        requests,
    ])
}
