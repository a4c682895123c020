//! Commitments and proofs, against c-kzg's.

use super::polynomials::{be, ckzg48, ckzg_blob, draw_blob, world, Polynomial, EXPONENTS};
use super::spoil::{spoil_data, spoil_point};
use crate::draw::{below, scalar};
use crate::points::draw_bytes;
use arbitrary::{Result, Unstructured};
use blobcheck_kzg::constants::CELLS_PER_EXT_BLOB;
use blobcheck_kzg::CommitmentSetup;
use blobcheck_prover::cell_proofs::Half;
use blobcheck_prover::{api, ExtendedSetup};
use std::sync::OnceLock;

/// Ethereum's points for commitments and proofs, which the set-up of this repository works out (`cargo xtask prover-setup`).
pub(super) fn setup() -> &'static ExtendedSetup {
    static SETUP: OnceLock<ExtendedSetup> = OnceLock::new();
    SETUP.get_or_init(|| {
        let read = |name: &str| {
            let path = format!("{}/../../wasm/{name}", env!("CARGO_MANIFEST_DIR"));
            std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}; cargo xtask prover-setup"))
        };
        let blob = CommitmentSetup::ethereum(&read("prover-setup.bin"));
        let blob = blob.unwrap_or_else(|error| panic!("{error}"));
        ExtendedSetup::ethereum(blob, &read("prover-setup-extension.bin"))
            .unwrap_or_else(|error| panic!("{error}"))
    })
}

/// Each function of the prover gives what c-kzg gives, and nothing where that gives nothing.
pub fn prover(input: &mut Unstructured<'_>) -> Result<()> {
    let mut blob = draw_blob(input)?;
    if below(input, 4)? == 0 {
        spoil_data(input, &mut blob)?;
    }
    let theirs = ckzg_blob(&blob);
    match below(input, 8)? {
        0 | 1 => {
            let theirs = world().theirs.blob_to_kzg_commitment(&theirs).ok();
            let ours = api::blob_to_kzg_commitment(setup().blob(), None, &blob).ok();
            assert_eq!(ours, theirs.map(|commitment| commitment.to_bytes().into_inner()));
        }
        2..=4 => {
            let z = match input.arbitrary()? {
                true => be(world().roots[2 * below(input, 4096)?]),
                false => scalar(input)?,
            };
            let theirs = world().theirs.compute_kzg_proof(&theirs, &c_kzg::Bytes32::new(z)).ok();
            let ours = api::compute_kzg_proof(setup().blob(), None, &blob, &z).ok();
            let theirs = theirs.map(|(proof, y)| (proof.to_bytes().into_inner(), y.as_slice().to_vec()));
            assert_eq!(ours.map(|(proof, y)| (proof, y.to_vec())), theirs);
        }
        5 | 6 => {
            // Any point will do.
            let mut commitment = Polynomial::draw(input, EXPONENTS.len())?.commitment;
            match below(input, 3)? {
                0 => spoil_point(input, &mut commitment)?,
                1 => commitment = draw_bytes(input)?,
                _ => {}
            }
            let theirs = world().theirs.compute_blob_kzg_proof(&theirs, &ckzg48(&commitment)).ok();
            let ours = api::compute_blob_kzg_proof(setup().blob(), None, &blob, &commitment).ok();
            assert_eq!(ours, theirs.map(|proof| proof.to_bytes().into_inner()));
        }
        _ => {
            let theirs = world().theirs.compute_cells_and_kzg_proofs(&theirs).ok();
            let ours = api::compute_cells_and_kzg_proofs(setup(), None, &blob).ok();
            let Some((cells, proofs)) = theirs else {
                assert!(ours.is_none(), "a blob that c-kzg refuses");
                return Ok(());
            };
            let cells: Vec<u8> = cells.iter().flat_map(|cell| cell.to_bytes()).collect();
            let proofs: Vec<_> = proofs.iter().map(|proof| proof.to_bytes().into_inner()).collect();
            assert!(ours == Some((cells, proofs.clone())), "cells and proofs of a blob");
            // The same in parts, and by the sums of all cells.
            let middle = below(input, 17)?;
            let sums = |parts| {
                let sums = api::compute_cell_sums(setup(), None, &blob, parts);
                sums.unwrap_or_else(|error| panic!("{error}"))
            };
            let sums = [sums(0..middle), sums(middle..16)].concat();
            assert_eq!(sums.len(), 96 * CELLS_PER_EXT_BLOB);
            for (half, proofs) in [Half::Blob, Half::Extension].into_iter().zip(proofs.chunks(64)) {
                assert!(api::finish_cell_proofs(&sums, half).as_deref() == Ok(proofs), "proofs by parts");
            }
            let commitment = world().theirs.blob_to_kzg_commitment(&ckzg_blob(&blob)).ok();
            let commitment = commitment.map(|commitment| commitment.to_bytes().into_inner());
            assert_eq!(api::finish_commitment(&sums).ok(), commitment);
        }
    }
    Ok(())
}
