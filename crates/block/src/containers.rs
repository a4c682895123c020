//! The containers of a block, by fork and preset (`phase0/beacon-chain.md` to `gloas/beacon-chain.md`, and `presets`).

use crate::schema::{Field, Schema};
use core::marker::PhantomData;

/// A fork, by what its blocks look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockFork {
    /// Deneb: commitments in the body.
    Deneb,
    /// Electra, and Fulu, which changed no container of the block.
    Electra,
    /// Gloas: a bid in the place of the payload, progressive lists, commitments in the bid.
    Gloas,
}

impl BlockFork {
    /// The fork of a number: 0 Deneb, 1 Electra and Fulu, 2 Gloas. Blocks of a fork that this code does not know are never read by the
    /// containers of another.
    pub fn from_number(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Deneb),
            1 => Some(Self::Electra),
            2 => Some(Self::Gloas),
            _ => None,
        }
    }
}

/// A preset of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// `presets/mainnet`.
    Mainnet,
    /// `presets/minimal`.
    Minimal,
}

impl Preset {
    /// The preset of a number: 0 mainnet's, 1 the minimal one.
    pub fn from_number(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Mainnet),
            1 => Some(Self::Minimal),
            _ => None,
        }
    }
}

/// The `BeaconBlockBody` of a fork in a preset.
pub fn body(fork: BlockFork, preset: Preset) -> &'static Schema {
    match (fork, preset) {
        (BlockFork::Deneb, Preset::Mainnet) => &Containers::<Mainnet>::DENEB_BODY,
        (BlockFork::Deneb, Preset::Minimal) => &Containers::<Minimal>::DENEB_BODY,
        (BlockFork::Electra, Preset::Mainnet) => &Containers::<Mainnet>::ELECTRA_BODY,
        (BlockFork::Electra, Preset::Minimal) => &Containers::<Minimal>::ELECTRA_BODY,
        (BlockFork::Gloas, Preset::Mainnet) => &Containers::<Mainnet>::GLOAS_BODY,
        (BlockFork::Gloas, Preset::Minimal) => &Containers::<Minimal>::GLOAS_BODY,
    }
}

/// The `BeaconBlock` of a fork in a preset.
pub fn block(fork: BlockFork, preset: Preset) -> &'static Schema {
    match (fork, preset) {
        (BlockFork::Deneb, Preset::Mainnet) => &Containers::<Mainnet>::DENEB_BLOCK,
        (BlockFork::Deneb, Preset::Minimal) => &Containers::<Minimal>::DENEB_BLOCK,
        (BlockFork::Electra, Preset::Mainnet) => &Containers::<Mainnet>::ELECTRA_BLOCK,
        (BlockFork::Electra, Preset::Minimal) => &Containers::<Minimal>::ELECTRA_BLOCK,
        (BlockFork::Gloas, Preset::Mainnet) => &Containers::<Mainnet>::GLOAS_BLOCK,
        (BlockFork::Gloas, Preset::Minimal) => &Containers::<Minimal>::GLOAS_BLOCK,
    }
}

/// `MAX_BLOB_COMMITMENTS_PER_BLOCK`, in both presets; in Gloas it bounds the bid's list, too, which has no limit in its type.
pub const MAX_BLOB_COMMITMENTS_PER_BLOCK: usize = 4096;

/// Ours, of the operations of each kind in a block of Gloas: eight times the most that any list of Electra's blocks may have.
pub const MAX_OPERATIONS: usize = 1 << 16;

/// Ours, of the bits and of the attesters of one attestation in Gloas: eight times what Electra's types have room for.
pub const MAX_ATTESTERS: usize = 1 << 20;

/// Ours, of the transactions of a payload: 688 million gas of the smallest. Each takes 25 hashes and more, however short it is, so that as many
/// as there may be by their type, which fit into a block's bytes, would take seconds before their root can be compared with anything.
pub const MAX_TRANSACTIONS: usize = 1 << 15;

/// What differs between the presets.
trait Constants {
    const MAX_COMMITTEES_PER_SLOT: usize;
    const MAX_WITHDRAWALS_PER_PAYLOAD: usize;
    const SYNC_COMMITTEE_SIZE: usize;
    const PTC_SIZE: usize;
}

struct Mainnet;

impl Constants for Mainnet {
    const MAX_COMMITTEES_PER_SLOT: usize = 64;
    const MAX_WITHDRAWALS_PER_PAYLOAD: usize = 16;
    const SYNC_COMMITTEE_SIZE: usize = 512;
    const PTC_SIZE: usize = 512;
}

