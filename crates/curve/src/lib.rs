//! BLS12-381 for blob verification, behind one facade.
//!
//! Everything above this crate speaks of scalars, points, sums and pairings, always over batches, and never
//! of the field arithmetic below; kernels may change here without a change elsewhere.
//!
//! | module | what it holds |
//! |---|---|
//! | [`scalar`] | the scalar field: bytes to numbers and back, exactly as the KZG specification reads them |
//! | [`raw`] | scalars as plain integers: linear algebra without conversion to Montgomery form |
//! | [`mod@extend`] | twice as many values of a polynomial |
//! | [`fold`] | the value of a polynomial from its values at roots of unity |
//! | [`wide`] | sums of 128-bit × 255-bit products, reduced once at the end |
//! | [`g1`] | points of G1: encoding checks, batch decompression, compression |
//! | [`subgroup`] | the exact subgroup test, and that of a batch |
//! | [`signed`], [`trits`] | coefficients of batches: integers with a sign, and in balanced ternary |
//! | [`g2`] | points of G2: decompression, compression, the exact subgroup test |
//! | [`mod@hash_to_curve`] | messages to points of G2 |
//! | [`mod@msm`] | multi-scalar multiplication |
//! | [`mod@sum`] | many points, one sum |
//! | [`weight`] | random weights, in both groups |
//! | [`mod@multiply_each`] | many points, each times a scalar of its own |
//! | [`fixed_base_table`] | many sums over fixed points, from tables of their multiples |
//! | [`pairing`] | products of pairings with prepared lines |
//! | `simd` | the engine of the relaxed-SIMD module: two numbers at a time |
//! | `baseline` | the fields, curves and pairing below all this in WebAssembly; natively it is arkworks |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

/// Public for the tests that hold it against arkworks; not part of the facade.
#[doc(hidden)]
pub mod baseline;
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
pub mod pairing;
pub mod raw;
/// Public for the tests, as above.
#[doc(hidden)]
pub mod row_sums;
pub mod scalar;
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
mod endomorphism;
mod features;
mod fixed_base;
mod fq;
mod fq2;
mod limbs;
mod miller_lines;
mod moduli;
mod montgomery_bytes;
mod odd_multiples;
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
pub use msm::{msm, msm_signed, msm_u128};
pub use multiply_each::multiply_each;
pub use pairing::{product_is_one, PreparedG2};
pub use point_error::PointError;
pub use scalar::Scalar;
pub use signed::Signed;
pub use sum::sum;
pub use trits::Trits;
