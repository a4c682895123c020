//! SSZ: blocks, sidecars and light-client objects of each fork, against the slow twin that the tests of `blobcheck-block` have.

use crate::draw::{alter, array, below, rng, short};
use arbitrary::{Result, Unstructured};
use blobcheck_beacon::light_client::{LightClientBootstrap, LightClientUpdate};
use blobcheck_beacon::network::FAR_FUTURE_EPOCH;
use blobcheck_beacon::{
    BeaconBlockHeader, BlobSidecar, ColumnAnchor, DataColumnSidecar, GloasDataColumnSidecar, LightClientFork,
    NetworkConfig,
};
use blobcheck_block::{
    block, containers, hash_tree_root, read_block, validate, BlockFork, Bytes32, Field, Preset, Schema,
};
use blobcheck_light_client::{encoding, is_better_update, is_valid_light_client_header, view};
use blobcheck_testing::Rng;
use sha2::{Digest, Sha256};

#[path = "../../block/tests/block/twin.rs"]
#[allow(missing_docs, clippy::expect_used)] // the tests’ own
mod twin;
use twin::Value;

const fn field(name: &'static str, schema: &'static Schema) -> Field {
    Field { name, schema }
}

/// A value of a type, of few of the input's bytes: lists are short, and long bytes are of a generator.
fn draw(schema: &Schema, input: &mut Unstructured<'_>, random: &mut Rng) -> Result<Value> {
    let count = |limit: usize, input: &mut Unstructured<'_>| below(input, limit.min(3) + 1);
    Ok(match schema {
        Schema::Uint(size) if *size == 8 => {
            let number =
                if input.arbitrary()? { u64::from(input.arbitrary::<u16>()?) } else { random.next() };
            Value::Bytes(number.to_le_bytes().to_vec())
        }
        // Bytes as they are, whatever they are of.
        Schema::Boolean | Schema::BitVector(_) | Schema::BitList(_) | Schema::ProgressiveBitList(_)
            if below(input, 24)? == 0 =>
        {
            let bytes = schema.fixed_size().map_or_else(|| below(input, 4), Ok)?;
            Value::Bytes(random.vec(bytes).into_iter().map(|byte| byte & 0x8f).collect())
        }
        Schema::Boolean => Value::Bytes(vec![input.arbitrary::<bool>()?.into()]),
        Schema::Uint(size) | Schema::Bytes(size) => {
            let zero = below(input, 8)? == 0;
            Value::Bytes(if zero { vec![0; *size] } else { random.vec(*size) })
        }
        Schema::BitVector(bits) => Value::Bits((0..*bits).map(|_| random.below(2u64) == 1).collect()),
        Schema::BitList(limit) | Schema::ProgressiveBitList(limit) => {
            let bits = below(input, (*limit).min(40) + 1)?;
            Value::Bits((0..bits).map(|_| random.below(2u64) == 1).collect())
        }
        Schema::ByteList(limit) => {
            let mut bytes = short(input, (*limit).min(40))?;
            // Rarely one that is not allowed.
            if *limit < 64 && below(input, 16)? == 0 {
                bytes.resize(limit + 1, 1);
            }
            Value::Bytes(bytes)
        }
        Schema::Vector(element, length) => {
            Value::Parts((0..*length).map(|_| draw(element, input, random)).collect::<Result<_>>()?)
        }
        Schema::List(element, limit)
        | Schema::BoundedList(element, _, limit)
        | Schema::ProgressiveList(element, limit) => {
            let mut count = count(*limit, input)?;
            if *limit < 4 && below(input, 16)? == 0 {
                count = limit + 1;
            }
            Value::Parts((0..count).map(|_| draw(element, input, random)).collect::<Result<_>>()?)
        }
        Schema::Container(fields) | Schema::ProgressiveContainer(fields) => {
            Value::Parts(fields.iter().map(|field| draw(field.schema, input, random)).collect::<Result<_>>()?)
        }
    })
}

/// The bytes of a value of the type, and then altered.
fn encoded(schema: &Schema, input: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut random = rng(input)?;
    let mut bytes = twin::write(schema, &draw(schema, input, &mut random)?);
    alter(input, &mut bytes)?;
    Ok(bytes)
}

/// The value that the twin reads in these bytes, where they are its encoding.
fn value(schema: &Schema, bytes: &[u8]) -> Option<Value> {
    twin::read(schema, bytes).filter(|value| twin::write(schema, value) == bytes)
}