struct Minimal;

impl Constants for Minimal {
    const MAX_COMMITTEES_PER_SLOT: usize = 4;
    const MAX_WITHDRAWALS_PER_PAYLOAD: usize = 4;
    const SYNC_COMMITTEE_SIZE: usize = 32;
    const PTC_SIZE: usize = 16;
}

const MAX_VALIDATORS_PER_COMMITTEE: usize = 2048;
const MAX_PROPOSER_SLASHINGS: usize = 16;
const MAX_ATTESTER_SLASHINGS: usize = 2;
const MAX_ATTESTER_SLASHINGS_ELECTRA: usize = 1;
const MAX_ATTESTATIONS: usize = 128;
const MAX_ATTESTATIONS_ELECTRA: usize = 8;
const MAX_DEPOSITS: usize = 16;
const MAX_VOLUNTARY_EXITS: usize = 16;
const MAX_BLS_TO_EXECUTION_CHANGES: usize = 16;
const MAX_DEPOSIT_REQUESTS_PER_PAYLOAD: usize = 8192;
const MAX_WITHDRAWAL_REQUESTS_PER_PAYLOAD: usize = 16;
const MAX_CONSOLIDATION_REQUESTS_PER_PAYLOAD: usize = 2;
const MAX_EXTRA_DATA_BYTES: usize = 32;
const MAX_TRANSACTIONS_PER_PAYLOAD: usize = 1 << 20;
const MAX_BYTES_PER_TRANSACTION: usize = 1 << 30;
const DEPOSIT_PROOF_LENGTH: usize = 33;

const fn field(name: &'static str, schema: &'static Schema) -> Field {
    Field { name, schema }
}

const UINT64: Schema = Schema::Uint(8);
const UINT256: Schema = Schema::Uint(32);
const BYTES20: Schema = Schema::Bytes(20);
const BYTES32: Schema = Schema::Bytes(32);
const PUBKEY: Schema = Schema::Bytes(48);
const SIGNATURE: Schema = Schema::Bytes(96);
const COMMITMENT: Schema = Schema::Bytes(48);

const ETH1_DATA: Schema = Schema::Container(&[
    field("deposit_root", &BYTES32),
    field("deposit_count", &UINT64),
    field("block_hash", &BYTES32),
]);

/// `BeaconBlockHeader` (specs/phase0/beacon-chain.md).
pub const HEADER: Schema = Schema::Container(&[
    field("slot", &UINT64),
    field("proposer_index", &UINT64),
    field("parent_root", &BYTES32),
    field("state_root", &BYTES32),
    field("body_root", &BYTES32),
]);

const SIGNED_HEADER: Schema = Schema::Container(&[field("message", &HEADER), field("signature", &SIGNATURE)]);

const PROPOSER_SLASHING: Schema =
    Schema::Container(&[field("signed_header_1", &SIGNED_HEADER), field("signed_header_2", &SIGNED_HEADER)]);

const CHECKPOINT: Schema = Schema::Container(&[field("epoch", &UINT64), field("root", &BYTES32)]);

const ATTESTATION_DATA: Schema = Schema::Container(&[
    field("slot", &UINT64),
    field("index", &UINT64),
    field("beacon_block_root", &BYTES32),
    field("source", &CHECKPOINT),
    field("target", &CHECKPOINT),
]);

const DEPOSIT_DATA: Schema = Schema::Container(&[
    field("pubkey", &PUBKEY),
    field("withdrawal_credentials", &BYTES32),
    field("amount", &UINT64),
    field("signature", &SIGNATURE),
]);

const DEPOSIT: Schema = Schema::Container(&[
    field("proof", &Schema::Vector(&BYTES32, DEPOSIT_PROOF_LENGTH)),
    field("data", &DEPOSIT_DATA),
]);

const VOLUNTARY_EXIT: Schema =
    Schema::Container(&[field("epoch", &UINT64), field("validator_index", &UINT64)]);

const SIGNED_VOLUNTARY_EXIT: Schema =
    Schema::Container(&[field("message", &VOLUNTARY_EXIT), field("signature", &SIGNATURE)]);

const BLS_TO_EXECUTION_CHANGE: Schema = Schema::Container(&[
    field("validator_index", &UINT64),
    field("from_bls_pubkey", &PUBKEY),
    field("to_execution_address", &BYTES20),
]);

