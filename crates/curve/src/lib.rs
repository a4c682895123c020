//! BLS12-381 for blob verification, behind one facade.
//!
//! Everything above this crate speaks of scalars, points, sums and pairings, over batches where that is faster, and never
//! of the field arithmetic below; kernels may change here without a change elsewhere.
//!
//! No module imports one that imports it (a test of `crates/xtask` holds that). A point that was read from bytes is a
//! [`CurvePoint`]: only the subgroup tests make a point of G1 of it, or an assertion that says so by its name.
//!
//! | module | what it holds |
//! |---|---|
//! | [`scalar`] | the scalar field: bytes to numbers and back, exactly as the KZG specification reads them |
//! | [`raw`] | scalars as plain integers: linear algebra without conversion to Montgomery form |
//! | [`wide`] | sums of 128-bit × 255-bit products, reduced once at the end |
//! | [`fold`], [`mod@extend`] | values of a polynomial from its values at roots of unity: one, or as many again |
//! | [`cells`] | values at cosets of roots of unity: coefficients of many cells, missing cells |
//! | [`g1`], [`g2`] | the groups: points and their addition |
//! | `curve_point`, `point_error` | points that are on the curve and not known to be in G1; why bytes are no point |
//! | [`g1_encoding`], [`g2_encoding`] | compressed points: checks, batch decompression, compression |
//! | [`uncompressed`], [`point_triples`], `montgomery_bytes` | points as our own workers and files have them |
//! | [`subgroup`], [`g2_subgroup`] | the exact subgroup tests, and that of a batch of points of G1 |
//! | [`signed`], [`trits`], `batch_point` | coefficients of batches: integers with a sign, and in balanced ternary; and their points |
//! | [`row_sums`], `cubic_residue`, `eisenstein` | the sums that the test of a batch forms, and their part of order 3 |
//! | [`mod@hash_to_curve`], `psi` | messages to points of G2, and the endomorphism that clears the cofactor |
//! | [`mod@msm`], `straus`, `pippenger` | multi-scalar multiplication: the choice of a method, and two of them |
//! | `bucket`, `bucket_entry`, `point_table` | many sums of points at once, in affine coordinates |
//! | `digits`, `endomorphism` | signed digits of scalars, and scalars in halves |
//! | `cost` | what all that costs in multiplications, to choose between methods |
//! | [`mod@sum`] | many points, one sum |
//! | [`weight`] | random weights, in both groups |
//! | [`mod@multiply_each`] | many points, each times a scalar of its own |
//! | `fixed_base`, [`fixed_base_table`] | sums over points that do not change: one sum of few, and many of many |
//! | [`shifted_points`] | one sum over many points that do not change |
//! | [`pairing`] | products of pairings with prepared lines |
//! | `fq`, `fq2`, `sqrt`, `addition_chain` | the base field and its extension: bytes, roots, constant powers |
//! | `moduli`, `limbs` | the two primes, and integers as words |
//! | `backend`, `features` | which arithmetic is below all this |
//! | `engine` | roots, sums, subgroup tests and pairings of batches, written once over a field kernel |
//! | `simd` | the kernels of the relaxed-SIMD module: two numbers at a time |
//! | `packed` | the kernel of the module without it: two numbers at a time, on integers |
//! | `baseline` | the fields and curves below all this in WebAssembly; natively they are arkworks' |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

/// Public for the tests that hold it against arkworks; not part of the facade.
#[doc(hidden)]
pub mod baseline;
pub mod cells;
/// Public for the tests, as above.
#[doc(hidden)]
pub mod engine;
pub mod extend;
pub mod fixed_base_table;
pub mod fold;
pub mod g1;
pub mod g1_encoding;
pub mod g2;
pub mod g2_encoding;
pub mod g2_subgroup;
pub mod hash_to_curve;
pub mod msm;
pub mod multiply_each;
/// Public for the tests, as above.
#[doc(hidden)]
pub mod packed;
pub mod pairing;
pub mod point_triples;
pub mod raw;
/// Public for the tests, as above.
#[doc(hidden)]
pub mod row_sums;
pub mod scalar;
pub mod shifted_points;
pub mod signed;
#[doc(hidden)]
pub mod simd;
pub mod subgroup;
pub mod sum;
pub mod trits;
pub mod uncompressed;
pub mod weight;
pub mod wide;

mod addition_chain;
mod backend;
mod batch_point;
mod bucket;
mod bucket_entry;
mod cost;
mod cubic_residue;
mod curve_point;
mod digits;
mod eisenstein;
mod endomorphism;
mod features;
mod fixed_base;
mod fq;
mod fq2;
mod limbs;
mod moduli;
mod montgomery_bytes;
mod pippenger;
mod point_error;
mod point_table;
mod psi;
mod sqrt;
mod straus;

pub use batch_point::BatchPoint;
pub use curve_point::CurvePoint;
pub use extend::extend;
pub use fixed_base::FixedBase;
pub use g1::{G1Affine, G1};
pub use g2::{G2Affine, G2};
pub use hash_to_curve::hash_to_g2;
pub use msm::{msm, msm_raw, msm_signed, msm_u128};
pub use multiply_each::multiply_each;
pub use pairing::{product_is_one, PairingProduct, PreparedG2};
pub use point_error::PointError;
pub use scalar::Scalar;
pub use signed::Signed;
pub use sum::sum;
pub use trits::Trits;
