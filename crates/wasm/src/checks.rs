//! The cheap checks. Each writes the unit that KZG is to verify into the room that JavaScript gives it, from where its parts
//! lie, and answers with the number 256 · length; or with a code (below 256). Where the unit is longer than the
//! room, nothing is written, and JavaScript asks once more with a longer one.

use crate::{lists::misuse, spec::thrown};
use blobcheck_beacon::{
    BeaconBlockHeader, BlobSidecar, Bytes32, ColumnAnchor, DataColumnSidecar, GloasDataColumnSidecar,
    NetworkConfig,
};
use blobcheck_execution::{versioned_hash::kzg_to_versioned_hash, BlobTransaction, Fork, WrapperVersion};
use blobcheck_kzg::{bare_blob::Named, check::check, BareBlob, InputError, Reason, Unit};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

#[wasm_bindgen]
extern "C" {
    /// Memory of JavaScript's.
    pub type Uint8Array;

    #[wasm_bindgen(method, getter)]
    fn length(this: &Uint8Array) -> u32;

    #[wasm_bindgen(method)]
    fn set(this: &Uint8Array, bytes: &[u8], at: u32);
}

/// A blob item.
#[wasm_bindgen(js_name = blobUnit)]
pub fn blob_unit(commitment: &[u8], proof: &[u8], blob: &[u8], room: &Uint8Array) -> f64 {
    report(room, checked(Unit::blob(commitment, proof, blob)))
}

/// A blob item without a proof: of a commitment; or, where `is_hashed`, of one of the versioned hashes that `named` is, 32 bytes each.
#[wasm_bindgen(js_name = bareBlobUnit)]
pub fn bare_blob_unit(named: &[u8], is_hashed: bool, blob: &[u8], room: &Uint8Array) -> f64 {
    let of = if is_hashed { BareBlob::of_versioned_hashes } else { BareBlob::of_commitment };
    report_bare(room, of(named, blob))
}

/// A cell item: a column of one row.
#[wasm_bindgen(js_name = cellUnit)]
pub fn cell_unit(commitment: &[u8], cell_index: u32, cell: &[u8], proof: &[u8], room: &Uint8Array) -> f64 {
    report(room, checked(Unit::cell(u64::from(cell_index), commitment, proof, cell)))
}

/// A `BlobSidecar` in SSZ, under a network's rules; `anchor_root` is the root of a trusted header, or no bytes. Words that
/// are no network and a root of another length throw.
#[wasm_bindgen(js_name = blobSidecar)]
pub fn blob_sidecar(
    ssz: &[u8],
    network: &[u64],
    anchor_root: &[u8],
    room: &Uint8Array,
) -> Result<f64, JsValue> {
    let (network, anchor) = (network_config(network)?, anchor(anchor_root)?);
    let sidecar = BlobSidecar::from_ssz(ssz).and_then(|sidecar| {
        sidecar.check(&network, anchor)?;
        Ok(sidecar)
    });
    Ok(match sidecar {
        Err(reason) => f64::from(reason.code()),
        Ok(sidecar) if sidecar.lacks_proof(&network) => {
            report_bare(room, BareBlob::of_commitment(sidecar.commitment, sidecar.blob))
        }
        Ok(BlobSidecar { commitment, proof, blob, .. }) => {
            report(room, checked(Unit::blob(commitment, proof, blob)))
        }
    })
}

/// A `DataColumnSidecar` of Fulu in SSZ, under a network's rules; arguments as for [`blob_sidecar`].
#[wasm_bindgen(js_name = dataColumnSidecar)]
pub fn data_column_sidecar(
    ssz: &[u8],
    network: &[u64],
    anchor_root: &[u8],
    room: &Uint8Array,
) -> Result<f64, JsValue> {
    let (network, anchor) = (network_config(network)?, anchor(anchor_root)?);
    let outcome = (|| {
        let sidecar = DataColumnSidecar::from_ssz(ssz).map_err(|reason| reason.code())?;
        sidecar.check(&network, anchor).map_err(|reason| reason.code())?;
        checked(Unit::column(sidecar.index, sidecar.commitments, sidecar.proofs, sidecar.cells))
    })();
    Ok(report(room, outcome))
}

