//! What a block says, once it has been decoded: by whom and when it was made, its root, and the blobs that it commits to.

use crate::containers::{self, BlockFork, Preset};
use crate::error::{Fault, SszError};
use crate::merkle::merkleize;
use crate::parts;
use crate::roots;
use crate::schema::{Field, Schema};
use crate::validate::validate;
use crate::Bytes32;

/// The longest block that is read, in bytes: `MAX_PAYLOAD_SIZE`, the largest message that nodes take (`phase0/p2p-interface.md`).
pub const MAX_BLOCK_BYTES: usize = 10 << 20;

/// Where the message of a `SignedBeaconBlock` begins: behind its offset and the signature.
const SIGNED_MESSAGE_AT: usize = 4 + 96;

/// Where the body of a `BeaconBlock` begins.
const BODY_AT: usize = 2 * 8 + 2 * 32 + 4;

/// A block that was decoded, with its roots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// Its slot.
    pub slot: u64,
    /// Validator index of its proposer.
    pub proposer_index: u64,
    /// Root of its parent.
    pub parent_root: Bytes32,
    /// Root of the state after it.
    pub state_root: Bytes32,
    /// `hash_tree_root` of its body.
    pub body_root: Bytes32,
    /// Its own root, which is that of its header.
    pub root: Bytes32,
    /// `blob_kzg_commitments`, 48 bytes each: of the body, or in Gloas of the bid.
    pub commitments: &'a [[u8; 48]],
    /// `block_hash` of the payload in its body: the hash of its execution block. None in Gloas, where a payload is no part of a block.
    pub block_hash: Option<Bytes32>,
    /// The bid for the payload, in Gloas.
    pub bid: Option<Bid<'a>>,
}

/// `ExecutionPayloadBid` (`gloas/beacon-chain.md`), as its fixed part: [`Bid::BYTES`] bytes of SSZ, in which four bytes from
/// [`Bid::OFFSET_AT`] on are the offset of the commitments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bid<'a>(pub &'a [u8; Bid::BYTES]);

impl Bid<'_> {
    /// Four hashes, an address, five numbers, an offset and a root.
    pub const BYTES: usize = 4 * 32 + 20 + 5 * 8 + 4 + 32;
    /// Where the offset of `blob_kzg_commitments` is.
    pub const OFFSET_AT: usize = 4 * 32 + 20 + 5 * 8;
}

/// The message of a `SignedBeaconBlock`, or the `BeaconBlock` itself.
///
/// A signed block begins with the offset of its message, and a block with its slot. Where both could be meant, the place of the
/// body decides: a block that is read as the wrong one of the two is malformed, or has a root that is no block's.
pub fn message(bytes: &[u8]) -> &[u8] {
    let names_body_at =
        |at: usize| bytes.get(at..at + 4).is_some_and(|four| four == (BODY_AT as u32).to_le_bytes());
    let is_signed = bytes.starts_with(&(SIGNED_MESSAGE_AT as u32).to_le_bytes())
        && names_body_at(SIGNED_MESSAGE_AT + BODY_AT - 4);
    if is_signed {
        &bytes[SIGNED_MESSAGE_AT..]
    } else {
        bytes
    }
}

/// The slot of a block, signed or not, which is in a fixed place; `None` where the bytes end before it.
pub fn slot_of(bytes: &[u8]) -> Option<u64> {
    message(bytes).first_chunk().map(|slot| u64::from_le_bytes(*slot))
}

/// Decodes a `SignedBeaconBlock` or a `BeaconBlock`, strictly, and computes its roots. The signature is not looked at.
///
/// # Errors
/// [`SszError`], with a path in the `BeaconBlock`.
pub fn read_block(bytes: &[u8], fork: BlockFork, preset: Preset) -> Result<Block<'_>, SszError> {
    if bytes.len() > MAX_BLOCK_BYTES {
        return Err(Fault::Limit.into());
    }
    let bytes = message(bytes);
    let (schema, body_schema) = (containers::block(fork, preset), containers::body(fork, preset));
    validate(schema, bytes)?;
    let body = part(schema, bytes, "body")?;
    let body_root = roots::roots(body_schema, &[body])?.first().copied().unwrap_or_default();
    let fixed = |name| part(schema, bytes, name).and_then(array);
    let [slot, proposer_index] =
        [fixed_u64(schema, bytes, "slot")?, fixed_u64(schema, bytes, "proposer_index")?];
    let [parent_root, state_root] = [fixed("parent_root")?, fixed("state_root")?];
    // The block is a container of five fields, and its body's root is at hand.
    let leaves = vec![chunk(slot), chunk(proposer_index), parent_root, state_root, body_root];
    let root = merkleize(leaves, &[5], 3).first().copied().unwrap_or_default();
    let (block_hash, bid, list) = match fork {
        BlockFork::Gloas => {
            let signed = part(body_schema, body, "signed_execution_payload_bid")?;
            let (signed_schema, bid_schema) = (&containers::SIGNED_BID, &containers::BID);
            let bid = part(signed_schema, signed, "message")?;
            let fixed = bid.first_chunk().ok_or(Fault::Length)?;
            (None, Some(Bid(fixed)), part(bid_schema, bid, "blob_kzg_commitments")?)
        }
        _ => {
            let payload = part(body_schema, body, "execution_payload")?;
            let hash = array(part(inner(body_schema, "execution_payload")?, payload, "block_hash")?)?;
            (Some(hash), None, part(body_schema, body, "blob_kzg_commitments")?)
        }
    };
    let (commitments, []) = list.as_chunks() else { return Err(Fault::Length.into()) };
    Ok(Block { slot, proposer_index, parent_root, state_root, body_root, root, commitments, block_hash, bid })
}

/// The encoding of a field.
fn part<'a>(schema: &Schema, bytes: &'a [u8], name: &str) -> Result<&'a [u8], Fault> {
    let fields = fields_of(schema)?;
    let at = fields.iter().position(|field| field.name == name).ok_or(Fault::Length)?;
    parts::fields(fields, bytes)?.get(at).copied().ok_or(Fault::Length)
}

/// The type of a field.
fn inner<'a>(schema: &'a Schema, name: &str) -> Result<&'a Schema, Fault> {
    let field = fields_of(schema)?.iter().find(|field| field.name == name).ok_or(Fault::Length)?;
    Ok(field.schema)
}

fn fields_of(schema: &Schema) -> Result<&[Field], Fault> {
    match schema {
        Schema::Container(fields) | Schema::ProgressiveContainer(fields) => Ok(fields),
        _ => Err(Fault::Length),
    }
}

fn array<const N: usize>(bytes: &[u8]) -> Result<[u8; N], Fault> {
    bytes.try_into().map_err(|_| Fault::Length)
}

fn fixed_u64(schema: &Schema, bytes: &[u8], name: &str) -> Result<u64, Fault> {
    Ok(u64::from_le_bytes(array(part(schema, bytes, name)?)?))
}

fn chunk(value: u64) -> Bytes32 {
    let mut chunk = [0; 32];
    chunk[..8].copy_from_slice(&value.to_le_bytes());
    chunk
}