const SIGNED_BLS_TO_EXECUTION_CHANGE: Schema =
    Schema::Container(&[field("message", &BLS_TO_EXECUTION_CHANGE), field("signature", &SIGNATURE)]);

const WITHDRAWAL: Schema = Schema::Container(&[
    field("index", &UINT64),
    field("validator_index", &UINT64),
    field("address", &BYTES20),
    field("amount", &UINT64),
]);

const DEPOSIT_REQUEST: Schema = Schema::Container(&[
    field("pubkey", &PUBKEY),
    field("withdrawal_credentials", &BYTES32),
    field("amount", &UINT64),
    field("signature", &SIGNATURE),
    field("index", &UINT64),
]);

const WITHDRAWAL_REQUEST: Schema = Schema::Container(&[
    field("source_address", &BYTES20),
    field("validator_pubkey", &PUBKEY),
    field("amount", &UINT64),
]);

const CONSOLIDATION_REQUEST: Schema = Schema::Container(&[
    field("source_address", &BYTES20),
    field("source_pubkey", &PUBKEY),
    field("target_pubkey", &PUBKEY),
]);

const ELECTRA_REQUESTS: Schema = Schema::Container(&[
    field("deposits", &Schema::List(&DEPOSIT_REQUEST, MAX_DEPOSIT_REQUESTS_PER_PAYLOAD)),
    field("withdrawals", &Schema::List(&WITHDRAWAL_REQUEST, MAX_WITHDRAWAL_REQUESTS_PER_PAYLOAD)),
    field("consolidations", &Schema::List(&CONSOLIDATION_REQUEST, MAX_CONSOLIDATION_REQUESTS_PER_PAYLOAD)),
]);

const BUILDER_DEPOSIT_REQUEST: Schema = DEPOSIT_DATA;

const BUILDER_EXIT_REQUEST: Schema =
    Schema::Container(&[field("source_address", &BYTES20), field("pubkey", &PUBKEY)]);

const GLOAS_REQUESTS: Schema = Schema::ProgressiveContainer(&[
    field("deposits", &Schema::ProgressiveList(&DEPOSIT_REQUEST, MAX_OPERATIONS)),
    field("withdrawals", &Schema::ProgressiveList(&WITHDRAWAL_REQUEST, MAX_OPERATIONS)),
    field("consolidations", &Schema::ProgressiveList(&CONSOLIDATION_REQUEST, MAX_OPERATIONS)),
    field("builder_deposits", &Schema::ProgressiveList(&BUILDER_DEPOSIT_REQUEST, MAX_OPERATIONS)),
    field("builder_exits", &Schema::ProgressiveList(&BUILDER_EXIT_REQUEST, MAX_OPERATIONS)),
]);

pub(crate) const BID: Schema = Schema::ProgressiveContainer(&[
    field("parent_block_hash", &BYTES32),
    field("parent_block_root", &BYTES32),
    field("block_hash", &BYTES32),
    field("prev_randao", &BYTES32),
    field("fee_recipient", &BYTES20),
    field("gas_limit", &UINT64),
    field("builder_index", &UINT64),
    field("slot", &UINT64),
    field("value", &UINT64),
    field("execution_payment", &UINT64),
    field("blob_kzg_commitments", &Schema::ProgressiveList(&COMMITMENT, MAX_BLOB_COMMITMENTS_PER_BLOCK)),
    field("execution_requests_root", &BYTES32),
]);

pub(crate) const SIGNED_BID: Schema =
    Schema::Container(&[field("message", &BID), field("signature", &SIGNATURE)]);

const GLOAS_INDEXED_ATTESTATION: Schema = Schema::ProgressiveContainer(&[
    field("attesting_indices", &Schema::ProgressiveList(&UINT64, MAX_ATTESTERS)),
    field("data", &ATTESTATION_DATA),
    field("signature", &SIGNATURE),
]);

const GLOAS_ATTESTER_SLASHING: Schema = Schema::Container(&[
    field("attestation_1", &GLOAS_INDEXED_ATTESTATION),
    field("attestation_2", &GLOAS_INDEXED_ATTESTATION),
]);

const PAYLOAD_ATTESTATION_DATA: Schema = Schema::Container(&[
    field("beacon_block_root", &BYTES32),
    field("slot", &UINT64),
    field("payload_present", &Schema::Boolean),
    field("blob_data_available", &Schema::Boolean),
]);

/// The containers in which something depends on the preset.
struct Containers<P>(PhantomData<P>);

impl<P: Constants> Containers<P> {
    const COMMITTEE_BITS: Schema = Schema::BitVector(P::MAX_COMMITTEES_PER_SLOT);

