//! The kernels themselves: their numbers against arkworks, on random and on the worst of limbs, and their code against what generates it.

mod baseline;
mod baseline_curve;
mod extremes;
mod generated;
mod packed;
mod simd;
mod simd_scalars;