/// A `DataColumnSidecar` of Gloas in SSZ, under a network's rules: of a block with these `commitments`, 48 bytes each.
/// `anchor` is the header of that block (112 bytes), its root (32), or no bytes. What is none of these throws.
#[wasm_bindgen(js_name = gloasDataColumnSidecar)]
pub fn gloas_data_column_sidecar(
    ssz: &[u8],
    network: &[u64],
    commitments: &[u8],
    anchor: &[u8],
    room: &Uint8Array,
) -> Result<f64, JsValue> {
    let network = network_config(network)?;
    let (commitments, []) = commitments.as_chunks() else { return Err(misuse("commitments of 48 bytes")) };
    let header = BeaconBlockHeader::from_ssz(anchor);
    let anchor = match (&header, anchor) {
        (Some(header), _) => ColumnAnchor::Header(header),
        (None, []) => ColumnAnchor::Any,
        (None, root) => ColumnAnchor::Root(root.try_into().map_err(|_| misuse("a root has 32 bytes"))?),
    };
    let outcome = (|| {
        let sidecar = GloasDataColumnSidecar::from_ssz(ssz).map_err(|reason| reason.code())?;
        sidecar.check(&network, commitments.len(), anchor).map_err(|reason| reason.code())?;
        checked(Unit::column(sidecar.index, commitments, sidecar.proofs, sidecar.cells))
    })();
    Ok(report(room, outcome))
}

/// A blob transaction in network form under the rules of a fork (0 Cancun, 1 Prague, 2 Osaka; another number throws).
///
/// In place of a unit it writes, for each blob: a code, the versioned hash (32 bytes), the length of the unit (uint32,
/// little-endian), the unit, and 32 bytes of room for the hash of its body.
#[wasm_bindgen]
pub fn transaction(bytes: &[u8], fork: u8, room: &Uint8Array) -> Result<f64, JsValue> {
    let fork = Fork::from_number(fork).ok_or_else(|| misuse("no fork has this number"))?;
    let outcome = (|| -> Result<_, u8> {
        let transaction = BlobTransaction::decode(bytes).map_err(|reason| reason.code())?;
        transaction.check(fork).map_err(|reason| reason.code())?;
        let mut entries = Vec::new();
        let named = transaction.body.versioned_hashes.iter().zip(transaction.blob_outcomes());
        let proofs = transaction.proofs.chunks(transaction.wrapper_version.proofs_per_blob());
        let parts = transaction.commitments.iter().zip(&transaction.blobs).zip(proofs);
        for ((versioned_hash, outcome), ((commitment, blob), proofs)) in named.zip(parts) {
            let proofs: Vec<[u8; 48]> = proofs.iter().map(|proof| **proof).collect();
            let unit = match (transaction.wrapper_version, &proofs[..]) {
                (WrapperVersion::Eip4844, [proof, ..]) => Unit::Blob { commitment, proof, blob, hash: None },
                (_, proofs) => Unit::ExtendedBlob {
                    commitment,
                    proofs: proofs.try_into().map_err(|_| Reason::ArrayLengths.code())?,
                    blob,
                },
            };
            let code = match outcome {
                Err(reason) => reason.code(),
                Ok(()) => checked(Ok(unit)).err().unwrap_or(0),
            };
            entries.push(code);
            entries.extend_from_slice(&versioned_hash[..]);
            entries.extend_from_slice(&(length(&unit) as u32).to_le_bytes());
            unit.write(&mut |piece| entries.extend_from_slice(piece));
            entries.extend_from_slice(&[0; 32]);
        }
        Ok(entries)
    })();
    Ok(match outcome {
        Ok(entries) => deliver(room, entries.len(), &|to| to(&entries)),
        Err(code) => f64::from(code),
    })
}