/// Blocks of each fork and preset are read where the twin reads them, with the twin's roots.
pub fn blocks(input: &mut Unstructured<'_>) -> Result<()> {
    let fork = *input.choose(&[BlockFork::Deneb, BlockFork::Electra, BlockFork::Gloas])?;
    let preset = *input.choose(&[Preset::Minimal, Preset::Mainnet])?;
    let schema = containers::block(fork, preset);
    let bytes = match below(input, 8)? {
        0 => short(input, 2000)?,
        _ => encoded(schema, input)?,
    };
    // A block that begins like a signed one would be read as that.
    if block::message(&bytes).len() == bytes.len() {
        let read = read_block(&bytes, fork, preset);
        let twin = value(schema, &bytes);
        assert_eq!(read.is_ok(), twin.is_some(), "{:?}", read.err());
        assert_eq!(validate(schema, &bytes).is_ok(), twin.is_some());
        if let (Ok(read), Some(Value::Parts(parts))) = (&read, &twin) {
            assert_eq!(read.root, twin::root(schema, &Value::Parts(parts_of(&bytes, schema))));
            assert_eq!(read.body_root, twin::root(containers::body(fork, preset), &parts[4]));
            assert_eq!(hash_tree_root(schema, &bytes), Ok(read.root));
            assert_eq!(block::slot_of(&bytes), Some(read.slot));
        }
    }
    let signed = [&100u32.to_le_bytes()[..], &array::<96>(input)?, &bytes].concat();
    let (signed, unsigned) = (read_block(&signed, fork, preset).ok(), read_block(&bytes, fork, preset).ok());
    if unsigned.is_some() && block::message(&bytes).len() == bytes.len() {
        assert_eq!(signed, unsigned, "a signature is no part of a root");
    }
    Ok(())
}

fn parts_of(bytes: &[u8], schema: &Schema) -> Vec<Value> {
    match twin::read(schema, bytes) {
        Some(Value::Parts(parts)) => parts,
        _ => Vec::new(),
    }
}

const U64: Schema = Schema::Uint(8);
const ROOT: Schema = Schema::Bytes(32);
const POINT: Schema = Schema::Bytes(48);
const SIGNATURE: Schema = Schema::Bytes(96);
const CELL: Schema = Schema::Bytes(2048);
const CELLS: Schema = Schema::List(&CELL, 4096);
const POINTS: Schema = Schema::List(&POINT, 4096);

const HEADER: Schema = Schema::Container(&[
    field("slot", &U64),
    field("proposer_index", &U64),
    field("parent_root", &ROOT),
    field("state_root", &ROOT),
    field("body_root", &ROOT),
]);
const SIGNED_HEADER: Schema = Schema::Container(&[field("message", &HEADER), field("signature", &SIGNATURE)]);
const BLOB_SIDECAR: Schema = Schema::Container(&[
    field("index", &U64),
    field("blob", &Schema::Bytes(131_072)),
    field("kzg_commitment", &POINT),
    field("kzg_proof", &POINT),
    field("signed_block_header", &SIGNED_HEADER),
    field("kzg_commitment_inclusion_proof", &Schema::Vector(&ROOT, 17)),
]);
const COLUMN_SIDECAR: Schema = Schema::Container(&[
    field("index", &U64),
    field("column", &CELLS),
    field("kzg_commitments", &POINTS),
    field("kzg_proofs", &POINTS),
    field("signed_block_header", &SIGNED_HEADER),
    field("kzg_commitments_inclusion_proof", &Schema::Vector(&ROOT, 4)),
]);
const GLOAS_COLUMN_SIDECAR: Schema = Schema::Container(&[
    field("index", &U64),
    field("column", &CELLS),
    field("kzg_proofs", &POINTS),
    field("slot", &U64),
    field("beacon_block_root", &ROOT),
]);

fn hash(left: &Bytes32, right: &Bytes32) -> Bytes32 {
    Sha256::digest([*left, *right].concat()).into()
}

/// The root that a branch leads to from a leaf.
fn climb(leaf: Bytes32, branch: &[Bytes32], index: u64) -> Bytes32 {
    branch.iter().enumerate().fold(leaf, |node, (level, sibling)| match index >> level & 1 {
        0 => hash(&node, sibling),
        _ => hash(sibling, &node),
    })
}

