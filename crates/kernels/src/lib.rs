//! Writes the field kernels of `blobcheck-curve`.
//!
//! The kernels are straight-line code of some hundred lines in which every index and every bound matters, so that they
//! are written by a program that computes the bounds as it writes, and refuses to write a column that could overflow.
//!
//! | module | what it holds |
//! |---|---|
//! | `field`, `integers` | kernels on integers: a prime cut into limbs, and the columns of a product |
//! | [`limbs`], `columns` | kernels on doubles, in two lanes: the same |
//! | [`packed`] | kernels on integers, in two lanes: the same |
//! | `reduction` | the kernel that makes sums small again |
//! | [`program`] | what the columns of doubles are written in: operations in the order in which they should run |
//! | `rust` | a program as Rust |
//! | [`stack`] | a program as WebAssembly |
//! | [`interpreter`] | what that computes, for the tests |
//!
//! `tests/proof` proves all kernels once more, for all numbers and from their operations or their Rust alone.
//!
//! # Why twice
//!
//! A product in lanes has 40 numbers to hold and the engine 16 registers. What it does not hold, it should load where it
//! is needed. LLVM puts all loads first, whatever order they are written in, and leaves the engine to write them
//! down again: a third of a product's time. So the build takes the kernels' code from here (crates/xtask). The Rust is what runs
//! natively: a test of `blobcheck-curve` holds it against the code, bit by bit.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used)] // a String takes whatever is written

mod columns;
mod field;
mod integers;
pub mod interpreter;
pub mod limbs;
pub mod packed;
pub mod program;
mod reduction;
mod rust;
pub mod stack;

use columns::Kind;
use field::Field;
use limbs::Limbs;
use packed::Packed;
use program::Program;

/// The base field's prime, its lowest word first.
pub const P: [u64; 6] = [
    0xb9fe_ffff_ffff_aaab,
    0x1eab_fffe_b153_ffff,
    0x6730_d2a0_f6b0_f624,
    0x6477_4b84_f385_12bf,
    0x4b1b_a7b6_434b_acd7,
    0x1a01_11ea_397f_e69a,
];

/// The order of the groups, its lowest word first.
pub const R: [u64; 4] =
    [0xffff_ffff_0000_0001, 0x53bd_a402_fffe_5bfe, 0x3339_d808_09a1_d805, 0x73ed_a753_299d_7d48];

/// `src/baseline/fq_kernels.rs`: 13 limbs of 30 bits.
pub fn fq() -> String {
    use integers::Kind::{Product, Square};
    let kernels = [("mul", Product), ("square", Square)];
    integers::file(&Field::new("p", &P, 30, 11), &kernels)
}

/// `src/baseline/fr_kernels.rs`: 9 limbs of 29 bits.
pub fn fr() -> String {
    use integers::Kind::{Product, Square};
    // −r⁻¹ is −1 here: a quotient digit costs nothing, and the usual steps are as good.
    integers::file(&Field::new("r", &R, 29, 0), &[("mul", Product), ("square", Square)])
}

/// Kernels in lanes: what they are made of, and the module of `blobcheck-curve` that holds them.
#[derive(Debug)]
pub struct SimdKernels {
    /// The module's path.
    pub module: &'static str,
    /// The shape of numbers.
    pub limbs: Limbs,
    /// A program for each.
    pub kernels: Vec<Program>,
}

impl SimdKernels {
    /// `src/simd/fp_kernels.rs`: 8 limbs of 48 bits.
    pub fn fp() -> Self {
        let limbs = Limbs::new("p", &P, 48, 4);
        let kernels = [("mul", Kind::Product), ("square", Kind::Square), ("mul_quadratic", Kind::Quadratic)];
        Self::new("blobcheck_curve::simd::fp_kernels", limbs, &kernels)
    }

    /// `src/simd/fr_kernels.rs`: 6 limbs of 44 bits.
    pub fn fr() -> Self {
        Self::new("blobcheck_curve::simd::fr_kernels", Limbs::new("r", &R, 44, 16), &[("mul", Kind::Product)])
    }

    fn new(module: &'static str, limbs: Limbs, kernels: &[(&'static str, Kind)]) -> Self {
        let products = kernels.iter().map(|(name, kind)| columns::kernel(&limbs, name, *kind));
        let kernels = products.chain([reduction::kernel(&limbs, "reduce")]).collect();
        Self { module, limbs, kernels }
    }

    /// The module's source.
    pub fn source(&self) -> String {
        rust::file(&self.limbs, &self.kernels)
    }
}

/// `src/packed/fp_kernels.rs`: 14 limbs of 28 bits, two numbers at a time.
#[derive(Debug)]
pub struct PackedKernels {
    /// The shape of numbers, and what the kernels load.
    pub packed: Packed,
    /// A program for each.
    pub kernels: Vec<Program>,
}

impl PackedKernels {
    /// The module's path.
    pub const MODULE: &str = "blobcheck_curve::packed::fp_kernels";

    /// Of the base field.
    pub fn fp() -> Self {
        let mut packed = Packed::new(Limbs::new("p", &P, 28, 4));
        let kernels = vec![packed.multiply("multiply"), packed.reduce_columns("reduce_columns")];
        Self { packed, kernels }
    }

    /// What the kernels load, as words.
    pub fn constants(&self) -> Vec<u64> {
        let word = |low: i32, high: i32| u64::from(low as u32) | u64::from(high as u32) << 32;
        self.packed.constants.iter().flat_map(|[a, b, c, d]| [word(*a, *b), word(*c, *d)]).collect()
    }

    /// The module's source.
    pub fn source(&self) -> String {
        rust::packed_file(&self.packed, &self.kernels)
    }
}

/// Kernels whose code the build places, all of a module or none.
#[derive(Debug)]
pub struct Placed {
    /// The path of the module of `blobcheck-curve` that holds them.
    pub module: &'static str,
    /// A program for each.
    pub kernels: Vec<Program>,
    /// What they load, as words, the way it lies in memory.
    pub constants: Vec<u64>,
}

/// All kernels that are placed.
pub fn placed() -> Vec<Placed> {
    let doubles = [SimdKernels::fp(), SimdKernels::fr()].map(|simd| Placed {
        constants: simd.limbs.constants().into_iter().map(f64::to_bits).collect(),
        module: simd.module,
        kernels: simd.kernels,
    });
    let packed = PackedKernels::fp();
    let constants = packed.constants();
    let packed = Placed { module: PackedKernels::MODULE, kernels: packed.kernels, constants };
    doubles.into_iter().chain([packed]).collect()
}
