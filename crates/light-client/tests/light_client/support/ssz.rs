//! Encoders of the containers of every fork, from the upgraded objects.

use blobcheck_beacon::light_client::{
    Execution, ExecutionPayloadHeader, LightClientBootstrap, LightClientHeader, LightClientUpdate,
    SyncCommittee,
};
use blobcheck_beacon::LightClientFork;

/// Lengths of branches before Electra, before Gloas, and of Gloas.
const COMMITTEE: [usize; 3] = [5, 6, 11];
const FINALITY: [usize; 3] = [6, 7, 9];

/// An SSZ container under construction: offsets stand in the fixed part for what is appended behind it.
#[derive(Default)]
pub struct Container {
    pub fixed: Vec<u8>,
    variable: Vec<(usize, Vec<u8>)>,
}

impl Container {
    pub fn variable(&mut self, bytes: Vec<u8>) {
        self.variable.push((self.fixed.len(), bytes));
        self.fixed.extend([0; 4]);
    }

    pub fn finish(mut self) -> Vec<u8> {
        let mut tail = Vec::new();
        for (at, bytes) in self.variable {
            let offset = (self.fixed.len() + tail.len()) as u32;
            self.fixed[at..at + 4].copy_from_slice(&offset.to_le_bytes());
            tail.extend(bytes);
        }
        [self.fixed, tail].concat()
    }

    /// A header: in place in Altair and in Gloas, with an offset in between.
    pub fn header(&mut self, bytes: Vec<u8>, fork: LightClientFork) {
        if matches!(fork, LightClientFork::Altair | LightClientFork::Gloas) {
            self.fixed.extend(bytes);
        } else {
            self.variable(bytes);
        }
    }

    fn committee(&mut self, committee: Option<&SyncCommittee>, size: usize) {
        match committee {
            Some(committee) => committee.write_ssz(&mut self.fixed),
            None => self.fixed.extend(vec![0; 48 * (size + 1)]),
        }
    }

    /// A branch in the length that a fork has, given those before Electra, before Gloas, and of Gloas: without the leading
    /// chunks that older ones lack.
    fn branch(&mut self, branch: &[[u8; 32]], fork: LightClientFork, lengths: [usize; 3]) {
        let era = usize::from(fork >= LightClientFork::Electra) + usize::from(fork >= LightClientFork::Gloas);
        self.fixed.extend(branch[branch.len() - lengths[era]..].as_flattened());
    }

    fn signed(&mut self, update: &LightClientUpdate) {
        let bits = update.sync_aggregate.sync_committee_bits();
        let byte = |bits: &[bool]| (0..8).map(|at| u8::from(bits[at]) << at).sum::<u8>();
        self.fixed.extend(bits.chunks(8).map(byte));
        self.fixed.extend(update.sync_aggregate.signature);
        self.fixed.extend(update.signature_slot.to_le_bytes());
    }
}

pub fn header(header: &LightClientHeader, fork: LightClientFork) -> Vec<u8> {
    let mut container = Container::default();
    let beacon = &header.beacon;
    container.fixed.extend([beacon.slot.to_le_bytes(), beacon.proposer_index.to_le_bytes()].as_flattened());
    container.fixed.extend([beacon.parent_root, beacon.state_root, beacon.body_root].as_flattened());
    match &header.execution {
        Execution::BlockHash(hash) if fork == LightClientFork::Gloas => {
            container.fixed.extend(hash);
            container.fixed.extend(header.execution_branch.as_flattened());
        }
        Execution::Payload(payload) if fork < LightClientFork::Gloas => {
            if fork > LightClientFork::Altair {
                container.variable(execution(payload, fork));
                container.fixed.extend(header.execution_branch[7..].as_flattened());
            }
        }
        other => panic!("{other:?} is not of {fork:?}"),
    }
    container.finish()
}

fn execution(header: &ExecutionPayloadHeader, fork: LightClientFork) -> Vec<u8> {
    let mut container = Container::default();
    container.fixed.extend(header.parent_hash);
    container.fixed.extend(header.fee_recipient);
    container.fixed.extend([header.state_root, header.receipts_root].as_flattened());
    container.fixed.extend(header.logs_bloom);
    container.fixed.extend(header.prev_randao);
    for number in [header.block_number, header.gas_limit, header.gas_used, header.timestamp] {
        container.fixed.extend(number.to_le_bytes());
    }
    container.variable(header.extra_data.clone());
    container.fixed.extend(header.base_fee_per_gas);
    container
        .fixed
        .extend([header.block_hash, header.transactions_root, header.withdrawals_root].as_flattened());
    if fork >= LightClientFork::Deneb {
        container
            .fixed
            .extend([header.blob_gas_used, header.excess_blob_gas].map(u64::to_le_bytes).as_flattened());
    }
    container.finish()
}

pub fn bootstrap(bootstrap: &LightClientBootstrap, fork: LightClientFork, size: usize) -> Vec<u8> {
    let mut container = Container::default();
    container.header(header(&bootstrap.header, fork), fork);
    container.committee(bootstrap.current_sync_committee.as_ref(), size);
    container.branch(&bootstrap.current_sync_committee_branch, fork, COMMITTEE);
    container.finish()
}

pub fn update(update: &LightClientUpdate, fork: LightClientFork) -> Vec<u8> {
    let mut container = Container::default();
    container.header(header(&update.attested_header, fork), fork);
    container.committee(update.next_sync_committee.as_ref(), update.sync_aggregate.size() as usize);
    container.branch(&update.next_sync_committee_branch, fork, COMMITTEE);
    container.header(header(&update.finalized_header, fork), fork);
    container.branch(&update.finality_branch, fork, FINALITY);
    container.signed(update);
    container.finish()
}

pub fn finality_update(update: &LightClientUpdate, fork: LightClientFork) -> Vec<u8> {
    let mut container = Container::default();
    container.header(header(&update.attested_header, fork), fork);
    container.header(header(&update.finalized_header, fork), fork);
    container.branch(&update.finality_branch, fork, FINALITY);
    container.signed(update);
    container.finish()
}

pub fn optimistic_update(update: &LightClientUpdate, fork: LightClientFork) -> Vec<u8> {
    let mut container = Container::default();
    container.header(header(&update.attested_header, fork), fork);
    container.signed(update);
    container.finish()
}