/// The commitments of a unit, 48 bytes each: none of a blob of which versioned hashes are known. Throws a code for what is not a unit.
#[wasm_bindgen(js_name = unitCommitments)]
pub fn unit_commitments(unit: &[u8]) -> Result<Vec<u8>, JsValue> {
    match BareBlob::parse(unit) {
        Ok(BareBlob { named: Named::Commitment(commitment), .. }) => return Ok(commitment.to_vec()),
        Ok(BareBlob { named: Named::VersionedHashes(_), .. }) => return Ok(Vec::new()),
        Err(_) => {}
    }
    Ok(Unit::parse(unit).map_err(thrown)?.commitments().as_flattened().to_vec())
}

/// `hash_tree_root` of a `BeaconBlockHeader` of 112 bytes. Another length throws.
#[wasm_bindgen(js_name = headerRoot)]
pub fn header_root(ssz: &[u8]) -> Result<Vec<u8>, JsValue> {
    let header = BeaconBlockHeader::from_ssz(ssz).ok_or_else(|| misuse("a header has 112 bytes"))?;
    Ok(header.hash_tree_root().to_vec())
}

/// `kzg_commitment_to_versioned_hash`: 32 bytes. Another length than 48 throws.
#[wasm_bindgen(js_name = versionedHash)]
pub fn versioned_hash(commitment: &[u8]) -> Result<Vec<u8>, JsValue> {
    let commitment = commitment.try_into().map_err(|_| misuse("a commitment has 48 bytes"))?;
    Ok(kzg_to_versioned_hash(commitment).to_vec())
}

/// The root that a sidecar's header must have; no bytes stand for no anchor. With any other length than 32 the caller means
/// an anchor, and would be told of a sidecar that agrees with it.
fn anchor(root: &[u8]) -> Result<Option<&Bytes32>, JsValue> {
    match root {
        [] => Ok(None),
        _ => root.try_into().map(Some).map_err(|_| misuse("an anchor's root has 32 bytes")),
    }
}

/// The unit, if its scalars and points are encoded as they should be.
#[inline(never)]
fn checked(unit: Result<Unit<'_>, InputError>) -> Result<Unit<'_>, u8> {
    unit.and_then(|unit| check(&unit).map(|()| unit)).map_err(|error| error.reason.code())
}

/// The unit of a blob without a proof, if its scalars and its commitment are encoded as they should be.
#[inline(never)]
fn report_bare(room: &Uint8Array, unit: Result<BareBlob<'_>, InputError>) -> f64 {
    match unit.and_then(|unit| unit.check().map(|()| unit)) {
        Ok(unit) => {
            let mut length = 0;
            unit.write(&mut |piece| length += piece.len());
            deliver(room, length, &|to| unit.write(to))
        }
        Err(error) => f64::from(error.reason.code()),
    }
}

/// Out of line: every check but one ends here.
#[inline(never)]
fn report(room: &Uint8Array, outcome: Result<Unit<'_>, u8>) -> f64 {
    match outcome {
        Ok(unit) => deliver(room, length(&unit), &|to| unit.write(to)),
        Err(code) => f64::from(code),
    }
}

fn length(unit: &Unit<'_>) -> usize {
    let mut length = 0;
    unit.write(&mut |piece| length += piece.len());
    length
}

/// Hands out pieces, in order.
type Write<'w> = dyn Fn(&mut dyn FnMut(&[u8])) + 'w;

/// Puts pieces of this length together into the room, if they fit: the answer of a check that has passed.
fn deliver(room: &Uint8Array, length: usize, write: &Write<'_>) -> f64 {
    if length <= room.length() as usize {
        let mut at = 0;
        write(&mut |piece| {
            room.set(piece, at);
            at += piece.len() as u32;
        });
    }
    // Exact: a length is below 2³² on this target, and a double holds 53 bits.
    256.0 * length as f64
}

/// The network's rules. Words that are none throw: they are the caller's, and no peer is to blame for them.
fn network_config(words: &[u64]) -> Result<NetworkConfig, JsValue> {
    NetworkConfig::from_words(words).map_err(|_| misuse("these words are no network"))
}
