//! The cheap checks. Each answers with a report: the bytes of the unit that KZG is to verify, and a 0; or a code alone.
//! The code comes last, so that the unit can be used where it lies.

use blobcheck_beacon::{BeaconBlockHeader, BlobSidecar, DataColumnSidecar, NetworkConfig};
use blobcheck_execution::{versioned_hash::kzg_to_versioned_hash, BlobTransaction, Fork, WrapperVersion};
use blobcheck_kzg::{
    check::check,
    unit::{encode_blob, encode_column, encode_extended_blob},
    InputError, Reason, Unit,
};
use wasm_bindgen::prelude::wasm_bindgen;

/// A blob item.
#[wasm_bindgen(js_name = blobUnit)]
pub fn blob_unit(commitment: &[u8], proof: &[u8], blob: &[u8]) -> Vec<u8> {
    report(checked(encode_blob(commitment, proof, blob)))
}

/// A cell item: a column of one row.
#[wasm_bindgen(js_name = cellUnit)]
pub fn cell_unit(commitment: &[u8], cell_index: u32, cell: &[u8], proof: &[u8]) -> Vec<u8> {
    report(checked(encode_column(u64::from(cell_index), &[commitment], &[proof], &[cell])))
}

/// A `BlobSidecar` in SSZ, under a network's rules; `anchor_root` is the root of a trusted header, or no bytes.
#[wasm_bindgen(js_name = blobSidecar)]
pub fn blob_sidecar(ssz: &[u8], network: &[u64], anchor_root: &[u8]) -> Vec<u8> {
    report((|| {
        let sidecar = BlobSidecar::from_ssz(ssz).map_err(|reason| reason.code())?;
        sidecar
            .check(&network_config(network)?, anchor_root.try_into().ok())
            .map_err(|reason| reason.code())?;
        checked(encode_blob(sidecar.commitment, sidecar.proof, sidecar.blob))
    })())
}

/// A `DataColumnSidecar` of Fulu in SSZ, likewise.
#[wasm_bindgen(js_name = dataColumnSidecar)]
pub fn data_column_sidecar(ssz: &[u8], network: &[u64], anchor_root: &[u8]) -> Vec<u8> {
    report((|| {
        let sidecar = DataColumnSidecar::from_ssz(ssz).map_err(|reason| reason.code())?;
        sidecar
            .check(&network_config(network)?, anchor_root.try_into().ok())
            .map_err(|reason| reason.code())?;
        let commitments: Vec<&[u8]> = sidecar.commitments.iter().map(|bytes| &bytes[..]).collect();
        let proofs: Vec<&[u8]> = sidecar.proofs.iter().map(|bytes| &bytes[..]).collect();
        let cells: Vec<&[u8]> = sidecar.cells.iter().map(|bytes| &bytes[..]).collect();
        checked(encode_column(sidecar.index, &commitments, &proofs, &cells))
    })())
}

/// A blob transaction in network form under the rules of a fork (0 Cancun, 1 Prague, 2 Osaka).
///
/// Before its 0 the report has, for each blob: a code, the versioned hash (32 bytes), the length of the unit (uint32,
/// little-endian) and the unit.
#[wasm_bindgen]
pub fn transaction(bytes: &[u8], fork: u8) -> Vec<u8> {
    report((|| {
        let fork = match fork {
            0 => Fork::Cancun,
            1 => Fork::Prague,
            _ => Fork::Osaka,
        };
        let transaction = BlobTransaction::decode(bytes).map_err(|reason| reason.code())?;
        transaction.check(fork).map_err(|reason| reason.code())?;
        let mut entries = Vec::new();
        let named = transaction.body.versioned_hashes.iter().zip(transaction.blob_outcomes());
        let proofs = transaction.proofs.chunks(transaction.wrapper_version.proofs_per_blob());
        let parts = transaction.commitments.iter().zip(&transaction.blobs).zip(proofs);
        for ((versioned_hash, outcome), ((commitment, blob), proofs)) in named.zip(parts) {
            let unit = match (transaction.wrapper_version, proofs) {
                (WrapperVersion::Eip4844, [proof, ..]) => encode_blob(*commitment, *proof, *blob),
                _ => encode_extended_blob(*commitment, proofs, *blob),
            };
            let unit = unit.map_err(|error| error.reason.code())?;
            let code = match outcome {
                Err(reason) => reason.code(),
                Ok(()) => checked(Ok(unit.clone())).err().unwrap_or(0),
            };
            entries.push(code);
            entries.extend_from_slice(&versioned_hash[..]);
            entries.extend_from_slice(&(unit.len() as u32).to_le_bytes());
            entries.extend_from_slice(&unit);
        }
        Ok(entries)
    })())
}

/// The commitments of a unit, 48 bytes each; none of what is not a unit.
#[wasm_bindgen(js_name = unitCommitments)]
pub fn unit_commitments(unit: &[u8]) -> Vec<u8> {
    Unit::parse(unit).map(|unit| unit.commitments().as_flattened().to_vec()).unwrap_or_default()
}

/// `hash_tree_root` of a `BeaconBlockHeader` of 112 bytes; no bytes for another length.
#[wasm_bindgen(js_name = headerRoot)]
pub fn header_root(ssz: &[u8]) -> Vec<u8> {
    BeaconBlockHeader::from_ssz(ssz).map(|header| header.hash_tree_root().to_vec()).unwrap_or_default()
}

/// `kzg_commitment_to_versioned_hash`; no bytes for another length than 48.
#[wasm_bindgen(js_name = versionedHash)]
pub fn versioned_hash(commitment: &[u8]) -> Vec<u8> {
    commitment.try_into().map(|commitment| kzg_to_versioned_hash(commitment).to_vec()).unwrap_or_default()
}

/// The unit, if its scalars and points are encoded as they should be.
fn checked(unit: Result<Vec<u8>, InputError>) -> Result<Vec<u8>, u8> {
    let unit = unit.map_err(|error| error.reason.code())?;
    Unit::parse(&unit).and_then(|unit| check(&unit)).map_err(|error| error.reason.code())?;
    Ok(unit)
}

fn report(outcome: Result<Vec<u8>, u8>) -> Vec<u8> {
    match outcome {
        Ok(mut unit) => {
            unit.push(0);
            unit
        }
        Err(code) => vec![code],
    }
}

/// The network's rules; the words come from our own `networkWords`, which refuses what is not a config.
fn network_config(words: &[u64]) -> Result<NetworkConfig, u8> {
    NetworkConfig::from_words(words).map_err(|_| Reason::UnitLayout.code())
}
