//! KZG commitments and proofs: of blobs (EIP-4844), and of the 128 cells of their extension (EIP-7594).
//!
//! One kind of point serves all: A\[k\]\[i\] = \[τⁱ·(τ⁴⁰⁹⁶ ∓ 1)/(τ⁶⁴ − D\[k\])\]₁, 64 of them for each of the 128 cells. What a
//! cell multiplies them by is its own interpolation polynomial, so that no transform of the setup is left to be made
//! when a program starts. `docs/prover.md` derives it all, and counts.
//!
//! | module | what it holds |
//! |---|---|
//! | [`setup`] | the points; those of the blob's own cells are `blobcheck_kzg::commitment_setup` |
//! | [`mod@derive`] | the points from the ceremony's powers of τ: for the build |
//! | [`polynomial`] | a blob as the interpolation polynomials of its cells, and back |
//! | [`commit`] | the commitment of a blob whose cells' sums are known |
//! | [`opening`] | the quotient of an opening at a point |
//! | [`tables`] | multiples of the points, as many as memory is given |
//! | [`cell_sums`] | what each cell adds to the proofs: 128 sums, in 16 parts for as many workers |
//! | [`cell_proofs`] | from these sums to the proofs, in two halves |
//! | [`point_fft`] | transforms over points |
//! | [`api`] | the specification's functions |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod api;
pub mod cell_proofs;
pub mod cell_sums;
pub mod commit;
pub mod derive;
pub mod opening;
pub mod point_fft;
pub mod polynomial;
pub mod setup;
pub mod tables;

pub use setup::ExtendedSetup;
pub use tables::Tables;
