//! What must hold of any input. A property is a function of bytes: it makes an input of them, asks the crates, and holds their answers
//! against an oracle: other people's code, a slow twin, or what the input was made of. It panics where they differ.
//!
//! `cargo test` runs each with bytes that proptest draws, and with those that once mattered; `npm run fuzz` lets libFuzzer choose
//! them. `docs/security.md` has what came of that.
//!
//! | module | what it holds |
//! |---|---|
//! | [`draw`] | numbers at the ends of their ranges, and bytes that somebody altered |
//! | [`points`] | points whose multiples and defects are known |
//! | [`curve`] | fields, encodings, sums, subgroup tests, pairings: against arkworks and blst |
//! | [`bls`] | signatures: against blst |
//! | [`kzg`] | proofs, units, batches, blobs without proofs, cells, the prover: against c-kzg |
//! | [`rlp`] | RLP and blob transactions: against alloy's decoder |
//! | [`ssz`] | blocks, sidecars and light-client objects: against the twin of `blobcheck-block` |
//! | [`light_client`] | the light client's steps: against the chain that they follow |
//! | [`hashes`] | SHA-256, Merkle branches, networks and custody: against `sha2` |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod bls;
pub mod curve;
pub mod draw;
pub mod hashes;
pub mod kzg;
pub mod light_client;
pub mod points;
pub mod rlp;
pub mod ssz;

use arbitrary::{Result, Unstructured};

/// A property, and how it is tried.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    /// Its name, which is that of its fuzz target.
    pub name: &'static str,
    /// Panics where it does not hold. An error says that the bytes make no input.
    pub check: fn(&mut Unstructured<'_>) -> Result<()>,
    /// How many inputs the tests try.
    pub cases: u32,
    /// Whether the arithmetic of the curve is in it, so that each kernel is to be tried.
    pub is_arithmetic: bool,
}

macro_rules! properties {
    ($($name:ident: $path:path, $cases:literal, $arithmetic:literal;)*) => {
        /// All of them.
        pub const PROPERTIES: &[Property] = &[$(Property {
            name: stringify!($name),
            check: $path,
            cases: $cases,
            is_arithmetic: $arithmetic,
        }),*];
    };
}

properties! {
    baseline_fields: curve::baseline_fields, 4000, true;
    lanes: curve::lanes, 2000, true;
    scalar_encodings: curve::scalar_encodings, 4000, true;
    g1_encodings: curve::g1_encodings, 400, true;
    g2_encodings: curve::g2_encodings, 400, true;
    long_encodings: curve::long_encodings, 300, true;
    sums: curve::sums, 40, true;
    sums_outside: curve::sums_outside, 40, true;
    subgroup_tests: curve::subgroup_tests, 80, true;
    pairings: curve::pairings, 60, true;
    hashing_to_g2: curve::hashing_to_g2, 100, true;
    bls_aggregates: bls::aggregates, 80, true;
    bls_batches: bls::batches, 40, true;
    kzg_proofs: kzg::proofs, 60, true;
    kzg_units: kzg::units, 40, true;
    kzg_batches: kzg::batches, 30, true;
    kzg_unit_bytes: kzg::unit_bytes, 200, true;
    kzg_cells: kzg::cells, 12, true;
    kzg_bare_blobs: kzg::bare_blobs, 8, true;
    kzg_prover: kzg::prover, 8, true;
    rlp: rlp::decoder, 6000, false;
    transactions: rlp::transaction, 200, false;
    ssz_blocks: ssz::blocks, 800, false;
    ssz_blob_sidecars: ssz::blob_sidecars, 400, false;
    ssz_column_sidecars: ssz::column_sidecars, 1500, false;
    ssz_light_client: ssz::light_client_objects, 1500, false;
    light_client_stores: ssz::light_client_stores, 100, false;
    light_client_steps: light_client::steps, 100, false;
    sha256: hashes::sha256_of_anything, 500, false;
    merkle_branches: hashes::merkle_branches, 1000, false;
    networks: hashes::networks, 1000, false;
}

/// Holds a property, by its name, against bytes: all that a fuzz target does.
///
/// # Panics
/// Where it does not hold, and where there is none of the name.
pub fn hold(name: &str, bytes: &[u8]) {
    let property = PROPERTIES.iter().find(|property| property.name == name);
    let Some(property) = property else { panic!("no property {name}") };
    // Bytes that are no input are none.
    let _ = (property.check)(&mut Unstructured::new(bytes));
}
