//! The kernel of the baseline, the module without relaxed SIMD: two numbers at a time, on integers.
//!
//! | module | what it holds |
//! |---|---|
//! | `vector` | four integers: a register, or a model of it for the tests |
//! | `fp` | two numbers modulo p: the engine's kernel |
//! | `fp_kernels` | a product's columns, and their reduction: generated, see below |
//! | `convert` | from words to limbs and back |
//!
//! # Numbers
//!
//! A number is Σ xᵢ·2^(28i), 14 limbs, each a signed integer of 32 bits, and stands for itself times R = 2³⁹². A vector holds
//! limbs 2m of two numbers, and limbs 2m + 1. Two of its four lanes are multiplied at once, to 64 bits, so that a product
//! serves both numbers. Sums and differences carry nothing.
//!
//! # Products
//!
//! **One multiplication for two products**: xᵢyⱼ + xⱼyᵢ = xᵢyᵢ + xⱼyⱼ + (xᵢ − xⱼ)(yⱼ − yᵢ), as in
//! [`baseline`](crate::baseline), and the differences of limbs 2m and 2l come with those of 2m + 1 and 2l + 1. 105 multiplications
//! make the columns, and 119 reduce them.
//!
//! **Columns by themselves.** Reduction is the larger part. In Fp2 the columns of two products are added up, and reduced once.
//!
//! # Montgomery's reduction
//!
//! Column k's sum t, with what the one below carries, has the digit q = t modulo 2²⁸. Adding q·p'·p, p' = −1/p modulo 2²⁸,
//! clears it, and leaves q·M for the next column, M = (p·p' + 1)/2²⁸: the quotient digit is the low part itself. p' happens to be
//! small, −196611, and with it M < p/2¹⁰. The last of 14 steps is the usual one, with p and a digit of at most 2²⁷ in size.
//!
//! # Bounds
//!
//! `crates/kernels/tests/proof` proves what follows about the generated code, operation by operation.
//!
//! `FpPair<B>` holds numbers below B·p in size, in limbs of at most B·(2²⁷ + 64).
//!
//! *Columns.* For factors of A and B with AB ≤ 4, and two products, a column of limbs is below 2⁶¹ in size, and the quotient's digits
//! add less than 2⁵⁹. With 2⁶² on top it is below 2⁶³ and not negative, so that its upper bits need no sign; the next column
//! takes 2⁶² − 2³⁴ on top, since 2³⁴ have been carried. The generator adds this up, and refuses to write what 64 bits do not hold.
//! Between, sums may wrap around: what is bounded is the column. Differences of limbs are at most 8·(2²⁷ + 64) < 2³¹ in size.
//!
//! *Limbs of the result.* Columns of the result are rounded: 2²⁷ on top, and taken away from the low part, so that it is at most
//! 2²⁷ in size.
//!
//! *Value of the result.* 8p²/R < 0.004·p, and (Σ qᵢ·2^(28(i+1))·M + q₁₃·2³⁶⁴·p)/R ≤ (2⁻¹⁰ + 1/2)·p: below 0.51·p.

mod convert;
mod fp;
#[rustfmt::skip]
mod fp_kernels;
mod vector;

pub use fp::{FpPair, Packed};