/// One fork for ever: Deneb, Electra, Fulu or Gloas.
fn network(fork: usize, most: u64) -> NetworkConfig {
    let begins = |at: usize| if at <= fork { 0 } else { FAR_FUTURE_EPOCH };
    let words = [32, 0, begins(1), begins(2), begins(3), FAR_FUTURE_EPOCH, most, most, 0, most];
    NetworkConfig::from_words(&words).unwrap_or_else(|error| panic!("{error:?}"))
}

/// Where a part of a sidecar should be otherwise than the sidecar says: nowhere, in the list of these.
fn spoil(input: &mut Unstructured<'_>, parts: &mut [&mut [u8]]) -> Result<()> {
    if input.arbitrary()? {
        let part = below(input, parts.len())?;
        let at = below(input, parts[part].len())?;
        parts[part][at] ^= 1 << below(input, 8)?;
    }
    Ok(())
}

/// Blob sidecars: their bytes as the twin has them, and what is proved of them as hashing by hand has it.
pub fn blob_sidecars(input: &mut Unstructured<'_>) -> Result<()> {
    let mut random = rng(input)?;
    let most = 1 + below(input, 10)? as u64;
    let network_of = below(input, 4)?;
    let network = network(network_of, most);
    let index = match below(input, 8)? {
        0 => input.arbitrary()?,
        1..4 => below(input, 12)? as u64,
        _ => most - 1 + below(input, 3)? as u64,
    };
    let (mut commitment, mut branch): ([u8; 48], Vec<Bytes32>) = (random.bytes(), random.chunks(17));
    // The gindex of a commitment: item `index` of 4,096, below the list's contents, below field 11 of 16.
    let place = |index: u64| (11 * 2) * 4096 + index % 4096;
    let padded = |commitment: &[u8; 48]| {
        let mut second = [0; 32];
        second[..16].copy_from_slice(&commitment[32..]);
        let mut first = [0; 32];
        first.copy_from_slice(&commitment[..32]);
        hash(&first, &second)
    };
    let mut body_root = climb(padded(&commitment), &branch, place(index));
    spoil(input, &mut [&mut commitment, branch.as_flattened_mut(), &mut body_root])?;
    let header = BeaconBlockHeader {
        slot: 5,
        proposer_index: 1,
        parent_root: [2; 32],
        state_root: [3; 32],
        body_root,
    };
    let mut ssz = index.to_le_bytes().to_vec();
    ssz.resize(8 + 131_072, 0);
    ssz.extend(commitment);
    ssz.extend(random.vec(48));
    header.write_ssz(&mut ssz);
    ssz.extend([7; 96]);
    ssz.extend(branch.as_flattened());
    let unaltered = ssz.clone();
    if below(input, 3)? == 0 {
        alter(input, &mut ssz)?;
    }

    let read = BlobSidecar::from_ssz(&ssz);
    assert_eq!(read.is_ok(), value(&BLOB_SIDECAR, &ssz).is_some());
    if ssz == unaltered {
        let Ok(sidecar) = read else { panic!("a sidecar is read") };
        let Some(header_value) = value(&HEADER, &header_bytes(&header)) else { panic!("a header is one") };
        let root = twin::root(&HEADER, &header_value);
        assert_eq!(header.hash_tree_root(), root);
        let proven =
            network_of < 3 && index < most && climb(padded(&commitment), &branch, place(index)) == body_root;
        assert_eq!(sidecar.check(&network, None).is_ok(), proven);
        assert_eq!(sidecar.check(&network, Some(&root)).is_ok(), proven);
        assert!(sidecar.check(&network, Some(&[9; 32])).is_err());
    } else if let Ok(sidecar) = read {
        let _ = (sidecar.check(&network, None), sidecar.lacks_proof(&network));
    }
    Ok(())
}

fn header_bytes(header: &BeaconBlockHeader) -> Vec<u8> {
    let mut bytes = Vec::new();
    header.write_ssz(&mut bytes);
    bytes
}

