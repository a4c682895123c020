//! The fields of BLS12-381 for WebAssembly: arkworks' types over kernels of our own. The engine takes numbers one at a time from here,
//! and arkworks' formulas for points of both groups run over them; Fq6, Fq12 and the pairing are for the tests.
//!
//! arkworks multiplies words of 64 bits to 128. WebAssembly's multiplication keeps 64 bits of the product, so
//! that each such step becomes four multiplications and a row of carries: 250 ns for a product in the base
//! field, against 42 natively. The kernels here take 76. They change nothing but the time: numbers have
//! arkworks' very form, aR modulo p with R = 2³⁸⁴ (2²⁵⁶ for Fr), fully reduced.
//!
//! | module | what it holds |
//! |---|---|
//! | `fq`, `fr` | the fields, as arkworks' `MontConfig` |
//! | `fq_kernels`, `fr_kernels` | multiplication: generated, see below |
//! | `inverse` | inversion in the base field |
//! | `words` | addition and subtraction |
//! | `tower` | Fq2, Fq6, Fq12 |
//! | `curve` | G1, G2, the pairing |
//!
//! # Multiplication
//!
//! A number is cut into n limbs of w bits: 13 of 30 for Fq, 9 of 29 for Fr. Limb products have 2w bits and
//! are summed in 64, column by column from the lowest; each column passes its upper bits on to the next
//! ("product scanning"). Montgomery's reduction goes along: at column i < n a quotient digit qᵢ is chosen such
//! that adding qᵢ·p·2^(wi) clears the column. Columns n and up are then the result, divided by R: the last
//! step clears only as many bits as are left of R, 384 − 12·30 = 24 = 256 − 8·29.
//!
//! **One multiplication for two products.** In column k the products aᵢbⱼ and aⱼbᵢ, i + j = k, occur together:
//!
//! > aᵢbⱼ + aⱼbᵢ = aᵢbᵢ + aⱼbⱼ + (aᵢ − aⱼ)(bⱼ − bᵢ)
//!
//! The aᵢbᵢ of a column are a run of neighbours, the difference of two prefix sums `s`: n + n(n − 1)/2
//! multiplications in place of n². The same holds for the quotient digits and the digits of the modulus
//! (prefix sums `d`), whose differences are constants. So 207 multiplications make a product in Fq, not 351.
//!
//! **Quotient digits for nothing.** With p' = −p⁻¹ modulo 2^w, the usual digit is qᵢ = v·p' modulo 2^w, v being
//! the column's sum. Let qᵢ = v modulo 2^w instead, and add qᵢ·p'·p: the column is cleared as well, since p'·p
//! is −1 there, and what is passed on is qᵢ·M, M = (p'·p + 1)/2^w, which is below p again. No multiplication,
//! and none to wait for. Only the digits are larger, namely qᵢ·p' < 2^2w in place of 2^w; the last two steps
//! are therefore the usual ones. In Fr, p' is −1, and the usual digit costs nothing anyway.
//!
//! # Bounds
//!
//! `crates/kernels/tests/proof` proves what follows from the text of the kernels alone.
//!
//! *Columns.* The limbs of any number of 384 bits are below 2³⁰, the top one below 2²⁴; likewise the digits. The
//! generator adds up the largest values that a column's sum can have; where 2⁶⁴ would be passed, it moves the
//! upper part of v to `h` before going on ("relief"), and it refuses to write a column that still could
//! overflow. The differences and prefix sums wrap around, which does no harm: what is bounded is the true value
//! of the whole column at each relief and each shift, and arithmetic modulo 2⁶⁴ finds it.
//!
//! *Result.* Let T be the product ab. A step with M makes (V − q)/2³⁰ + qM of a value V, so
//! that eleven leave less than T/2³³⁰ + 2³⁰·M. A usual step of w bits makes (V + qp)/2^w ≤ V/2^w + p − p/2^w: the
//! two leave less than T/2³⁸⁴ + M/2²⁴ + p < T/R + (1 + 2⁻²⁴)·p.
//!
//! For factors below p, T ≤ p² and p/R < 0.102, so that this is below 1.11·p: one subtraction is enough, and
//! rarely needed. One would be enough even if a factor of a product were any number below R/2. For Fr the result
//! is below T/R + r, with r/R < 0.46. Every step is exact, so that the result is the very number of arkworks.

mod curve;
mod fq;
#[rustfmt::skip]
mod fq_kernels;
mod fr;
#[rustfmt::skip]
mod fr_kernels;
mod inverse;
mod tower;
mod words;

pub use curve::{Bls12_381, G1Affine, G1Projective, G2Affine, G2Projective};
pub use fq::{Fq, FqConfig};
pub use fr::{Fr, FrConfig};
pub use tower::{Fq12, Fq2};