    const SYNC_AGGREGATE: Schema = Schema::Container(&[
        field("sync_committee_bits", &Schema::BitVector(P::SYNC_COMMITTEE_SIZE)),
        field("sync_committee_signature", &SIGNATURE),
    ]);

    const PAYLOAD: Schema = Schema::Container(&[
        field("parent_hash", &BYTES32),
        field("fee_recipient", &BYTES20),
        field("state_root", &BYTES32),
        field("receipts_root", &BYTES32),
        field("logs_bloom", &Schema::Bytes(256)),
        field("prev_randao", &BYTES32),
        field("block_number", &UINT64),
        field("gas_limit", &UINT64),
        field("gas_used", &UINT64),
        field("timestamp", &UINT64),
        field("extra_data", &Schema::ByteList(MAX_EXTRA_DATA_BYTES)),
        field("base_fee_per_gas", &UINT256),
        field("block_hash", &BYTES32),
        field(
            "transactions",
            &Schema::BoundedList(
                &Schema::ByteList(MAX_BYTES_PER_TRANSACTION),
                MAX_TRANSACTIONS_PER_PAYLOAD,
                MAX_TRANSACTIONS,
            ),
        ),
        field("withdrawals", &Schema::List(&WITHDRAWAL, P::MAX_WITHDRAWALS_PER_PAYLOAD)),
        field("blob_gas_used", &UINT64),
        field("excess_blob_gas", &UINT64),
    ]);

    const DENEB_ATTESTATION: Schema = Schema::Container(&[
        field("aggregation_bits", &Schema::BitList(MAX_VALIDATORS_PER_COMMITTEE)),
        field("data", &ATTESTATION_DATA),
        field("signature", &SIGNATURE),
    ]);

    const DENEB_INDEXED_ATTESTATION: Schema = Schema::Container(&[
        field("attesting_indices", &Schema::List(&UINT64, MAX_VALIDATORS_PER_COMMITTEE)),
        field("data", &ATTESTATION_DATA),
        field("signature", &SIGNATURE),
    ]);

    const DENEB_ATTESTER_SLASHING: Schema = Schema::Container(&[
        field("attestation_1", &Self::DENEB_INDEXED_ATTESTATION),
        field("attestation_2", &Self::DENEB_INDEXED_ATTESTATION),
    ]);

    const ELECTRA_ATTESTATION: Schema = Schema::Container(&[
        field(
            "aggregation_bits",
            &Schema::BitList(MAX_VALIDATORS_PER_COMMITTEE * P::MAX_COMMITTEES_PER_SLOT),
        ),
        field("data", &ATTESTATION_DATA),
        field("signature", &SIGNATURE),
        field("committee_bits", &Self::COMMITTEE_BITS),
    ]);

    const ELECTRA_INDEXED_ATTESTATION: Schema = Schema::Container(&[
        field(
            "attesting_indices",
            &Schema::List(&UINT64, MAX_VALIDATORS_PER_COMMITTEE * P::MAX_COMMITTEES_PER_SLOT),
        ),
        field("data", &ATTESTATION_DATA),
        field("signature", &SIGNATURE),
    ]);

    const ELECTRA_ATTESTER_SLASHING: Schema = Schema::Container(&[
        field("attestation_1", &Self::ELECTRA_INDEXED_ATTESTATION),
        field("attestation_2", &Self::ELECTRA_INDEXED_ATTESTATION),
    ]);

    const GLOAS_ATTESTATION: Schema = Schema::ProgressiveContainer(&[
        field("aggregation_bits", &Schema::ProgressiveBitList(MAX_ATTESTERS)),
        field("data", &ATTESTATION_DATA),
        field("signature", &SIGNATURE),
        field("committee_bits", &Self::COMMITTEE_BITS),
    ]);

    const PAYLOAD_ATTESTATION: Schema = Schema::ProgressiveContainer(&[
        field("aggregation_bits", &Schema::BitVector(P::PTC_SIZE)),
        field("data", &PAYLOAD_ATTESTATION_DATA),
        field("signature", &SIGNATURE),
    ]);