/// Column sidecars of Fulu and of Gloas, likewise.
pub fn column_sidecars(input: &mut Unstructured<'_>) -> Result<()> {
    let is_gloas: bool = input.arbitrary()?;
    let schema = if is_gloas { &GLOAS_COLUMN_SIDECAR } else { &COLUMN_SIDECAR };
    let ssz = encoded(schema, input)?;
    let twin = value(schema, &ssz);
    if is_gloas {
        let read = GloasDataColumnSidecar::from_ssz(&ssz);
        assert_eq!(read.is_ok(), twin.is_some(), "{:?}", read.err());
        let Ok(read) = read else { return Ok(()) };
        let rows = 1 + below(input, 3)?;
        let is_good = read.index < 128 && [read.cells.len(), read.proofs.len()] == [rows; 2];
        assert_eq!(read.check(&network(3, 9), rows, ColumnAnchor::Any).is_ok(), is_good);
        let root = read.beacon_block_root;
        assert_eq!(read.check(&network(3, 9), rows, ColumnAnchor::Root(&root)).is_ok(), is_good);
        assert!(read.check(&network(2, 9), rows, ColumnAnchor::Any).is_err());
        return Ok(());
    }
    let read = DataColumnSidecar::from_ssz(&ssz);
    assert_eq!(read.is_ok(), twin.is_some(), "{:?}", read.err());
    let Ok(mut read) = read else { return Ok(()) };
    // As it is, and with the root that its branch leads to.
    let list = Value::Parts(read.commitments.iter().map(|point| Value::Bytes(point.to_vec())).collect());
    let leads_to = climb(twin::root(&POINTS, &list), read.inclusion_proof, 11);
    for body_root in [read.signed_block_header.message.body_root, leads_to] {
        read.signed_block_header.message.body_root = body_root;
        let rows = read.commitments.len();
        let is_good = read.index < 128
            && (1..=2).contains(&rows)
            && [read.cells.len(), read.proofs.len()] == [rows; 2]
            && body_root == leads_to;
        let root = read.signed_block_header.message.hash_tree_root();
        assert_eq!(read.check(&network(2, 2), None).is_ok(), is_good);
        assert_eq!(read.check(&network(2, 2), Some(&root)).is_ok(), is_good);
        assert!(read.check(&network(2, 2), Some(&[0; 32])).is_err());
        assert!(read.check(&network(1, 2), None).is_err());
    }
    Ok(())
}

const COMMITTEE: Schema =
    Schema::Container(&[field("pubkeys", &Schema::Vector(&POINT, 32)), field("aggregate_pubkey", &POINT)]);
const AGGREGATE: Schema =
    Schema::Container(&[field("bits", &Schema::BitVector(32)), field("signature", &SIGNATURE)]);

macro_rules! execution {
    ($($more:expr),*) => {
        Schema::Container(&[
            field("parent_hash", &ROOT),
            field("fee_recipient", &Schema::Bytes(20)),
            field("state_root", &ROOT),
            field("receipts_root", &ROOT),
            field("logs_bloom", &Schema::Bytes(256)),
            field("prev_randao", &ROOT),
            field("block_number", &U64),
            field("gas_limit", &U64),
            field("gas_used", &U64),
            field("timestamp", &U64),
            field("extra_data", &Schema::ByteList(32)),
            field("base_fee_per_gas", &Schema::Uint(32)),
            field("block_hash", &ROOT),
            field("transactions_root", &ROOT),
            field("withdrawals_root", &ROOT),
            $($more),*
        ])
    };
}

const CAPELLA_EXECUTION: Schema = execution!();
const DENEB_EXECUTION: Schema = execution!(field("blob_gas_used", &U64), field("excess_blob_gas", &U64));
const EXECUTION_BRANCH: Schema = Schema::Vector(&ROOT, 4);
const ALTAIR_HEADER: Schema = Schema::Container(&[field("beacon", &HEADER)]);
const CAPELLA_HEADER: Schema = Schema::Container(&[
    field("beacon", &HEADER),
    field("execution", &CAPELLA_EXECUTION),
    field("execution_branch", &EXECUTION_BRANCH),
]);
const DENEB_HEADER: Schema = Schema::Container(&[
    field("beacon", &HEADER),
    field("execution", &DENEB_EXECUTION),
    field("execution_branch", &EXECUTION_BRANCH),
]);
const GLOAS_HEADER: Schema = Schema::Container(&[
    field("beacon", &HEADER),
    field("execution_block_hash", &ROOT),
    field("execution_branch", &Schema::Vector(&ROOT, 11)),
]);

