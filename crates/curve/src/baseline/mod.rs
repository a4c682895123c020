//! BLS12-381 on kernels of our own, for WebAssembly.

mod curve;
mod fq;
#[rustfmt::skip]
mod fq_kernels;
mod fr;
#[rustfmt::skip]
mod fr_kernels;
mod tower;
mod words;

pub use curve::{Bls12_381, G1Affine, G1Projective, G2Affine};
pub use fq::{Fq, FqConfig};
pub use fr::{Fr, FrConfig};
pub use tower::{Fq12, Fq2};