    const DENEB_BODY: Schema = Schema::Container(&[
        field("randao_reveal", &SIGNATURE),
        field("eth1_data", &ETH1_DATA),
        field("graffiti", &BYTES32),
        field("proposer_slashings", &Schema::List(&PROPOSER_SLASHING, MAX_PROPOSER_SLASHINGS)),
        field("attester_slashings", &Schema::List(&Self::DENEB_ATTESTER_SLASHING, MAX_ATTESTER_SLASHINGS)),
        field("attestations", &Schema::List(&Self::DENEB_ATTESTATION, MAX_ATTESTATIONS)),
        field("deposits", &Schema::List(&DEPOSIT, MAX_DEPOSITS)),
        field("voluntary_exits", &Schema::List(&SIGNED_VOLUNTARY_EXIT, MAX_VOLUNTARY_EXITS)),
        field("sync_aggregate", &Self::SYNC_AGGREGATE),
        field("execution_payload", &Self::PAYLOAD),
        field(
            "bls_to_execution_changes",
            &Schema::List(&SIGNED_BLS_TO_EXECUTION_CHANGE, MAX_BLS_TO_EXECUTION_CHANGES),
        ),
        field("blob_kzg_commitments", &Schema::List(&COMMITMENT, MAX_BLOB_COMMITMENTS_PER_BLOCK)),
    ]);

    const ELECTRA_BODY: Schema = Schema::Container(&[
        field("randao_reveal", &SIGNATURE),
        field("eth1_data", &ETH1_DATA),
        field("graffiti", &BYTES32),
        field("proposer_slashings", &Schema::List(&PROPOSER_SLASHING, MAX_PROPOSER_SLASHINGS)),
        field(
            "attester_slashings",
            &Schema::List(&Self::ELECTRA_ATTESTER_SLASHING, MAX_ATTESTER_SLASHINGS_ELECTRA),
        ),
        field("attestations", &Schema::List(&Self::ELECTRA_ATTESTATION, MAX_ATTESTATIONS_ELECTRA)),
        field("deposits", &Schema::List(&DEPOSIT, MAX_DEPOSITS)),
        field("voluntary_exits", &Schema::List(&SIGNED_VOLUNTARY_EXIT, MAX_VOLUNTARY_EXITS)),
        field("sync_aggregate", &Self::SYNC_AGGREGATE),
        field("execution_payload", &Self::PAYLOAD),
        field(
            "bls_to_execution_changes",
            &Schema::List(&SIGNED_BLS_TO_EXECUTION_CHANGE, MAX_BLS_TO_EXECUTION_CHANGES),
        ),
        field("blob_kzg_commitments", &Schema::List(&COMMITMENT, MAX_BLOB_COMMITMENTS_PER_BLOCK)),
        field("execution_requests", &ELECTRA_REQUESTS),
    ]);

    const GLOAS_BODY: Schema = Schema::ProgressiveContainer(&[
        field("randao_reveal", &SIGNATURE),
        field("eth1_data", &ETH1_DATA),
        field("graffiti", &BYTES32),
        field("proposer_slashings", &Schema::ProgressiveList(&PROPOSER_SLASHING, MAX_OPERATIONS)),
        field("attester_slashings", &Schema::ProgressiveList(&GLOAS_ATTESTER_SLASHING, MAX_OPERATIONS)),
        field("attestations", &Schema::ProgressiveList(&Self::GLOAS_ATTESTATION, MAX_OPERATIONS)),
        field("deposits", &Schema::ProgressiveList(&DEPOSIT, MAX_OPERATIONS)),
        field("voluntary_exits", &Schema::ProgressiveList(&SIGNED_VOLUNTARY_EXIT, MAX_OPERATIONS)),
        field("sync_aggregate", &Self::SYNC_AGGREGATE),
        field(
            "bls_to_execution_changes",
            &Schema::ProgressiveList(&SIGNED_BLS_TO_EXECUTION_CHANGE, MAX_OPERATIONS),
        ),
        field("signed_execution_payload_bid", &SIGNED_BID),
        field("payload_attestations", &Schema::ProgressiveList(&Self::PAYLOAD_ATTESTATION, MAX_OPERATIONS)),
        field("parent_execution_requests", &GLOAS_REQUESTS),
    ]);

    const DENEB_BLOCK: Schema = Schema::Container(&block_fields(&Self::DENEB_BODY));
    const ELECTRA_BLOCK: Schema = Schema::Container(&block_fields(&Self::ELECTRA_BODY));
    const GLOAS_BLOCK: Schema = Schema::Container(&block_fields(&Self::GLOAS_BODY));
}

const fn block_fields(body: &'static Schema) -> [Field; 5] {
    [
        field("slot", &UINT64),
        field("proposer_index", &UINT64),
        field("parent_root", &BYTES32),
        field("state_root", &BYTES32),
        field("body", body),
    ]
}
