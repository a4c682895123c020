//! The kernels of the relaxed-SIMD module: two numbers at a time, in pairs of doubles.
//!
//! Modulo p they carry the [`engine`](crate::engine); modulo r, transforms and the values of polynomials. Numbers have
//! arkworks' very form. `docs/relaxed-simd.md` tells what was measured.
//!
//! | module | what it holds |
//! |---|---|
//! | `vector` | two doubles: a register, or a model of it for the tests |
//! | `fp` | two numbers modulo p: the engine's kernel |
//! | `fp_kernels` | product, square, reduction: generated, see below |
//! | `convert` | from words to limbs and back |
//! | `fr`, `fr_kernels` | two numbers modulo r: plain integers |
//! | `fold` | the value of a polynomial, four values to one |
//! | `transform` | butterflies of transforms |
//! | `extend` | twice as many values of a polynomial |
//! | `cells` | sums of interpolation polynomials of cells, and missing cells |
//! | `self_test` | whether the engine computes as all this needs |
//!
//! # Exact products of doubles
//!
//! A number is Σ xᵢ·2^(48i), 8 limbs, each a signed integer in a double. A product of two limbs has up to 98 bits. Let
//! C = 3·2⁹⁹: doubles between 2¹⁰⁰ and 2¹⁰¹ are the multiples of 2⁴⁸. With a fused multiplication and addition,
//!
//! > h' = fma(x, y, h), l = fma(x, y, h − h')
//!
//! h' is h + xy rounded to a multiple of 2⁴⁸, h − h' is exact, and l is exactly what the rounding left out, at most 2⁴⁷
//! in size. So the products of a column are chained through one h, which starts at C, and their l are summed: four
//! operations a product, no integer among them, and no conversion. Unfused, all of it would be wrong: hence the probe.
//!
//! # Montgomery's reduction
//!
//! Column k's sum t, with what the one below carries, is split into r = (t + C) − C, a multiple of 2⁴⁸ that goes up, and
//! q = t − r, at most 2⁴⁷ in size. Adding q·p'·p, p' = −1/p modulo 2⁴⁸, clears q, and leaves q·M for the next column,
//! M = (p·p' + 1)/2⁴⁸: the quotient digit is the low part itself. p' happens to be small, −12885098499, and with it M <
//! p/2¹⁴. The eighth and last step is the usual one, with p. R stays 2³⁸⁴.
//!
//! # Bounds
//!
//! `crates/kernels/tests/proof` proves what follows about the generated code, operation by operation.
//!
//! `FpPair<B>` holds numbers below B·p in size, in limbs of at most B·(2⁴⁷ + 64), and so a top limb of at most
//! B·(p/2³³⁶ + 1).
//!
//! *Columns.* For factors of A and B with AB ≤ 4, the generator adds up the sizes of all products, those of the quotient's
//! digits among them, and refuses to write a sum that could take h out of C's binade, ± 2⁹⁹ = 32·2⁹⁴ (column 6 has 28·2⁹⁴ of
//! limbs and 2.9·2⁹⁴ of M), or t beyond 2⁵³.
//!
//! *Limbs of the result.* |t − r| ≤ 2⁴⁷, and the limb below hands over at most 27: below 64.
//!
//! *Value of the result.* xy/R, and (Σ qᵢ·2^(48(i+1))·M + q₇·2³³⁶·p)/R ≤ (2⁻¹⁴ + 1)·p/2. With xy ≤ 4p² and p/R < 0.1016 that
//! is below 0.907·p: a product of numbers within 4 is within 1 again.
//!
//! *Modulo r* limbs have 44 bits, C is 3·2⁹⁵, and R = 2²⁶⁴ > 564·r, so that limbs have room to spare: factors of A and B
//! with AB ≤ 16 give a result below 16/564·r + (1 + 2⁻¹²)·r/2. r/2⁶⁴ ends in as many ones as make p' = −(2³² + 1).

mod cells;
mod convert;
mod extend;
mod fold;
mod fp;
#[rustfmt::skip]
mod fp_kernels;
mod fr;
#[rustfmt::skip]
mod fr_kernels;
mod self_test;
mod transform;
mod vector;

pub(crate) use cells::{interpolate, RecoveryFactors};
pub use cells::{Cell, Column};
pub(crate) use extend::Factors;
pub(crate) use fold::fold;
pub use fp::{Doubles, FpPair};
pub use fr::FrPair;
pub use self_test::passes_self_test;
