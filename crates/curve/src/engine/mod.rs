//! The arithmetic of batches: roots, points, sums, subgroup tests and pairings, over whichever kernel a module has.
//!
//! It takes whole batches off the facade's hands, and keeps numbers in its kernel's form from the first operation to the
//! last. arkworks' types stay at its borders.
//!
//! | module | what it holds |
//! |---|---|
//! | `kernel` | what is asked of a kernel; numbers with their bound in the type |
//! | `words` | the kernel of arkworks' fields; those in lanes are in [`simd`](crate::simd) and [`packed`](crate::packed) |
//! | `roots` | square roots and other powers |
//! | `jacobian`, `subgroup` | points in lanes, and the subgroup test |
//! | `totals` | the sums of families of rows |
//! | `sums` | many sums of points |
//! | `products` | points times one number, in lanes |
//! | `fp6`, `fp12` | the tower over Fp2; a number in Fp2 is a pair |
//! | `frobenius`, `inverse` | powers of p, and inverses, in the tower |
//! | `g2` | points of the curve over Fp2, one at a time |
//! | `miller_lines`, `pairing` | Miller loops and the final exponentiation |

/// Tests over each kernel, of functions that are generic in it.
#[cfg(test)]
macro_rules! over_each_kernel {
    ($($test:ident: $generic:ident),*) => {$(
        #[test]
        fn $test() {
            $generic::<crate::engine::words::Words>();
            $generic::<crate::simd::Doubles>();
            $generic::<crate::packed::Packed>();
        }
    )*};
}

mod fp12;
mod fp6;
mod frobenius;
mod g2;
mod inverse;
mod jacobian;
pub(crate) mod kernel;
mod miller_lines;
mod pairing;
mod products;
mod roots;
mod subgroup;
mod sums;
mod totals;
#[cfg(any(test, not(feature = "simd")))]
pub(crate) mod words;

pub(crate) use fp12::Fp12;
pub(crate) use g2::times_x;
pub(crate) use kernel::Kernel;
pub(crate) use miller_lines::Lines;
pub(crate) use pairing::product;
pub(crate) use products::{walk, Step};
pub(crate) use roots::power_each;
pub(crate) use subgroup::are_in_subgroup;
pub(crate) use sums::{affine, double_each, is_identity, point_of, reduce_signed, Point};
pub(crate) use totals::totals;

// The kernels of this build: the one place that chooses.

/// For powers and affine sums, which are products before all.
#[cfg(feature = "simd")]
pub(crate) type Multiplying = crate::simd::Doubles;

/// For powers and affine sums, which are products before all.
#[cfg(not(feature = "simd"))]
pub(crate) type Multiplying = words::Words;

/// For pairings and points in Jacobian coordinates, where sums are as many as products.
#[cfg(feature = "simd")]
pub(crate) type Summing = crate::simd::Doubles;

/// For pairings and points in Jacobian coordinates, where sums are as many as products.
#[cfg(all(not(feature = "simd"), any(feature = "baseline", target_family = "wasm")))]
pub(crate) type Summing = crate::packed::Packed;

/// For pairings and points in Jacobian coordinates, where sums are as many as products.
#[cfg(not(any(feature = "simd", feature = "baseline", target_family = "wasm")))]
pub(crate) type Summing = words::Words;