/// The four objects of a fork: bootstrap, update, finality update, optimistic update.
macro_rules! objects {
    ($header:ident, $committee:literal, $finality:literal) => {
        [
            Schema::Container(&[
                field("header", &$header),
                field("current_sync_committee", &COMMITTEE),
                field("branch", &Schema::Vector(&ROOT, $committee)),
            ]),
            Schema::Container(&[
                field("attested_header", &$header),
                field("next_sync_committee", &COMMITTEE),
                field("branch", &Schema::Vector(&ROOT, $committee)),
                field("finalized_header", &$header),
                field("finality_branch", &Schema::Vector(&ROOT, $finality)),
                field("sync_aggregate", &AGGREGATE),
                field("signature_slot", &U64),
            ]),
            Schema::Container(&[
                field("attested_header", &$header),
                field("finalized_header", &$header),
                field("finality_branch", &Schema::Vector(&ROOT, $finality)),
                field("sync_aggregate", &AGGREGATE),
                field("signature_slot", &U64),
            ]),
            Schema::Container(&[
                field("attested_header", &$header),
                field("sync_aggregate", &AGGREGATE),
                field("signature_slot", &U64),
            ]),
        ]
    };
}

const ALTAIR: [Schema; 4] = objects!(ALTAIR_HEADER, 5, 6);
const CAPELLA: [Schema; 4] = objects!(CAPELLA_HEADER, 5, 6);
const DENEB: [Schema; 4] = objects!(DENEB_HEADER, 5, 6);
const ELECTRA: [Schema; 4] = objects!(DENEB_HEADER, 6, 7);
const GLOAS: [Schema; 4] = objects!(GLOAS_HEADER, 11, 9);

/// Light-client objects of each fork are read where the twin reads them, and are written as they were read.
pub fn light_client_objects(input: &mut Unstructured<'_>) -> Result<()> {
    let chain = crate::light_client::chain();
    let fork = *input.choose(&LightClientFork::ALL)?;
    let schemas = match fork {
        LightClientFork::Altair => &ALTAIR,
        LightClientFork::Capella => &CAPELLA,
        LightClientFork::Deneb => &DENEB,
        LightClientFork::Electra | LightClientFork::Fulu => &ELECTRA,
        LightClientFork::Gloas => &GLOAS,
    };
    let kind = below(input, schemas.len())?;
    let bytes = encoded(&schemas[kind], input)?;
    let is_one = value(&schemas[kind], &bytes).is_some();
    let read = match kind {
        0 => {
            let read = LightClientBootstrap::from_ssz(&chain, fork, &bytes);
            assert_eq!(read.is_ok(), is_one, "{fork:?}");
            if let Ok(bootstrap) = read {
                let _ = is_valid_light_client_header(&chain, &bootstrap.header);
            }
            return Ok(());
        }
        1 => LightClientUpdate::from_ssz(&chain, fork, &bytes),
        2 => LightClientUpdate::from_finality_ssz(&chain, fork, &bytes),
        _ => LightClientUpdate::from_optimistic_ssz(&chain, fork, &bytes),
    };
    assert_eq!(read.is_ok(), is_one, "{fork:?} {kind}: {:?}", read.err());
    let Ok(update) = read else { return Ok(()) };
    let _ = (view::view_update(&chain, &update), is_better_update(&chain, &update, &update));
    let _ = is_valid_light_client_header(&chain, &update.attested_header);
    let written = update.to_ssz(chain.sync_committee_size);
    if kind == 1 && fork >= LightClientFork::Electra {
        assert_eq!(written, bytes, "{fork:?}");
    }
    let again = if update.attested_header.has_gloas_form() {
        LightClientFork::Gloas
    } else {
        LightClientFork::Electra
    };
    assert_eq!(LightClientUpdate::from_ssz(&chain, again, &written), Ok(update));
    Ok(())
}

/// A kept store has one form: what is read is written as it was.
pub fn light_client_stores(input: &mut Unstructured<'_>) -> Result<()> {
    let chain = crate::light_client::chain();
    let mut bytes = encoding::encode(&chain, &crate::light_client::draw_store(input)?);
    // What says which parts there are.
    if below(input, 3)? == 0 {
        bytes[52] ^= 1 << below(input, 8)?;
    }
    alter(input, &mut bytes)?;
    if let Ok(store) = encoding::decode(&chain, &bytes) {
        assert_eq!(encoding::encode(&chain, &store), bytes);
        assert_eq!(view::view_store(&chain, &store).len(), 544);
    }
    Ok(())
}
