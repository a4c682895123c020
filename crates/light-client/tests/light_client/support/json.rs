//! Light-client objects from the Beacon API's JSON, by way of SSZ.

use super::ssz::Container;
use blobcheck_beacon::LightClientFork;
use serde_json::Value;

pub fn unhex(text: &str) -> Vec<u8> {
    let digits = text.strip_prefix("0x").unwrap();
    assert!(digits.len().is_multiple_of(2));
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

/// What JSON's values add to a container.
trait Append {
    fn bytes(&mut self, value: &Value);
    fn number(&mut self, value: &Value);
    fn list(&mut self, values: &Value);
    fn committee(&mut self, committee: &Value);
    fn signed(&mut self, data: &Value);
}

impl Append for Container {
    fn bytes(&mut self, value: &Value) {
        self.fixed.extend(unhex(value.as_str().unwrap()));
    }

    fn number(&mut self, value: &Value) {
        self.fixed.extend(value.as_str().unwrap().parse::<u64>().unwrap().to_le_bytes());
    }

    fn list(&mut self, values: &Value) {
        values.as_array().unwrap().iter().for_each(|value| self.bytes(value));
    }

    fn committee(&mut self, committee: &Value) {
        self.list(&committee["pubkeys"]);
        self.bytes(&committee["aggregate_pubkey"]);
    }

    fn signed(&mut self, data: &Value) {
        self.bytes(&data["sync_aggregate"]["sync_committee_bits"]);
        self.bytes(&data["sync_aggregate"]["sync_committee_signature"]);
        self.number(&data["signature_slot"]);
    }
}

fn header_ssz(header: &Value, fork: LightClientFork) -> Vec<u8> {
    let beacon = &header["beacon"];
    let mut container = Container::default();
    container.number(&beacon["slot"]);
    container.number(&beacon["proposer_index"]);
    ["parent_root", "state_root", "body_root"].iter().for_each(|key| container.bytes(&beacon[key]));
    if fork == LightClientFork::Gloas {
        container.bytes(&header["execution_block_hash"]);
        container.list(&header["execution_branch"]);
    } else if fork > LightClientFork::Altair {
        container.variable(execution_ssz(&header["execution"], fork));
        container.list(&header["execution_branch"]);
    }
    container.finish()
}

fn execution_ssz(execution: &Value, fork: LightClientFork) -> Vec<u8> {
    let mut container = Container::default();
    for key in ["parent_hash", "fee_recipient", "state_root", "receipts_root", "logs_bloom", "prev_randao"] {
        container.bytes(&execution[key]);
    }
    for key in ["block_number", "gas_limit", "gas_used", "timestamp"] {
        container.number(&execution[key]);
    }
    container.variable(unhex(execution["extra_data"].as_str().unwrap()));
    let base_fee: u128 = execution["base_fee_per_gas"].as_str().unwrap().parse().unwrap();
    container.fixed.extend(base_fee.to_le_bytes());
    container.fixed.extend([0; 16]);
    for key in ["block_hash", "transactions_root", "withdrawals_root"] {
        container.bytes(&execution[key]);
    }
    if fork >= LightClientFork::Deneb {
        container.number(&execution["blob_gas_used"]);
        container.number(&execution["excess_blob_gas"]);
    }
    container.finish()
}

/// An answer's fork, by its `version`.
pub fn fork(answer: &Value) -> LightClientFork {
    match answer["version"].as_str().unwrap() {
        "altair" | "bellatrix" => LightClientFork::Altair,
        "capella" => LightClientFork::Capella,
        "deneb" => LightClientFork::Deneb,
        "electra" => LightClientFork::Electra,
        "fulu" => LightClientFork::Fulu,
        "gloas" => LightClientFork::Gloas,
        other => panic!("unknown version {other}"),
    }
}

pub fn bootstrap_ssz(answer: &Value) -> Vec<u8> {
    let data = &answer["data"];
    let mut container = Container::default();
    container.header(header_ssz(&data["header"], fork(answer)), fork(answer));
    container.committee(&data["current_sync_committee"]);
    container.list(&data["current_sync_committee_branch"]);
    container.finish()
}

pub fn update_ssz(answer: &Value) -> Vec<u8> {
    let (data, fork) = (&answer["data"], fork(answer));
    let mut container = Container::default();
    container.header(header_ssz(&data["attested_header"], fork), fork);
    container.committee(&data["next_sync_committee"]);
    container.list(&data["next_sync_committee_branch"]);
    container.header(header_ssz(&data["finalized_header"], fork), fork);
    container.list(&data["finality_branch"]);
    container.signed(data);
    container.finish()
}

pub fn finality_update_ssz(answer: &Value) -> Vec<u8> {
    let (data, fork) = (&answer["data"], fork(answer));
    let mut container = Container::default();
    container.header(header_ssz(&data["attested_header"], fork), fork);
    container.header(header_ssz(&data["finalized_header"], fork), fork);
    container.list(&data["finality_branch"]);
    container.signed(data);
    container.finish()
}

pub fn optimistic_update_ssz(answer: &Value) -> Vec<u8> {
    let (data, fork) = (&answer["data"], fork(answer));
    let mut container = Container::default();
    container.header(header_ssz(&data["attested_header"], fork), fork);
    container.signed(data);
    container.finish()
}
